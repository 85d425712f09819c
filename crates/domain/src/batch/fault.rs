//! What is wrong with a line of a batch, or with the whole of its input.

use crate::VideoTime;
use std::fmt;

/// As much of a text is kept. It may repeat what the client has sent, which may be long.
const CHARS_MAX: usize = 300;

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

    /// Of a line whose video was cancelled by itself, for which so much is charged.
    #[must_use]
    pub fn cancelled(charged: VideoTime) -> Self {
        let text = match charged.ms() {
            0 => "The video was cancelled.".to_owned(),
            1000 => "The video was cancelled: 1 video-second is charged, for what was done of it.".to_owned(),
            _ => format!("The video was cancelled: {charged} video-seconds are charged, for what was done of it."),
        };
        Self { code: "video_cancelled".to_owned(), text, param: None }
    }

    /// As it is kept: no longer than people read, and without what no database keeps in a text.
    #[must_use]
    pub fn kept(&self) -> Self {
        Self { code: kept(&self.code), text: kept(&self.text), param: self.param.as_deref().map(kept) }
    }

    #[must_use]
    pub fn about(self, param: &str) -> Self {
        Self { param: Some(param.to_owned()), ..self }
    }
}

/// A text of a client as it is kept: no longer than people read, and without what no database keeps.
#[must_use]
pub fn kept(text: &str) -> String {
    let chars = text.chars().map(|char| if char == '\0' { char::REPLACEMENT_CHARACTER } else { char });
    let mut kept: String = chars.take(CHARS_MAX).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_whose_video_was_cancelled_says_what_is_charged() {
        let text = |ms| LineFault::cancelled(VideoTime::from_ms(ms)).text;
        assert_eq!(text(0), "The video was cancelled.");
        assert_eq!(text(1000), "The video was cancelled: 1 video-second is charged, for what was done of it.");
        assert_eq!(text(15_570), "The video was cancelled: 15.57 video-seconds are charged, for what was done of it.");
    }

    #[test]
    fn what_is_kept_is_short_and_can_be_stored() {
        let long = LineFault::new(FaultCode::InvalidJson, "é".repeat(1_000_000)).kept();
        assert_eq!((long.text.chars().count(), long.text.ends_with('…')), (CHARS_MAX + 1, true));
        let exact = LineFault::new(FaultCode::InvalidJson, "é".repeat(CHARS_MAX));
        assert_eq!(exact.kept(), exact);
        let with_zero = LineFault::new(FaultCode::InvalidJson, "The size `1\0` is unknown.").about("body.\0").kept();
        assert_eq!((with_zero.text.as_str(), with_zero.param.as_deref()), ("The size `1\u{fffd}` is unknown.", Some("body.\u{fffd}")));
    }
}
