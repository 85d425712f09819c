//! Alerts for their operator: rules, how each stands, silences and history, by a key with the scope `operator`.

use super::{invalid, operator};
use crate::{
    api::{ApiError, caller::Caller},
    context::Context,
};
use axum::{
    Json,
    body::Bytes,
    extract::{
        ConnectInfo, Extension, Path, Query, State,
        rejection::{BytesRejection, PathRejection, QueryRejection},
    },
};
use domain::{
    AlertRuleId, Permission, Timestamp,
    alerts::{Standing, TypedRule},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use service::{
    Asked,
    alerts::{AlertDesk, AlertEntry, AlertRow, NamedSilence},
};
use std::net::SocketAddr;
use store::alerts::AlertRefusal;
use utoipa::ToSchema;

const HISTORY_DEFAULT: u16 = 50;
const HISTORY_MAX: u16 = 100;

type Address = Option<Extension<ConnectInfo<SocketAddr>>>;

/// A rule. Of a change, all of it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlertRuleBody {
    /// Of which a page reads first.
    #[schema(example = "Videos wait long")]
    name: String,
    /// What is measured: `failure_rate`, `failures`, `completed`, `cold_rate`, `batch_fill`, `waiting`, `oldest_wait`, `utilisation`, `workers`,
    /// `promises_kept`, `backup_age`, `cost`, `margin`, or a part of a video's time with `_p50`, `_p95` or `_p99` behind it.
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
    /// Of a burn rate: how many times too fast.
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
    enabled: Option<bool>,
}

