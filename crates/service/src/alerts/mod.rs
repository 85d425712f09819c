//! Alerts of the operator: rules on the numbers that are kept, whom they are told to, and when not.
//!
//! One server looks at all rules once a minute (`watching.rs`). What follows for each, its history and what is told of it are written in one
//! transaction, so that nothing is told that is not so, and nothing is so that is not told. The outbox carries it to mails and receivers
//! (`telling.rs`).

mod addresses;
mod measuring;
mod preview;
mod telling;
mod watching;

pub use addresses::{AddressError, NewAddress};
pub use preview::Preview;
pub use store::alerts::{AddressKind, AlertAddress, AlertEntry, AlertEntryKind, AlertRow, AlertSilence};
pub(crate) use watching::{NAME, watch};

use crate::{AccessError, Services};
use domain::{
    Actor, AlertRuleId, AlertSilenceId, Forbidden, Permission, Timestamp,
    alerts::{Rule, RuleError, RuleErrors, SILENCE_MINUTES_MAX, Told, ToldKind, TypedRule, defaults, defaults_where_none_stays},
    check_reason,
};
use std::collections::HashMap;
use store::{
    ActOfOperator, Asked, StoreError,
    alerts::{AlertRefusal, NewSilence, RuleChange},
    chance,
};
use uuid::Uuid;

/// Entries of the history on one page.
pub const HISTORY_SHOWN: u16 = 50;

/// Why nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AlertError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Rule(#[from] RuleErrors),
    #[error(transparent)]
    Refused(AlertRefusal),
    #[error("say why, in one line of 1 to 200 characters")]
    Reason,
    #[error("say for how many minutes, from 1 to {SILENCE_MINUTES_MAX}")]
    Minutes,
    #[error("that is no id of an entry of the history")]
    After,
    #[error("this number is looked at as it is now: nothing is kept on which a rule could be tried")]
    NotKept,
    #[error("this is too much to be read at once: give a model, a lane or a device")]
    TooMuch,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AlertError {
    /// What is wrong with which fields of a rule. Empty: it is about none by itself.
    #[must_use]
    pub fn mistakes(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Rule(wrong) => wrong.all().iter().map(|error| (error.field(), error.to_string())).collect(),
            Self::Refused(refusal @ AlertRefusal::Taken) => vec![("name", refusal.to_string())],
            _ => Vec::new(),
        }
    }
}

impl From<AlertRefusal> for AlertError {
    fn from(refusal: AlertRefusal) -> Self {
        match refusal {
            AlertRefusal::Store(error) => Self::Store(error),
            refusal => Self::Refused(refusal),
        }
    }
}

/// All that the page shows.
#[derive(Debug, Clone)]
pub struct AlertDesk {
    pub now: Timestamp,
    /// Those that fire first, then those that are about to.
    pub rules: Vec<AlertRow>,
    pub silences: Vec<NamedSilence>,
    pub addresses: Vec<AlertAddress>,
    /// The newest first.
    pub history: Vec<AlertEntry>,
    /// Else mails stay with the operator.
    pub sends_mails: bool,
}

/// A silence, with what people know it by.
#[derive(Debug, Clone)]
pub struct NamedSilence {
    pub silence: AlertSilence,
    /// Of the rule. `None`: of all.
    pub rule: Option<String>,
    /// The address of who wanted it.
    pub by: Option<String>,
}

