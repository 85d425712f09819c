//! What the operator tells everybody of trouble: a title, and what was said of it since, each with where it stands.

use crate::{IncidentId, Timestamp};

const TITLE_CHARS_MAX: usize = 120;
const TEXT_CHARS_MAX: usize = 1000;
/// Of one incident.
pub const UPDATES_MAX: usize = 50;
/// An incident may have begun so long before somebody writes of it: two weeks.
const BEFORE_MINUTES_MAX: u32 = 14 * 24 * 60;

/// Where the work on an incident stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncidentState {
    Investigating,
    /// The cause is known.
    Identified,
    /// It is mended, and watched.
    Monitoring,
    Resolved,
}

impl IncidentState {
    pub const EVERY: [Self; 4] = [Self::Investigating, Self::Identified, Self::Monitoring, Self::Resolved];

    /// As it is stored, and as forms name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Investigating => "investigating",
            Self::Identified => "identified",
            Self::Monitoring => "monitoring",
            Self::Resolved => "resolved",
        }
    }

    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Investigating => "Looking into it",
            Self::Identified => "Cause known",
            Self::Monitoring => "Mended, being watched",
            Self::Resolved => "Over",
        }
    }

    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|state| state.as_str() == text)
    }
}

/// Something said of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncidentUpdate {
    pub at: Timestamp,
    pub state: IncidentState,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    pub id: IncidentId,
    pub title: String,
    pub begun_at: Timestamp,
    /// `None`: it goes on.
    pub ended_at: Option<Timestamp>,
    /// The newest first.
    pub updates: Vec<IncidentUpdate>,
}

/// Why something is not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IncidentError {
    #[error("an incident has a title of 1 to {TITLE_CHARS_MAX} characters, on one line")]
    Title,
    #[error("say something, in at most {TEXT_CHARS_MAX} characters")]
    Text,
    #[error("choose where it stands: investigating, identified, monitoring or resolved")]
    State,
    #[error("it began at most two weeks ago: give minutes between 0 and {BEFORE_MINUTES_MAX}")]
    Begun,
}

/// What is said of an incident now, as somebody typed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub state: IncidentState,
    pub text: String,
}

impl Statement {
    /// # Errors
    /// [`IncidentError`] for the first field that cannot be told.
    pub fn parse(state: &str, text: &str) -> Result<Self, IncidentError> {
        let state = IncidentState::named(state).ok_or(IncidentError::State)?;
        let text = text.trim().replace("\r\n", "\n");
        let is_sane = !text.is_empty() && text.chars().count() <= TEXT_CHARS_MAX && !text.chars().any(|c| c.is_control() && c != '\n');
        if is_sane { Ok(Self { state, text }) } else { Err(IncidentError::Text) }
    }
}

/// An incident that is told for the first time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIncident {
    pub title: String,
    /// How long before now it began, in milliseconds.
    pub begun_before_ms: i64,
    pub first: Statement,
}

impl NewIncident {
    /// `minutes`: how long ago it began; empty: now.
    ///
    /// # Errors
    /// [`IncidentError`] for the first field that cannot be told.
    pub fn parse(title: &str, minutes: &str, state: &str, text: &str) -> Result<Self, IncidentError> {
        let title = title.trim().to_owned();
        if title.is_empty() || title.chars().count() > TITLE_CHARS_MAX || title.chars().any(char::is_control) {
            return Err(IncidentError::Title);
        }
        let minutes = match minutes.trim() {
            "" => 0,
            typed => typed.parse::<u32>().ok().filter(|minutes| *minutes <= BEFORE_MINUTES_MAX).ok_or(IncidentError::Begun)?,
        };
        Ok(Self { title, begun_before_ms: i64::from(minutes) * 60_000, first: Statement::parse(state, text)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_has_a_title_a_text_and_where_it_stands() {
        let parsed = NewIncident::parse(" Slow videos ", "90", "investigating", " We look into it.\r\nMore soon. ").unwrap();
        assert_eq!((parsed.title.as_str(), parsed.begun_before_ms), ("Slow videos", 5_400_000));
        assert_eq!(parsed.first, Statement { state: IncidentState::Investigating, text: "We look into it.\nMore soon.".into() });
        let refused = |title: &str, minutes: &str, state: &str, text: &str| NewIncident::parse(title, minutes, state, text).unwrap_err();
        assert_eq!(refused(" ", "", "resolved", "x"), IncidentError::Title);
        assert_eq!(refused(&"x".repeat(121), "", "resolved", "x"), IncidentError::Title);
        assert_eq!(refused("two\nlines", "", "resolved", "x"), IncidentError::Title);
        for minutes in ["-1", "soon", "20161", "1.5"] {
            assert_eq!(refused("x", minutes, "resolved", "x"), IncidentError::Begun, "{minutes}");
        }
        assert_eq!(refused("x", "", "fine", "x"), IncidentError::State);
        assert_eq!([refused("x", "", "resolved", " \n"), refused("x", "", "resolved", "a\u{7}")], [IncidentError::Text; 2]);
    }

    #[test]
    fn every_state_is_read_as_it_is_written() {
        assert!(IncidentState::EVERY.into_iter().all(|state| IncidentState::named(state.as_str()) == Some(state)));
    }
}
