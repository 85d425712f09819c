//! Who calls an operator's route, and what they send.

use super::invalid;
use crate::{
    api::{ApiError, caller::Caller},
    context::Context,
};
use axum::{
    body::Bytes,
    extract::{ConnectInfo, FromRequestParts, rejection::BytesRejection},
    http::request::Parts,
};
use domain::{Actor, Forbidden, Permission};
use serde::de::DeserializeOwned;
use service::Asked;
use std::net::SocketAddr;

/// By whose key the request was opened, and from where it came.
pub struct OperatorCaller {
    caller: Caller,
    address: String,
}

impl OperatorCaller {
    /// Whoever's key it is has to be the operator at this moment; a client token is nobody.
    pub async fn actor(&self, context: &Context, permission: Permission) -> Result<Actor, ApiError> {
        if self.caller.0.token_until.is_some() {
            return Err(ApiError::KeyNeeded);
        }
        let user = context.services.store.accounts().by_id(self.caller.0.owner.membership.user).await?;
        if user.is_some_and(|user| user.is_operator) { Ok(Actor::Operator) } else { Err(Forbidden { permission }.into()) }
    }

    /// For the audit log.
    pub fn asked(&self) -> Asked<'_> {
        Asked { user: self.caller.0.owner.membership.user, address: &self.address }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for OperatorCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let address = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self { caller, address: address.map(|ConnectInfo(address)| address.ip().to_string()).unwrap_or_default() })
    }
}

pub fn json<T: DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, ApiError> {
    let body = body.map_err(|_| invalid(None, "The body ended before it was complete."))?;
    serde_json::from_slice(&body).map_err(|error| invalid(None, &format!("The body is not such a JSON object: {error}.")))
}
