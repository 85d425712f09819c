//! Sending what a job made: whole, in part, or not at all when the client has it already.
//!
//! One function for the pages, the public API and links. A finished file never changes, so its SHA-256 is its
//! strong `ETag`; a client asks each time whether it may still see it, which costs a few bytes.

use super::file_name;
use crate::{context::Context, error::ApiError, http::sessions::SignedIn, video_id::VideoId};
use axum::{
    body::Body,
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use domain::{Actor, JobId, JobView};
use service::{ContentError, OutputLink, Services};
use std::{convert::Infallible, ops::RangeInclusive};
use store::{Artifact, ArtifactKind, objects::ObjectError};

const ASK_EACH_TIME: &str = "private, no-cache";

/// What of a file a client wants, and how.
#[derive(Debug, Clone)]
pub struct Asked {
    method: Method,
    headers: HeaderMap,
    /// To be saved, not shown.
    download: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or_default();
        let download = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "download");
        Ok(Self { method: parts.method.clone(), headers: parts.headers.clone(), download })
    }
}

impl Asked {
    fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn has(&self, etag: &str) -> bool {
        let listed = |tags: &str| tags.split(',').map(|tag| tag.trim().trim_start_matches("W/")).any(|tag| tag == etag || tag == "*");
        self.header(header::IF_NONE_MATCH).is_some_and(listed)
    }

    /// The one range of the file to send. `If-Range` with another version means all of it, and so does a
    /// range that makes no sense or a list of several (RFC 9110, section 14.2, allows that).
    fn range(&self, etag: &str, bytes: u64) -> Result<Option<RangeInclusive<u64>>, ApiError> {
        if self.header(header::IF_RANGE).is_some_and(|version| version != etag) {
            return Ok(None);
        }
        match self.header(header::RANGE).and_then(parse_range) {
            None => Ok(None),
            Some(Wanted::Last(0)) => Err(ApiError::RangeNotSatisfiable { bytes }),
            Some(Wanted::From(first, _)) if first >= bytes => Err(ApiError::RangeNotSatisfiable { bytes }),
            Some(Wanted::From(first, last)) => Ok(Some(first..=last.min(bytes - 1))),
            Some(Wanted::Last(_)) if bytes == 0 => Err(ApiError::RangeNotSatisfiable { bytes }),
            Some(Wanted::Last(count)) => Ok(Some(bytes.saturating_sub(count)..=bytes - 1)),
        }
    }
}

enum Wanted {
    From(u64, u64),
    Last(u64),
}

fn parse_range(text: &str) -> Option<Wanted> {
    let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>().ok()).flatten();
    match text.strip_prefix("bytes=")?.trim().split_once('-')? {
        ("", count) => number(count).map(Wanted::Last),
        (first, "") => number(first).map(|first| Wanted::From(first, u64::MAX)),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some(Wanted::From(first, last))
        }
    }
}

/// The file that addresses call so.
pub fn kind_named(name: &str) -> Option<ArtifactKind> {
    ArtifactKind::ALL.into_iter().find(|kind| kind.as_str() == name && *kind != ArtifactKind::Latents)
}

/// Answers with the file, a part of it, or the news that the client has it. Without `kind` it is what the job was to make.
pub async fn send(services: &Services, actor: Actor, id: JobId, kind: Option<ArtifactKind>, asked: &Asked) -> Result<Response, ApiError> {
    let artifact = services.artifact(actor, id, kind).await?;
    let saved = if asked.download { services.job(actor, id).await? } else { None };
    let disposition = disposition(id, artifact.kind, saved);
    send_artifact(services, &artifact, disposition, asked, || services.artifact(actor, id, kind)).await
}

/// The same by a link.
pub async fn send_linked(services: &Services, link: OutputLink, asked: &Asked) -> Result<Response, ApiError> {
    let artifact = services.linked_artifact(link).await?;
    let disposition = disposition(link.job, artifact.kind, None);
    send_artifact(services, &artifact, disposition, asked, || services.linked_artifact(link)).await
}

