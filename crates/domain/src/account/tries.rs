//! How many tries at signing in and signing up are allowed: growing delays, and nothing that locks anyone out.
//!
//! Failures are counted for a *subject*, such as an account as tried from one network. The first few cost
//! nothing; each further one doubles the time until the next try, up to the time after which one failure is
//! forgotten. So whoever goes on guessing is slowed down to one try in that time, and whoever stops is free again.

use crate::Timestamp;

/// What one kind of subject is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Failures that cost no waiting.
    pub free: u32,
    /// A failure is forgotten after so long; also the longest wait between two tries. Milliseconds.
    pub forgets_after_ms: i64,
}

const MINUTE_MS: i64 = 60_000;
/// The wait after the first failure that costs one.
const FIRST_WAIT_MS: i64 = 1000;
/// Tries at one time are counted one after the other, each by the moment it began at: so far apart these may be.
/// What lies further ahead was written by a clock that was wrong.
pub const AHEAD_MAX_MS: i64 = MINUTE_MS;

/// One account as tried from one network, or from one browser that has been signed in to it.
pub const PAIR: Allowance = Allowance { free: 5, forgets_after_ms: 15 * MINUTE_MS };
/// One network, whatever the accounts: against one password for many people. Many people can share a network.
pub const NETWORK: Allowance = Allowance { free: 100, forgets_after_ms: MINUTE_MS };
/// One account from all networks: against many machines that guess together.
pub const ACCOUNT: Allowance = Allowance { free: 1000, forgets_after_ms: MINUTE_MS };
/// New accounts from one network.
pub const SIGN_UPS: Allowance = Allowance { free: 100, forgets_after_ms: 9000 };
/// Ways to a provider that one network is shown: each is kept for a while. A whole company may come from one network.
pub const PROVIDER_SIGN_INS: Allowance = Allowance { free: 1000, forgets_after_ms: 1000 };
/// Mails that somebody asks to be sent to one address, from wherever.
pub const MAILS: Allowance = Allowance { free: 3, forgets_after_ms: 15 * MINUTE_MS };
/// Codes of a second factor, of one account from wherever: who gets here has the password. A million codes, of which three
/// are right at any time.
pub const CODES: Allowance = Allowance { free: 5, forgets_after_ms: 15 * MINUTE_MS };

impl Allowance {
    /// No wait is longer; one that seems to be was measured by a clock that was ahead.
    #[must_use]
    pub const fn longest_wait_ms(self) -> u64 {
        self.forgets_after_ms.saturating_add(AHEAD_MAX_MS).unsigned_abs()
    }
}

/// What is remembered of a subject's failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    pub last_at: Timestamp,
    /// When the last of them will be forgotten.
    pub forgotten_at: Timestamp,
}

impl Tries {
    /// Nothing is held against the subject.
    #[must_use]
    pub const fn none(now: Timestamp) -> Self {
        Self { last_at: now, forgotten_at: now }
    }

    /// As seen at `now`. Failures noted by a clock that was far ahead are as many as they were, and so long ago that
    /// nobody has to wait for them; otherwise nobody could try until that moment comes.
    #[must_use]
    pub fn seen_at(self, now: Timestamp, allowance: Allowance) -> Self {
        if self.last_at <= now.plus_ms(AHEAD_MAX_MS) {
            return self;
        }
        let last_at = now.plus_ms(-allowance.forgets_after_ms);
        let failures_ms = self.forgotten_at.ms_since(self.last_at);
        Self { last_at, forgotten_at: last_at.plus_ms(i64::try_from(failures_ms).unwrap_or(i64::MAX)) }
    }

    /// The earliest moment of the next try.
    #[must_use]
    pub fn open_at(self, allowance: Allowance) -> Timestamp {
        let each = allowance.forgets_after_ms.unsigned_abs().max(1);
        let failures = self.forgotten_at.ms_since(self.last_at).div_ceil(each);
        let Some(beyond) = failures.checked_sub(u64::from(allowance.free)) else { return self.last_at };
        // 2^20 s is longer than any allowance waits.
        let wait_ms = if failures == 0 { 0 } else { FIRST_WAIT_MS << beyond.min(20) };
        self.last_at.plus_ms(wait_ms.min(allowance.forgets_after_ms))
    }

