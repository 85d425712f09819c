//! What the forms of the page of webhooks do.

use super::{PAGE, left::Left, typed::Typed};
use crate::{
    components::moment::day_typed,
    fault::Fault,
    http,
    session::{self, same_team},
    told::Told,
    words,
};
use domain::{TenantId, Timestamp, WebhookDeliveryId, WebhookEndpointId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use service::{
    User,
    webhook::{NewWebhook, Replay, WebhookError, WebhookRequest},
};

/// By one click, a thousand each: less than may wait.
const REPLAYS_MAX: u32 = 20;

/// A secret just made, on its way to be shown once.
#[derive(Serialize, Deserialize)]
pub(super) struct Made {
    pub name: String,
    pub secret: String,
}

/// Leads back to the page, or to one endpoint there, with what is to be said.
fn answer<E: Told>(
    user: &User,
    (form, endpoint): (&str, Option<WebhookEndpointId>),
    done: Result<String, E>,
    typed: &[(&str, &str)],
) -> Result<(), Fault> {
    let at = endpoint.map_or_else(|| PAGE.to_owned(), |id| format!("{PAGE}?endpoint={id}"));
    answer_at(&at, user, form, done, typed)
}

/// The same, where the address of the page says more.
fn answer_at<E: Told>(at: &str, user: &User, form: &str, done: Result<String, E>, typed: &[(&str, &str)]) -> Result<(), Fault> {
    let outcome = match done {
        Ok(text) => Ok(text),
        Err(refused) => Err(refused.told()?),
    };
    session::say_of_fields(PAGE, Some(user.id), form, outcome, typed);
    leptos_axum::redirect(at);
    Ok(())
}

async fn show_once(new: NewWebhook) -> Result<(), Fault> {
    session::flash::keep(PAGE, &Made { name: new.endpoint.name, secret: new.secret }).await
}

#[server(prefix = "/api", endpoint = "create-webhook")]
pub async fn create_webhook(#[server(default)] tenant: Option<TenantId>, #[server(flatten)] typed: Typed) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let fields = typed.fields();
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("create", None), Err(switched), &fields);
    }
    match session::services().create_webhook(user.actor(), typed.request(), &http::visitor_address()).await {
        Ok(new) => {
            let id = new.endpoint.id;
            if let Err(fault) = show_once(new).await {
                // Nobody will ever see its secret.
                let deleted = session::services().delete_webhook(user.actor(), id, &http::visitor_address()).await;
                deleted.unwrap_or_else(|error| tracing::warn!(%error, "an endpoint without a secret stays"));
                return Err(fault);
            }
            leptos_axum::redirect(PAGE);
            Ok(())
        }
        Err(error) => answer(&user, ("create", None), Err(error), &fields),
    }
}

#[server(prefix = "/api", endpoint = "change-webhook")]
pub async fn change_webhook(
    id: WebhookEndpointId,
    #[server(default)] tenant: Option<TenantId>,
    #[server(flatten)] typed: Typed,
) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    let fields = typed.fields();
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let changed = session::services().change_webhook(user.actor(), id, typed.request(), &http::visitor_address()).await;
    answer(&user, ("change", Some(id)), changed.map(|_| "Saved. It holds from the next delivery on.".to_owned()), &fields)
}

#[server(prefix = "/api", endpoint = "switch-webhook")]
pub async fn switch_webhook(id: WebhookEndpointId, enabled: bool, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    let request = WebhookRequest { is_enabled: Some(enabled), ..WebhookRequest::default() };
    let changed = session::services().change_webhook(user.actor(), id, request, &http::visitor_address()).await;
    let said = if enabled { "The endpoint is enabled: what waits is sent now." } else { "The endpoint is disabled: it is told nothing." };
    answer(&user, ("webhooks", Some(id)), changed.map(|_| said.to_owned()), &[])
}

#[server(prefix = "/api", endpoint = "rotate-webhook")]
pub async fn rotate_webhook(
    id: WebhookEndpointId,
    #[server(default)] keep: String,
    #[server(default)] tenant: Option<TenantId>,
) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    match session::services().rotate_webhook(user.actor(), id, !keep.is_empty(), &http::visitor_address()).await {
        Ok(new) => {
            show_once(new).await?;
            leptos_axum::redirect(&format!("{PAGE}?endpoint={id}"));
            Ok(())
        }
        Err(error) => answer(&user, ("webhooks", None), Err(error), &[]),
    }
}

#[server(prefix = "/api", endpoint = "rotate-callback-secret")]
pub async fn rotate_callback_secret(#[server(default)] keep: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    match session::services().rotate_callback_secret(user.actor(), !keep.is_empty(), &http::visitor_address()).await {
        Ok(new) => {
            session::flash::keep(PAGE, &Made { name: "webhooks of predictions".to_owned(), secret: new.text }).await?;
            leptos_axum::redirect(PAGE);
            Ok(())
        }
        Err(error) => answer(&user, ("webhooks", None), Err(error), &[]),
    }
}

