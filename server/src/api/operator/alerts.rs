//! Alerts for their operator: rules, how each stands, silences and history, by a key with the scope `operator`.

use super::{
    alert_wire::{
        AlertHistory, AlertHistoryEntry, AlertRuleBody, AlertRuleDeleted, AlertRuleList, AlertRuleObject, AlertSilenceObject,
        AlertSilenced, SilenceAlerts,
    },
    caller::{OperatorCaller, json},
    invalid,
};
use crate::{api::ApiError, context::Context};
use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, Query, State,
        rejection::{BytesRejection, PathRejection, QueryRejection},
    },
};
use domain::{AlertRuleId, Permission};
use serde::Deserialize;
use service::alerts::AlertDesk;
use store::alerts::AlertRefusal;

const HISTORY_DEFAULT: u16 = 50;
const HISTORY_MAX: u16 = 100;

#[derive(Debug, Default, Deserialize)]
pub struct ListHistory {
    after: Option<String>,
    limit: Option<u16>,
}

/// List alerts
///
/// All rules with how each stands, those that fire first, and the silences that are not over.
#[utoipa::path(get, path = "/v1/operator/alerts", tag = "operator", responses((status = 200, description = "Rules and silences", body = AlertRuleList)))]
pub async fn list_alerts(State(context): State<Context>, operator: OperatorCaller) -> Result<Json<AlertRuleList>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageAlerts).await?;
    let AlertDesk { rules, silences, .. } = Box::pin(context.services.alert_desk(actor)).await?;
    let data = rules.into_iter().map(AlertRuleObject::new).collect();
    Ok(Json(AlertRuleList { object: "list", data, silences: silences.into_iter().map(AlertSilenceObject::new).collect() }))
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
    operator: OperatorCaller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<AlertRuleObject>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageAlerts).await?;
    let wanted: AlertRuleBody = json(body)?;
    let is_enabled = wanted.enabled.unwrap_or(true);
    let id = context.services.add_alert_rule(actor, Some(operator.asked()), &wanted.typed(), is_enabled).await?;
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
    operator: OperatorCaller,
    id: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<AlertRuleObject>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageAlerts).await?;
    let (id, wanted): (_, AlertRuleBody) = (rule_id(id)?, json(body)?);
    let changed = context.services.change_alert_rule(actor, Some(operator.asked()), id, Some(&wanted.typed()), wanted.enabled).await?;
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
    operator: OperatorCaller,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<AlertRuleDeleted>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageAlerts).await?;
    let id = rule_id(id)?;
    context.services.delete_alert_rule(actor, Some(operator.asked()), id).await?;
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
    operator: OperatorCaller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<AlertSilenced>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageAlerts).await?;
    let SilenceAlerts { rule, minutes, reason } = json(body)?;
    let rule = rule.map(|rule| rule.parse()).transpose().map_err(|_| ApiError::Alert(AlertRefusal::Unknown))?;
    let id = context.services.silence_alerts(actor, Some(operator.asked()), rule, &minutes.to_string(), &reason).await?;
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
    operator: OperatorCaller,
    query: Result<Query<ListHistory>, QueryRejection>,
) -> Result<Json<AlertHistory>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageAlerts).await?;
    let wrong = || invalid(Some("limit"), "`limit` must be a number from 1 to 100.");
    let Query(ListHistory { after, limit }) = query.map_err(|_| wrong())?;
    let limit = limit.unwrap_or(HISTORY_DEFAULT);
    if !(1..=HISTORY_MAX).contains(&limit) {
        return Err(wrong());
    }
    let mut entries = context.services.alert_history(actor, after.as_deref(), limit + 1).await?;
    let has_more = entries.len() > usize::from(limit);
    entries.truncate(usize::from(limit));
    let data: Vec<_> = entries.into_iter().map(AlertHistoryEntry::new).collect();
    Ok(Json(AlertHistory { object: "list", last_id: data.last().map(|last| last.id.clone()), data, has_more }))
}

/// What is no id is an id that nothing has.
fn rule_id(id: Result<Path<String>, PathRejection>) -> Result<AlertRuleId, ApiError> {
    let unknown = || ApiError::Alert(AlertRefusal::Unknown);
    id.map_err(|_| unknown())?.0.parse().map_err(|_| unknown())
}
