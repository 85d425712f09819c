//! What a request's body may say, for the API's document; `limits` adds what the catalog knows. The body itself is
//! read by `fields`.

use serde::Deserialize;
use utoipa::ToSchema;

/// A video to make. Numbers may be sent as numbers or as text; null is the same as leaving a field out.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "it exists for the document")]
pub struct CreateVideo {
    /// What the video should show.
    #[schema(example = "a red ball bouncing on a beach")]
    prompt: String,
    #[schema(example = "vignette-1")]
    model: Option<String>,
    /// One of the model's `seconds`.
    #[schema(example = "2")]
    seconds: Option<String>,
    /// One of the model's `sizes`.
    #[schema(example = "384x384")]
    size: Option<String>,
    /// The same seed and settings make the same video; without one it is drawn at random.
    #[schema(example = 42)]
    seed: Option<u64>,
    /// Denoising steps: more take longer and cost more.
    #[schema(example = 24)]
    steps: Option<u32>,
    /// How closely to follow the prompt.
    #[schema(example = 3.0)]
    guidance: Option<f64>,
    /// What the video should not show, as long as a prompt at most.
    #[schema(example = "text, watermark")]
    negative_prompt: Option<String>,
}

/// A prompt to try with the settings of another video. Whatever else `POST /v1/videos` takes may stand here
/// too and replaces that video's.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "it exists for the document")]
pub struct RemixVideo {
    #[schema(example = "the same ball, now blue")]
    prompt: String,
    /// Without one a new seed is drawn.
    #[schema(example = 42)]
    seed: Option<u64>,
}
