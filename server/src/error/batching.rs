//! What can go wrong with files and batches.

use super::{Answer, ApiError, HeaderName, StatusCode, answer};
use axum::http::header;
use domain::batch::{self, LineFault};
use service::{BatchError, FileError};

#[derive(Debug)]
pub enum Batching {
    FileUnknown,
    BatchUnknown,
    /// The file that a batch is to read.
    InputUnknown,
    /// Of a file that is uploaded.
    Terms(batch::FileError),
    File(FileError),
    Batch(BatchError),
}

impl Batching {
    pub(super) fn answer(&self) -> Answer {
        use StatusCode as S;
        match self {
            Self::FileUnknown => answer(S::NOT_FOUND, "file_not_found", "There is no such file.").about("file_id"),
            Self::BatchUnknown => answer(S::NOT_FOUND, "batch_not_found", "There is no such batch.").about("batch_id"),
            Self::InputUnknown => answer(S::BAD_REQUEST, "file_not_found", "There is no such file.").about("input_file_id"),
            Self::Terms(error @ batch::FileError::Purpose) => answer(S::BAD_REQUEST, "invalid_purpose", error.to_string()).about("purpose"),
            Self::Terms(error @ batch::FileError::Expiry) => {
                answer(S::BAD_REQUEST, "invalid_expiry", error.to_string()).about("expires_after")
            }
            Self::File(error) => of_file(error),
            Self::Batch(error) => of_batch(error),
        }
    }
}

fn of_file(error: &FileError) -> Answer {
    use StatusCode as S;
    let said = |status, code| answer(status, code, error.to_string());
    match error {
        FileError::TooLarge => said(S::PAYLOAD_TOO_LARGE, "file_too_large").about("file"),
        FileError::NoRoom { .. } => said(S::FORBIDDEN, "file_quota_exceeded"),
        FileError::TooMany => said(S::FORBIDDEN, "too_many_files"),
        FileError::GivenUp => said(S::REQUEST_TIMEOUT, "body_too_slow"),
        FileError::InUse => said(S::CONFLICT, "file_in_use").with(NOT_AGAIN, "false"),
        // Told by their own variants.
        FileError::Forbidden(_) | FileError::Terms(_) | FileError::Object(_) | FileError::Store(_) => {
            said(S::INTERNAL_SERVER_ERROR, "internal_error")
        }
    }
}

fn of_batch(error: &BatchError) -> Answer {
    use StatusCode as S;
    let said = |status, code| answer(status, code, error.to_string());
    match error {
        BatchError::EndpointUnsupported(_) => said(S::BAD_REQUEST, "unsupported_endpoint").about("endpoint"),
        BatchError::InputUnknown => Batching::InputUnknown.answer(),
        BatchError::InputNotForBatches => said(S::BAD_REQUEST, "invalid_purpose").about("input_file_id"),
        BatchError::Unknown => Batching::BatchUnknown.answer(),
        BatchError::NotEnded => said(S::CONFLICT, "batch_not_ended").with(NOT_AGAIN, "false"),
        BatchError::NothingFailed => said(S::BAD_REQUEST, "nothing_failed"),
        BatchError::NothingQuoted => said(S::BAD_REQUEST, "nothing_quoted"),
        BatchError::KeyReused => said(S::UNPROCESSABLE_ENTITY, "idempotency_key_reused").about("idempotency-key"),
        BatchError::TooManyOpen => said(S::TOO_MANY_REQUESTS, "too_many_batches").with(header::RETRY_AFTER, "120"),
        BatchError::TooManyKept => said(S::TOO_MANY_REQUESTS, "too_many_batch_lines").with(NOT_AGAIN, "false"),
        BatchError::TooManyFiles => said(S::FORBIDDEN, "too_many_files"),
        BatchError::NoRoom { .. } => said(S::FORBIDDEN, "file_quota_exceeded"),
        // Told by their own variants.
        BatchError::Forbidden(_) | BatchError::Store(_) => said(S::INTERNAL_SERVER_ERROR, "internal_error"),
    }
}

/// For clients that would send the same again by themselves.
const NOT_AGAIN: HeaderName = HeaderName::from_static("x-should-retry");

impl From<Batching> for ApiError {
    fn from(error: Batching) -> Self {
        Self::Batching(error)
    }
}

impl From<batch::FileError> for ApiError {
    fn from(error: batch::FileError) -> Self {
        Self::Batching(Batching::Terms(error))
    }
}

impl From<FileError> for ApiError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Forbidden(error) => error.into(),
            FileError::Terms(error) => error.into(),
            FileError::Object(error) => error.into(),
            FileError::Store(error) => error.into(),
            error => Self::Batching(Batching::File(error)),
        }
    }
}

impl From<BatchError> for ApiError {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Forbidden(error) => error.into(),
            BatchError::Store(error) => error.into(),
            error => Self::Batching(Batching::Batch(error)),
        }
    }
}

impl ApiError {
    /// The same of a line of a batch.
    pub fn fault(&self) -> LineFault {
        let Answer { code, param, message, .. } = self.answer();
        LineFault { code: code.to_owned(), text: message, param: param.map(ToOwned::to_owned) }
    }
}
