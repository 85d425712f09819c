//! The look of an operator at a tenant's pages: kept in the session beside who they are, and over when either ends.

use super::{services, session};
use crate::{fault::Fault, http};
use domain::{UserId, Viewing};
use leptos::prelude::*;
use service::{Asked, SESSION_USER, SESSION_VIEWING};

/// From now on this session looks at a tenant's pages.
pub async fn begin_viewing(viewing: Viewing) -> Result<(), Fault> {
    Ok(session().await?.insert(SESSION_VIEWING, viewing).await?)
}

/// The look of this session, which may have ended.
pub async fn viewing() -> Result<Option<Viewing>, Fault> {
    Ok(session().await?.get(SESSION_VIEWING).await?)
}

/// Ends the look of this session, and writes down that it ended; nothing where there is none.
pub async fn stop_viewing() -> Result<(), Fault> {
    let session = session().await?;
    let (Some(viewing), Some(user)) = (session.remove::<Viewing>(SESSION_VIEWING).await?, session.get::<UserId>(SESSION_USER).await?)
    else {
        return Ok(());
    };
    // What is written down as ended has ended.
    session.save().await?;
    Ok(services().end_viewing(Asked { user, address: &http::visitor_address() }, viewing).await?)
}

#[server(prefix = "/api", endpoint = "end-viewing")]
pub async fn end_viewing() -> Result<(), Fault> {
    stop_viewing().await?;
    leptos_axum::redirect("/admin/tenants");
    Ok(())
}
