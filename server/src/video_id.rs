//! The video that a path names.

use crate::error::ApiError;
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use domain::JobId;

/// The video that the path names. What is no id at all is answered like an id nobody has.
#[derive(Debug, Clone, Copy)]
pub struct VideoId(pub JobId);

impl VideoId {
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        text.parse().map(Self).map_err(|_| ApiError::VideoUnknown)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for VideoId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| ApiError::VideoUnknown)?;
        Self::parse(&text)
    }
}
