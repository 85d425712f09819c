//! What it costs: the plans that are offered, and how the price of a video comes about.

use crate::{
    components::{
        frame::Frame,
        plan::{Leads, PlanCards},
    },
    pages::fault::page,
    session,
};
use domain::Permission;
use leptos::prelude::*;
use leptos_meta::Stylesheet;

#[component]
pub fn PricingPage() -> impl IntoView {
    page(async move {
        let viewer = session::viewer().await?;
        let plans = session::services().listed_plans().await?;
        let current = match &viewer {
            Some(viewer) => Some(session::services().balance(viewer.actor()).await?.plan),
            None => None,
        };
        let leads = match &viewer {
            None => Leads::ToSignUp,
            Some(viewer) if session::services().can_pay() && viewer.actor().may(Permission::ManageBilling) => Leads::ToChoice,
            Some(_) => Leads::Nowhere,
        };
        let has_plans = !plans.is_empty();
        Ok(view! {
            <Frame title="Pricing" viewer class="page wide">
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Pricing"</h1>
                    <p class="lead">"You pay for seconds of video, never for waiting. What fails costs nothing."</p>
                </header>
                {if has_plans {
                    view! { <PlanCards plans current leads /> }.into_any()
                } else {
                    view! { <p class="empty small">"No plan is offered here. Ask whoever runs this Reelmill."</p> }.into_any()
                }}
                <section class="stack" aria-labelledby="rules">
                    <h2 id="rules">"What a video costs"</h2>
                    <ul class="rules">
                        <li>"Its price is its length, times the weight of its size, times its steps over the usual ones. You see the sum before the click."</li>
                        <li>"The price is set aside when you submit, and taken when the video is made. So you never spend more than you have."</li>
                        <li>"What fails, is refused or has to be tried again costs nothing. What you cancel costs the part that was done."</li>
                        <li>"What your plan includes is used first, then your credit, and only then what is paid afterwards."</li>
                    </ul>
                </section>
            </Frame>
        })
    })
}
