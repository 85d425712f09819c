//! Tokens for browsers: made by a server that has a key, good for a short while.

use super::{ApiError, caller::Caller};
use crate::context::Context;
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
};
use domain::{Scope, Scopes};
use serde::{Deserialize, Serialize};
use service::key::{CLIENT_TOKEN_S_DEFAULT, ClientToken, ClientTokenRequest, MintError};
use utoipa::ToSchema;

/// A misspelt field would make a token of more than was meant.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateClientToken {
    /// Some of the scopes of the key; all of them unless given.
    #[schema(example = json!(["videos:read"]))]
    pub scopes: Option<Vec<String>>,
    /// Whom it is given to, in your words: 1 to 100 characters. It stands in the token and in the log.
    #[schema(example = "user-42")]
    pub end_user: Option<String>,
    /// Seconds for which it is good: 1 to 3600, 600 unless given.
    #[schema(example = 600)]
    pub expires_in: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ClientTokenObject {
    #[schema(example = "client_token")]
    pub object: &'static str,
    /// To be sent as `Authorization: Bearer`, in place of a key.
    pub token: String,
    /// Unix seconds.
    #[schema(example = 1_795_219_800)]
    pub expires_at: i64,
    #[schema(example = json!(["videos:read"]))]
    pub scopes: Vec<&'static str>,
    pub end_user: Option<String>,
}

/// Make a client token
///
/// For a browser: it opens what its scopes say, until it expires or the key that made it does. The API answers scripts of any site that
/// bring one.
#[utoipa::path(
    post, path = "/v1/client_tokens", tag = "client tokens",
    request_body(content((Option<CreateClientToken> = "application/json"))),
    responses((status = 200, description = "The token, which is not shown again", body = ClientTokenObject))
)]
pub async fn create_client_token(
    State(context): State<Context>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ClientTokenObject>, ApiError> {
    let body = body.map_err(|_| invalid(None, "The body ended before it was complete."))?;
    let CreateClientToken { scopes, end_user, expires_in } = if body.is_empty() {
        CreateClientToken::default()
    } else {
        serde_json::from_slice(&body).map_err(|error| invalid(None, &format!("The body is not such a JSON object: {error}.")))?
    };
    let scopes = scopes.map(|names| Scopes::of_names(names.iter().map(String::as_str))).transpose();
    let scopes = scopes.map_err(|error| invalid(Some("scopes"), &format!("`scopes`: {error}.")))?;
    let request = ClientTokenRequest { scopes, end_user, ttl_s: expires_in.unwrap_or(CLIENT_TOKEN_S_DEFAULT) };
    let made = context.services.mint_client_token(caller.0, request, context.issuer()).await.map_err(refusal)?;
    let ClientToken { token, scopes, end_user, expires_at } = made;
    let scopes = Scope::EVERY.into_iter().filter(|scope| scopes.has(*scope)).map(Scope::as_str).collect();
    Ok(Json(ClientTokenObject { object: "client_token", token, expires_at: expires_at.unix_seconds(), scopes, end_user }))
}

fn refusal(error: MintError) -> ApiError {
    let param = match &error {
        MintError::NotAKey => return ApiError::KeyNeeded,
        MintError::Scopes(_) => "scopes",
        MintError::Lifetime => "expires_in",
        MintError::EndUser => "end_user",
        MintError::Encoding(_) => return ApiError::Internal(error.into()),
        MintError::Signing(service::key::SigningError::Store(cause)) => return cause.clone().into(),
        MintError::Signing(_) => return ApiError::Internal(error.into()),
    };
    invalid(Some(param), &format!("`{param}`: {error}."))
}

fn invalid(param: Option<&'static str>, message: &str) -> ApiError {
    ApiError::Invalid { param, message: message.to_owned() }
}
