//! `/metrics`: what this process counts and times, for Prometheus; and the counting of requests.
//!
//! There is such a page only where a token is configured, and only for who sends it.

use crate::{context::Context, error::ApiError};
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, header},
    middleware::Next,
    response::Response,
};
use service::telemetry::{CONTENT_TYPE, Metrics};
use std::sync::Arc;
use store::clock::Instant;

/// Everything in the format of OpenMetrics.
pub async fn show(State(context): State<Context>, headers: HeaderMap) -> Result<([(HeaderName, &'static str); 1], String), ApiError> {
    let Some(token) = &context.metrics_token else { return Err(ApiError::RouteUnknown) };
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if !token.is_in(authorization) {
        return Err(ApiError::MetricsTokenInvalid);
    }
    let text = context.services.metrics_text().await.map_err(|error| ApiError::Internal(error.into()))?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text))
}

/// Counts a request when the head of its answer is there; one whose client left before that is not counted.
pub async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let begun = Instant::now();
    let response = next.run(request).await;
    metrics.note_request(route.as_ref().map(MatchedPath::as_str), method.as_str(), response.status().as_u16(), begun.elapsed());
    response
}
