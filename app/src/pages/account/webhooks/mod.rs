//! Webhooks: endpoints, what was sent to them, and what they answered.

mod changes;
mod deliveries;
mod fields;
mod left;
mod list;
mod one;
mod predictions;
mod typed;

use crate::{
    components::{code::Copy, frame::Frame},
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice, flash},
};
use changes::Made;
use deliveries::Deliveries;
use domain::{WebhookDeliveryId, webhook::DeliveryState};
use fields::NewEndpointForm;
use left::Left;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use list::Endpoints;
use one::Endpoint;
use predictions::Predictions;
use service::{
    Services, User,
    webhook::{DeliveryPage, DeliveryQuery, WebhookError},
};
use typed::Typed;

const PAGE: &str = "/webhooks";
const SHOWN: u64 = 50;

#[component]
pub fn WebhooksPage() -> impl IntoView {
    let query = http::query();
    let asked = ["endpoint", "delivery", "after", "status"].map(|name| query.get(name));
    let left = Left::read(|name| query.get(name));
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let endpoints = services.webhooks(viewer.actor()).await?;
        let [endpoint, delivery, after, status] = asked;
        let chosen = match endpoint {
            Some(id) => Some(endpoints.iter().find(|endpoint| endpoint.id.to_string() == id).cloned().ok_or_else(not_found)?),
            None => None,
        };
        let log = match &chosen {
            Some(endpoint) => Some(log(&services, &viewer, endpoint.id, after, status.as_deref()).await?),
            None => None,
        };
        let shown = match (&chosen, delivery) {
            (Some(endpoint), Some(id)) => {
                let id: WebhookDeliveryId = id.parse().map_err(|_| not_found())?;
                Some(services.webhook_delivery(viewer.actor(), endpoint.id, id).await.map_err(fault)?)
            }
            _ => None,
        };
        // Beside the list alone.
        let secret = match &chosen {
            Some(_) => None,
            None => Some(services.callback_secret(viewer.actor()).await.map_err(fault)?),
        };
        let (tenant, now) = (viewer.tenant, services.store.now().await?);
        let made = flash::take::<Made>(PAGE).await?;
        let said = session::said(PAGE, Some(viewer.id));
        Ok(view! {
            <Frame title="Webhooks" viewer=Some(viewer) class="page wide keys-page">
                <Stylesheet href="/keys.css" />
                <Stylesheet href="/webhooks.css" />
                <header class="page-head">
                    <h1>"Webhooks"</h1>
                    <p class="lead">"A program of yours is told when a video or a batch has ended, so it need not ask. "<a href="/keys">"API keys"</a></p>
                </header>
                {made.map(|Made { name, secret }| view! { <NewSecret name secret /> })}
                <SaidNotice said=&said form="webhooks" />
                {match chosen {
                    Some(endpoint) => view! {
                        <SaidNotice said=&said form="change" />
                        <Endpoint tenant endpoint=endpoint.clone() typed=Typed::refused(&said, "change") now />
                        {log.map(|(page, status)| view! { <Deliveries tenant endpoint page status shown left said=said.clone() now /> })}
                    }
                    .into_any(),
                    None => view! {
                        <SaidNotice said=&said form="create" />
                        <NewEndpointForm tenant typed=Typed::refused(&said, "create").unwrap_or_else(Typed::everything) />
                        <Endpoints endpoints />
                        {secret.map(|secret| view! { <Predictions tenant hint=secret.hint old_until=secret.old_until /> })}
                    }
                    .into_any(),
                }}
            </Frame>
        })
    })
}

/// The part of the log that is asked for, and which deliveries it is narrowed to.
async fn log(
    services: &Services,
    viewer: &User,
    id: domain::WebhookEndpointId,
    after: Option<String>,
    status: Option<&str>,
) -> Result<(DeliveryPage, Option<DeliveryState>), Fault> {
    let state = status.and_then(DeliveryState::named);
    let query = DeliveryQuery { after: after.and_then(|after| after.parse().ok()), state, limit: SHOWN };
    let page = services.webhook_deliveries(viewer.actor(), id, query).await.map_err(fault)?;
    Ok((page, state))
}

fn not_found() -> Fault {
    Fault::NotFound
}

fn fault(error: WebhookError) -> Fault {
    match error {
        WebhookError::Forbidden(error) => error.into(),
        WebhookError::Store(error) => error.into(),
        WebhookError::Unknown | WebhookError::DeliveryUnknown => not_found(),
        error => Fault::internal(&error),
    }
}

#[component]
fn NewSecret(name: String, secret: String) -> impl IntoView {
    view! {
        <section class="card secret" aria-labelledby="new-secret" role="status">
            <h2 id="new-secret">"The signing secret of "<bdi>{name}</bdi></h2>
            <p class="secret-text"><code>{secret.clone()}</code><Copy text=secret what="the secret" /></p>
            <p><strong>"Copy it now."</strong>" It is shown this once. Your program checks with it that what it receives comes from here."</p>
        </section>
    }
}
