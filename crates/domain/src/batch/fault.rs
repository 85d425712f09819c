//! What is wrong with a line of a batch, or with the whole of its input.

use std::fmt;

/// A stable name for programs. Those of requests have their own: see [`crate::SpecError::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultCode {
    InvalidJson,
    LineTooLong,
    MissingParameter,
    InvalidParameter,
    DuplicateCustomId,
    InvalidMethod,
    MismatchedUrl,
    MismatchedModel,
    EmptyFile,
    TooManyLines,
    /// The file went, or cannot be read as a whole.
    InputUnreadable,
    ModelNotInPlan,
}

impl FaultCode {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid_json_line",
            Self::LineTooLong => "line_too_long",
            Self::MissingParameter => "missing_required_parameter",
            Self::InvalidParameter => "invalid_parameter",
            Self::DuplicateCustomId => "duplicate_custom_id",
            Self::InvalidMethod => "invalid_method",
            Self::MismatchedUrl => "mismatched_url",
            Self::MismatchedModel => "mismatched_model",
            Self::EmptyFile => "empty_file",
            Self::TooManyLines => "too_many_lines",
            Self::InputUnreadable => "input_file_unreadable",
            Self::ModelNotInPlan => "model_not_in_plan",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a line is not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// The part of the line that is wrong.
    pub param: Option<String>,
}

impl LineFault {
    #[must_use]
    pub fn new(code: FaultCode, text: impl Into<String>) -> Self {
        Self { code: code.as_str().to_owned(), text: text.into(), param: None }
    }

    #[must_use]
    pub fn about(self, param: &str) -> Self {
        Self { param: Some(param.to_owned()), ..self }
    }
}
