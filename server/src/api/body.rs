//! Reading the fields of a request's body, whether it comes as JSON, as multipart or as a plain form.
//!
//! Where a field is given twice the last one counts. Unknown fields are skipped, as programs send what other services know; of the lines
//! of a batch they are told.

use super::{
    ApiError,
    fields::{Fields, Given, Known, unreadable},
    json,
};
use axum::{
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, multipart::MultipartError},
    http::header,
};
use http_body_util::BodyExt;
use percent_encoding::percent_decode;

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

async fn read(request: Request) -> Result<Bytes, ApiError> {
    let collected = request.into_body().collect().await;
    collected.map(http_body_util::Collected::to_bytes).map_err(|_| unreadable("The body ended before it was complete."))
}

fn of_form(body: &[u8]) -> Result<Fields, ApiError> {
    let mut fields = Fields::default();
    for pair in body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        let mut sides = pair.splitn(2, |byte| *byte == b'=');
        let (name, value) = (decoded(sides.next().unwrap_or_default()), decoded(sides.next().unwrap_or_default()));
        if let Some(known) = name.as_deref().and_then(Known::find) {
            fields.insert(known, Given::Text(value.ok_or_else(|| not_utf8(known))?));
        }
    }
    Ok(fields)
}

fn decoded(text: &[u8]) -> Option<String> {
    let spaced: Vec<u8> = text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

fn not_utf8(known: Known) -> ApiError {
    let name = known.name();
    ApiError::Invalid { param: Some(name), message: format!("`{name}` is not valid UTF-8.") }
}

/// A file is refused as soon as its name is read.
async fn of_multipart(mut multipart: Multipart) -> Result<Fields, ApiError> {
    let broken = |_: MultipartError| unreadable("The multipart body is malformed, or ended before it was complete.");
    let mut fields = Fields::default();
    while let Some(part) = multipart.next_field().await.map_err(broken)? {
        match part.name().and_then(Known::find) {
            Some(Known::Reference) => return Err(ApiError::ReferenceUnsupported),
            Some(known) => {
                let bytes = part.bytes().await.map_err(broken)?;
                fields.insert(known, Given::Text(String::from_utf8(bytes.into()).map_err(|_| not_utf8(known))?));
            }
            None => {}
        }
    }
    Ok(fields)
}
