//! The operator looking at a tenant's pages as the tenant sees them: for a reason, for a while, and changing nothing.

use crate::{TenantId, Timestamp};
use serde::{Deserialize, Serialize};

const MINUTE_MS: i64 = 60_000;
/// The longest that one look may take.
pub const VIEWING_MINUTES_MAX: i64 = 30;
const REASON_CHARS_MAX: usize = 200;

/// A look that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewing {
    pub tenant: TenantId,
    pub until: Timestamp,
}

/// Why no look is begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("give a reason of 1 to {REASON_CHARS_MAX} characters in one line: the team is shown it")]
pub struct ReasonError;

impl Viewing {
    #[must_use]
    pub fn beginning(tenant: TenantId, now: Timestamp) -> Self {
        Self { tenant, until: now.plus_ms(VIEWING_MINUTES_MAX * MINUTE_MS) }
    }

    #[must_use]
    pub const fn began_at(&self) -> Timestamp {
        self.until.plus_ms(-VIEWING_MINUTES_MAX * MINUTE_MS)
    }

    #[must_use]
    pub fn has_ended(&self, now: Timestamp) -> bool {
        // A clock that was put back makes it no longer.
        self.until.has_come(now, VIEWING_MINUTES_MAX * MINUTE_MS)
    }
}

/// The reason without space around it.
///
/// # Errors
/// [`ReasonError`] when it says nothing, or more than a line.
pub fn check_reason(reason: &str) -> Result<&str, ReasonError> {
    let reason = reason.trim();
    let is_line = !reason.is_empty() && reason.chars().count() <= REASON_CHARS_MAX && !reason.chars().any(crate::text::is_hidden);
    if is_line { Ok(reason) } else { Err(ReasonError) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_look_ends_half_an_hour_after_it_began() {
        let begun = Timestamp::from_ms(1_800_000_000_000);
        let viewing = Viewing::beginning(TenantId::from_uuid(Uuid::nil()), begun);
        assert_eq!([29, 30, 31].map(|minutes| viewing.has_ended(begun.plus_ms(minutes * MINUTE_MS))), [false, true, true]);
    }

    #[test]
    fn a_reason_says_something_in_a_line() {
        assert_eq!(check_reason(" a ticket of theirs "), Ok("a ticket of theirs"));
        for wrong in ["", "  ", "a\nb", &"x".repeat(201)] {
            assert_eq!(check_reason(wrong), Err(ReasonError), "{wrong}");
        }
    }
}
