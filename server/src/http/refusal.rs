//! How to say no: in JSON to programs, in a small page to people.

use crate::api::ApiError;
use axum::{
    extract::Request,
    http::header,
    response::{Html, IntoResponse, Response},
};

/// Who reads the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Program,
    Person,
}

impl Audience {
    pub fn of(request: &Request) -> Self {
        let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if accepts.contains("text/html") && !request.uri().path().starts_with("/v1/") { Self::Person } else { Self::Program }
    }

    pub fn refuse(self, error: ApiError) -> Response {
        let mut response = error.into_response();
        if self == Self::Program {
            return response;
        }
        let Some(message) = response.extensions_mut().remove::<crate::api::Said>() else { return response };
        let page = Html(format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>Reelmill</title><main><h1>This did not work</h1><p>{}</p><p><a href=\"/\">Back to the start</a></p></main></html>",
            escaped(&message.0)
        ));
        let mut answer = (response.status(), page).into_response();
        if let Some(after) = response.headers_mut().remove(header::RETRY_AFTER) {
            answer.headers_mut().insert(header::RETRY_AFTER, after);
        }
        answer
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
