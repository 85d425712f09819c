//! The APIs of other services, so that programs written for them run here unchanged: Replicate's below `/replicate`, fal's queue under a
//! host name of its own and below `/fal`.
//!
//! They lead to the same use cases as `/v1`, with the same keys, scopes and limits; what differs is how requests, answers and errors are
//! spelled.

mod address;
mod callback;
mod errors;
mod fal;
mod inputs;
mod moment;
mod replicate;
mod submit;
mod told;

pub use address::at_fal_host;
pub use errors::say_as_they_do;
pub use told::body as callback_body;

use super::caller;
use crate::{
    context::Context,
    error::{ApiError, NotOffered},
    http::answers,
};
use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{any, get, post},
};
use std::sync::Arc;

/// Parts of Replicate's API that are about what there is not here.
const NOT_HERE: [(&str, &str); 4] =
    [("files", "Uploaded files"), ("trainings", "Trainings"), ("deployments", "Deployments"), ("collections", "Collections")];

pub fn router(context: &Context) -> Router {
    let routes = NOT_HERE.into_iter().fold(Router::new().merge(replicate()).merge(fal()), |routes, (part, name)| {
        let refuse = any(move || async move { ApiError::NotOffered(NotOffered::Here(name)) });
        routes.route(&format!("/replicate/v1/{part}"), refuse.clone()).route(&format!("/replicate/v1/{part}/{{*rest}}"), refuse)
    });
    routes
        .route_layer(from_fn_with_state(Arc::clone(&context.shares), answers::bound))
        .route_layer(from_fn_with_state(context.clone(), caller::authenticate))
        .method_not_allowed_fallback(|| async { ApiError::MethodNotAllowed })
        .merge(nothing())
        .with_state(context.clone())
}

fn replicate() -> Router<Context> {
    use replicate::{account, create, models, predictions, webhook};
    Router::new()
        .route("/replicate/v1/predictions", post(create::by_version).get(predictions::list))
        .route("/replicate/v1/predictions/{video_id}", get(predictions::retrieve))
        .route("/replicate/v1/predictions/{video_id}/stream", get(predictions::stream))
        .route("/replicate/v1/predictions/{video_id}/cancel", post(predictions::cancel))
        .route("/replicate/v1/models", get(models::list))
        .route("/replicate/v1/models/{owner}/{model}", get(models::retrieve))
        .route("/replicate/v1/models/{owner}/{model}/predictions", post(create::by_model))
        .route("/replicate/v1/models/{owner}/{model}/versions", get(models::versions))
        .route("/replicate/v1/models/{owner}/{model}/versions/{version}", get(models::version))
        .route("/replicate/v1/account", get(account::account))
        .route("/replicate/v1/hardware", get(account::hardware))
        .route("/replicate/v1/webhooks/default/secret", get(webhook::secret))
        .route("/replicate/v1/webhooks/default/secret/rotate", post(webhook::rotate))
}

fn fal() -> Router<Context> {
    use axum::routing::put;
    use fal::{requests, submit};
    Router::new()
        .route("/fal/{owner}/{model}", post(submit::submit))
        .route("/fal/{owner}/{model}/requests/{video_id}", get(requests::result))
        .route("/fal/{owner}/{model}/requests/{video_id}/status", get(requests::status))
        .route("/fal/{owner}/{model}/requests/{video_id}/status/stream", get(requests::stream))
        .route("/fal/{owner}/{model}/requests/{video_id}/cancel", put(requests::cancel))
}

/// What needs no key, and all other paths.
fn nothing() -> Router<Context> {
    // What takes any rest cannot stand where a name does.
    let paths = ["/replicate/{*rest}", "/fal/", "/fal/{owner}", "/fal/{owner}/", "/fal/{owner}/{model}/", "/fal/{owner}/{model}/{*rest}"];
    let keys = Router::new().route("/fal/.well-known/jwks.json", get(fal::submit::keys));
    paths.into_iter().fold(keys, |routes, path| routes.route(path, any(unknown)))
}

async fn unknown() -> ApiError {
    ApiError::RouteUnknown
}
