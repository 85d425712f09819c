//! Webhook endpoints and deliveries, in the shapes of OpenAI's API where it has any.

pub mod deliveries;
pub mod endpoints;
mod wire;

pub(super) use wire::RotateWebhookSecret;

use super::{ApiError, caller::Caller, query};
use axum::{
    body::Bytes,
    extract::{ConnectInfo, Extension, FromRequestParts, Path, rejection::BytesRejection},
    http::request::Parts,
};
use domain::{WebhookDeliveryId, WebhookEndpointId};
use serde::de::DeserializeOwned;
use service::webhook::WebhookError;
use std::net::SocketAddr;

/// Who asks, and from where.
pub struct Asking {
    pub caller: Caller,
    pub address: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Asking {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let address = Option::<Extension<ConnectInfo<SocketAddr>>>::from_request_parts(parts, state).await.ok().flatten();
        let address = address.map(|Extension(ConnectInfo(address))| address.ip().to_string()).unwrap_or_default();
        Ok(Self { caller, address })
    }
}

/// What is no id is the id of nothing.
fn endpoint_id<E>(path: Result<Path<String>, E>) -> Result<WebhookEndpointId, ApiError> {
    let Path(id) = path.map_err(|_| WebhookError::Unknown)?;
    id.parse().map_err(|_| WebhookError::Unknown.into())
}

fn both_ids<E>(path: Result<Path<(String, String)>, E>) -> Result<(WebhookEndpointId, WebhookDeliveryId), ApiError> {
    let Path((endpoint, delivery)) = path.map_err(|_| WebhookError::Unknown)?;
    let endpoint = endpoint.parse().map_err(|_| WebhookError::Unknown)?;
    Ok((endpoint, delivery.parse().map_err(|_| WebhookError::DeliveryUnknown)?))
}

const LIMIT_DEFAULT: u64 = 20;
const LIMIT_MAX: u64 = 100;

/// Which part of a list is wanted.
struct ListQuery {
    after: Option<String>,
    limit: u64,
    /// Of deliveries.
    status: Option<String>,
}

impl ListQuery {
    fn of(query: Option<&str>) -> Result<Self, ApiError> {
        let mut list = Self { after: None, limit: LIMIT_DEFAULT, status: None };
        for (name, value) in query::given(query.unwrap_or_default()) {
            match &*name {
                "after" => list.after = Some(value.into_owned()),
                "limit" => list.limit = query::limit(&value, LIMIT_MAX)?,
                "status" => list.status = Some(value.into_owned()),
                _ => {}
            }
        }
        Ok(list)
    }
}

/// An empty body says nothing.
pub(super) fn json<T: DeserializeOwned + Default>(body: Result<Bytes, BytesRejection>) -> Result<T, ApiError> {
    let body = body.map_err(|_| invalid(None, "The body ended before it was complete."))?;
    if body.is_empty() {
        return Ok(T::default());
    }
    serde_json::from_slice(&body).map_err(|error| invalid(None, &format!("The body is not such a JSON object: {error}.")))
}

fn invalid(param: Option<&'static str>, message: &str) -> ApiError {
    ApiError::Invalid { param, message: message.to_owned() }
}
