//! What clients of other services ask for that there is not here, or not with these inputs.

use super::{Answer, ApiError, StatusCode, answer};
use domain::webhook::ReceiverError;
use service::LinkError;

#[derive(Debug)]
pub enum NotOffered {
    /// No model can do this with a video.
    ByModels {
        what: &'static str,
        param: &'static str,
    },
    /// A part of another service's API.
    Here(&'static str),
    /// An address at which nothing may be told of a job.
    WebhookAddress {
        param: &'static str,
        why: ReceiverError,
    },
    /// Something beside the inputs that cannot be.
    Parameter {
        param: &'static str,
        message: &'static str,
    },
    /// An input that the model does not have, or not so.
    Input {
        message: String,
    },
    /// A header that asks for what is not done here.
    Header {
        name: &'static str,
        message: &'static str,
    },
    CharacterUnknown,
    VersionUnknown,
    LinkExpired,
}

impl NotOffered {
    pub(super) fn answer(&self) -> Answer {
        use StatusCode as S;
        match self {
            Self::ByModels { what, param } => {
                answer(S::BAD_REQUEST, "unsupported_by_model", format!("No model here can {what}. Nothing was done.")).about(param)
            }
            Self::Here(what) => answer(S::NOT_IMPLEMENTED, "not_supported", format!("{what} are not supported here. Nothing was done.")),
            Self::WebhookAddress { param, why } => answer(
                S::UNPROCESSABLE_ENTITY,
                "invalid_webhook_url",
                format!("`{param}` cannot be told anything: {why}. Nothing was done."),
            )
            .about(param),
            Self::Parameter { param, message } => answer(S::UNPROCESSABLE_ENTITY, "invalid_request", *message).about(param),
            Self::Input { message } => answer(S::UNPROCESSABLE_ENTITY, "invalid_input", message).about("input"),
            Self::Header { name, message } => answer(S::UNPROCESSABLE_ENTITY, "unsupported_header", *message).about(name),
            Self::CharacterUnknown => answer(S::NOT_FOUND, "character_not_found", "There is no such character.").about("character_id"),
            Self::VersionUnknown => {
                answer(S::UNPROCESSABLE_ENTITY, "version_not_found", "No model on offer has this version.").about("version")
            }
            Self::LinkExpired => {
                answer(S::GONE, "link_expired", "This link has expired. Look at the video again to get another, which is good for an hour.")
            }
        }
    }
}

impl From<NotOffered> for ApiError {
    fn from(error: NotOffered) -> Self {
        Self::NotOffered(error)
    }
}

impl From<LinkError> for ApiError {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Unknown => Self::RouteUnknown,
            LinkError::Expired => Self::NotOffered(NotOffered::LinkExpired),
            LinkError::Access(error) => error.into(),
            LinkError::Key | LinkError::Random(_) => Self::Internal(error.into()),
        }
    }
}
