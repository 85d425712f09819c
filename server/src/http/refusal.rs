//! How to say no: in JSON to programs, in a small page to people.

use super::is_of_programs;
use crate::error::{ApiError, Said};
use app::islands::create::Refusal;
use axum::{
    body::to_bytes,
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};

/// Of a refusal in JSON.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

/// Who reads the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Program,
    Person,
}

impl Audience {
    pub fn of(request: &Request) -> Self {
        let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if accepts.contains("text/html") && !is_of_programs(request.uri().path()) { Self::Person } else { Self::Program }
    }

    pub fn refuse(self, error: ApiError) -> Response {
        let mut response = error.into_response();
        if self == Self::Program {
            return response;
        }
        let Some(Said { message, .. }) = response.extensions_mut().remove() else { return response };
        let mut answer = page(response.status(), &message);
        if let Some(after) = response.headers_mut().remove(header::RETRY_AFTER) {
            answer.headers_mut().insert(header::RETRY_AFTER, after);
        }
        answer
    }
}

/// Makes a page of a form's refusal, which is in JSON; what else the answer says stays.
pub async fn in_words(request: Request, next: Next) -> Response {
    let is_form_of_person = Audience::of(&request) == Audience::Person && request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let status = response.status();
    let is_page = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if !is_form_of_person || is_page || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut head, json) = response.into_parts();
    let json = to_bytes(json, REFUSAL_BYTES_MAX).await.unwrap_or_default();
    let refusal = serde_json::from_slice(&json).unwrap_or(if status.is_server_error() { Refusal::Unavailable } else { Refusal::Malformed });
    let (page, html) = page(status, &refusal.to_string()).into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(page.headers);
    Response::from_parts(head, html)
}

fn page(status: StatusCode, message: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Reelmill</title><main><h1>This did not work</h1><p>{}</p><p><a href=\"/\">Back to the start</a></p></main></html>",
        escaped(message)
    );
    (status, Html(html)).into_response()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
