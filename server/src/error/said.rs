//! What an error looks like to a client.

use serde::Serialize;
use utoipa::ToSchema;

/// What was said of an error, for whoever wants to say it in another form than OpenAI's.
#[derive(Debug, Clone)]
pub struct Said {
    pub message: String,
    pub code: &'static str,
    pub param: Option<&'static str>,
}

/// Every error has this body.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    pub error: ErrorDetail,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    /// A sentence for people.
    #[schema(example = "There is no such video.")]
    pub message: String,
    #[serde(rename = "type")]
    #[schema(example = "invalid_request_error")]
    pub kind: &'static str,
    /// The field or parameter that is wrong.
    #[schema(example = "video_id")]
    pub param: Option<&'static str>,
    /// A stable name for programs.
    #[schema(example = "video_not_found")]
    pub code: &'static str,
}
