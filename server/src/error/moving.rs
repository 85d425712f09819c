//! Why a video keeps its place in the queue.

use super::{Answer, ApiError, StatusCode, answer};
use domain::scheduling::MoveRefusal;
use service::{MoveError, QueueError};

#[derive(Debug)]
pub enum NotMoved {
    Refused(MoveRefusal),
    /// What the body asks for cannot be done with any video.
    Body(String),
}

impl NotMoved {
    pub(super) fn answer(&self) -> Answer {
        match self {
            Self::Body(message) => answer(StatusCode::UNPROCESSABLE_ENTITY, "invalid_request", message),
            Self::Refused(refusal) => {
                let said = |status, code| answer(status, code, refusal.to_string());
                match refusal {
                    MoveRefusal::Unknown => said(StatusCode::NOT_FOUND, "video_not_found").about("video_id"),
                    MoveRefusal::TargetUnknown => said(StatusCode::NOT_FOUND, "video_not_found").about("before"),
                    MoveRefusal::Begun => said(StatusCode::CONFLICT, "video_begun"),
                    MoveRefusal::Ended => said(StatusCode::CONFLICT, "video_ended"),
                    MoveRefusal::Throttled => said(StatusCode::CONFLICT, "video_throttled"),
                    MoveRefusal::Held => said(StatusCode::CONFLICT, "video_held"),
                    MoveRefusal::TargetElsewhere => said(StatusCode::CONFLICT, "not_in_one_line").about("before"),
                    MoveRefusal::TooFar => said(StatusCode::CONFLICT, "too_far_to_move"),
                }
            }
        }
    }
}

impl From<MoveError> for ApiError {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Forbidden(error) => error.into(),
            MoveError::Refused(MoveRefusal::Unknown) => Self::VideoUnknown,
            MoveError::Refused(refusal) => Self::NotMoved(NotMoved::Refused(refusal)),
            MoveError::Store(error) => error.into(),
        }
    }
}

impl From<QueueError> for ApiError {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Forbidden(error) => error.into(),
            QueueError::AfterUnknown => {
                Self::Invalid { param: Some("after"), message: "`after` must be the id of a video of yours.".to_owned() }
            }
            QueueError::Store(error) => error.into(),
        }
    }
}
