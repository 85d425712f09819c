//! Which jobs of the log are wanted.

use domain::{ApiKeyId, FailureCode, Stage, TenantId, Timestamp, billing::Lane, metrics::Phase};
use sea_orm::{DbBackend, Value};

/// How far a job has come, as far as the log goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestStatus {
    /// It has not ended.
    Open,
    Succeeded,
    Failed,
    Cancelled,
}

impl RequestStatus {
    pub const ALL: [Self; 4] = [Self::Open, Self::Succeeded, Self::Failed, Self::Cancelled];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeBy {
    Browser,
    Key(ApiKeyId),
}

/// A phase that took at least so long, of jobs that succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slow {
    pub phase: Phase,
    pub at_least_ms: u64,
}

/// `None`: whatever it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestFilter {
    /// From one moment up to and without another. The log is in the order of these ends then.
    pub ended: Option<(Timestamp, Timestamp)>,
    /// Of the log of all tenants.
    pub tenant: Option<TenantId>,
    pub status: Option<RequestStatus>,
    pub failure: Option<FailureCode>,
    pub model: Option<String>,
    pub lane: Option<Lane>,
    /// Empty: one that no worker has sampled.
    pub device: Option<String>,
    pub made_by: Option<MadeBy>,
    /// A part of the prompt, whatever its letters' case.
    pub text: Option<String>,
    pub slow: Option<Slow>,
}

impl RequestFilter {
    /// As a condition of rows of `jobs`; `value` takes a value in and says how it is named.
    pub(super) fn wanted(&self, backend: DbBackend, value: &mut dyn FnMut(Value) -> String) -> String {
        let mut all = vec!["1 = 1".to_owned()];
        match self.status {
            Some(RequestStatus::Open) => all.push("ended_at_ms IS NULL".into()),
            Some(status) => all.push(format!("state = '{}'", status.as_str())),
            None => {}
        }
        self.failure.iter().for_each(|code| all.push(format!("failure_code = {}", value(code.as_str().into()))));
        self.model.iter().for_each(|model| all.push(format!("model = {}", value(model.as_str().into()))));
        self.lane.iter().for_each(|lane| all.push(format!("COALESCE(lane, 'interactive') = {}", value(lane.as_str().into()))));
        self.device.iter().for_each(|device| all.push(format!("COALESCE(device, '') = {}", value(device.as_str().into()))));
        match self.made_by {
            Some(MadeBy::Browser) => all.push("api_key_id IS NULL".into()),
            Some(MadeBy::Key(key)) => all.push(format!("api_key_id = {}", value(key.uuid().into()))),
            None => {}
        }
        if let Some(text) = self.text.as_deref().filter(|text| !text.is_empty()) {
            all.push(match backend {
                DbBackend::Sqlite => format!("prompt GLOB {}", value(glob(text).into())),
                _ => format!("prompt ~ {}", value(expression(text).into())),
            });
        }
        if let Some(Slow { phase, at_least_ms }) = self.slow {
            let least = value(i64::try_from(at_least_ms).unwrap_or(i64::MAX).into());
            all.push(format!("state = 'succeeded' AND ({}) >= {least}", took(phase)));
        }
        all.join(" AND ")
    }
}

/// What a phase took, of a row of `jobs`.
pub(super) const fn took(phase: Phase) -> &'static str {
    match phase {
        Phase::Total => "ended_at_ms - created_at_ms",
        Phase::Queue => "COALESCE(started_at_ms, ended_at_ms) - created_at_ms",
        Phase::Load => "load_ms",
        Phase::Encode => "encode_ms",
        Phase::Denoise => "sampling_ms - load_ms - encode_ms - latents_upload_ms",
        Phase::Decode => "decoding_ms - upload_ms",
        Phase::Upload => "latents_upload_ms + upload_ms",
        Phase::DecoderWait => {
            "CASE WHEN ended_at_ms - sampled_at_ms < decoding_ms THEN 0 ELSE ended_at_ms - sampled_at_ms - decoding_ms END"
        }
    }
}

/// How long a row of `jobs` waited for a decoder, also of one that ended while it did: as [`domain::metrics::Timeline::stretches`] has it.
pub(super) fn waited_for_decoder() -> String {
    format!(
        "CASE WHEN state <> 'succeeded' AND decoding_ms IS NULL AND COALESCE(stage, '') <> '{}' AND ended_at_ms > sampled_at_ms \
         THEN ended_at_ms - sampled_at_ms ELSE {} END",
        Stage::Decoding.as_str(),
        took(Phase::DecoderWait)
    )
}

/// Any text that holds this one, for SQLite's GLOB.
fn glob(text: &str) -> String {
    let sign = |letter| if matches!(letter, '*' | '?' | '[') { format!("[{letter}]") } else { letter.to_string() };
    format!("*{}*", in_both_cases(text, sign))
}

/// The same as a regular expression of PostgreSQL.
fn expression(text: &str) -> String {
    in_both_cases(text, |letter| if letter.is_ascii_punctuation() { format!("\\{letter}") } else { letter.to_string() })
}

/// Each letter as either of its two cases, and what has none as `sign` has it. What databases know of cases depends on how they were made.
fn in_both_cases(text: &str, sign: impl Fn(char) -> String) -> String {
    let one = |letters: &mut dyn Iterator<Item = char>| letters.next().filter(|_| letters.next().is_none());
    let either = |letter: char| match (one(&mut letter.to_lowercase()), one(&mut letter.to_uppercase())) {
        (Some(lower), Some(upper)) if lower != upper => format!("[{lower}{upper}]"),
        _ => sign(letter),
    };
    text.chars().map(either).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_is_looked_for_in_both_cases_and_signs_as_they_are() {
        assert_eq!(glob("É1*[ß"), "*[éÉ]1[*][[]ß*");
    }

    #[test]
    fn an_expression_has_signs_as_they_are() {
        assert_eq!(expression("É1. [ß\\"), "[éÉ]1\\. \\[ß\\\\");
    }

    #[test]
    fn a_status_is_found_by_its_name() {
        assert_eq!(RequestStatus::ALL.map(|status| RequestStatus::named(status.as_str())), RequestStatus::ALL.map(Some));
    }
}
