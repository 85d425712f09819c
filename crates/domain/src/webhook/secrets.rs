//! Which of a tenant's secrets sign what is told in Replicate's words: each is derived from its number, and a rotation counts on.

use crate::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallbackSecrets {
    /// How often it was rotated.
    pub current: u64,
    /// Until then the one of before signs too.
    pub old_until: Option<Timestamp>,
}

impl CallbackSecrets {
    /// Until when the one of before signs beside the current one, where it does so at `now`.
    #[must_use]
    pub fn overlap(self, now: Timestamp) -> Option<Timestamp> {
        self.old_until.filter(|until| self.current > 0 && *until > now)
    }

    /// The numbers of those that sign at `now`: the current one first.
    #[must_use]
    pub fn signing(self, now: Timestamp) -> Vec<u64> {
        let old = self.overlap(now).map(|_| self.current - 1);
        [Some(self.current), old].into_iter().flatten().collect()
    }

    /// After a rotation at `now`, where the one of before is kept for so long. `None`: another one is kept already, and a third would cut short
    /// the time that it was promised.
    #[must_use]
    pub fn rotated(self, now: Timestamp, old_kept_ms: Option<i64>) -> Option<Self> {
        if old_kept_ms.is_some() && self.overlap(now).is_some() {
            return None;
        }
        Some(Self { current: self.current + 1, old_until: old_kept_ms.map(|ms| now.plus_ms(ms)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    #[test]
    fn the_one_of_before_signs_for_as_long_as_it_is_kept_and_no_longer() {
        let first = CallbackSecrets::default();
        assert_eq!(first.signing(NOW), [0]);
        let second = first.rotated(NOW, Some(1000)).unwrap();
        assert_eq!(second.signing(NOW.plus_ms(999)), [1, 0]);
        assert_eq!(second.signing(NOW.plus_ms(1000)), [1]);
        assert_eq!(second.rotated(NOW.plus_ms(999), Some(1000)), None, "it was promised its time");
        let third = second.rotated(NOW.plus_ms(999), None).unwrap();
        assert_eq!(third.signing(NOW.plus_ms(999)), [2], "neither of before signs any more");
        assert_eq!(third.rotated(NOW.plus_ms(999), Some(1000)).unwrap().signing(NOW.plus_ms(999)), [3, 2]);
        assert_eq!(second.rotated(NOW.plus_ms(1000), Some(1000)).unwrap().signing(NOW.plus_ms(1000)), [2, 1]);
    }
}
