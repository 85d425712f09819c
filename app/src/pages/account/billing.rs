//! What is paid: the subscription, credit to buy, invoices. What costs money is finished on pages of the payment processor.

use crate::{
    components::{
        confirm::{Ask, Confirm},
        frame::Frame,
        moment::Moment,
        table::Table,
    },
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice},
    told::Told,
    words,
};
use domain::{
    Permission, Timestamp, VideoTime,
    billing::{Included, Invoice, InvoiceStatus, Plan, Subscription, SubscriptionStatus},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    User,
    payment::{BILLING_PAGE as PAGE, BillingError, Bills},
};

const HEADS: [&str; 5] = ["Date", "Number", "Amount", "State", "Invoice"];
/// Minutes of credit that are offered to be bought.
const AMOUNTS: [u64; 4] = [10, 60, 300, 1000];
const PLAN_PAGE: &str = "/billing/plan";

/// Leads to where something is finished, or back with what is to be said.
fn answer(user: &User, form: &str, done: Result<Option<String>, BillingError>, text: &str) -> Result<(), Fault> {
    match done {
        Ok(Some(elsewhere)) => http::lead(&elsewhere),
        Ok(None) => {
            session::say(PAGE, Some(user.id), form, Ok(text.to_owned()), "");
            leptos_axum::redirect(PAGE);
        }
        Err(refused) => {
            session::say(PAGE, Some(user.id), form, Err(refused.told()?), "");
            leptos_axum::redirect(PAGE);
        }
    }
    Ok(())
}

#[server(prefix = "/api", endpoint = "choose-plan")]
pub async fn choose_plan(plan: String, #[server(default)] shown: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let chosen = Box::pin(session::services().choose_plan(user.actor(), &plan, &shown)).await;
    answer(&user, "plan", chosen, "Done: your plan changes as you were told.")
}

#[server(prefix = "/api", endpoint = "end-subscription")]
pub async fn end_subscription(#[server(default)] goes_on: bool) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let ended = Box::pin(session::services().end_subscription(user.actor(), !goes_on)).await.map(|()| None);
    answer(&user, "plan", ended, if goes_on { "Your subscription goes on." } else { "Your subscription is cancelled." })
}

#[server(prefix = "/api", endpoint = "buy-credit")]
pub async fn buy_credit(minutes: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let minutes = minutes.trim().parse::<u64>().unwrap_or(0);
    let amount = VideoTime::from_ms(minutes.saturating_mul(60_000));
    let bought = Box::pin(session::services().buy_credit(user.actor(), amount)).await.map(Some);
    answer(&user, "credit", bought, "")
}

#[server(prefix = "/api", endpoint = "payment-portal")]
pub async fn payment_portal() -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let portal = session::services().payment_portal(user.actor()).await.map(Some);
    answer(&user, "invoices", portal, "")
}

#[component]
pub fn BillingPage() -> impl IntoView {
    let checkout = http::query().get("checkout");
    page(async move {
        let viewer = session::require_viewer().await?;
        viewer.actor().require(Permission::ManageBilling)?;
        let services = session::services();
        let is_back = matches!(checkout.as_deref(), Some("done" | "back"));
        let bills = if is_back { services.fresh_bills(viewer.actor()).await } else { services.bills(viewer.actor()).await };
        let bills = bills.map_err(fault)?;
        let offered = services.listed_plans().await?;
        let now = services.store.now().await?;
        let said = session::said(PAGE, Some(viewer.id));
        let notice = match checkout.as_deref() {
            Some("cancelled") => Some("Nothing was paid, and nothing has changed."),
            Some("done") => Some("Thank you. What you have paid is here; a moment later at most."),
            _ => None,
        };
        let credit = services.balance(viewer.actor()).await?.credit();
        let named = async |id: String| match services.store.plans().find(&id).await? {
            Some(plan) => Ok::<_, Fault>(plan.name),
            None => Ok(id),
        };
        let subscription = bills.subscription().cloned();
        let paid = subscription.as_ref().and_then(|subscription| subscription.plan.clone());
        let (has_paid_plan, paid_plan) = (bills.account.paid_plan.as_ref() == Some(&bills.account.plan), &bills.account.paid_plan);
        let is_other = !has_paid_plan && paid_plan.is_some() && subscription.as_ref().is_some_and(|of| of.plan == *paid_plan);
        let paid = if let Some(paid) = paid { Some(named(paid).await?) } else { None };
        let next = if has_paid_plan { Some(named(bills.next_plan.clone()).await?) } else { None };
        let content = if bills.can_pay {
            view! {
                <Paid subscription=subscription.clone() paid plan=bills.plan.clone() next is_other now />
                <SaidNotice said=&said form="plan" />
                <Choices bills=bills.clone() offered />
                <SaidNotice said=&said form="credit" />
                <Credit plan=bills.plan.clone() credit />
                <SaidNotice said=&said form="invoices" />
                <Invoices bills />
            }
            .into_any()
        } else {
            let has_invoices = !bills.account.invoices.is_empty();
            view! {
                <p class="empty small">"Nothing can be paid here: plans and credit are given by whoever runs this Reelmill. "<a href="/plan">"What is left of yours, and promo codes"</a></p>
                {has_invoices.then(|| view! { <Invoices bills /> })}
            }
            .into_any()
        };
        Ok(view! {
            <Frame title="Billing" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/plan.css" />
                <Stylesheet href="/admin.css" />
                <header class="page-head">
                    <h1>"Billing"</h1>
                    <p class="lead"><a href="/plan">"Plan and credit"</a>" · "<a href="/usage">"Usage by day"</a>" · "<a href="/plan#entries">"What was granted and charged"</a></p>
                </header>
                {notice.map(|text| view! { <p class="notice plain" role="status">{text}</p> })}
                {content}
            </Frame>
        })
    })
}