impl AlertRuleBody {
    fn typed(&self) -> TypedRule {
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
    fn new(row: AlertRow) -> Self {
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

/// A silence that is wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SilenceAlerts {
    /// The id of a rule; unless given, all rules.
    #[serde(default)]
    rule: Option<String>,
    /// From now on for so long, at most thirty days.
    #[schema(example = 60)]
    minutes: u32,
    /// Why, at most 200 characters.
    reason: String,
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

#[derive(Debug, Default, Deserialize)]
pub struct ListHistory {
    after: Option<String>,
    limit: Option<u16>,
}

/// List alerts
///
/// All rules with how each stands, those that fire first, and the silences that are not over.
#[utoipa::path(get, path = "/v1/operator/alerts", tag = "operator", responses((status = 200, description = "Rules and silences", body = AlertRuleList)))]
pub async fn list_alerts(State(context): State<Context>, caller: Caller) -> Result<Json<AlertRuleList>, ApiError> {
    let actor = operator(&context, caller, Permission::ManageAlerts).await?;
    let AlertDesk { rules, silences, .. } = Box::pin(context.services.alert_desk(actor)).await?;
    let silence = |NamedSilence { silence, rule, .. }: NamedSilence| AlertSilenceObject {
        id: silence.id.to_string(),
        object: "alert_silence",
        rule,
        from: silence.from.unix_seconds(),
        until: silence.until.unix_seconds(),
        reason: silence.reason,
    };
    let data = rules.into_iter().map(AlertRuleObject::new).collect();
    Ok(Json(AlertRuleList { object: "list", data, silences: silences.into_iter().map(silence).collect() }))
}

/// Create an alert
///
/// There can be a hundred rules. Whom they are told to is set at `/admin/alerts`.
#[utoipa::path(
    post, path = "/v1/operator/alerts", tag = "operator",
    request_body(content((AlertRuleBody = "application/json"))),
    responses((status = 200, description = "The rule", body = AlertRuleObject))
)]
pub async fn create_alert(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<AlertRuleObject>, ApiError> {
    let (user, address) = (caller.0.owner.membership.user, told(address));
    let actor = operator(&context, caller, Permission::ManageAlerts).await?;
    let wanted: AlertRuleBody = json(body)?;
    let id = context.services.add_alert_rule(actor, Some(Asked { user, address: &address }), &wanted.typed()).await?;
    Ok(Json(AlertRuleObject::new(context.services.alert_rule(actor, id).await?)))
}

/// Change an alert
///
/// The rule is as the body says from then on, and begins anew.
#[utoipa::path(
    post, path = "/v1/operator/alerts/{alert_rule_id}", tag = "operator",
    params(("alert_rule_id" = String, Path, description = "The id of a rule")),
    request_body(content((AlertRuleBody = "application/json"))),
    responses((status = 200, description = "The rule", body = AlertRuleObject))
)]
pub async fn update_alert(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    id: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<AlertRuleObject>, ApiError> {
    let (user, address) = (caller.0.owner.membership.user, told(address));
    let actor = operator(&context, caller, Permission::ManageAlerts).await?;
    let (id, wanted): (_, AlertRuleBody) = (rule_id(id)?, json(body)?);
    let by = Some(Asked { user, address: &address });
    let changed = context.services.change_alert_rule(actor, by, id, Some(&wanted.typed()), wanted.enabled).await?;
    Ok(Json(AlertRuleObject::new(changed)))
}

/// Delete an alert
#[utoipa::path(
    delete, path = "/v1/operator/alerts/{alert_rule_id}", tag = "operator",
    params(("alert_rule_id" = String, Path, description = "The id of a rule")),
    responses((status = 200, description = "It is deleted", body = AlertRuleDeleted))
)]
pub async fn delete_alert(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<AlertRuleDeleted>, ApiError> {
    let (user, address) = (caller.0.owner.membership.user, told(address));
    let actor = operator(&context, caller, Permission::ManageAlerts).await?;
    let id = rule_id(id)?;
    context.services.delete_alert_rule(actor, Some(Asked { user, address: &address }), id).await?;
    Ok(Json(AlertRuleDeleted { id: id.to_string(), object: "alert_rule.deleted", deleted: true }))
}

/// Silence alerts
///
/// For so many minutes nothing is told of a rule, or of all. They are looked at all the same.
#[utoipa::path(
    post, path = "/v1/operator/alerts/silences", tag = "operator",
    request_body(content((SilenceAlerts = "application/json"))),
    responses((status = 200, description = "The silence", body = AlertSilenced))
)]
pub async fn silence_alerts(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<AlertSilenced>, ApiError> {
    let (user, address) = (caller.0.owner.membership.user, told(address));
    let actor = operator(&context, caller, Permission::ManageAlerts).await?;
    let SilenceAlerts { rule, minutes, reason } = json(body)?;
    let rule = rule.map(|rule| rule.parse()).transpose().map_err(|_| ApiError::Alert(AlertRefusal::Unknown))?;
    let by = Some(Asked { user, address: &address });
    let id = context.services.silence_alerts(actor, by, rule, &minutes.to_string(), &reason).await?;
    Ok(Json(AlertSilenced { id: id.to_string(), object: "alert_silence" }))
}

/// List what became of alerts
///
/// Of the last ninety days, the newest first.
#[utoipa::path(
    get, path = "/v1/operator/alerts/history", tag = "operator",
    params(
        ("after" = Option<String>, Query, description = "The id of an entry: those behind it"),
        ("limit" = Option<u16>, Query, description = "1 to 100; 50 unless given")
    ),
    responses((status = 200, description = "What became of alerts", body = AlertHistory))
)]
pub async fn alert_history(
    State(context): State<Context>,
    caller: Caller,
    query: Result<Query<ListHistory>, QueryRejection>,
) -> Result<Json<AlertHistory>, ApiError> {
    let actor = operator(&context, caller, Permission::ManageAlerts).await?;
    let wrong = || invalid(Some("limit"), "`limit` must be a number from 1 to 100.");
    let Query(ListHistory { after, limit }) = query.map_err(|_| wrong())?;
    let limit = limit.unwrap_or(HISTORY_DEFAULT);
    if !(1..=HISTORY_MAX).contains(&limit) {
        return Err(wrong());
    }
    let mut entries = context.services.alert_history(actor, after.as_deref(), limit + 1).await?;
    let has_more = entries.len() > usize::from(limit);
    entries.truncate(usize::from(limit));
    let data: Vec<_> = entries.into_iter().map(entry).collect();
    Ok(Json(AlertHistory { object: "list", last_id: data.last().map(|last| last.id.clone()), data, has_more }))
}

fn entry(entry: AlertEntry) -> AlertHistoryEntry {
    AlertHistoryEntry {
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

/// What is no id is an id that nothing has.
fn rule_id(id: Result<Path<String>, PathRejection>) -> Result<AlertRuleId, ApiError> {
    let unknown = || ApiError::Alert(AlertRefusal::Unknown);
    id.map_err(|_| unknown())?.0.parse().map_err(|_| unknown())
}

fn json<T: DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, ApiError> {
    let body = body.map_err(|_| invalid(None, "The body ended before it was complete."))?;
    serde_json::from_slice(&body).map_err(|error| invalid(None, &format!("The body is not such a JSON object: {error}.")))
}

fn told(address: Address) -> String {
    address.map(|Extension(ConnectInfo(address))| address.ip().to_string()).unwrap_or_default()
}