#[server(prefix = "/api", endpoint = "test-webhook")]
pub async fn test_webhook(id: WebhookEndpointId, event: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    let tested = Box::pin(session::services().test_webhook(user.actor(), id, &event)).await;
    answer(&user, ("webhooks", Some(id)), tested.map(|tested| format!("It answered {}.", tested.status)), &[])
}

#[server(prefix = "/api", endpoint = "delete-webhook")]
pub async fn delete_webhook(id: WebhookEndpointId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    let deleted = session::services().delete_webhook(user.actor(), id, &http::visitor_address()).await;
    answer(&user, ("webhooks", None), deleted.map(|()| "The endpoint is deleted.".to_owned()), &[])
}

#[server(prefix = "/api", endpoint = "replay-webhook")]
pub async fn replay_webhook(
    id: WebhookEndpointId,
    delivery: WebhookDeliveryId,
    #[server(default)] tenant: Option<TenantId>,
) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    let replayed = session::services().replay_webhook(user.actor(), id, delivery, &http::visitor_address()).await;
    answer(&user, ("webhooks", Some(id)), replayed.map(|()| "It is on its way once more.".to_owned()), &[])
}

/// Why not all of a range are sent again by one click.
enum Rest {
    None,
    TooMany,
    /// What was said when some were on their way.
    Refused(WebhookError),
}

/// Each once; says how many these were. `replay` asks for the others then.
async fn replay_all(user: &User, id: WebhookEndpointId, replay: &mut Replay) -> Result<(u64, Rest), WebhookError> {
    let (services, address) = (session::services(), http::visitor_address());
    let mut replayed = 0;
    for _ in 0..REPLAYS_MAX {
        let (some, more) = match services.replay_webhooks(user.actor(), id, *replay, &address).await {
            // What breaks on our side is told and written down as elsewhere.
            Err(error @ (WebhookError::TooManyPending | WebhookError::Disabled)) if replayed > 0 => {
                return Ok((replayed, Rest::Refused(error)));
            }
            answer => answer?,
        };
        replayed += some;
        if more.is_none() {
            return Ok((replayed, Rest::None));
        }
        replay.tried_before = more;
    }
    Ok((replayed, Rest::TooMany))
}

/// `from`, `to`: days in UTC, both included. `tried_before`: what was sent since then, in milliseconds, is passed over.
#[server(prefix = "/api", endpoint = "replay-webhooks")]
pub async fn replay_webhooks(
    id: WebhookEndpointId,
    from: String,
    to: String,
    #[server(default)] delivered: String,
    #[server(default)] tried_before: String,
    #[server(default)] tenant: Option<TenantId>,
) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, ("webhooks", None), Err(switched), &[]);
    }
    let (Some(first), Some(last)) = (day_typed(&from), day_typed(&to)) else { return Err(Fault::Malformed) };
    let tried_before = Some(tried_before).filter(|typed| !typed.is_empty()).map(|typed| typed.parse().map(Timestamp::from_ms)).transpose();
    let Ok(tried_before) = tried_before else { return Err(Fault::Malformed) };
    let typed = [("from", &*from), ("to", &*to), ("delivered", &*delivered)];
    let (from, to, with_delivered) = (first.start(), last.plus(1).start().plus_ms(-1), !delivered.is_empty());
    let mut replay = Replay { from, to, with_delivered, tried_before };
    let replayed = replay_all(&user, id, &mut replay).await;
    let is_done = matches!(replayed, Ok((_, Rest::None)));
    let left = replay.tried_before.filter(|_| !is_done).map(|tried_before| Left { first, last, with_delivered, tried_before });
    let at = format!("{PAGE}?endpoint={id}{}", left.map(Left::query).unwrap_or_default());
    let said = replayed.map(|(count, rest)| said_of_replay(count, &rest, with_delivered));
    answer_at(&at, &user, "webhooks", said, &typed)
}

fn said_of_replay(count: u64, rest: &Rest, with_delivered: bool) -> String {
    if count == 0 {
        let arrived = if with_delivered { "" } else { " What has arrived is sent once more where that is ticked." };
        return format!("Nothing of these days is to be sent again: tests are never replayed.{arrived}");
    }
    let more = match rest {
        Rest::None => String::new(),
        Rest::TooMany => " There may be more: replay again for these.".to_owned(),
        Rest::Refused(error) => format!(" Then it broke off: {error}."),
    };
    format!("{} on the way once more.{more}", words::count(count, "delivery is", "deliveries are"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_is_replayed_it_is_said_what_never_is() {
        let told = |with_delivered| said_of_replay(0, &Rest::None, with_delivered);
        assert_eq!(told(true), "Nothing of these days is to be sent again: tests are never replayed.");
        assert!(told(false).starts_with(&told(true)) && told(false).contains("where that is ticked"), "{}", told(false));
        assert_eq!(said_of_replay(1, &Rest::None, false), "1 delivery is on the way once more.");
    }
}
