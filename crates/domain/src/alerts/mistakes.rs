//! What can be wrong with a rule that somebody typed, by the field that it is about.

use super::{measure::BY_MINUTES_MAX, rule::NAME_CHARS_MAX};
use std::{error::Error, fmt};

/// The longest window: a day.
pub(super) const WINDOW_MAX: u32 = 24 * 60;
/// The longest over which a budget burns, or something waits all the time: they are read by minutes.
pub(super) const BURN_WINDOW_MAX: u32 = BY_MINUTES_MAX;
/// The longest that something has to be wrong before it fires.
pub(super) const HOLD_MAX: u32 = 24 * 60;
pub(super) const FILTER_CHARS_MAX: usize = 100;
pub(super) const FACTOR_MAX: f64 = 1000.0;

/// Why a field is wrong, in the words of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    #[error("a rule has a name of 1 to {NAME_CHARS_MAX} characters, on one line")]
    Name,
    #[error("choose a number that is kept")]
    Number,
    #[error("choose when it is wrong: threshold, burn_rate or absence")]
    Kind,
    #[error("only the share of failures and of cold starts can burn a budget")]
    BurnsNot,
    #[error("this number is looked at as it is now: it can be above or below a value, and is never none at all")]
    Live,
    #[error("choose the side: above or below")]
    Side,
    #[error("give the value as a number from 0 (a margin may be less), in the unit of what is measured")]
    Limit,
    #[error("give the value in percent, from 0 to 100 (a margin may be less)")]
    Percent,
    #[error("give the window in whole minutes, from 1 to {WINDOW_MAX}")]
    Window,
    #[error("give the window in whole minutes, from 1 to {BURN_WINDOW_MAX}, where something has to wait all the time")]
    WaitingWindow,
    #[error("give the window of a budget in whole minutes, from 2 to {BURN_WINDOW_MAX}")]
    BurnWindow,
    #[error("give the short window in whole minutes, from 1, and shorter than the window")]
    ShortWindow,
    #[error("the objective is a share of a hundred: from 50 to 99.999")]
    Objective,
    #[error("the factor is a number above 0 and up to {FACTOR_MAX}")]
    Factor,
    #[error("the factor is more than can be reached: nothing burns a budget faster than when all is bad")]
    FactorUnreachable,
    #[error("give in whole minutes, from 0 to {HOLD_MAX}, for how long it has to be wrong")]
    Hold,
    #[error("choose the severity: page or ticket")]
    Severity,
    #[error("this number is not told apart by {}: leave that empty", words(.0))]
    Filter(&'static str),
    #[error("there is no such model")]
    Model,
    #[error("there is no such lane: interactive or batch")]
    Lane,
    #[error("that is no id of a tenant")]
    Tenant,
    #[error("the {} has at most {FILTER_CHARS_MAX} characters, on one line", words(.0))]
    FilterLong(&'static str),
}

impl RuleError {
    /// Which field it is about, as the API names it.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Number | Self::Live => "number",
            Self::Kind | Self::BurnsNot => "kind",
            Self::Side => "side",
            Self::Limit | Self::Percent => "limit",
            Self::Window | Self::WaitingWindow | Self::BurnWindow => "window",
            Self::ShortWindow => "short_window",
            Self::Objective => "objective",
            Self::Factor | Self::FactorUnreachable => "factor",
            Self::Hold => "hold",
            Self::Severity => "severity",
            Self::Model => "model",
            Self::Lane => "lane",
            Self::Tenant => "tenant",
            Self::Filter(field) | Self::FilterLong(field) => field,
        }
    }
}

/// What a field is called by which a number is told apart.
fn words(field: &str) -> &str {
    match field {
        "tenant" => "id of a tenant",
        "code" => "code of a failure",
        field => field,
    }
}

/// All that is wrong with a rule, one for each field at most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleErrors(Vec<RuleError>);

impl RuleErrors {
    #[must_use]
    pub fn all(&self) -> &[RuleError] {
        &self.0
    }

    /// With another one, where nothing is said of its field yet.
    #[must_use]
    pub fn and(mut self, error: RuleError) -> Self {
        if self.0.iter().all(|there| there.field() != error.field()) {
            self.0.push(error);
        }
        self
    }

    /// What was read, or a note of why it was not.
    pub(super) fn note<T>(&mut self, read: Result<T, RuleError>) -> Option<T> {
        read.map_err(|error| self.0.push(error)).ok()
    }
}

impl From<RuleError> for RuleErrors {
    fn from(error: RuleError) -> Self {
        Self(vec![error])
    }
}

impl fmt::Display for RuleErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&told.join("; "))
    }
}

impl Error for RuleErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_told_in_one_sentence_and_a_field_is_told_of_once() {
        let wrong = RuleErrors::from(RuleError::Filter("code")).and(RuleError::FilterLong("code")).and(RuleError::Model);
        assert_eq!(wrong.all(), [RuleError::Filter("code"), RuleError::Model]);
        let said = "this number is not told apart by code of a failure: leave that empty; there is no such model";
        assert_eq!(wrong.to_string(), said);
    }
}
