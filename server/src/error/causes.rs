//! Which error of a use case is which error of a client.

use super::ApiError;
use domain::{Forbidden, Status};
use service::{AccessError, ContentError, NotOpened, SubmitError};
use store::{StoreError, objects::ObjectError};

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Database(_) => Self::Unavailable(error.into()),
            _ => Self::Internal(error.into()),
        }
    }
}

impl From<Forbidden> for ApiError {
    fn from(error: Forbidden) -> Self {
        Self::Forbidden(error)
    }
}

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Forbidden(error) => error.into(),
            AccessError::Store(error) => error.into(),
        }
    }
}

impl From<ObjectError> for ApiError {
    fn from(error: ObjectError) -> Self {
        match error {
            ObjectError::RangeNotSatisfiable { bytes } => Self::RangeNotSatisfiable { bytes },
            ObjectError::Full => Self::StorageFull(error),
            ObjectError::TooLarge | ObjectError::Denied(_) => Self::StorageRefused(error),
            ObjectError::Unavailable(_) => Self::Unavailable(error.into()),
            ObjectError::Key(_) | ObjectError::NotFound { .. } => Self::Internal(error.into()),
        }
    }
}

impl From<ContentError> for ApiError {
    fn from(error: ContentError) -> Self {
        match error {
            ContentError::Forbidden(error) => error.into(),
            ContentError::NotFound => Self::VideoUnknown,
            ContentError::NotFinished(Status::Completed) => Self::Internal(error.into()),
            ContentError::NotFinished(status) => Self::NotFinished(status),
            ContentError::NoLayout => Self::LayoutUnavailable,
            ContentError::NoSuchFile(kind) => Self::VariantUnavailable(kind),
            ContentError::Object(error) => error.into(),
            ContentError::Store(error) => error.into(),
        }
    }
}

impl From<SubmitError> for ApiError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Forbidden(error) => error.into(),
            SubmitError::Spec(error) => Self::Spec(error),
            SubmitError::Fallback(error) => Self::Fallback(error),
            SubmitError::RemixSourceUnknown(_) => Self::VideoUnknown,
            // No route of the API says what it has shown.
            SubmitError::PriceNotShown(_) => Self::Internal(error.into()),
            SubmitError::NotAdmitted(error) => Self::NotAdmitted(error),
            SubmitError::NotNow { error, retry_after_s } => Self::NotNow { error, retry_after_s },
            SubmitError::KeyReused => Self::IdempotencyKeyReused,
            SubmitError::Deleted(job) => Self::VideoDeleted(job),
            SubmitError::Unknown => Self::OutcomeUnknown,
            SubmitError::Store(error) => error.into(),
            SubmitError::Random(_) => Self::Internal(error.into()),
        }
    }
}

impl From<tower_sessions::session::Error> for ApiError {
    fn from(error: tower_sessions::session::Error) -> Self {
        Self::Unavailable(error.into())
    }
}

impl From<NotOpened> for ApiError {
    fn from(error: NotOpened) -> Self {
        match error {
            NotOpened::Key => Self::KeyInvalid,
            NotOpened::KeyExpired => Self::KeyExpired,
            NotOpened::Token => Self::ClientTokenInvalid,
            NotOpened::TokenExpired => Self::ClientTokenExpired,
            NotOpened::Store(error) => error.into(),
        }
    }
}
