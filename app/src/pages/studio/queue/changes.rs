//! What the forms of the queue page do.

use super::PAGE;
use crate::{
    fault::Fault,
    session::{self, same_team},
};
use domain::{JobId, TenantId, scheduling::MoveTo};
use leptos::prelude::*;
use service::MoveError;

/// By the name of the form, above the list.
pub(super) const FORM: &str = "queue";

/// Where a button moves a video, as its form says it.
pub(super) const UP: &str = "up";
pub(super) const FRONT: &str = "front";

/// Moves a video among those of the same person that wait. Why it stays where it is, the page says.
#[server(prefix = "/api", endpoint = "move-in-queue")]
pub async fn move_in_queue(id: JobId, to: String, #[server(default)] after: Option<JobId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let to = if to == FRONT { MoveTo::Front } else { MoveTo::Up };
    match session::services().move_job(user.actor(), id, to).await {
        Ok(_) => {}
        Err(MoveError::Refused(refusal)) => session::say(PAGE, Some(user.id), FORM, Err(refusal.to_string()), ""),
        Err(MoveError::Forbidden(error)) => return Err(error.into()),
        Err(MoveError::Store(error)) => return Err(error.into()),
    }
    let page = after.filter(|_| to == MoveTo::Up).map_or_else(|| PAGE.to_owned(), |after| format!("{PAGE}?after={after}"));
    leptos_axum::redirect(&format!("{page}#queued-{id}"));
    Ok(())
}

/// Cancels a video and stays with the others.
#[server(prefix = "/api", endpoint = "cancel-in-queue")]
pub async fn cancel_in_queue(id: JobId, #[server(default)] after: Option<JobId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    session::services().cancel(user.actor(), id).await?;
    leptos_axum::redirect(&after.map_or_else(|| PAGE.to_owned(), |after| format!("{PAGE}?after={after}")));
    Ok(())
}

/// Cancels whatever of one's own waits for its first step; what is being made goes on, and so do batches.
#[server(prefix = "/api", endpoint = "cancel-queue")]
pub async fn cancel_queue(#[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    match same_team(&user, tenant) {
        Ok(()) => drop(session::services().cancel_own_waiting(user.actor(), None).await?),
        Err(switched) => session::say(PAGE, Some(user.id), FORM, Err(switched.to_string()), ""),
    }
    leptos_axum::redirect(PAGE);
    Ok(())
}
