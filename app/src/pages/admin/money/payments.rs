//! What comes in: subscriptions by plan, who comes and goes, and what the payment processor told that could not be worked off.

use crate::pages::admin::section::empty;
use crate::{
    components::{frame::Frame, moment::Ago, table::Table},
    pages::fault::page,
    session, words,
};
use domain::{Timestamp, billing::Money};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::{Revenue, Subscribers, payment::PaymentOverview};

#[component]
pub fn PaymentsPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let services = session::services();
        let PaymentOverview { revenue, undelivered } = services.payment_overview(viewer.installation_actor()).await?;
        let now = services.store.now().await?;
        let can_pay = services.can_pay();
        Ok(view! {
            <Frame title="Payments" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <header class="page-head">
                    <h1>"Payments"</h1>
                    {(!can_pay).then(|| view! { <p class="lead">"No payments are taken here: without a key of Stripe (STRIPE_SECRET_KEY) plans and credit are given on the page of tenants."</p> })}
                </header>
                <Numbers revenue=revenue.clone() />
                <section class="stack" aria-labelledby="subscriptions">
                    <h2 id="subscriptions">"Subscriptions"</h2>
                    <ByPlan revenue />
                </section>
                <section class="stack" aria-labelledby="events">
                    <h2 id="events">"Told by Stripe, and not worked off"</h2>
                    <Undelivered events=undelivered now />
                    <p class="hint">"Whether all is known that Stripe knows says "<code>"reelmill admin payments reconcile"</code>": it names each difference."</p>
                </section>
            </Frame>
        })
    })
}

#[component]
fn Numbers(revenue: Revenue) -> impl IntoView {
    let amounts = |amounts: &[Money]| {
        if amounts.is_empty() { "nothing".to_owned() } else { words::list(&amounts.iter().map(ToString::to_string).collect::<Vec<_>>()) }
    };
    let Revenue { before, begun, ended, .. } = revenue;
    let churn = if before == 0 { "none yet".to_owned() } else { format!("{:.1} %", ended as f64 * 100.0 / before as f64) };
    let figures = [
        ("Each month", amounts(&revenue.monthly()), "by subscriptions that are paid"),
        ("Paid", amounts(&revenue.paid), "for invoices and credit of the last 30 days"),
        ("Begun", begun.to_string(), "subscriptions in the last 30 days"),
        ("Churn", churn, "of those subscribed 30 days ago"),
    ];
    let figures = figures.map(|(name, value, what)| {
        view! { <div class="card"><dt>{name}</dt><dd><strong class="figure">{value}</strong><span class="hint">" "{what}</span></dd></div> }
    });
    view! { <dl class="numbers">{figures.collect_view()}</dl> }
}

#[component]
fn ByPlan(revenue: Revenue) -> impl IntoView {
    if revenue.subscribers.is_empty() {
        return empty("None yet.");
    }
    let rows = revenue.subscribers.into_iter().map(|of| {
        let Subscribers { plan, status, count, monthly } = of;
        view! {
            <tr>
                <th scope="row">{plan.unwrap_or_else(|| "no plan of ours".to_owned())}</th>
                <td data-head="State">{status.as_str().replace('_', " ")}</td>
                <td data-head="Subscriptions" class="number">{count}</td>
                <td data-head="A month" class="number">{monthly.to_string()}</td>
            </tr>
        }
    });
    view! { <Table label="Subscriptions by plan" heads=&["Plan", "State", "Subscriptions", "A month"]>{rows.collect_view()}</Table> }
        .into_any()
}

#[component]
fn Undelivered(events: Vec<service::Undelivered>, now: Timestamp) -> impl IntoView {
    if events.is_empty() {
        return empty("None: all that was told is worked off.");
    }
    let rows = events.into_iter().map(move |event| {
        let service::Undelivered { subject, attempts, error, since, is_given_up, .. } = event;
        view! {
            <tr>
                <th scope="row" class="wraps">{subject}</th>
                <td data-head="State">{if is_given_up { "Given up" } else { "Tried again" }}</td>
                <td data-head="Attempts" class="number">{attempts}</td>
                <td data-head="Since"><Ago at=since now /></td>
                <td class="wraps">{error}</td>
            </tr>
        }
    });
    view! { <Table label="Events that are not worked off" heads=&["Of whom", "State", "Attempts", "Since", "Why"]>{rows.collect_view()}</Table> }.into_any()
}
