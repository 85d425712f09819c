//! What a request is for: every route here is a path.
//!
//! HTTP knows requests without one, such as `CONNECT host:port`. Routing and rendering count on a path.

use super::Audience;
use crate::error::ApiError;
use axum::{extract::Request, middleware::Next, response::Response};

pub async fn require_path(request: Request, next: Next) -> Response {
    if request.uri().path_and_query().is_some() {
        return next.run(request).await;
    }
    Audience::of(&request).refuse(ApiError::Invalid { param: None, message: "The request names no path.".to_owned() })
}
