//! Which of their teams somebody looks at: chosen in the header, kept in the session. A form that changes a team says which one its page
//! showed, because another tab may have switched meanwhile.

use super::{choose, viewer_of_form};
use crate::{fault::Fault, told::Told};
use domain::TenantId;
use leptos::prelude::*;
use service::User;

#[server(prefix = "/api", endpoint = "switch-team")]
pub async fn switch_team(tenant: TenantId) -> Result<(), Fault> {
    let Some(user) = viewer_of_form("/library").await? else { return Ok(()) };
    if user.tenants.iter().any(|own| own.membership.tenant == tenant) {
        choose(tenant).await?;
    }
    leptos_axum::redirect("/library");
    Ok(())
}

/// A form comes from a page of another team than the one that its user looks at now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("You have switched teams since that page was loaded, so nothing was changed. This page shows the team that you look at now.")]
pub struct SwitchedTeams;

impl Told for SwitchedTeams {
    fn told(self) -> Result<String, Fault> {
        Ok(self.to_string())
    }
}

/// Whether a form is about the team that its user looks at. One that names none is.
///
/// # Errors
/// [`SwitchedTeams`]; then nothing is to be changed.
pub fn same_team(user: &User, tenant: Option<TenantId>) -> Result<(), SwitchedTeams> {
    if tenant.is_none_or(|tenant| tenant == user.tenant) { Ok(()) } else { Err(SwitchedTeams) }
}

/// The name of the field that says of which team a form is.
pub const TEAM_FIELD: &str = "tenant";

/// That field.
#[component]
pub fn TeamField(tenant: TenantId) -> impl IntoView {
    view! { <input type="hidden" name=TEAM_FIELD value=tenant.to_string() /> }
}
