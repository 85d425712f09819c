//! The JSON of alerts.

use domain::{
    Timestamp,
    alerts::{Standing, TypedRule},
};
use serde::{Deserialize, Serialize};
use service::alerts::{AlertEntry, AlertRow, NamedSilence};
use utoipa::ToSchema;

/// A rule. Of a change, all of it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlertRuleBody {
    /// Of which a page reads first.
    #[schema(example = "Videos wait long")]
    name: String,
    /// What is measured: `failure_rate`, `failures`, `completed`, `cold_rate`, `batch_fill`, `waiting`, `oldest_wait`, `utilisation`, `workers`,
    /// `promises_kept`, `backup_age`, `cost`, `margin`, or a part of a video's time (`total`, `queue`, `load`, `encode`, `denoise`,
    /// `decoder_wait`, `decode` or `upload`) with `_p50`, `_p95` or `_p99` behind it.
    #[schema(example = "queue_p95")]
    number: String,
    /// `threshold`, `burn_rate` or `absence`.
    #[schema(example = "threshold")]
    kind: String,
    /// Of a threshold: `above` or `below`.
    side: Option<String>,
    /// Of a threshold, in the unit of the number.
    #[schema(example = 600.0)]
    limit: Option<f64>,
    /// Minutes over which it is read; of a burn rate the long ones.
    window: Option<u32>,
    /// Of a burn rate: the short ones.
    short_window: Option<u32>,
    /// Of a burn rate: how many of a hundred are to be good.
    objective: Option<f64>,
    /// Of a burn rate: how many times as fast as allowed.
    factor: Option<f64>,
    /// Of absence: only while videos wait.
    while_waiting: bool,
    /// Minutes for which it has to be wrong.
    hold: Option<u32>,
    /// `page` or `ticket`.
    #[schema(example = "ticket")]
    severity: String,
    model: Option<String>,
    lane: Option<String>,
    device: Option<String>,
    tenant: Option<String>,
    /// Of a failure.
    code: Option<String>,
    /// Whether it is looked at; unless given, as before.
    pub(super) enabled: Option<bool>,
}

impl AlertRuleBody {
    pub(super) fn typed(&self) -> TypedRule {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let decimal = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let minutes = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
        TypedRule {
            name: self.name.clone(),
            number: self.number.clone(),
            kind: self.kind.clone(),
            side: text(&self.side),
            limit: decimal(self.limit),
            window: minutes(self.window),
            short_window: minutes(self.short_window),
            objective: decimal(self.objective),
            factor: decimal(self.factor),
            while_waiting: if self.while_waiting { "yes".to_owned() } else { String::new() },
            hold: minutes(self.hold),
            severity: self.severity.clone(),
            model: text(&self.model),
            lane: text(&self.lane),
            device: text(&self.device),
            tenant: text(&self.tenant),
            code: text(&self.code),
        }
    }
}

/// A rule, and how it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertRuleObject {
    pub id: String,
    #[schema(example = "alert_rule")]
    pub object: &'static str,
    pub name: String,
    pub number: String,
    pub kind: &'static str,
    /// When it fires, in words.
    pub condition: String,
    pub severity: &'static str,
    pub enabled: bool,
    /// `ok`, `pending` or `firing`.
    #[schema(example = "firing")]
    pub state: &'static str,
    /// Since when it is pending or fires; unix seconds.
    pub since: Option<i64>,
    /// What was measured last. `null`: not known.
    pub value: Option<f64>,
    /// When it was looked at last; unix seconds.
    pub looked_at: Option<i64>,
    /// Whether those who are told believe that it fires.
    pub told: bool,
}

impl AlertRuleObject {
    pub(super) fn new(row: AlertRow) -> Self {
        let AlertRow { id, rule, is_enabled, standing, .. } = row;
        let Standing { state, told_firing, .. } = standing;
        Self {
            id: id.to_string(),
            object: "alert_rule",
            number: rule.number.name(),
            kind: rule.condition.kind(),
            condition: rule.words(),
            severity: rule.severity.as_str(),
            enabled: is_enabled,
            state: state.as_str(),
            since: state.since().map(Timestamp::unix_seconds),
            value: standing.value(),
            looked_at: standing.looked_at().map(Timestamp::unix_seconds),
            told: told_firing,
            name: rule.name,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlertRuleList {
    #[schema(example = "list")]
    pub object: &'static str,
    /// Those that fire first.
    pub data: Vec<AlertRuleObject>,
    pub silences: Vec<AlertSilenceObject>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlertSilenceObject {
    pub id: String,
    #[schema(example = "alert_silence")]
    pub object: &'static str,
    /// Name of the rule. `null`: all rules.
    pub rule: Option<String>,
    /// Unix seconds.
    pub from: i64,
    pub until: i64,
    pub reason: String,
}

impl AlertSilenceObject {
    pub(super) fn new(NamedSilence { silence, rule, .. }: NamedSilence) -> Self {
        Self {
            id: silence.id.to_string(),
            object: "alert_silence",
            rule,
            from: silence.from.unix_seconds(),
            until: silence.until.unix_seconds(),
            reason: silence.reason,
        }
    }
}

/// A silence that is wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SilenceAlerts {
    /// The id of a rule; unless given, all rules.
    #[serde(default)]
    pub(super) rule: Option<String>,
    /// From now on for so long, at most thirty days.
    #[schema(example = 60)]
    pub(super) minutes: u32,
    /// Why, at most 200 characters.
    pub(super) reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlertSilenced {
    pub id: String,
    #[schema(example = "alert_silence")]
    pub object: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlertRuleDeleted {
    pub id: String,
    #[schema(example = "alert_rule.deleted")]
    pub object: &'static str,
    pub deleted: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlertHistory {
    #[schema(example = "list")]
    pub object: &'static str,
    /// The newest first.
    pub data: Vec<AlertHistoryEntry>,
    pub last_id: Option<String>,
    pub has_more: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlertHistoryEntry {
    pub id: String,
    /// `null`: of all rules.
    pub rule_id: Option<String>,
    pub name: String,
    pub severity: String,
    /// `fired`, `resolved`, `told`, `silenced` or `silence_ended`.
    #[schema(example = "fired")]
    pub event: &'static str,
    /// Unix seconds.
    pub at: i64,
    pub value: Option<f64>,
    pub note: String,
}

impl AlertHistoryEntry {
    pub(super) fn new(entry: AlertEntry) -> Self {
        Self {
            id: entry.id.to_string(),
            rule_id: entry.rule.map(|rule| rule.to_string()),
            name: entry.name,
            severity: entry.severity,
            event: entry.kind.as_str(),
            at: entry.at.unix_seconds(),
            value: entry.value,
            note: entry.note,
        }
    }
}
