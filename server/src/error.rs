//! Everything that can go wrong for a client, and how each of it is said: the one table from error to HTTP.
//!
//! What the caller can mend is a sentence with a stable code. What they cannot is an incident id, the id
//! of the request; the cause goes to the log, once, when the answer is made.

mod alerts;
mod batching;
mod causes;
mod moving;
mod not_offered;
mod said;
mod webhooks;

pub use batching::Batching;
pub use moving::NotMoved;
pub use not_offered::NotOffered;
pub use said::{ErrorBody, ErrorDetail, Said};

use crate::{
    pace::{self, Room},
    request_id,
};
use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    Forbidden, JobId, Scope, SpecError, Status,
    account::rate::Passage,
    job::FallbackError,
    scheduling::{AdmissionError, RETRY_AFTER_MAX_S, WorkRoom},
};
use service::webhook::WebhookError;
use std::{error::Error, time::Duration};
use store::{ArtifactKind, objects::ObjectError};

type Cause = Box<dyn Error + Send + Sync>;

#[derive(Debug)]
pub enum ApiError {
    KeyMissing,
    KeyInvalid,
    KeyExpired,
    ClientTokenInvalid,
    ClientTokenExpired,
    /// The key, or the client token, does not have it.
    ScopeMissing(Scope),
    /// A client token was brought where a key is needed.
    KeyNeeded,
    /// More requests in a minute than its key or its tenant may make.
    RateLimited(Passage),
    NotSignedIn,
    MetricsTokenInvalid,
    CrossOrigin,
    ViewingOnly,
    Forbidden(Forbidden),
    RouteUnknown,
    MethodNotAllowed,
    VideoUnknown,
    NotMoved(NotMoved),
    Batching(Batching),
    Webhook(WebhookError),
    Alert(store::alerts::AlertRefusal),
    NotOffered(NotOffered),
    ModelUnknown,
    /// The video is still being made, or never will be.
    NotFinished(Status),
    /// Where the things of a finished video are is not known.
    LayoutUnavailable,
    /// What was made has no file of this kind.
    VariantUnavailable(ArtifactKind),
    Spec(SpecError),
    Fallback(FallbackError),
    /// A field or header that is wrong before anyone looks at what it asks for.
    Invalid {
        param: Option<&'static str>,
        message: String,
    },
    ReferenceUnsupported,
    MediaTypeUnsupported,
    BodyTooLarge {
        bytes_max: u64,
    },
    BodyTooSlow,
    IdempotencyKeyReused,
    /// The idempotency key stands for this video, which was deleted since.
    VideoDeleted(JobId),
    NotAdmitted(AdmissionError),
    /// There is no room at this moment.
    NotNow {
        error: AdmissionError,
        retry_after_s: u64,
    },
    RangeNotSatisfiable {
        bytes: u64,
    },
    StorageFull(ObjectError),
    /// The object store will not do it, now or later.
    StorageRefused(ObjectError),
    TooManyRequests,
    TooManyStreams,
    TooManyConnections,
    /// Bodies of requests take too much memory, of this sender or of all.
    TooManyBodies,
    /// Too many answers for this client's site are being made, or wait to be read.
    TooMuchAtOnce,
    /// A video may have been taken in, or not.
    OutcomeUnknown,
    /// There was no answer by the deadline.
    Overdue(Duration),
    Unavailable(Cause),
    Internal(Cause),
    /// Logged by the panic hook already.
    Panicked,
}

struct Answer {
    status: StatusCode,
    code: &'static str,
    param: Option<&'static str>,
    message: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

fn answer(status: StatusCode, code: &'static str, message: impl Into<String>) -> Answer {
    Answer { status, code, param: None, message: message.into(), headers: Vec::new() }
}

impl Answer {
    fn about(self, param: &'static str) -> Self {
        Self { param: Some(param), ..self }
    }

    fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    fn with_text(mut self, name: HeaderName, value: &str) -> Self {
        self.headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
        self
    }
}

impl ApiError {
    fn answer(&self) -> Answer {
        use StatusCode as S;
        match self {
            Self::KeyMissing => answer(S::UNAUTHORIZED, "invalid_api_key", "No API key was given. Send it as `Authorization: Bearer KEY`.")
                .with(header::WWW_AUTHENTICATE, "Bearer"),
            Self::KeyInvalid => {
                answer(S::UNAUTHORIZED, "invalid_api_key", "This API key is not valid: it is mistyped, unknown or revoked.")
                    .with(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")
            }
            Self::KeyExpired => answer(S::UNAUTHORIZED, "expired_api_key", "This API key has expired. Take the one that replaced it, or make another.")
                .with(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\""),
            Self::ClientTokenInvalid => answer(
                S::UNAUTHORIZED,
                "invalid_client_token",
                "This client token is not valid: it was not made here, was changed, or the key that made it opens nothing any more.",
            )
            .with(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\""),
            Self::ClientTokenExpired => answer(S::UNAUTHORIZED, "expired_client_token", "This client token has expired. Ask your server for another.")
                .with(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\""),
            Self::ScopeMissing(scope) => {
                let message = format!("This needs the scope `{scope}`, which your key or client token does not have. Nothing was done.");
                let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
                answer(S::FORBIDDEN, "insufficient_scope", message).with_text(header::WWW_AUTHENTICATE, &challenge)
            }
            Self::KeyNeeded => answer(S::FORBIDDEN, "api_key_required", "This needs an API key: a client token makes no others."),
            Self::RateLimited(passage) => Answer {
                headers: pace::headers(passage, None).into_iter().chain(pace::retry_headers(passage)).collect(),
                ..answer(
                    S::TOO_MANY_REQUESTS,
                    "rate_limit_exceeded",
                    format!("At most {} requests a minute may be made here. `Retry-After` says when the next one passes.", passage.limit),
                )
            },
            Self::NotSignedIn => answer(S::UNAUTHORIZED, "not_signed_in", "Sign in first."),
            Self::MetricsTokenInvalid => {
                answer(S::UNAUTHORIZED, "invalid_metrics_token", "Send the token for metrics as `Authorization: Bearer TOKEN`.")
                    .with(header::WWW_AUTHENTICATE, "Bearer")
            }
            Self::CrossOrigin => answer(S::FORBIDDEN, "cross_origin", "This request came from another site, so it was not carried out."),
            Self::ViewingOnly => answer(S::FORBIDDEN, "viewing_only", "You look at a team’s pages as the operator: nothing can be changed."),
            Self::Forbidden(Forbidden { permission }) => answer(S::FORBIDDEN, "forbidden", format!("You may not {permission}.")),
            Self::RouteUnknown => answer(S::NOT_FOUND, "unknown_url", "There is no such route. /openapi.json lists those there are."),
            Self::MethodNotAllowed => {
                answer(S::METHOD_NOT_ALLOWED, "method_not_allowed", "This route does not know that method; see the `Allow` header.")
            }
            Self::VideoUnknown => answer(S::NOT_FOUND, "video_not_found", "There is no such video.").about("video_id"),
            Self::NotMoved(why) => why.answer(),
            Self::Batching(why) => why.answer(),
            Self::Webhook(why) => webhooks::answer_of(why),
            Self::Alert(why) => alerts::answer_of(why),
            Self::NotOffered(what) => what.answer(),
            Self::ModelUnknown => answer(S::NOT_FOUND, "model_not_found", "There is no such model.").about("model"),
            Self::NotFinished(Status::Failed) => answer(S::BAD_REQUEST, "video_failed", "This video failed, so there is nothing to fetch."),
            Self::NotFinished(Status::Cancelled) => {
                answer(S::BAD_REQUEST, "video_cancelled", "This video was cancelled, so there is nothing to fetch.")
            }
            Self::NotFinished(_) => {
                answer(S::BAD_REQUEST, "video_not_ready", "This video is not finished yet. Wait until its status is `completed`.")
            }
            Self::LayoutUnavailable => answer(
                S::BAD_REQUEST,
                "layout_unavailable",
                "Where things are in this video is not known: its model places none, or it was made by an earlier version.",
            ),
            Self::VariantUnavailable(kind) => answer(S::BAD_REQUEST, "variant_unavailable", lacking(*kind)).about("variant"),
            Self::Spec(error) => answer(S::BAD_REQUEST, error.code(), error.to_string()).about(error.field()),
            Self::Fallback(error) => answer(S::BAD_REQUEST, error.code(), error.to_string()).about("fallback_model"),
            Self::Invalid { param, message } => Answer { param: *param, ..answer(S::BAD_REQUEST, "invalid_request", message) },
            Self::ReferenceUnsupported => answer(
                S::BAD_REQUEST,
                "unsupported_by_model",
                "No model here starts from a picture or a video; leave `input_reference` out.",
            )
            .about("input_reference"),
            Self::MediaTypeUnsupported => answer(
                S::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "Send application/json, multipart/form-data or application/x-www-form-urlencoded.",
            ),
            Self::BodyTooLarge { bytes_max } => {
                let message = format!("The request is too large; at most {} KiB are read.", bytes_max / 1024);
                answer(S::PAYLOAD_TOO_LARGE, "body_too_large", message)
            }
            Self::BodyTooSlow => answer(S::REQUEST_TIMEOUT, "body_too_slow", "The request took too long to arrive."),
            Self::IdempotencyKeyReused => answer(
                S::UNPROCESSABLE_ENTITY,
                "idempotency_key_reused",
                "This Idempotency-Key was used for a different request. Take a new key.",
            )
            .about("idempotency-key"),
            Self::VideoDeleted(id) => answer(
                S::GONE,
                "video_deleted",
                format!("Under this Idempotency-Key the video {id} was made, and it was deleted since. Take a new key to make another."),
            )
            .about("idempotency-key"),
            Self::NotNow { error, retry_after_s } => not_now(error, *retry_after_s),
            Self::NotAdmitted(error @ (AdmissionError::TooMuchOpenWork { .. } | AdmissionError::QueueFull { .. })) => {
                not_now(error, RETRY_AFTER_MAX_S)
            }
            Self::NotAdmitted(error @ AdmissionError::TooLargeForPlan { .. }) => {
                answer(S::BAD_REQUEST, "too_large_for_plan", error.to_string())
            }
            Self::NotAdmitted(error @ AdmissionError::OutOfCredit { .. }) => {
                answer(S::PAYMENT_REQUIRED, "insufficient_credits", error.to_string())
            }
            Self::NotAdmitted(error @ AdmissionError::SpendingLimitReached { .. }) => {
                answer(S::PAYMENT_REQUIRED, "spending_limit_reached", error.to_string())
            }
            Self::NotAdmitted(error @ AdmissionError::ModelNotInPlan { .. }) => {
                answer(S::FORBIDDEN, "model_not_in_plan", error.to_string()).about("model")
            }
            Self::NotAdmitted(error @ AdmissionError::DeadlineInfeasible { deadline, .. }) => {
                answer(S::UNPROCESSABLE_ENTITY, "deadline_infeasible", error.to_string()).about(deadline.as_str())
            }
            Self::NotAdmitted(error @ AdmissionError::TooManyCallbacks { .. }) => {
                answer(S::TOO_MANY_REQUESTS, "too_many_webhooks_waiting", error.to_string())
                    .with_text(header::RETRY_AFTER, &RETRY_AFTER_MAX_S.to_string())
            }
            Self::RangeNotSatisfiable { .. } => {
                answer(S::RANGE_NOT_SATISFIABLE, "range_not_satisfiable", "The range lies outside the file.")
            }
            Self::StorageFull(_) => {
                answer(S::INSUFFICIENT_STORAGE, "storage_full", "There is no room left to store anything. The operator has to make some.")
            }
            Self::StorageRefused(_) => answer(
                S::INTERNAL_SERVER_ERROR,
                "storage_refused",
                format!("The storage behind this service refused. The operator has to look; incident {}.", request_id::current()),
            )
            .with(HeaderName::from_static("x-should-retry"), "false"),
            Self::TooManyRequests => answer(
                S::TOO_MANY_REQUESTS,
                "too_many_requests",
                "Too many of your requests are being answered at the same time. Wait for some of them.",
            )
            .with(header::RETRY_AFTER, "1"),
            Self::TooManyStreams => {
                answer(S::TOO_MANY_REQUESTS, "too_many_requests", "You watch too many videos at the same time. Stop watching some of them.")
                    .with(header::RETRY_AFTER, "5")
            }
            Self::TooManyConnections => answer(
                S::SERVICE_UNAVAILABLE,
                "too_many_connections",
                "There are too many connections, from your address or in all; try again soon.",
            )
            .with(header::RETRY_AFTER, "5"),
            Self::TooManyBodies => answer(
                S::SERVICE_UNAVAILABLE,
                "too_many_bodies",
                "Too much is being sent at the same time, from your address or in all; try again soon.",
            )
            .with(header::RETRY_AFTER, "5"),
            Self::TooMuchAtOnce => answer(
                S::SERVICE_UNAVAILABLE,
                "too_much_at_once",
                "Too many answers for your address are being made or wait to be read; try again soon.",
            )
            .with(header::RETRY_AFTER, "5"),
            // A client that sent it again by itself could have two.
            Self::OutcomeUnknown => answer(
                S::SERVICE_UNAVAILABLE,
                "outcome_unknown",
                "Whether this video was taken in is not known: list your videos before you send the request again, or send an Idempotency-Key with each.",
            )
            .with(HeaderName::from_static("x-should-retry"), "false"),
            Self::Unavailable(_) | Self::Overdue(_) => answer(
                S::SERVICE_UNAVAILABLE,
                "unavailable",
                format!("The service cannot answer right now; try again soon. Incident {}.", request_id::current()),
            )
            .with(header::RETRY_AFTER, "5"),
            Self::Internal(_) | Self::Panicked => answer(
                S::INTERNAL_SERVER_ERROR,
                "internal_error",
                format!("Something broke on our side. Please report incident {}.", request_id::current()),
            ),
        }
    }

    /// Writes down what the answer hides.
    fn log(&self) {
        match self {
            Self::Internal(cause) => tracing::error!(error = &**cause as &dyn Error, "a request failed by our fault: {cause}"),
            Self::Unavailable(cause) => tracing::error!(error = &**cause as &dyn Error, "a request could not be served: {cause}"),
            Self::StorageRefused(cause) => tracing::error!(error = cause as &dyn Error, "the object store refuses: {cause}"),
            Self::OutcomeUnknown => tracing::error!("the database did not say in time whether a video was taken in"),
            Self::Overdue(deadline) => tracing::error!("a request had no answer after {} s", deadline.as_secs_f64()),
            Self::StorageFull(cause) => tracing::error!(error = cause as &dyn Error, "the object store is full"),
            _ => {}
        }
    }
}

fn not_now(error: &AdmissionError, retry_after_s: u64) -> Answer {
    let code = if matches!(error, AdmissionError::QueueFull { .. }) { "queue_full" } else { "too_much_open_work" };
    answer(StatusCode::TOO_MANY_REQUESTS, code, error.to_string()).with_text(header::RETRY_AFTER, &retry_after_s.to_string())
}

const fn lacking(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Video => "This is an image: it has no video. Leave `variant` out to get the image.",
        ArtifactKind::Spritesheet => "This is an image: it has no spritesheet. Leave `variant` out to get the image.",
        ArtifactKind::Image => "This is a video: it has no image. Leave `variant` out to get the video, or ask for its `thumbnail`.",
        ArtifactKind::Thumbnail | ArtifactKind::Latents => "There is no such file. Leave `variant` out to get what was made.",
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let Answer { status, code, param, message, headers } = self.answer();
        let kind = match status {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
            StatusCode::PAYMENT_REQUIRED => "insufficient_quota",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        };
        let detail = ErrorDetail { message: message.clone(), kind, param, code };
        let mut response = (status, Json(ErrorBody { error: detail })).into_response();
        response.headers_mut().extend(headers);
        if let Self::RangeNotSatisfiable { bytes } = self
            && let Ok(range) = HeaderValue::try_from(format!("bytes */{bytes}"))
        {
            response.headers_mut().insert(header::CONTENT_RANGE, range);
        }
        if let Self::NotNow { error: AdmissionError::TooMuchOpenWork { open, open_max, .. }, .. } = &self {
            response.extensions_mut().insert(Room(WorkRoom { open: *open, open_max: *open_max }));
        }
        response.extensions_mut().insert(Said { message, code, param });
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Permission;

    #[test]
    fn what_is_not_allowed_has_a_code_of_its_own() {
        let Answer { status, code, message, .. } = ApiError::from(Forbidden { permission: Permission::DeleteJobs }).answer();
        assert_eq!((status, code, &*message), (StatusCode::FORBIDDEN, "forbidden", "You may not delete videos."));
    }
}
