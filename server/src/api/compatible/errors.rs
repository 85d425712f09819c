//! Errors in the words of other services: problem details (RFC 9457) for Replicate's clients, `detail` and `error_type` for fal's.
//!
//! Whatever refused, a handler or a limit in front of all of them, has made an answer in OpenAI's shape and noted what it said.

use crate::{
    api::fields::Known,
    error::Said,
    http::{FAL_PATH, REPLICATE_PATH},
};
use axum::{
    Json,
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

const FAL_ERROR_TYPE: HeaderName = HeaderName::from_static("x-fal-error-type");
/// Tells fal's clients not to try again.
const FAL_TIMEOUT_TYPE: HeaderName = HeaderName::from_static("x-fal-request-timeout-type");
const PROBLEM: HeaderValue = HeaderValue::from_static("application/problem+json");
/// Codes of inputs that a model cannot take, beside those of `SpecError`.
const INPUT_CODES: [&str; 3] = ["invalid_input", "invalid_request", "unsupported_by_model"];

pub async fn say_as_they_do(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let say: fn(&Said, &str, &Response) -> Response = match path {
        path if path.starts_with(REPLICATE_PATH) => problem,
        path if path.starts_with(FAL_PATH) => detail,
        _ => return next.run(request).await,
    };
    let path = path.to_owned();
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Said>() {
        Some(said) => say(&said, &path, &response),
        None => response,
    }
}

/// Inputs that cannot be are 422 in both.
fn status(said: &Said, was: StatusCode) -> StatusCode {
    if was == StatusCode::BAD_REQUEST && is_about_input(said) { StatusCode::UNPROCESSABLE_ENTITY } else { was }
}

/// What names an input, or what all of them are in.
fn is_about_input(said: &Said) -> bool {
    said.param.is_some_and(|param| param == "input" || Known::find(param).is_some())
        || INPUT_CODES.contains(&said.code) && said.param.is_none()
}

fn problem(said: &Said, path: &str, response: &Response) -> Response {
    let status = status(said, response.status());
    let is_throttled = status == StatusCode::TOO_MANY_REQUESTS;
    let detail = match response.headers().get(header::RETRY_AFTER).and_then(|after| after.to_str().ok()) {
        Some(seconds) if is_throttled => format!("Request was throttled. Your rate limit resets in ~{seconds}s. {}", said.message),
        _ => said.message.clone(),
    };
    let is_input = status == StatusCode::UNPROCESSABLE_ENTITY && is_about_input(said);
    let title = if is_input { "Input validation failed" } else { status.canonical_reason().unwrap_or("Error") };
    let mut body = json!({
        "type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail, "instance": path, "code": said.code
    });
    if is_input {
        let field = said.param.filter(|param| *param != "input").map_or_else(|| "input".to_owned(), |param| format!("input.{param}"));
        body["invalid_fields"] = json!([{ "type": said.code, "field": field, "description": said.message }]);
    }
    let mut answer = said_as(status, &body, response);
    answer.headers_mut().insert(header::CONTENT_TYPE, PROBLEM);
    answer
}

fn detail(said: &Said, _path: &str, response: &Response) -> Response {
    if said.code == "deadline_infeasible" {
        return said_at_fal(StatusCode::GATEWAY_TIMEOUT, "startup_timeout", &json!(said.message), response);
    }
    let status = status(said, response.status());
    let detail = if status == StatusCode::UNPROCESSABLE_ENTITY && is_about_input(said) {
        let at = said.param.filter(|param| *param != "input");
        let place: Vec<_> = ["body"].into_iter().chain(at).collect();
        json!([{ "loc": place, "msg": said.message, "type": said.code }])
    } else {
        json!(said.message)
    };
    said_at_fal(status, said.code, &detail, response)
}

fn said_at_fal(status: StatusCode, error_type: &str, detail: &Value, was: &Response) -> Response {
    marked(said_as(status, &json!({ "detail": detail, "error_type": error_type }), was), error_type)
}

/// An error of fal's own making: of a job, not of a request for it.
pub fn fal_error(status: StatusCode, error_type: &str, message: &str) -> Response {
    marked((status, Json(json!({ "detail": message, "error_type": error_type }))).into_response(), error_type)
}

fn marked(mut answer: Response, error_type: &str) -> Response {
    let status = answer.status();
    answer.headers_mut().extend(HeaderValue::from_str(error_type).ok().map(|error_type| (FAL_ERROR_TYPE, error_type)));
    if status == StatusCode::GATEWAY_TIMEOUT {
        answer.headers_mut().insert(FAL_TIMEOUT_TYPE, HeaderValue::from_static("user"));
    }
    answer
}

/// With the headers of `was`, but for those of its body.
fn said_as(status: StatusCode, body: &Value, was: &Response) -> Response {
    let mut answer = (status, Json(body)).into_response();
    let of_body = [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::CONTENT_ENCODING, header::TRANSFER_ENCODING];
    for (name, value) in was.headers().iter().filter(|(name, _)| !of_body.contains(name)) {
        answer.headers_mut().append(name, value.clone());
    }
    answer
}
