//! Making a video of another one: edits and extensions, which no model here can. What is asked for is checked all the same, so that a
//! program hears first of what it can mend.

use crate::{
    api::{
        ApiError,
        caller::Caller,
        fields::{Given, unreadable},
        wire::Video,
    },
    context::Context,
    error::NotOffered,
    video_id::VideoId,
};
use axum::{
    Json,
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, State, multipart::MultipartError},
    http::header,
};
use domain::{
    Permission, Status,
    catalog::{Field, SpecError},
};
use http_body_util::BodyExt;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A change to a finished video.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it exists for the document; `Derived` reads what it describes")]
pub struct EditVideo {
    /// What is to be different.
    #[schema(example = "the same, in winter")]
    pub prompt: String,
    pub video: VideoReference,
}

/// More of a finished video.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it exists for the document; `Derived` reads what it describes")]
pub struct ExtendVideo {
    /// What is to happen next.
    #[schema(example = "it rolls into the sea")]
    pub prompt: String,
    pub video: VideoReference,
    /// How much is to be added.
    #[schema(example = "4")]
    pub seconds: Option<String>,
}

/// A video of yours. In a form it may be a file.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it exists for the document; `Derived` reads what it describes")]
pub struct VideoReference {
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
}

/// Edit a video
///
/// No model on offer can: what is asked for is checked, and refused with `unsupported_by_model`.
#[utoipa::path(
    post, path = "/v1/videos/edits", tag = "videos",
    request_body(content((EditVideo = "application/json"), (EditVideo = "multipart/form-data"))),
    responses(
        (status = 200, description = "The new video, queued", body = Video),
        (status = 404, description = "There is no such video, or it belongs to someone else.", body = crate::error::ErrorBody)
    )
)]
pub async fn edit_video(State(context): State<Context>, caller: Caller, asked: Derived) -> Result<Json<Video>, ApiError> {
    caller.actor().require(Permission::SubmitJobs)?;
    asked.prompt()?;
    asked.source(&context, caller).await?;
    Err(NotOffered::ByModels { what: "edit a video", param: "video" }.into())
}

/// Extend a video
///
/// No model on offer can: what is asked for is checked, and refused with `unsupported_by_model`.
#[utoipa::path(
    post, path = "/v1/videos/extensions", tag = "videos",
    request_body(content((ExtendVideo = "application/json"), (ExtendVideo = "multipart/form-data"))),
    responses(
        (status = 200, description = "The new video, queued", body = Video),
        (status = 404, description = "There is no such video, or it belongs to someone else.", body = crate::error::ErrorBody)
    )
)]
pub async fn extend_video(State(context): State<Context>, caller: Caller, asked: Derived) -> Result<Json<Video>, ApiError> {
    caller.actor().require(Permission::SubmitJobs)?;
    asked.prompt()?;
    asked.seconds()?;
    asked.source(&context, caller).await?;
    Err(NotOffered::ByModels { what: "go on with a video", param: "video" }.into())
}

/// What such requests say, as far as they were read: nothing behind a file is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Derived {
    prompt: Option<Given>,
    pub name: Option<Given>,
    seconds: Option<Given>,
    #[serde(deserialize_with = "Source::of_json")]
    video: Source,
}

/// Of which video it is to be made.
#[derive(Debug, Default)]
enum Source {
    #[default]
    Missing,
    Id(String),
    File,
    /// Something that names no video.
    Other,
}

impl Source {
    fn of_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Reference {
            id: String,
        }
        let sent = Box::<RawValue>::deserialize(deserializer)?;
        let id = match sent.get().as_bytes().first() {
            Some(b'{') => serde_json::from_str(sent.get()).ok().map(|Reference { id }| id),
            Some(b'"') => serde_json::from_str(sent.get()).ok(),
            Some(b'n') => return Ok(Self::Missing),
            _ => None,
        };
        Ok(id.map_or(Self::Other, Self::Id))
    }
}

impl Derived {
    pub fn has_file(&self) -> bool {
        matches!(self.video, Source::File)
    }

