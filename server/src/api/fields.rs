//! The fields of a request's body, whether it comes as JSON, as multipart or as a plain form.
//!
//! Everything ends up as text, so that one parser (`domain::JobRequest`) and one set of messages serve all.
//! Where a field is given twice the last one counts; unknown fields are skipped without being kept.

use super::{ApiError, json};
use axum::{
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, multipart::MultipartError},
    http::header,
};
use domain::JobRequest;
use http_body_util::BodyExt;
use percent_encoding::percent_decode;
use std::collections::HashMap;

/// The fields we know. A picture to start from is known in order to be refused.
pub const KNOWN: [&str; 9] = ["prompt", "negative_prompt", "model", "size", "seconds", "steps", "guidance", "seed", REFERENCE];
const NUMBERS: [&str; 4] = ["seconds", "steps", "guidance", "seed"];
const REFERENCE: &str = "input_reference";

/// One field as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    Null,
    Text(String),
    /// Spelled the way `domain` reads it.
    Number(String),
    /// Something of the named JSON type, which no field takes.
    Other(&'static str),
}

#[derive(Debug, Default)]
pub struct Fields(HashMap<&'static str, Given>);

impl Fields {
    pub fn insert(&mut self, name: &'static str, given: Given) {
        self.0.insert(name, given);
    }

    /// The request these fields make, on top of one that fills what they leave out.
    pub fn over(mut self, base: JobRequest) -> Result<JobRequest, ApiError> {
        if !matches!(self.0.remove(REFERENCE), None | Some(Given::Null)) {
            return Err(ApiError::ReferenceUnsupported);
        }
        Ok(JobRequest {
            prompt: self.text("prompt")?.unwrap_or(base.prompt),
            negative_prompt: self.text("negative_prompt")?.or(base.negative_prompt),
            model: self.text("model")?.or(base.model),
            size: self.text("size")?.or(base.size),
            seconds: self.text("seconds")?.or(base.seconds),
            steps: self.text("steps")?.or(base.steps),
            guidance: self.text("guidance")?.or(base.guidance),
            seed: self.text("seed")?.or(base.seed),
        })
    }

    fn text(&mut self, name: &'static str) -> Result<Option<String>, ApiError> {
        let takes_numbers = NUMBERS.contains(&name);
        match self.0.remove(name) {
            None | Some(Given::Null) => Ok(None),
            Some(Given::Text(text)) => Ok(Some(text)),
            Some(Given::Number(text)) if takes_numbers => Ok(Some(text)),
            Some(given) => {
                let kind = if let Given::Other(kind) = given { kind } else { "a number" };
                let wanted = if takes_numbers { "a number or a string" } else { "a string" };
                Err(ApiError::Invalid { param: Some(name), message: format!("`{name}` must be {wanted}, not {kind}.") })
            }
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, state: &S) -> Result<Self, ApiError> {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_lowercase();
        match essence.as_str() {
            "application/json" => json::parse(&read(request).await?),
            "application/x-www-form-urlencoded" => of_form(&read(request).await?),
            "multipart/form-data" => {
                // The limit of `http::body` holds; axum's own would answer in another shape.
                DefaultBodyLimit::disable().apply(&mut request);
                let multipart = Multipart::from_request(request, state).await;
                of_multipart(multipart.map_err(|_| unreadable("The multipart body names no boundary."))?).await
            }
            _ => Err(ApiError::MediaTypeUnsupported),
        }
    }
}

pub fn unreadable(message: impl Into<String>) -> ApiError {
    ApiError::Invalid { param: None, message: message.into() }
}

async fn read(request: Request) -> Result<Bytes, ApiError> {
    let collected = request.into_body().collect().await;
    collected.map(http_body_util::Collected::to_bytes).map_err(|_| unreadable("The body ended before it was complete."))
}

fn known(name: &str) -> Option<&'static str> {
    KNOWN.into_iter().find(|known| *known == name)
}

fn of_form(body: &[u8]) -> Result<Fields, ApiError> {
    let mut fields = Fields::default();
    for pair in body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        let mut sides = pair.splitn(2, |byte| *byte == b'=');
        let (name, value) = (decoded(sides.next().unwrap_or_default()), decoded(sides.next().unwrap_or_default()));
        if let Some(name) = name.as_deref().and_then(known) {
            fields.insert(name, Given::Text(value.ok_or_else(|| not_utf8(name))?));
        }
    }
    Ok(fields)
}

fn decoded(text: &[u8]) -> Option<String> {
    let spaced: Vec<u8> = text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

fn not_utf8(name: &'static str) -> ApiError {
    ApiError::Invalid { param: Some(name), message: format!("`{name}` is not valid UTF-8.") }
}

/// A file is refused as soon as its name is read.
async fn of_multipart(mut multipart: Multipart) -> Result<Fields, ApiError> {
    let broken = |_: MultipartError| unreadable("The multipart body is malformed, or ended before it was complete.");
    let mut fields = Fields::default();
    while let Some(part) = multipart.next_field().await.map_err(broken)? {
        match part.name().and_then(known) {
            Some(REFERENCE) => return Err(ApiError::ReferenceUnsupported),
            Some(name) => {
                let bytes = part.bytes().await.map_err(broken)?;
                fields.insert(name, Given::Text(String::from_utf8(bytes.into()).map_err(|_| not_utf8(name))?));
            }
            None => {}
        }
    }
    Ok(fields)
}