impl Services {
    /// Everything about alerts.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not look, or the database does not answer.
    pub async fn alert_desk(&self, actor: Actor) -> Result<AlertDesk, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let (now, alerts) = (self.store.now().await?, self.store.alerts());
        let (mut rules, addresses) = (alerts.rules().await?, alerts.addresses().await?);
        rules.sort_by_key(|row| (!row.standing.state.is_firing(), row.standing.state.since().is_none(), row.rule.severity));
        let names: HashMap<AlertRuleId, String> = rules.iter().map(|row| (row.id, row.rule.name.clone())).collect();
        let mut silences = Vec::new();
        for silence in alerts.silences(now).await? {
            let rule = silence.rule.map(|id| names.get(&id).cloned().unwrap_or_else(|| id.to_string()));
            let by = match silence.by {
                Some(user) => self.store.accounts().by_id(user).await?.map(|user| user.email.to_string()),
                None => None,
            };
            silences.push(NamedSilence { silence, rule, by });
        }
        let history = alerts.history(None, HISTORY_SHOWN).await?;
        Ok(AlertDesk { now, rules, silences, addresses, history, sends_mails: self.sends_mails })
    }

    /// A part of the history, the newest first, behind `after`.
    ///
    /// # Errors
    /// [`AlertError`]: `actor` may not look, or `after` is the id of nothing.
    pub async fn alert_history(&self, actor: Actor, after: Option<&str>, limit: u16) -> Result<Vec<AlertEntry>, AlertError> {
        actor.require(Permission::InspectInstallation)?;
        let after = after.map(str::parse::<Uuid>).transpose().map_err(|_| AlertError::After)?;
        Ok(self.store.alerts().history(after, limit).await?)
    }

    /// # Errors
    /// [`AlertError`]; there is no such rule, or `actor` may not look.
    pub async fn alert_rule(&self, actor: Actor, id: AlertRuleId) -> Result<AlertRow, AlertError> {
        actor.require(Permission::InspectInstallation)?;
        self.store.alerts().rule(id).await?.ok_or(AlertError::Refused(AlertRefusal::Unknown))
    }

    /// # Errors
    /// [`AlertError`]; no rule was added.
    pub async fn add_alert_rule(
        &self,
        actor: Actor,
        by: Option<Asked<'_>>,
        typed: &TypedRule,
        is_enabled: bool,
    ) -> Result<AlertRuleId, AlertError> {
        actor.require(Permission::ManageAlerts)?;
        let ids = self.store.alerts().add_rules(&[self.rule_of(typed).await?], is_enabled, act(by)).await?;
        ids.first().copied().ok_or(AlertError::Refused(AlertRefusal::Unknown))
    }

    /// Adds those of the usual rules whose names are not taken; says how many these were. Where nobody is told yet, operators are.
    ///
    /// # Errors
    /// [`AlertError`]; no rule was added.
    pub async fn add_usual_alerts(&self, actor: Actor, by: Option<Asked<'_>>) -> Result<usize, AlertError> {
        actor.require(Permission::ManageAlerts)?;
        let there = self.store.alerts().rules().await?;
        let none_stays = self.scaling.as_ref().is_some_and(|scaling| scaling.limits.min == 0);
        let usual = if none_stays { defaults_where_none_stays() } else { defaults() };
        let missing: Vec<_> = usual.into_iter().filter(|rule| !there.iter().any(|row| row.rule.name == rule.name)).collect();
        let added = self.store.alerts().add_rules(&missing, true, act(by)).await?.len();
        if self.store.alerts().addresses().await?.is_empty() {
            // Somebody may have added it just now.
            self.add_operators(by).await.or_else(|refusal| match refusal {
                AlertRefusal::Taken | AlertRefusal::Full => Ok(()),
                refusal => Err(refusal),
            })?;
        }
        Ok(added)
    }

    /// What is not given stays as it is.
    ///
    /// # Errors
    /// [`AlertError`]; the rule is as it was.
    pub async fn change_alert_rule(
        &self,
        actor: Actor,
        by: Option<Asked<'_>>,
        id: AlertRuleId,
        typed: Option<&TypedRule>,
        is_enabled: Option<bool>,
    ) -> Result<AlertRow, AlertError> {
        actor.require(Permission::ManageAlerts)?;
        let rule = match typed {
            Some(typed) => Some(self.rule_of(typed).await?),
            None => None,
        };
        Ok(self.store.alerts().change_rule(id, RuleChange { rule, is_enabled }, act(by)).await?)
    }

    /// A rule of a model that there is, or of all.
    pub(super) async fn rule_of(&self, typed: &TypedRule) -> Result<Rule, AlertError> {
        let model = typed.model.trim();
        let is_unknown = !model.is_empty() && self.catalog().await?.by_id(model).is_none();
        match typed.parse() {
            parsed if !is_unknown => Ok(parsed?),
            Ok(_) => Err(RuleErrors::from(RuleError::Model).into()),
            Err(wrong) => Err(wrong.and(RuleError::Model).into()),
        }
    }

    /// Who was told that it fires is told that it does not any more.
    ///
    /// # Errors
    /// [`AlertError`]; the rule is as it was.
    pub async fn delete_alert_rule(&self, actor: Actor, by: Option<Asked<'_>>, id: AlertRuleId) -> Result<(), AlertError> {
        actor.require(Permission::ManageAlerts)?;
        let resolved = |row: &AlertRow, now: Timestamp| Told { value: None, ..told(row, ToldKind::Resolved, None, now) };
        Ok(self.store.alerts().delete_rule(id, resolved, act(by)).await?)
    }

    /// From now on for so many minutes nothing is told of a rule, or of all. It is looked at all the same.
    ///
    /// # Errors
    /// [`AlertError`]; nothing was silenced.
    pub async fn silence_alerts(
        &self,
        actor: Actor,
        by: Option<Asked<'_>>,
        rule: Option<AlertRuleId>,
        minutes: &str,
        reason: &str,
    ) -> Result<AlertSilenceId, AlertError> {
        actor.require(Permission::ManageAlerts)?;
        let minutes: u32 = minutes.trim().parse().map_err(|_| AlertError::Minutes)?;
        if !(1..=SILENCE_MINUTES_MAX).contains(&minutes) {
            return Err(AlertError::Minutes);
        }
        let reason = check_reason(reason).map_err(|_| AlertError::Reason)?.to_owned();
        let rule = match rule {
            Some(id) => {
                let row = self.alert_rule(actor, id).await?;
                Some((id, row.rule.name, row.rule.severity.as_str()))
            }
            None => None,
        };
        let new = NewSilence { rule, ms: i64::from(minutes) * 60_000, reason };
        Ok(self.store.alerts().silence(&new, act(by)).await?)
    }

    /// # Errors
    /// [`AlertError`]; the silence goes on.
    pub async fn end_alert_silence(&self, actor: Actor, by: Option<Asked<'_>>, id: AlertSilenceId) -> Result<(), AlertError> {
        actor.require(Permission::ManageAlerts)?;
        Ok(self.store.alerts().end_silence(id, act(by)).await?)
    }
}

const fn act(by: Option<Asked<'_>>) -> ActOfOperator<'_> {
    ActOfOperator { by, reason: "" }
}

/// What is told of a rule at a moment.
fn told(row: &AlertRow, kind: ToldKind, value: Option<f64>, at: Timestamp) -> Told {
    Told {
        key: format!("alert_{}", chance::new_id().simple()),
        kind,
        rule: Some(row.id),
        name: row.rule.name.clone(),
        severity: row.rule.severity.as_str().to_owned(),
        condition: row.rule.words(),
        value: value.map(|value| row.rule.told(value)),
        at_ms: at.ms(),
    }
}
