//! Signing out: the button is in every page's header.

use super::end;
use crate::fault::Fault;
use leptos::prelude::*;

#[server(prefix = "/api", endpoint = "sign-out")]
pub async fn sign_out() -> Result<(), Fault> {
    end().await?;
    leptos_axum::redirect("/");
    Ok(())
}
