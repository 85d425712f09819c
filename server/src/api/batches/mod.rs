//! Batches: many requests in one file. One file for each thing a client does with them.

pub mod create;
pub mod lines;
pub mod read;
pub mod results;
pub mod wire;

use super::ApiError;
use crate::error::Batching;
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use domain::BatchId;

/// The batch that the path names. What is no id at all is answered like an id nobody has.
pub struct NamedBatch(pub BatchId);

impl<S: Send + Sync> FromRequestParts<S> for NamedBatch {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let unknown = || ApiError::from(Batching::BatchUnknown);
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| unknown())?;
        text.parse().map(Self).map_err(|_| unknown())
    }
}
