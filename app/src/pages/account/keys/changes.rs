//! What the forms of the page of keys do.

use super::{
    PAGE,
    typed::{Typed, Wrong},
};
use crate::{
    fault::Fault,
    http,
    session::{self, same_team},
    words,
};
use domain::{ApiKeyId, TenantId, UserId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use service::{KeyError, NewKey, User, key::NAME_CHARS_MAX};
use std::collections::BTreeMap;

const HOUR_MS: i64 = 3_600_000;

/// A key just made, on its way to be shown once.
#[derive(Serialize, Deserialize)]
pub(super) struct Made {
    pub name: String,
    pub secret: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Refused {
    /// Who typed it: nobody else is to see it.
    pub author: UserId,
    pub typed: Typed,
    pub error: Wrong,
}

/// What became of a form of this page, but for the one that makes keys.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Answered {
    form: String,
    is_done: bool,
    text: String,
    /// By the names of the fields.
    typed: BTreeMap<String, String>,
}

impl Answered {
    /// What was typed into a field of that form, when it was refused.
    pub(super) fn typed(&self, form: &str, field: &str) -> Option<String> {
        if self.form == form && !self.is_done { self.typed.get(field).cloned() } else { None }
    }

    /// The same, where the form was that of the project or key with this id.
    pub(super) fn typed_of(&self, form: &str, id: &str, field: &str) -> Option<String> {
        self.typed(form, field).filter(|_| self.typed(form, "id").as_deref() == Some(id))
    }
}

/// Keeps it for the next look at the page, with what was typed into fields of these names.
pub(super) async fn answer(form: &str, outcome: Result<String, String>, typed: &[(&str, &str)]) -> Result<(), Fault> {
    let is_done = outcome.is_ok();
    let text = outcome.unwrap_or_else(|error| error);
    let typed = typed.iter().map(|(field, typed)| ((*field).to_owned(), session::noteworthy(typed))).collect();
    session::keep(PAGE, &Answered { form: form.into(), is_done, text, typed }).await
}

/// What became of this form, above it.
#[component]
pub(super) fn AnsweredNotice<'a>(answered: &'a Answered, form: &'static str) -> impl IntoView {
    let text = (answered.form == form).then(|| answered.text.clone());
    let (class, role) = if answered.is_done { ("notice plain", "status") } else { ("notice", "alert") };
    text.map(|text| view! { <p class=class role=role>{text}</p> })
}

#[server(prefix = "/api", endpoint = "create-key")]
pub async fn create_key(name: String, #[server(default)] tenant: Option<TenantId>, #[server(flatten)] typed: Typed) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let typed = Typed { name: name.clone(), ..typed };
    let of_team = same_team(&user, tenant).map_err(|switched| Wrong::of("name", &switched.to_string()));
    let request = match of_team.and_then(|()| typed.request()) {
        Ok(request) => request,
        Err(error) => {
            refuse(user.id, typed, error);
            leptos_axum::redirect(PAGE);
            return Ok(());
        }
    };
    match session::services().create_key_for(user.actor(), request, &http::visitor_address()).await {
        Ok(new) => show_once(&user, new).await?,
        Err(KeyError::Name) => refuse(user.id, typed, Wrong::of("name", &wrong_name(&name))),
        Err(KeyError::Forbidden(error)) => return Err(error.into()),
        Err(KeyError::Store(error)) => return Err(error.into()),
        Err(error @ KeyError::Random(_)) => return Err(Fault::internal(&error)),
        Err(error) => {
            let field = match error {
                KeyError::Expiry => "expires",
                KeyError::RequestsPerMinute => "requests",
                KeyError::Project => "project",
                _ => "name",
            };
            refuse(user.id, typed, Wrong::of(field, &format!("{}.", words::sentence(&error.to_string()))));
        }
    }
    leptos_axum::redirect(PAGE);
    Ok(())
}

/// `overlap`: hours for which the old key lives on.
#[server(prefix = "/api", endpoint = "rotate-key")]
pub async fn rotate_key(id: ApiKeyId, overlap: i64, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return refuse_switched(switched).await;
    }
    let overlap_ms = overlap.saturating_mul(HOUR_MS);
    match session::services().rotate_key(user.actor(), id, overlap_ms, &http::visitor_address()).await {
        Ok(new) => show_once(&user, new).await?,
        Err(KeyError::Forbidden(error)) => return Err(error.into()),
        Err(KeyError::Store(error)) => return Err(error.into()),
        Err(error @ KeyError::Random(_)) => return Err(Fault::internal(&error)),
        Err(error) => answer("keys", Err(format!("{}.", words::sentence(&error.to_string()))), &[]).await?,
    }
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[server(prefix = "/api", endpoint = "revoke-key")]
pub async fn revoke_key(id: ApiKeyId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return refuse_switched(switched).await;
    }
    let is_revoked = session::services().revoke_key(user.actor(), id, &http::visitor_address()).await?;
    if !is_revoked {
        answer("keys", Err("There is no such key in this team, or it was revoked before.".to_owned()), &[]).await?;
    }
    leptos_axum::redirect(PAGE);
    Ok(())
}

/// A form for one of the keys comes from a page of another team.
pub(super) async fn refuse_switched(switched: session::SwitchedTeams) -> Result<(), Fault> {
    answer("keys", Err(switched.to_string()), &[]).await?;
    leptos_axum::redirect(PAGE);
    Ok(())
}

async fn show_once(user: &User, new: NewKey) -> Result<(), Fault> {
    let id = new.key.id;
    if let Err(fault) = session::flash::keep(PAGE, &Made { name: new.key.name, secret: new.secret }).await {
        // Nobody will ever see its secret.
        session::services().revoke_key(user.actor(), id, &http::visitor_address()).await?;
        return Err(fault);
    }
    Ok(())
}

fn refuse(author: UserId, typed: Typed, error: Wrong) {
    let name = session::noteworthy(&typed.name);
    if !session::note(PAGE, &Refused { author, typed: typed.clone(), error: error.clone() }) {
        let error = Wrong { text: format!("{} Only the beginning of it is shown.", error.text), ..error };
        session::note(PAGE, &Refused { author, typed: Typed { name, ..Typed::default() }, error });
    }
}

fn wrong_name(name: &str) -> String {
    match name.trim().chars().count() {
        0 => "Give the key a name.".into(),
        1..=NAME_CHARS_MAX => "Leave out control characters, such as line breaks.".into(),
        chars => format!("This name has {} characters. Use 1 to {NAME_CHARS_MAX}.", domain::grouped(chars as u64)),
    }
}
