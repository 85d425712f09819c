//! Pauses: what no worker begins until the operator resumes it. What runs already goes on, and new jobs are taken in.

use super::super::LineOf;
use crate::{TenantId, Timestamp, billing::Lane, id::IdError};
use std::{fmt, str::FromStr};

/// Which jobs a pause is about. In text: `everything`, `model:ID`, `lane:NAME` or `tenant:ID`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PauseScope {
    Everything,
    Model(String),
    Lane(Lane),
    Tenant(TenantId),
}

/// The text names nothing that can be paused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("say `everything`, `model:` and its id, `lane:interactive`, `lane:batch`, or `tenant:` and its id")]
pub struct PauseScopeError;

impl From<IdError> for PauseScopeError {
    fn from(_: IdError) -> Self {
        Self
    }
}

impl PauseScope {
    /// Whether it is about a tenant's jobs of a line.
    #[must_use]
    pub fn holds(&self, line: LineOf<'_>, tenant: TenantId) -> bool {
        match self {
            Self::Tenant(paused) => *paused == tenant,
            whole_lines => whole_lines.holds_line(line),
        }
    }

    /// Whether it is about all jobs of a line, whosever they are.
    #[must_use]
    pub fn holds_line(&self, line: LineOf<'_>) -> bool {
        match self {
            Self::Everything => true,
            Self::Model(model) => model == line.model,
            Self::Lane(lane) => *lane == line.lane,
            Self::Tenant(_) => false,
        }
    }
}

impl fmt::Display for PauseScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => f.write_str("everything"),
            Self::Model(model) => write!(f, "model:{model}"),
            Self::Lane(lane) => write!(f, "lane:{}", lane.as_str()),
            Self::Tenant(tenant) => write!(f, "tenant:{tenant}"),
        }
    }
}

impl FromStr for PauseScope {
    type Err = PauseScopeError;

    fn from_str(text: &str) -> Result<Self, PauseScopeError> {
        match text.split_once(':') {
            None if text == "everything" => Ok(Self::Everything),
            // PostgreSQL has no text with a NUL.
            Some(("model", model)) if !model.is_empty() && !model.contains('\0') => Ok(Self::Model(model.to_owned())),
            Some(("lane", lane)) => Lane::named(lane).map(Self::Lane).ok_or(PauseScopeError),
            Some(("tenant", tenant)) => Ok(Self::Tenant(tenant.parse()?)),
            _ => Err(PauseScopeError),
        }
    }
}

/// A pause, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    pub scope: PauseScope,
    /// In words that whoever waits for it sees.
    pub reason: Option<String>,
    pub since: Timestamp,
}

/// All pauses at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pauses(Vec<Pause>);

impl Pauses {
    #[must_use]
    pub const fn new(pauses: Vec<Pause>) -> Self {
        Self(pauses)
    }

    #[must_use]
    pub fn all(&self) -> &[Pause] {
        &self.0
    }

    /// The pause by which a tenant's jobs of a line are not begun: of several, one that has words for it, else the oldest.
    #[must_use]
    pub fn of(&self, line: LineOf<'_>, tenant: TenantId) -> Option<&Pause> {
        let holds = self.0.iter().filter(|pause| pause.scope.holds(line, tenant));
        holds.min_by_key(|pause| (pause.reason.is_none(), pause.since))
    }

    /// Whether nothing of a line is begun.
    #[must_use]
    pub fn hold_line(&self, line: LineOf<'_>) -> bool {
        self.0.iter().any(|pause| pause.scope.holds_line(line))
    }

    /// Those of whom nothing is begun, in whatever line.
    pub fn tenants(&self) -> impl Iterator<Item = TenantId> {
        self.0.iter().filter_map(|pause| if let PauseScope::Tenant(tenant) = pause.scope { Some(tenant) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn tenant(n: u128) -> TenantId {
        TenantId::from_uuid(Uuid::from_u128(n))
    }

    fn pause(scope: &str, reason: Option<&str>, since: i64) -> Pause {
        Pause { scope: scope.parse().unwrap(), reason: reason.map(str::to_owned), since: Timestamp::from_ms(since) }
    }

    const LINE: LineOf<'static> = LineOf { lane: Lane::Batch, model: "m" };

    #[test]
    fn a_scope_survives_its_text_and_what_names_none_is_refused() {
        for text in ["everything", "model:flipbook-1", "model:a:b", "lane:batch", &format!("tenant:{}", tenant(1))] {
            assert_eq!(text.parse::<PauseScope>().unwrap().to_string(), text);
        }
        for text in ["", "all", "model:", "model:\0", "model", "lane:fast", "tenant:ada", "everything:"] {
            assert_eq!(text.parse::<PauseScope>(), Err(PauseScopeError), "{text}");
        }
    }

    #[test]
    fn each_scope_holds_what_it_names_and_nothing_else() {
        let other = LineOf { lane: Lane::Interactive, model: "n" };
        for (scope, of_line) in [("everything", true), ("model:m", true), ("lane:batch", true), (&*format!("tenant:{}", tenant(1)), false)]
        {
            let pauses = Pauses::new(vec![pause(scope, None, 1)]);
            assert!(pauses.of(LINE, tenant(1)).is_some(), "{scope}");
            assert_eq!((pauses.hold_line(LINE), pauses.of(LINE, tenant(2)).is_some()), (of_line, of_line), "{scope}");
            assert_eq!(pauses.hold_line(other), scope == "everything", "{scope}");
        }
        assert!(Pauses::default().of(LINE, tenant(1)).is_none());
    }

    #[test]
    fn of_several_pauses_one_that_says_why_is_told() {
        let pauses =
            Pauses::new(vec![pause("everything", None, 1), pause("model:m", Some("broken"), 3), pause("lane:batch", Some("late"), 2)]);
        assert_eq!(pauses.of(LINE, tenant(1)).unwrap().reason.as_deref(), Some("late"));
    }
}
