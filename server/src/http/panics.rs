//! A defect in one handler costs one request: its panic becomes a 500 with an incident id.
//!
//! What was said and where is logged by the hook that [`log_panics`] sets, once and inside the request's span.

use super::Audience;
use crate::error::ApiError;
use axum::{extract::Request, middleware::Next, response::Response};
use futures::FutureExt;
use std::panic::{AssertUnwindSafe, set_hook};

pub async fn catch(request: Request, next: Next) -> Response {
    let audience = Audience::of(&request);
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => audience.refuse(ApiError::Panicked),
    }
}

/// Sends panics to the log instead of bare standard error.
pub fn log_panics() {
    set_hook(Box::new(|panic| {
        let said = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.message = said, panic.place = place, "a defect: {said}");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{Router, body::Body, http::StatusCode, middleware::from_fn, routing::get};
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    #[tokio::test]
    async fn a_panic_is_a_500_in_json_for_programs_and_a_page_for_people() {
        let router = Router::new().route("/v1/broken", get(defect)).route("/broken", get(defect)).layer(from_fn(catch));
        for (path, accept, sign) in [("/v1/broken", "*/*", "\"code\":\"internal_error\""), ("/broken", "text/html", "<h1>")] {
            let request = Request::get(path).header("accept", accept).body(Body::empty()).unwrap();
            let answer = router.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let body = answer.into_body().collect().await.unwrap().to_bytes();
            assert!(String::from_utf8_lossy(&body).contains(sign), "{body:?}");
        }
    }

    async fn defect() {
        panic!("on purpose");
    }
}
