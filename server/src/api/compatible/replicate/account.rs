//! Whose key this is, and what their work runs on.

use crate::{api::caller::Caller, context::Context, error::ApiError};
use axum::{Json, extract::State};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Account {
    #[serde(rename = "type")]
    kind: &'static str,
    username: String,
    name: String,
    github_url: Option<String>,
}

/// `GET /replicate/v1/account`
pub async fn account(State(context): State<Context>, caller: Caller) -> Result<Json<Account>, ApiError> {
    let name = context.services.team_name(caller.actor()).await?;
    let username = caller.0.owner.membership.tenant.to_string();
    Ok(Json(Account { kind: "organization", username, name, github_url: None }))
}

#[derive(Debug, Serialize)]
pub struct Hardware {
    sku: &'static str,
    name: &'static str,
}

/// `GET /replicate/v1/hardware`: which machine makes what is not for those who ask to choose.
pub async fn hardware() -> Json<[Hardware; 1]> {
    Json([Hardware { sku: "shared", name: "The machines of this installation" }])
}