/// `again`: looks whether it is still there.
async fn send_artifact<A: Future<Output = Result<Artifact, ContentError>>>(
    services: &Services,
    artifact: &Artifact,
    disposition: String,
    asked: &Asked,
    again: impl FnOnce() -> A,
) -> Result<Response, ApiError> {
    let etag = format!("\"{}\"", artifact.sha256);
    if asked.has(&etag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, etag), (header::CACHE_CONTROL, ASK_EACH_TIME.to_owned())]).into_response());
    }
    // RFC 9110, section 14.2: `Range` means something on GET alone.
    let range = if asked.method == Method::GET { asked.range(&etag, artifact.bytes)? } else { None };
    let headers = headers(artifact, etag, range.as_ref(), disposition);
    let status = if range.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    if asked.method == Method::HEAD {
        return Ok((status, headers).into_response());
    }
    let stream = match services.objects.get(&artifact.object_key, range).await {
        Err(error @ ObjectError::NotFound { .. }) => {
            // It may have been deleted since it was looked up.
            again().await?;
            return Err(error.into());
        }
        stream => stream?,
    };
    Ok((status, headers, Body::from_stream(stream.body)).into_response())
}

/// Shown under its id; saved under a name that says what it is.
fn disposition(id: JobId, kind: ArtifactKind, saved: Option<JobView>) -> String {
    let (name, extension) = kind.file_name().rsplit_once('.').unwrap_or_default();
    match saved {
        None => format!("inline; filename=\"{id}-{name}.{extension}\""),
        Some(job) => {
            let is_main = matches!(kind, ArtifactKind::Video | ArtifactKind::Image);
            let ending = if is_main { format!(".{extension}") } else { format!("-{name}.{extension}") };
            file_name::attachment(&job.spec, job.created_at, &ending)
        }
    }
}

fn headers(
    artifact: &Artifact,
    etag: String,
    range: Option<&RangeInclusive<u64>>,
    disposition: String,
) -> AppendHeaders<Vec<(HeaderName, String)>> {
    let length = range.map_or(artifact.bytes, |range| range.end() - range.start() + 1);
    let mut headers = vec![
        (header::CONTENT_TYPE, artifact.content_type.clone()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::ETAG, etag),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (header::CACHE_CONTROL, ASK_EACH_TIME.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    if let Some(range) = range {
        headers.push((header::CONTENT_RANGE, format!("bytes {}-{}/{}", range.start(), range.end(), artifact.bytes)));
    }
    AppendHeaders(headers)
}

/// `GET /media/videos/{id}/{video|image|thumbnail|spritesheet|preview}`: what the pages show.
pub async fn file_for_pages(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    Path((id, file)): Path<(String, String)>,
    asked: Asked,
) -> Result<Response, ApiError> {
    let VideoId(id) = VideoId::parse(&id)?;
    if file == "preview" {
        return preview(&context.services, user.actor(), id).await;
    }
    let kind = kind_named(&file).ok_or(ApiError::RouteUnknown)?;
    send(&context.services, user.actor(), id, Some(kind), &asked).await
}

/// What a running job shows so far; the next step replaces it.
async fn preview(services: &Services, actor: Actor, id: JobId) -> Result<Response, ApiError> {
    let Some(preview) = services.preview(actor, id).await? else {
        // Gone with the end of the job: no picture, and no mistake of who asks.
        let known = services.job_update(actor, id).await?.is_some();
        return if known { Ok(StatusCode::NO_CONTENT.into_response()) } else { Err(ApiError::VideoUnknown) };
    };
    let headers = [(header::CONTENT_TYPE, preview.content_type), (header::CACHE_CONTROL, "private, no-store".to_owned())];
    Ok((headers, preview.bytes).into_response())
}
