//! What choosing a plan comes to, before it is done.

use super::billing::ChoosePlan;
use crate::{components::frame::Frame, http, pages::fault::page, session, told::Told, words};
use domain::{Permission, VideoTime, billing::Plan};
use leptos::{prelude::*, server_fn::ServerFn};
use service::payment::{BILLING_PAGE, Choice};

#[component]
pub fn ChoosePlanPage() -> impl IntoView {
    let id = http::query().get("plan").unwrap_or_default();
    page(async move {
        let viewer = session::require_viewer().await?;
        viewer.actor().require(Permission::ManageBilling)?;
        let content = match session::services().look_at_plan(viewer.actor(), &id).await {
            Ok((plan, choice)) => view! { <Chosen plan choice /> }.into_any(),
            Err(refused) => view! { <p class="notice" role="alert">{refused.told()?}</p> }.into_any(),
        };
        Ok(view! {
            <Frame title="Choose a plan" viewer=Some(viewer) class="page narrow">
                <h1>"Choose a plan"</h1>
                {content}
                <p class="aside"><a href=BILLING_PAGE>"Back to billing"</a></p>
            </Frame>
        })
    })
}

#[component]
fn Chosen(plan: Plan, choice: Choice) -> impl IntoView {
    let price = plan.monthly_price().map(|price| price.to_string()).unwrap_or_default();
    let (text, yes) = match &choice {
        Choice::Free => ("It costs nothing, and holds from now on. Credit that you have stays.".to_owned(), "Choose it"),
        Choice::Subscribe => {
            let trial = plan.trial_days.filter(|days| *days > 0);
            let trial = trial.map(|days| {
                format!(" The first {} are free for who tries it for the first time.", words::count(days.into(), "day", "days"))
            });
            (
                format!(
                    "It costs {price} a month, taxes and discounts aside, and can be cancelled at any time.{}",
                    trial.unwrap_or_default()
                ),
                "Go on to payment",
            )
        }
        Choice::Upgrade { due, paid_now, .. } => {
            let less = if paid_now.ends_trial {
                "Your trial ends with it."
            } else {
                "What is left of the month that you have paid is taken off, as far as you have not used it, and what you have used beyond it comes on."
            };
            let most = if paid_now.ends_trial { "" } else { "at most " };
            (
                format!(
                    "It costs {price} a month, taxes and discounts aside. It holds at once, a month begins today, and {most}{due} are paid now. {less}"
                ),
                "Pay and change",
            )
        }
        Choice::Return(_) => (
            format!("You have had it this month: it holds at once, and costs {price} from the next payment on, taxes and discounts aside."),
            "Change",
        ),
        Choice::Downgrade(_) => (
            format!(
                "It costs {price} a month from the next payment on, taxes and discounts aside, and holds at once. Nothing is paid back, so it is best chosen shortly before."
            ),
            "Change",
        ),
        Choice::End => (
            "Your subscription stays until the end of the month that is paid, and this plan follows. Credit stays. From now on no more is used than what is included, and credit.".to_owned(),
            "Cancel the subscription",
        ),
        Choice::EndUnpaid => (
            "Your last payment was not made. Your subscription is cancelled, and this plan holds at once. Credit stays.".to_owned(),
            "Cancel the subscription",
        ),
    };
    let kept = plan.retention_days.filter(|_| !matches!(choice, Choice::End));
    let kept = kept.map(|days| {
        let days = words::count(days.into(), "day", "days");
        view! { <p>"It keeps videos for "{days}" after they are made; older ones that you have are deleted thirty days after the change."</p> }
    });
    let overage = plan.overage.zip(plan.overage_price()).filter(|_| !matches!(choice, Choice::Free | Choice::End | Choice::EndUnpaid));
    let overage = overage.map(|(overage, price)| {
        let (minute, most) = (price.of(VideoTime::from_minutes(1)), price.of(overage.limit_ms));
        view! { <p>"What you use beyond what it includes comes on the next invoice: "{minute.to_string()}" a video-minute, at most "{most.to_string()}" a month. A limit of your own is set under "<a href="/limits">"Limits and alerts"</a>"."</p> }
    });
    view! {
        <form class="card stack" method="post" action=ChoosePlan::url()>
            <h2>{plan.name.clone()}</h2>
            <p>{text}</p>
            {overage}
            {kept}
            <input type="hidden" name="plan" value=plan.id />
            <input type="hidden" name="shown" value=choice.told() />
            <button class="button wide">{yes}</button>
        </form>
    }
}
