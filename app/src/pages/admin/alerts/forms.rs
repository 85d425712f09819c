//! What the forms of the alerts' page do.

use super::{ADDRESSES, PAGE, RULES, SILENCE};
use crate::{
    fault::Fault,
    http,
    session::{self, flash},
    words,
};
use domain::{AlertAddressId, AlertRuleId, AlertSilenceId, alerts::TypedRule};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use service::{
    Asked,
    alerts::{AddressError, AlertError, Preview},
};
use std::collections::BTreeMap;

/// A rule that was typed and not taken in, or tried: the form is shown again with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Draft {
    /// Of the rule that is changed; empty: of a new one.
    pub id: String,
    pub typed: TypedRule,
    pub text: String,
    pub is_refused: bool,
    /// What is wrong with which field, as a sentence.
    #[serde(default)]
    pub mistakes: BTreeMap<String, String>,
    /// Where it was tried: when it would have fired, in unix milliseconds, the newest first.
    pub firings: Vec<(i64, Option<i64>)>,
}

/// A secret just made, on its way to be shown once.
#[derive(Serialize, Deserialize)]
pub(super) struct Made {
    pub target: String,
    pub secret: String,
}

/// Leads back to the page with what became of it.
fn answer(author: domain::UserId, form: &str, outcome: Result<String, String>, typed: &[(&str, &str)]) {
    session::say_of_fields(PAGE, Some(author), form, outcome, typed);
    leptos_axum::redirect(PAGE);
}

/// What a form says of an error that whoever sent it can mend.
fn refused(error: AlertError) -> Result<String, Fault> {
    match error {
        AlertError::Forbidden(error) => Err(error.into()),
        AlertError::Store(error) => Err(error.into()),
        error => Ok(format!("{}. Nothing was changed.", words::sentence(&error.to_string()))),
    }
}

/// The same of a rule: how many fields are to be mended, and what is wrong with each of them.
fn refused_rule(error: AlertError) -> Result<(String, BTreeMap<String, String>), Fault> {
    let told = |(field, text): (&str, String)| (field.to_owned(), format!("{}.", words::sentence(&text)));
    let mistakes: BTreeMap<_, _> = error.mistakes().into_iter().map(told).collect();
    let text = match mistakes.len() {
        0 => refused(error)?,
        1 => "One field is to be mended. Nothing was changed.".to_owned(),
        fields => format!("{fields} fields are to be mended. Nothing was changed."),
    };
    Ok((text, mistakes))
}

fn told(done: Result<String, AlertError>) -> Result<Result<String, String>, Fault> {
    match done {
        Ok(text) => Ok(Ok(text)),
        Err(error) => refused(error).map(Err),
    }
}

/// Adds a rule, changes one, or tries it on what is kept; `id`: empty: a new one.
#[server(prefix = "/api", endpoint = "save-alert")]
pub async fn save_alert(
    #[server(default)] id: String,
    #[server(default)] act: String,
    #[server(flatten)] typed: TypedRule,
) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (services, actor, address) = (session::services(), viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let tried = |text, firings| Draft { id: id.clone(), typed: typed.clone(), text, is_refused: false, mistakes: BTreeMap::new(), firings };
    let not_taken = |error| {
        let (text, mistakes) = refused_rule(error)?;
        Ok::<_, Fault>(Draft { id: id.clone(), typed: typed.clone(), text, is_refused: true, mistakes, firings: Vec::new() })
    };
    let back = if id.is_empty() { format!("{PAGE}#rule") } else { format!("{PAGE}?rule={}#rule", words_of(&id)) };
    if act == "preview" {
        let draft = match Box::pin(services.preview_alert(actor, &typed)).await {
            Ok(preview) => tried(preview.words(), firings(&preview)),
            Err(error) => not_taken(error)?,
        };
        session::keep(PAGE, &draft).await?;
        leptos_axum::redirect(&back);
        return Ok(());
    }
    let saved = match (id.is_empty(), id.parse::<AlertRuleId>()) {
        (true, _) => {
            let added = services.add_alert_rule(actor, by, &typed, true).await;
            added.map(|_| "The rule is added. It is looked at within a minute.")
        }
        (false, Ok(rule)) => {
            let changed = services.change_alert_rule(actor, by, rule, Some(&typed), None).await;
            changed.map(|_| "The rule is changed. It begins anew.")
        }
        (false, Err(_)) => {
            http::answer_with(axum::http::StatusCode::NOT_FOUND);
            return Err(Fault::NotFound);
        }
    };
    match saved {
        Ok(text) => answer(viewer.id, RULES, Ok(text.to_owned()), &[]),
        Err(error) => {
            session::keep(PAGE, &not_taken(error)?).await?;
            leptos_axum::redirect(&back);
        }
    }
    Ok(())
}

/// An id as it may stand in an address, whatever was sent.
fn words_of(id: &str) -> String {
    id.chars().filter(|sign| sign.is_ascii_alphanumeric() || *sign == '_').take(64).collect()
}

fn firings(preview: &Preview) -> Vec<(i64, Option<i64>)> {
    preview.newest().map(|firing| (firing.from.ms(), firing.until.map(domain::Timestamp::ms))).collect()
}