fn fault(error: BillingError) -> Fault {
    match error {
        BillingError::Forbidden(error) => error.into(),
        BillingError::Store(error) => error.into(),
        error => Fault::internal(&error),
    }
}

/// How the subscription stands, and what is to be done.
#[component]
fn Paid(
    subscription: Option<Subscription>,
    paid: Option<String>,
    plan: Plan,
    next: Option<String>,
    is_other: bool,
    now: Timestamp,
) -> impl IntoView {
    let Some(subscription) = subscription else {
        return view! {
            <section class="stack" aria-labelledby="subscription">
                <h2 id="subscription">"Your subscription"</h2>
                <p>"None. Your plan is "<strong>{plan.name}</strong>"."</p>
            </section>
        }
        .into_any();
    };
    let Subscription { status, monthly, period_ends_at, cancel_at, trial_ends_at, .. } = subscription.clone();
    let is_trial = status == SubscriptionStatus::Trialing;
    let problem = match (status, subscription.grace_ends_at()) {
        (SubscriptionStatus::PastDue, Some(ends_at)) if now < ends_at => Some(view! {
            <p class="notice" role="alert">"The last payment was declined, and is tried again. Please look at your card: your plan stays until "<Moment at=ends_at />"."</p>
        }.into_any()),
        (SubscriptionStatus::PastDue | SubscriptionStatus::Unpaid, _) => Some(view! {
            <p class="notice" role="alert">"The last payment was not made, so your plan is paused. It is back at once when the open invoice is paid."</p>
        }.into_any()),
        (SubscriptionStatus::Incomplete, _) => Some(view! { <p class="notice" role="alert">"The first payment is not made yet: your bank may ask you to confirm it."</p> }.into_any()),
        _ => None,
    };
    // Set by the operator, beside what is paid.
    let other = is_other.then(|| {
        let goes_on = cancel_at.is_none().then_some(" The subscription goes on until you cancel it.");
        view! { <p class="notice plain">"Your plan is "<strong>{plan.name.clone()}</strong>" for now: whoever runs this Reelmill has set it."{goes_on}</p> }
    });
    let is_due = matches!(status, SubscriptionStatus::PastDue | SubscriptionStatus::Unpaid | SubscriptionStatus::Incomplete);
    let next = match (cancel_at, trial_ends_at.filter(|_| is_trial)) {
        (Some(at), _) => {
            view! { "It is cancelled, and ends on "<Moment at />"."{next.map(|next| format!(" Then your plan is {next}."))} }.into_any()
        }
        (None, None) if is_due => ().into_any(),
        (None, Some(at)) => view! { "It is free until "<Moment at />", and costs this from then on." }.into_any(),
        (None, None) => view! { "The next payment is on "<Moment at=period_ends_at />"." }.into_any(),
    };
    let is_cancelled = cancel_at.is_some();
    view! {
        <section class="stack" aria-labelledby="subscription">
            <h2 id="subscription">"Your subscription"</h2>
            {problem}
            {other}
            <p><strong>{paid}</strong>", "{monthly.to_string()}" a month. "{next}</p>
            <div class="row">
                <form method="post" action=PaymentPortal::url()><button class="button quiet">"Card and address"</button></form>
                {if is_cancelled {
                    view! {
                        <form method="post" action=EndSubscription::url()>
                            <input type="hidden" name="goes_on" value="true" />
                            <button class="button">"Keep it after all"</button>
                        </form>
                    }.into_any()
                } else {
                    view! { <Ask id="end-subscription" label="Cancel subscription">"Cancel subscription"</Ask> }.into_any()
                }}
            </div>
            <Confirm
                id="end-subscription"
                question="Cancel the subscription?"
                consequence="It stays until the end of the month that is paid; from now on no more is used than it includes, and your credit. What you have made stays."
                yes="Cancel it"
                no="Keep it"
                action=EndSubscription::url()
                fields=Vec::new()
            />
        </section>
    }
    .into_any()
}