    fn prompt(&self) -> Result<(), ApiError> {
        match &self.prompt {
            _ if self.has_file() => Ok(()),
            Some(Given::Text(text)) if !text.trim().is_empty() => Ok(()),
            None | Some(Given::Null | Given::Text(_)) => Err(ApiError::Spec(SpecError::PromptEmpty)),
            Some(_) => Err(invalid(Field::Prompt.name(), "`prompt` must be a string.")),
        }
    }

    fn seconds(&self) -> Result<(), ApiError> {
        match &self.seconds {
            None | Some(Given::Null) => Ok(()),
            Some(Given::Text(text) | Given::Number(text)) if text.trim().parse::<u32>().is_ok_and(|seconds| seconds > 0) => Ok(()),
            Some(_) => Err(invalid(Field::Seconds.name(), "`seconds` must be a whole number of seconds.")),
        }
    }

    /// Lets a finished video of the caller's pass. A file is not looked at.
    pub async fn source(&self, context: &Context, caller: Caller) -> Result<(), ApiError> {
        let id = match &self.video {
            Source::Id(id) => id,
            Source::File => return Ok(()),
            Source::Missing => return Err(invalid("video", "`video` is missing: say which video, as `{\"id\": ...}` or as a file.")),
            Source::Other => return Err(invalid("video", "`video` must be `{\"id\": ...}` or a file.")),
        };
        let VideoId(id) = VideoId::parse(id)?;
        let update = context.services.job_standing(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
        if update.status == Status::Completed { Ok(()) } else { Err(ApiError::NotFinished(update.status)) }
    }
}

impl<S: Send + Sync> FromRequest<S> for Derived {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, state: &S) -> Result<Self, ApiError> {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        match content_type.split(';').next().unwrap_or_default().trim().to_lowercase().as_str() {
            "application/json" => {
                let body = request.into_body().collect().await.map_err(|_| unreadable("The body ended before it was complete."))?;
                let read = serde_json::from_slice(&body.to_bytes());
                read.map_err(|error| unreadable(format!("The body is not a JSON object we can read: {error}.")))
            }
            "multipart/form-data" => {
                DefaultBodyLimit::disable().apply(&mut request);
                let multipart = Multipart::from_request(request, state).await;
                of_multipart(multipart.map_err(|_| unreadable("The multipart body names no boundary."))?).await
            }
            _ => Err(ApiError::MediaTypeUnsupported),
        }
    }
}

/// A file is known by its name: it may be large, and nobody here needs it.
async fn of_multipart(mut multipart: Multipart) -> Result<Derived, ApiError> {
    let broken = |_: MultipartError| unreadable("The multipart body is malformed, or ended before it was complete.");
    let mut asked = Derived::default();
    while let Some(part) = multipart.next_field().await.map_err(broken)? {
        let name = part.name().unwrap_or_default().to_owned();
        if name == "video" && (part.file_name().is_some() || part.content_type().is_some()) {
            asked.video = Source::File;
            return Ok(asked);
        }
        let text = String::from_utf8(part.bytes().await.map_err(broken)?.into());
        let text = text.map_err(|_| unreadable(format!("`{name}` is not valid UTF-8.")))?;
        match name.as_str() {
            "prompt" => asked.prompt = Some(Given::Text(text)),
            "name" => asked.name = Some(Given::Text(text)),
            "seconds" => asked.seconds = Some(Given::Text(text)),
            "video" | "video[id]" => asked.video = Source::Id(text),
            _ => {}
        }
    }
    Ok(asked)
}

fn invalid(param: &'static str, message: &str) -> ApiError {
    ApiError::Invalid { param: Some(param), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_video_is_named_by_its_id_and_anything_else_is_none() {
        let source = |json: &str| format!("{:?}", serde_json::from_str::<Derived>(json).unwrap().video);
        for (json, read) in [
            ("{}", "Missing"),
            (r#"{"video":null}"#, "Missing"),
            (r#"{"video":{"id":"job_1","more":1}}"#, "Id(\"job_1\")"),
            (r#"{"video":"job_1"}"#, "Id(\"job_1\")"),
            (r#"{"video":{"url":"x"}}"#, "Other"),
            (r#"{"video":[1]}"#, "Other"),
            (r#"{"video":7}"#, "Other"),
        ] {
            assert_eq!(source(json), read, "{json}");
        }
    }
}
