//! Signing out: the button is in every page's header.

use super::fault::Fault;
use crate::session;
use leptos::prelude::*;

#[server(prefix = "/api", endpoint = "sign-out")]
pub async fn sign_out() -> Result<(), Fault> {
    session::end().await?;
    leptos_axum::redirect("/");
    Ok(())
}