/// The plans that can be chosen instead.
#[component]
fn Choices(bills: Bills, offered: Vec<Plan>) -> impl IntoView {
    let current = bills.subscription().and_then(|subscription| subscription.plan.clone()).unwrap_or_else(|| bills.account.plan.clone());
    let others = offered.into_iter().filter(|plan| plan.id != current).map(|plan| {
        let price =
            plan.monthly_price().map(|price| if plan.monthly_minor == Some(0) { "free".to_owned() } else { format!("{price} a month") });
        let included = match plan.included {
            Included::MonthlyMs(time) if time > VideoTime::default() => format!("{} of video a month", words::video_time(time)),
            other => other.to_string(),
        };
        let choose = plan.monthly_minor.map(|_| {
            let href = format!("{PLAN_PAGE}?plan={}", plan.id);
            view! { <a class="button quiet small" href=href aria-label=format!("Choose {}", plan.name)>"Choose"</a> }
        });
        view! {
            <tr>
                <th scope="row">{plan.name.clone()}</th>
                <td data-head="Price">{price.unwrap_or_else(|| "by agreement".to_owned())}</td>
                <td data-head="Includes">{included}</td>
                <td>{choose}</td>
            </tr>
        }
    });
    let others = others.collect_view();
    (!others.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="plans">
                <h2 id="plans">"Other plans"</h2>
                <Table label="Plans to choose from" heads=&["Plan", "Price", "Includes", "Choose"]>{others}</Table>
                <p class="hint">"Taxes and discounts aside. "<a href="/pricing">"All that plans give"</a></p>
            </section>
        }
    })
}

#[component]
fn Credit(plan: Plan, credit: VideoTime) -> impl IntoView {
    let has_credit = credit > VideoTime::default();
    plan.credit_price().map(|price| {
        let options = AMOUNTS.map(|minutes| {
            let cost = price.of(VideoTime::from_ms(minutes * 60_000));
            view! { <option value=minutes.to_string() selected={minutes == 60}>{format!("{minutes} minutes of video for {cost}")}</option> }
        });
        view! {
            <section class="stack" aria-labelledby="credit">
                <h2 id="credit">"Buy credit"</h2>
                {has_credit.then(|| view! { <p>"You have "<strong>{words::video_seconds(credit)}</strong>" of credit."</p> })}
                <p>"Credit is used after what your plan includes, and is good for a year."</p>
                <form class="in-row" method="post" action=BuyCredit::url()>
                    <select name="minutes" aria-label="How much">{options.collect_view()}</select>
                    <button class="button">"Buy"</button>
                </form>
            </section>
        }
    })
}

#[component]
fn Invoices(bills: Bills) -> impl IntoView {
    let has_portal = bills.can_pay && bills.account.customer.is_some();
    let content = if bills.account.invoices.is_empty() {
        view! { <p class="empty small">"There is no invoice yet."</p> }.into_any()
    } else {
        let rows = bills.account.invoices.into_iter().map(|invoice| view! { <InvoiceRow invoice /> });
        view! { <Table label="List of invoices" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
    };
    view! {
        <section class="stack" aria-labelledby="invoices">
            <h2 id="invoices">"Invoices"</h2>
            {content}
            {has_portal.then(|| view! {
                <form method="post" action=PaymentPortal::url()><button class="button quiet">"All invoices and receipts"</button></form>
            })}
        </section>
    }
}

#[component]
fn InvoiceRow(invoice: Invoice) -> impl IntoView {
    let Invoice { number, status, total, paid, created_at, url, next_attempt_at, .. } = invoice;
    // Less than its total where credit was taken off.
    let amount = if status == InvoiceStatus::Paid { paid } else { total };
    let state = match status {
        InvoiceStatus::Draft => "Not sent yet",
        InvoiceStatus::Open => "To be paid",
        InvoiceStatus::Paid => "Paid",
        InvoiceStatus::Uncollectible => "Not paid",
        InvoiceStatus::Void => "Void",
    };
    let link = if status == InvoiceStatus::Open { "Pay" } else { "Show" };
    let label = format!("{link} invoice {}", number.clone().unwrap_or_default());
    view! {
        <tr>
            <th scope="row"><Moment at=created_at /></th>
            <td data-head="Number">{number.unwrap_or_else(|| "none yet".to_owned())}</td>
            <td data-head="Amount" class="number">{amount.to_string()}</td>
            <td data-head="State">{state}{next_attempt_at.filter(|_| status == InvoiceStatus::Open).map(|at| view! { <span class="hint">", tried again "<Moment at /></span> })}</td>
            <td data-head="Invoice">{url.map(|href| view! { <a href=href rel="noreferrer" aria-label=label>{link}</a> })}</td>
        </tr>
    }
}