    /// How long a try at `now` comes too early, in milliseconds. Nobody who need not wait is early for having begun a moment
    /// before another that was counted first.
    #[must_use]
    pub fn early_ms(self, now: Timestamp, allowance: Allowance) -> u64 {
        let open_at = self.open_at(allowance);
        if open_at > self.last_at { open_at.ms_since(now) } else { 0 }
    }

    /// As it is after one more failure, which may have begun a moment before the last one that was counted.
    #[must_use]
    pub fn and_one_at(self, now: Timestamp, allowance: Allowance) -> Self {
        Self { last_at: self.last_at.max(now), forgotten_at: self.forgotten_at.max(now).plus_ms(allowance.forgets_after_ms) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
    const START: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    /// The tries of somebody who never pauses, in so many days.
    fn tries_in(days: i64, allowance: Allowance) -> u32 {
        let (mut tries, mut now, mut count) = (Tries::none(START), START, 0);
        while now < START.plus_ms(days * DAY_MS) {
            tries = tries.and_one_at(now, allowance);
            count += 1;
            now = now.max(tries.open_at(allowance));
        }
        count
    }

    #[test]
    fn delays_double_after_the_free_failures_and_stay_at_their_longest() {
        let (mut tries, mut now, mut waits_s) = (Tries::none(START), START, Vec::new());
        for _ in 0..20 {
            tries = tries.and_one_at(now, PAIR);
            waits_s.push(tries.open_at(PAIR).ms_since(now) / 1000);
            now = tries.open_at(PAIR);
        }
        assert_eq!(waits_s[..14], [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
        assert!(waits_s[14..].iter().all(|wait| (512..=900).contains(wait)), "{waits_s:?}");
    }

    #[test]
    fn one_that_began_before_the_last_counts_as_one_and_makes_nobody_wait_less() {
        let (before, moment) = (START.plus_ms(-5), |count| (0..count).fold(Tries::none(START), |tries, _| tries.and_one_at(START, PAIR)));
        assert_eq!(moment(PAIR.free - 2).and_one_at(before, PAIR).early_ms(START, PAIR), 0);
        assert_eq!(moment(PAIR.free - 1).and_one_at(before, PAIR).early_ms(START, PAIR), 1000);
        assert_eq!(moment(PAIR.free - 1).early_ms(before, PAIR), 0, "who need not wait is not early");
        assert_eq!(moment(PAIR.free).early_ms(before, PAIR), 1005);
    }

    #[test]
    fn guessing_is_bounded_by_the_day() {
        let first_and_next = |allowance| (tries_in(1, allowance), tries_in(2, allowance) - tries_in(1, allowance));
        assert_eq!(first_and_next(PAIR), (110, 96), "one network at one account");
        assert_eq!(first_and_next(NETWORK), (1545, 1440), "one network at all accounts");
        assert_eq!(first_and_next(ACCOUNT), (2445, 1440), "any number of networks at one account");
    }

    #[test]
    fn who_stops_is_free_again() {
        let tries = (0..20).fold(Tries::none(START), |tries, _| tries.and_one_at(START, PAIR));
        assert!(tries.open_at(PAIR) > START);
        let rested = START.plus_ms(20 * PAIR.forgets_after_ms);
        assert_eq!(tries.forgotten_at, rested);
        assert_eq!(tries.and_one_at(rested, PAIR).open_at(PAIR), rested);
    }

    #[test]
    fn a_clock_that_was_ahead_keeps_nobody_waiting_and_forgives_one_failure_at_most() {
        let ahead = START.plus_ms(DAY_MS);
        let tries = (0..9).fold(Tries::none(ahead), |tries, _| tries.and_one_at(ahead, PAIR));
        let seen = tries.seen_at(START, PAIR);
        assert!(seen.open_at(PAIR) <= START);
        assert_eq!(seen.and_one_at(START, PAIR).open_at(PAIR).ms_since(START), 16_000, "as after the ninth");
        let soon = tries.seen_at(ahead.plus_ms(-AHEAD_MAX_MS), PAIR);
        assert_eq!(soon, tries, "of tries made at once some are counted by an earlier moment");
    }

    #[test]
    fn an_occasional_mistake_in_a_large_network_never_adds_up() {
        let (mut tries, mut now) = (Tries::none(START), START);
        for _ in 0..10_000 {
            tries = tries.and_one_at(now, NETWORK);
            now = now.plus_ms(NETWORK.forgets_after_ms);
            assert!(tries.open_at(NETWORK) <= now);
        }
    }
}
