//! Which of their teams somebody looks at: chosen in the header, kept in the session.

use super::{choose, viewer_of_form};
use crate::fault::Fault;
use domain::TenantId;
use leptos::prelude::*;

#[server(prefix = "/api", endpoint = "switch-team")]
pub async fn switch_team(tenant: TenantId) -> Result<(), Fault> {
    let Some(user) = viewer_of_form("/library").await? else { return Ok(()) };
    if user.tenants.iter().any(|own| own.membership.tenant == tenant) {
        choose(tenant).await?;
    }
    leptos_axum::redirect("/library");
    Ok(())
}
