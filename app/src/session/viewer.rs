//! The signed-in user.

use super::{
    services, session,
    viewing::{stop_viewing, viewing},
};
use crate::{fault::Fault, http};
use axum::http::StatusCode;
use domain::{Permission, TenantId, UserId};
use service::{SESSION_ADDRESS, SESSION_DEVICE, SESSION_KEPT_FOR, SESSION_TENANT, SESSION_USER, SessionId, User};
use tower_sessions::Expiry;

/// The signed-in user, if any.
pub async fn viewer() -> Result<Option<User>, Fault> {
    let services = services();
    let session = session().await?;
    let Some(id) = session.get::<UserId>(SESSION_USER).await? else { return Ok(None) };
    let chosen = session.get::<TenantId>(SESSION_TENANT).await?;
    let viewing = viewing().await?;
    let user = services.user_of_session(id, chosen, viewing).await?;
    if viewing.is_some() && user.as_ref().is_some_and(|user| user.viewed.is_none()) {
        // Its time is over.
        stop_viewing().await?;
    }
    Ok(user)
}

/// The signed-in user of a page that is theirs alone.
pub async fn require_viewer() -> Result<User, Fault> {
    let viewer = viewer().await?;
    if viewer.is_none() {
        // Of a page that is led to the sign-in this is not the last word.
        http::answer_in_place(StatusCode::UNAUTHORIZED);
    }
    viewer.ok_or(Fault::SignInFirst)
}

/// Somebody who may look at the whole installation. For everybody else there is no such page.
pub async fn require_operator() -> Result<User, Fault> {
    let viewer = require_viewer().await?;
    viewer.installation_actor().require(Permission::InspectInstallation)?;
    Ok(viewer)
}

/// The signed-in user of a form; a stranger is led to the sign-in page, and from there to `page`.
pub async fn viewer_of_form(page: &str) -> Result<Option<User>, Fault> {
    let viewer = viewer().await?;
    if viewer.is_none() {
        leptos_axum::redirect(&format!("/signin?next={page}"));
    }
    Ok(viewer)
}

/// Makes this session the user's, under a new id, so that an id planted before is worth nothing. What it kept for
/// another user goes.
pub async fn begin(user: UserId) -> Result<(), Fault> {
    let session = session().await?;
    if session.get::<UserId>(SESSION_USER).await? != Some(user) {
        session.clear().await;
    }
    session.cycle_id().await?;
    // It may have been a stranger's, which is kept for minutes.
    session.set_expiry(Some(Expiry::OnInactivity(SESSION_KEPT_FOR)));
    session.insert(SESSION_DEVICE, http::user_agent()).await?;
    session.insert(SESSION_ADDRESS, http::visitor_address()).await?;
    Ok(session.insert(SESSION_USER, user).await?)
}

/// From now on this session looks at that tenant of its user's.
pub async fn choose(tenant: TenantId) -> Result<(), Fault> {
    Ok(session().await?.insert(SESSION_TENANT, tenant).await?)
}

/// The name by which the user's other browsers see this session; `None` of who is not signed in.
pub async fn current() -> Result<Option<SessionId>, Fault> {
    Ok(session().await?.id().map(|id| SessionId::of(&id)))
}

/// Ends the session, and a look at a tenant's pages with it.
pub async fn end() -> Result<(), Fault> {
    stop_viewing().await?;
    Ok(session().await?.flush().await?)
}