/// Enables, disables or deletes a rule.
#[server(prefix = "/api", endpoint = "change-alert")]
pub async fn change_alert(id: String, act: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (services, actor, address) = (session::services(), viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let done = match (id.parse::<AlertRuleId>(), act.as_str()) {
        (Ok(id), "enable") => services.change_alert_rule(actor, by, id, None, Some(true)).await.map(|_| "The rule is looked at again."),
        (Ok(id), "disable") => {
            services.change_alert_rule(actor, by, id, None, Some(false)).await.map(|_| "The rule is not looked at any more.")
        }
        (Ok(id), "delete") => services.delete_alert_rule(actor, by, id).await.map(|()| "The rule is deleted."),
        _ => {
            answer(viewer.id, RULES, Err("There is no such rule, or nothing like that to do with it.".to_owned()), &[]);
            return Ok(());
        }
    };
    answer(viewer.id, RULES, told(done.map(str::to_owned))?, &[]);
    Ok(())
}

/// Adds the usual rules that are not there.
#[server(prefix = "/api", endpoint = "add-usual-alerts")]
pub async fn add_usual_alerts() -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (actor, address) = (viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let added = session::services().add_usual_alerts(actor, by).await;
    let said = added.map(|added| match added {
        0 => "All of them are there already.".to_owned(),
        added => format!("{} added.", words::count(added as u64, "rule", "rules")),
    });
    answer(viewer.id, RULES, told(said)?, &[]);
    Ok(())
}

/// Silences a rule, or all: `rule`: empty: all.
#[server(prefix = "/api", endpoint = "silence-alerts")]
pub async fn silence_alerts(
    #[server(default)] rule: String,
    #[server(default)] minutes: String,
    #[server(default)] reason: String,
) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (actor, address) = (viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let of = if rule.is_empty() { Ok(None) } else { rule.parse::<AlertRuleId>().map(Some) };
    let outcome = match of {
        Ok(of) => {
            let silenced = session::services().silence_alerts(actor, by, of, &minutes, &reason).await;
            told(
                silenced
                    .map(|_| "Silenced. It is looked at all the same, and told when the silence is over, if it fires still.".to_owned()),
            )?
        }
        Err(_) => Err("There is no such rule. Nothing was changed.".to_owned()),
    };
    answer(viewer.id, SILENCE, outcome, &[("rule", &rule), ("minutes", &minutes), ("reason", &reason)]);
    Ok(())
}

/// Ends a silence before its time.
#[server(prefix = "/api", endpoint = "end-alert-silence")]
pub async fn end_alert_silence(id: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (actor, address) = (viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let outcome = match id.parse::<AlertSilenceId>() {
        Ok(id) => told(session::services().end_alert_silence(actor, by, id).await.map(|()| "The silence is over.".to_owned()))?,
        Err(_) => Err("There is no such silence.".to_owned()),
    };
    answer(viewer.id, SILENCE, outcome, &[]);
    Ok(())
}

/// Adds somebody who is told.
#[server(prefix = "/api", endpoint = "add-alert-address")]
pub async fn add_alert_address(kind: String, #[server(default)] target: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (services, actor, address) = (session::services(), viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let outcome = match services.add_alert_address(actor, by, &kind, &target).await {
        Ok(added) => {
            if let Some(secret) = added.secret
                && let Err(fault) = flash::keep(PAGE, &Made { target: target.clone(), secret }).await
            {
                // Nobody will ever see its secret.
                let deleted = services.delete_alert_address(actor, by, added.id).await;
                deleted.unwrap_or_else(|error| tracing::warn!(%error, "an address without a secret stays"));
                return Err(fault);
            }
            Ok("Added. It is told from now on.".to_owned())
        }
        Err(AddressError::Forbidden(error)) => return Err(error.into()),
        Err(AddressError::Store(error)) => return Err(error.into()),
        Err(error @ (AddressError::Random(_) | AddressError::Secret)) => return Err(Fault::internal(&error)),
        Err(error) => Err(format!("{}. Nothing was changed.", words::sentence(&error.to_string()))),
    };
    answer(viewer.id, ADDRESSES, outcome, &[("kind", &kind), ("target", &target)]);
    Ok(())
}

/// Tells an address something to see whether it arrives, or takes it away.
#[server(prefix = "/api", endpoint = "change-alert-address")]
pub async fn change_alert_address(id: String, act: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let (services, actor, address) = (session::services(), viewer.installation_actor(), http::visitor_address());
    let by = Some(Asked { user: viewer.id, address: &address });
    let done = match (id.parse::<AlertAddressId>(), act.as_str()) {
        (Ok(id), "test") => {
            services.test_alert_address(actor, id).await.map(|()| "A test is on its way. What became of it stands here soon.")
        }
        (Ok(id), "delete") => services.delete_alert_address(actor, by, id).await.map(|()| "It is told nothing more."),
        _ => {
            answer(viewer.id, ADDRESSES, Err("There is no such address, or nothing like that to do with it.".to_owned()), &[]);
            return Ok(());
        }
    };
    answer(viewer.id, ADDRESSES, told(done.map(str::to_owned))?, &[]);
    Ok(())
}
