//! Asking for a video: from scratch, or as a variation of another.

use crate::{
    api::{
        ApiError,
        caller::{Caller, IdempotencyKey},
        fields::Fields,
        request::{CreateVideo, RemixVideo, is_taken_over},
        wire::Video,
    },
    context::Context,
    shares::AnswerRoom,
    video_id::VideoId,
};
use axum::{Extension, extract::State, response::Response};
use domain::{
    JobRequest, JobSpec,
    catalog::{Field, Kind},
};
use service::{Accepted, Submission, deadline::Arrival};
use std::sync::Arc;

/// Make a video
///
/// Answers at once with a queued video; look at it again, or watch its events, until it is finished. A field that no request has changes nothing.
#[utoipa::path(
    post, path = "/v1/videos", tag = "videos",
    params(("Idempotency-Key" = Option<String>, Header, description = "For 24 hours, repeating a request under the same key finds the first video instead of making another; if that was deleted since, the answer is 410. Then the key is free again.")),
    request_body(content((CreateVideo = "application/json"), (CreateVideo = "multipart/form-data"), (CreateVideo = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "The video, queued", body = Video))
)]
pub async fn create_video(
    State(context): State<Context>,
    caller: Caller,
    key: IdempotencyKey,
    Extension(arrival): Extension<Arc<Arrival>>,
    room: Option<Extension<AnswerRoom>>,
    fields: Fields,
) -> Result<Response, ApiError> {
    let (force, deadlines, fallback_model) = (fields.force()?, fields.deadlines()?, fields.fallback_model()?);
    let request = fields.over(JobRequest::default())?;
    let prompts = if request.filled(Field::Enrich) == Some("true") { 2 } else { 1 };
    let texts = request.prompt.len() * prompts + request.negative_prompt.as_ref().map_or(0, String::len);
    super::keep(room, texts).await?;
    submit(&context, caller, Submission { force, deadlines, fallback_model, ..key.submission(request, None, arrival.due()) }).await
}

/// Remix a video
///
/// Makes a new video with the settings of another, a new prompt and, unless it is given, a new seed. The model
/// must still be on offer; one that names another model gets that one's size, length, steps and guidance, and is neither
/// arranged nor enriched. Things stay where they were put as long as prompt and negative prompt are the same, and of an enriched video
/// the seed.
#[utoipa::path(
    post, path = "/v1/videos/{video_id}/remix", tag = "videos",
    params(
        ("video_id" = String, Path, description = "The video to vary"),
        ("Idempotency-Key" = Option<String>, Header, description = "As for making a video")
    ),
    request_body(content((RemixVideo = "application/json"), (RemixVideo = "multipart/form-data"), (RemixVideo = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "The new video, queued", body = Video))
)]
pub async fn remix_video(
    State(context): State<Context>,
    caller: Caller,
    VideoId(source): VideoId,
    key: IdempotencyKey,
    Extension(arrival): Extension<Arc<Arrival>>,
    room: Option<Extension<AnswerRoom>>,
    fields: Fields,
) -> Result<Response, ApiError> {
    // Of the texts, which are not known yet, some come from the other video.
    super::keep(room, usize::MAX).await?;
    // Not a view: its estimate would take of the time that the submission has.
    let spec = match context.services.spec(caller.actor(), source).await? {
        Some(spec) => spec,
        None => context.services.repeated(caller.actor(), key.as_deref()).await?.ok_or(ApiError::VideoUnknown)?,
    };
    let catalog = context.services.catalog().await?;
    let is_same_model = match fields.given(Field::Model) {
        Some(asked) => catalog.find(asked).is_none_or(|model| model.id == spec.model),
        None => true,
    };
    // Today's catalog says what is taken over: a repetition is told by what the client sent.
    let (force, deadlines, fallback_model) = (fields.force()?, fields.deadlines()?, fields.fallback_model()?);
    let sent = Some(fields.clone().over(JobRequest::default())?);
    let mut request = fields.over(settings_of(&spec, is_same_model))?;
    if sent.as_ref().is_none_or(|sent| sent.arrangement.is_none()) && !has_same_things(&request, &spec) {
        request.arrangement = None;
    }
    let submission = Submission { sent, force, deadlines, fallback_model, ..key.submission(request, Some(source), arrival.due()) };
    submit(&context, caller, submission).await
}

async fn submit(context: &Context, caller: Caller, submission: Submission) -> Result<Response, ApiError> {
    // Apart: hundreds of requests may wait for the rest of their bodies, and this is most of what one takes.
    let Accepted { job, replayed, room } = Box::pin(context.services.submit(caller.actor(), submission)).await?;
    let mut response = super::answer(&job);
    super::mark(&mut response, room, replayed);
    Ok(response)
}

/// Whether the same things are drawn: another prompt names others, what is left out makes room for others, and another seed adds
/// others to one that is enriched.
fn has_same_things(request: &JobRequest, source: &JobSpec) -> bool {
    let was = source.request();
    let enriched = [request, &was].map(|request| request.filled(Field::Enrich) == Some("true"));
    let is_same = |field: &Field| request.filled(*field) == was.filled(*field);
    request.prompt.trim() == source.prompt
        && enriched[0] == enriched[1]
        && is_same(&Field::NegativePrompt)
        && (!enriched[0] || is_same(&Field::Seed))
}

/// What a remix takes over of its source: for another model, the words alone.
fn settings_of(source: &JobSpec, is_same_model: bool) -> JobRequest {
    let source = source.request();
    let is_meant = |field: Field| is_taken_over(field) && (is_same_model || field.kind() == Kind::Text);
    JobRequest::of_fields(|field| source.get(field).filter(|_| is_meant(field)).map(ToOwned::to_owned))
}
