//! What the forms of batches do. Why something was not done stands above the page that they lead to.

use super::PAGE;
use crate::{
    fault::Fault,
    session::{self, same_team},
};
use domain::{BatchId, TenantId};
use leptos::prelude::*;
use service::{BatchError, BatchView, FileError, User};

/// By the name of the form, above the page.
pub(super) const FORM: &str = "batch";

/// The address of a batch.
pub(super) fn address(id: BatchId) -> String {
    format!("{PAGE}/{id}")
}

/// Makes what was quoted.
#[server(prefix = "/api", endpoint = "start-batch")]
pub async fn start_batch(id: BatchId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if is_of_other_team(&user, tenant) {
        return Ok(());
    }
    let started = session::services().start_quoted(user.actor(), id).await;
    lead_to_new(&user, id, started)
}

/// Makes a batch of those lines that were not made.
#[server(prefix = "/api", endpoint = "retry-batch")]
pub async fn retry_batch(id: BatchId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if is_of_other_team(&user, tenant) {
        return Ok(());
    }
    let begun = session::services().retry_failed(user.actor(), id).await;
    lead_to_new(&user, id, begun)
}

/// Begins no more lines of it.
#[server(prefix = "/api", endpoint = "cancel-batch")]
pub async fn cancel_batch(id: BatchId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if is_of_other_team(&user, tenant) {
        return Ok(());
    }
    match session::services().cancel_batch(user.actor(), id).await? {
        Some(_) => leptos_axum::redirect(&address(id)),
        None => lead_away(&user, Err(BatchError::Unknown.to_string())),
    }
    Ok(())
}

/// Ends a quote, and deletes the file that was sent for it.
#[server(prefix = "/api", endpoint = "discard-quote")]
pub async fn discard_quote(id: BatchId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if is_of_other_team(&user, tenant) {
        return Ok(());
    }
    let outcome = match session::services().discard_quote(user.actor(), id).await {
        Ok(true) => Ok("The quote and its file are discarded.".to_owned()),
        Ok(false) => Err(BatchError::Unknown.to_string()),
        Err(FileError::InUse) => Err("What was quoted is being made, so its file stays.".to_owned()),
        Err(FileError::Forbidden(error)) => return Err(error.into()),
        Err(FileError::Store(error)) => return Err(error.into()),
        Err(error) => return Err(Fault::internal(&error)),
    };
    lead_away(&user, outcome);
    Ok(())
}

/// Says so, too.
fn is_of_other_team(user: &User, tenant: Option<TenantId>) -> bool {
    let switched = same_team(user, tenant).err();
    if let Some(switched) = switched {
        lead_away(user, Err(switched.to_string()));
    }
    switched.is_some()
}

fn lead_away(user: &User, outcome: Result<String, String>) {
    session::say(PAGE, Some(user.id), FORM, outcome, "");
    leptos_axum::redirect(PAGE);
}

/// `id`: the page that the form was on.
fn lead_to_new(user: &User, id: BatchId, made: Result<BatchView, BatchError>) -> Result<(), Fault> {
    match made {
        Ok(view) => leptos_axum::redirect(&address(view.batch.id)),
        Err(BatchError::Forbidden(error)) => return Err(error.into()),
        Err(BatchError::Store(error)) => return Err(error.into()),
        Err(error @ BatchError::Unknown) => lead_away(user, Err(error.to_string())),
        Err(error) => {
            let text = match error {
                BatchError::InputUnknown => "Its file is not there any more. Send it again.".to_owned(),
                error => error.to_string(),
            };
            session::say(&address(id), Some(user.id), FORM, Err(text), "");
            leptos_axum::redirect(&address(id));
        }
    }
    Ok(())
}
