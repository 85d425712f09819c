//! Files: what they may be for, how they are called, and until when they are kept.

use crate::Timestamp;
use std::fmt;

/// The most bytes of a file that is uploaded.
pub const FILE_BYTES_MAX: u64 = 200 * 1024 * 1024;
pub const FILE_NAME_CHARS_MAX: usize = 255;
/// What a file is called that came without a name.
const NAMELESS: &str = "file";

const EXPIRY_S_MIN: u32 = 3600;
const EXPIRY_S_MAX: u32 = 30 * 24 * 60 * 60;

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePurpose {
    /// The lines of a batch.
    Batch,
    /// What came of one. Nobody uploads such a file.
    BatchOutput,
    Vision,
    UserData,
}

impl FilePurpose {
    const EVERY: [Self; 4] = [Self::Batch, Self::BatchOutput, Self::Vision, Self::UserData];

    /// As clients name it, and as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::BatchOutput => "batch_output",
            Self::Vision => "vision",
            Self::UserData => "user_data",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|purpose| purpose.as_str() == name)
    }

    /// # Errors
    /// [`FileError::Purpose`] for what nobody uploads.
    pub fn of_upload(name: &str) -> Result<Self, FileError> {
        Self::named(name).filter(|purpose| *purpose != Self::BatchOutput).ok_or(FileError::Purpose)
    }

    /// After how long a file goes for which nothing else was asked. `None`: it stays until it is deleted.
    const fn kept_s(self) -> Option<u32> {
        match self {
            Self::Batch | Self::BatchOutput => Some(EXPIRY_S_MAX),
            Self::Vision | Self::UserData => None,
        }
    }
}

impl fmt::Display for FilePurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("`purpose` must be `batch`, `vision` or `user_data`.")]
    Purpose,
    #[error(
        "A file expires {EXPIRY_S_MIN} to {EXPIRY_S_MAX} seconds after its creation: say so with `anchor` \"created_at\" and `seconds`."
    )]
    Expiry,
}

/// After how many seconds a file expires, where that was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileExpiry {
    seconds: Option<u32>,
}

impl FileExpiry {
    /// By the two fields of `expires_after`.
    ///
    /// # Errors
    /// [`FileError::Expiry`] for another anchor, a number out of its bounds, or one of them without the other.
    pub fn parse(anchor: Option<&str>, seconds: Option<&str>) -> Result<Self, FileError> {
        match (anchor, seconds) {
            (None, None) => Ok(Self::default()),
            (Some("created_at"), Some(seconds)) => Self::of_seconds(seconds.trim().parse().map_err(|_| FileError::Expiry)?),
            _ => Err(FileError::Expiry),
        }
    }

    /// # Errors
    /// [`FileError::Expiry`] out of bounds.
    pub fn of_seconds(seconds: u32) -> Result<Self, FileError> {
        let is_allowed = (EXPIRY_S_MIN..=EXPIRY_S_MAX).contains(&seconds);
        if is_allowed { Ok(Self { seconds: Some(seconds) }) } else { Err(FileError::Expiry) }
    }

    /// Of one that is stored in milliseconds.
    #[must_use]
    pub fn of_ms(ms: Option<i64>) -> Self {
        Self { seconds: ms.and_then(|ms| u32::try_from(ms / 1000).ok()) }
    }

    /// As it was asked for.
    #[must_use]
    pub fn asked_ms(self) -> Option<i64> {
        self.seconds.map(|seconds| i64::from(seconds) * 1000)
    }

    /// When a file of this purpose expires.
    #[must_use]
    pub fn expires_at(self, created_at: Timestamp, purpose: FilePurpose) -> Option<Timestamp> {
        let seconds = self.seconds.or(purpose.kept_s())?;
        Some(created_at.plus_ms(i64::from(seconds) * 1000))
    }
}

/// A name for a file, of what a client calls it: the last part of a path, without what is not seen, and not too long.
#[must_use]
pub fn file_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_hidden = |c: char| c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let name: String = last.chars().filter(|c| !is_hidden(*c)).take(FILE_NAME_CHARS_MAX).collect();
    let name = name.trim();
    if matches!(name, "" | "." | "..") { NAMELESS.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_last_part_of_a_path_and_shows_all_of_itself() {
        for (given, name) in [
            ("prompts.jsonl", "prompts.jsonl"),
            ("/home/ada/prompts.jsonl", "prompts.jsonl"),
            ("C:\\Users\\ada\\a b.jsonl", "a b.jsonl"),
            ("../..", "file"),
            ("", "file"),
            ("a\r\nb\u{202e}c\0", "abc"),
        ] {
            assert_eq!(file_name(given), name, "{given:?}");
        }
        assert_eq!(file_name(&"ä".repeat(1000)).chars().count(), FILE_NAME_CHARS_MAX);
    }

    #[test]
    fn inputs_and_results_expire_after_thirty_days_unless_it_is_said_otherwise() {
        let (now, day) = (Timestamp::from_ms(0), 86_400_000);
        let kept = |expiry: FileExpiry, purpose| expiry.expires_at(now, purpose).map(Timestamp::ms);
        assert_eq!(kept(FileExpiry::default(), FilePurpose::Batch), Some(30 * day));
        assert_eq!(kept(FileExpiry::default(), FilePurpose::UserData), None);
        let hour = FileExpiry::parse(Some("created_at"), Some("3600")).unwrap();
        assert_eq!((kept(hour, FilePurpose::Batch), FileExpiry::of_ms(hour.asked_ms())), (Some(3_600_000), hour));
        for (anchor, seconds) in [
            (Some("created_at"), Some("3599")),
            (Some("created_at"), Some("2592001")),
            (Some("now"), Some("3600")),
            (None, Some("3600")),
            (Some("created_at"), None),
            (Some("created_at"), Some("-1")),
        ] {
            assert_eq!(FileExpiry::parse(anchor, seconds), Err(FileError::Expiry));
        }
    }

    #[test]
    fn nobody_uploads_results() {
        assert_eq!(FilePurpose::of_upload("batch"), Ok(FilePurpose::Batch));
        for name in ["batch_output", "fine-tune", "", "Batch"] {
            assert_eq!(FilePurpose::of_upload(name), Err(FileError::Purpose), "{name}");
        }
    }
}
