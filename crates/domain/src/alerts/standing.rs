//! How a rule stands: whether it fires, since when, and what was told of that.
//!
//! Two things are kept apart. The *state* follows what is measured, whatever anybody wants to hear: a silence never loses it. What was *told* follows
//! the state where nobody wants silence and not too much was told within the hour; whoever was not told is told as soon as that is over, if it
//! is still so.

use super::measure::{Measured, Verdict};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// Of one rule, however it flaps, is told so often within an hour.
pub const TOLD_PER_HOUR_MAX: usize = 6;
/// A rule that fires, of which at times nothing is known and which is never known to be wrong, is resolved after so long: its jobs are gone or few, and
/// nobody is to be woken for nothing.
const UNKNOWN_KEPT_MS: i64 = HOUR_MS;
/// A rule that was not looked at for so long has not been wrong all that time.
const MISSED_MS: i64 = 5 * MINUTE_MS;
/// Values that are kept beside the rule: two hours.
pub const RECENT_KEPT: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    #[default]
    Ok,
    /// It is wrong, and not for long enough.
    Pending { since_ms: i64 },
    /// `right_since_ms`: it is right again since then, and not for long enough. `unknown_since_ms`: since then it was
    /// never known to be wrong, and not always known to be right.
    Firing {
        since_ms: i64,
        #[serde(default)]
        right_since_ms: Option<i64>,
        #[serde(default)]
        unknown_since_ms: Option<i64>,
    },
}

impl State {
    #[must_use]
    pub const fn is_firing(self) -> bool {
        matches!(self, Self::Firing { .. })
    }

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Pending { .. } => "pending",
            Self::Firing { .. } => "firing",
        }
    }

    /// Since when it is so. `None`: it is as it should be.
    #[must_use]
    pub const fn since(self) -> Option<Timestamp> {
        match self {
            Self::Ok => None,
            Self::Pending { since_ms } | Self::Firing { since_ms, .. } => Some(Timestamp::from_ms(since_ms)),
        }
    }
}

/// What became of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Fired,
    /// It is right again, for long enough.
    Resolved,
    /// It is not known to be wrong for too long to go on firing.
    Faded,
}

/// All that is kept of a rule beside what it says.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    #[serde(flatten)]
    pub state: State,
    /// Whoever is told of it believes that it fires.
    #[serde(default)]
    pub told_firing: bool,
    /// When something was told of it within the last hour, the newest last.
    #[serde(default)]
    told_ms: Vec<i64>,
    #[serde(default)]
    looked_at_ms: Option<i64>,
    /// What was measured last, and before, the newest last; `None`: not known.
    #[serde(default)]
    pub recent: Vec<Option<f64>>,
}

impl Standing {
    /// What follows from what was measured now: a change of the state, and whether it is told. `hold_ms`: for how long it has to be wrong to
    /// fire; `clear_ms`: for how long it has to be right to be resolved.
    pub fn look(&mut self, measured: Measured, now: Timestamp, hold_ms: i64, clear_ms: i64) -> Option<Change> {
        let missed = self.looked_at_ms.is_some_and(|at| now.ms() - at > MISSED_MS || now.ms() < at);
        if missed {
            self.forget_times(now);
        }
        self.looked_at_ms = Some(now.ms());
        // Rounded, so that the row stays small.
        self.recent.push(measured.value.map(|value| (value * 1000.0).round() / 1000.0).filter(|value| value.is_finite()));
        let surplus = self.recent.len().saturating_sub(RECENT_KEPT);
        self.recent.drain(..surplus);
        let before = self.state;
        self.state = next(before, measured.verdict, now.ms(), hold_ms, clear_ms);
        match (before.is_firing(), self.state.is_firing()) {
            (false, true) => Some(Change::Fired),
            (true, false) if measured.verdict == Verdict::Unknown => Some(Change::Faded),
            (true, false) => Some(Change::Resolved),
            _ => None,
        }
    }

    /// Whether it is to be told now that it fires (`Some(true)`) or that it does not any more.
    pub fn tell(&mut self, is_silent: bool, now: Timestamp) -> Option<bool> {
        let is_firing = self.state.is_firing();
        self.told_ms.retain(|at| now.ms() - at < HOUR_MS && *at <= now.ms());
        if is_firing == self.told_firing || is_silent || self.told_ms.len() >= TOLD_PER_HOUR_MAX {
            return None;
        }
        self.told_firing = is_firing;
        self.told_ms.push(now.ms());
        Some(is_firing)
    }

    /// Something is to be told, and was told too often.
    #[must_use]
    pub fn is_held_back(&self) -> bool {
        self.state.is_firing() != self.told_firing && self.told_ms.len() >= TOLD_PER_HOUR_MAX
    }

    /// What was measured last. `None`: nothing is known.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.recent.last().copied().flatten()
    }

    #[must_use]
    pub fn looked_at(&self) -> Option<Timestamp> {
        self.looked_at_ms.map(Timestamp::from_ms)
    }

    /// Of another rule under the same name: what it says begins anew, what was told stays to be taken back.
    #[must_use]
    pub fn of_changed_rule(&self) -> Self {
        Self { told_firing: self.told_firing, told_ms: self.told_ms.clone(), ..Self::default() }
    }

    /// Nobody looked for a while, so nothing was so for all that time.
    const fn forget_times(&mut self, now: Timestamp) {
        self.state = match self.state {
            State::Ok | State::Pending { .. } => State::Ok,
            State::Firing { since_ms, unknown_since_ms, .. } => {
                let unknown_since_ms = if unknown_since_ms.is_some() { Some(now.ms()) } else { None };
                State::Firing { since_ms, right_since_ms: None, unknown_since_ms }
            }
        };
    }
}

/// Where nothing is known, what is pending is given up and what fires goes on for a while.
fn next(state: State, verdict: Verdict, now_ms: i64, hold_ms: i64, clear_ms: i64) -> State {
    let firing = |since_ms| State::Firing { since_ms, right_since_ms: None, unknown_since_ms: None };
    match (state, verdict) {
        (State::Ok | State::Pending { .. }, Verdict::Right | Verdict::Unknown) => State::Ok,
        (State::Ok, Verdict::Wrong) if hold_ms <= 0 => firing(now_ms),
        (State::Ok, Verdict::Wrong) => State::Pending { since_ms: now_ms },
        (State::Pending { since_ms }, Verdict::Wrong) if now_ms - since_ms >= hold_ms => firing(now_ms),
        (State::Pending { since_ms }, Verdict::Wrong) => State::Pending { since_ms },
        (State::Firing { since_ms, .. }, Verdict::Wrong) => firing(since_ms),
        (State::Firing { since_ms, right_since_ms, unknown_since_ms }, Verdict::Right) => {
            let right = right_since_ms.unwrap_or(now_ms);
            if now_ms - right >= clear_ms || unknown_since_ms.is_some_and(|since| now_ms - since >= UNKNOWN_KEPT_MS) {
                State::Ok
            } else {
                State::Firing { since_ms, right_since_ms: Some(right), unknown_since_ms }
            }
        }
        (State::Firing { since_ms, unknown_since_ms, .. }, Verdict::Unknown) => {
            let unknown = unknown_since_ms.unwrap_or(now_ms);
            if now_ms - unknown >= UNKNOWN_KEPT_MS {
                State::Ok
            } else {
                State::Firing { since_ms, right_since_ms: None, unknown_since_ms: Some(unknown) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HOLD: i64 = 2 * MINUTE_MS;

    fn measured(verdict: Verdict) -> Measured {
        Measured { value: (verdict != Verdict::Unknown).then_some(1.0), verdict }
    }

    /// W, R and U, one a minute; the minutes at which something changed.
    fn run(standing: &mut Standing, looks: &str, from: i64) -> Vec<(i64, Change)> {
        let verdicts = looks.chars().map(|sign| match sign {
            'W' => Verdict::Wrong,
            'R' => Verdict::Right,
            _ => Verdict::Unknown,
        });
        let look = |(minute, verdict)| {
            let minute = from + minute as i64;
            Some((minute, standing.look(measured(verdict), Timestamp::from_ms(minute * MINUTE_MS), HOLD, HOLD)?))
        };
        verdicts.enumerate().filter_map(look).collect()
    }

    #[test]
    fn it_fires_after_its_time_and_is_resolved_after_its_time() {
        assert_eq!(run(&mut Standing::default(), "RWWRWWWWRRWRRRR", 0), [(6, Change::Fired), (13, Change::Resolved)]);
    }

    #[test]
    fn what_is_not_known_neither_fires_nor_resolves_until_it_was_not_for_an_hour() {
        assert_eq!(run(&mut Standing::default(), "WUWUWUWU", 0), []);
        let mut standing = Standing::default();
        assert_eq!(run(&mut standing, "WWWUUUWRUR", 0), [(2, Change::Fired)]);
        assert_eq!(
            run(&mut standing, &"U".repeat(70), 10),
            [(68, Change::Faded)],
            "an hour after it was unknown first and not wrong since"
        );
    }

    #[test]
    fn what_is_right_whenever_it_is_known_does_not_fire_for_ever() {
        let mut standing = Standing::default();
        assert_eq!(run(&mut standing, "WWW", 0), [(2, Change::Fired)]);
        assert_eq!(run(&mut standing, &"RRU".repeat(40), 3), [(65, Change::Faded)]);
        run(&mut standing, "WWW", 123);
        assert_eq!(run(&mut standing, &format!("{}W{}", "RRU".repeat(19), "RRU".repeat(19)), 126), [], "it was wrong meanwhile");
    }

    #[test]
    fn times_in_which_nobody_looked_count_for_nothing() {
        let mut standing = Standing::default();
        assert_eq!(run(&mut standing, "W", 0), []);
        assert_eq!(run(&mut standing, "WW", 100), [], "it was not wrong for a hundred minutes");
        assert_eq!(run(&mut standing, "W", 102), [(102, Change::Fired)]);
        assert_eq!(run(&mut standing, "RR", 103), []);
        assert_eq!(run(&mut standing, "RRR", 200), [(202, Change::Resolved)]);
        assert_eq!(run(&mut standing, "W", 5), [], "the clock was put back");
    }

    #[test]
    fn a_silence_holds_back_what_is_told_and_not_what_is() {
        let mut standing = Standing::default();
        run(&mut standing, "WWW", 0);
        let at = |minute: i64| Timestamp::from_ms(minute * MINUTE_MS);
        assert_eq!((standing.tell(true, at(3)), standing.state.is_firing()), (None, true));
        assert_eq!((standing.tell(false, at(4)), standing.tell(false, at(5))), (Some(true), None));
        run(&mut standing, "RRR", 5);
        assert_eq!((standing.tell(true, at(8)), standing.tell(false, at(9))), (None, Some(false)));
    }

    #[test]
    fn what_is_kept_comes_back_as_it_was_written() {
        let mut standing = Standing::default();
        for (looks, from) in [("R", 0), ("WW", 1), ("WR", 3), ("U", 5)] {
            run(&mut standing, looks, from);
            standing.tell(false, Timestamp::from_ms(from * MINUTE_MS));
            let text = serde_json::to_string(&standing).unwrap();
            assert_eq!(serde_json::from_str::<Standing>(&text).unwrap(), standing, "{text}");
        }
        assert_eq!(serde_json::from_str::<Standing>("{\"state\":\"ok\"}").unwrap(), Standing::default());
        let changed = standing.of_changed_rule();
        assert_eq!((changed.state, changed.told_firing, changed.recent.len()), (State::Ok, standing.told_firing, 0));
    }

    fn verdict() -> impl Strategy<Value = Verdict> {
        prop_oneof![4 => Just(Verdict::Wrong), 3 => Just(Verdict::Right), 1 => Just(Verdict::Unknown)]
    }

    proptest! {
        #[test]
        fn it_never_fires_twice_without_being_over_between_and_is_told_likewise(
            looks in proptest::collection::vec((verdict(), any::<bool>(), 1_i64..4), 1..300), hold in 0_i64..4, clear in 1_i64..5,
        ) {
            let (mut standing, mut now, mut fires, mut told) = (Standing::default(), 0, false, Vec::new());
            for (verdict, is_silent, minutes) in looks {
                now += minutes * MINUTE_MS;
                let at = Timestamp::from_ms(now);
                if let Some(change) = standing.look(measured(verdict), at, hold * MINUTE_MS, clear * MINUTE_MS) {
                    prop_assert_eq!(change == Change::Fired, !fires);
                    fires = !fires;
                }
                prop_assert_eq!(standing.state.is_firing(), fires);
                if let Some(is_firing) = standing.tell(is_silent, at) {
                    prop_assert!(!is_silent && is_firing == fires);
                    prop_assert!(told.last().is_none_or(|(_, last)| *last != is_firing), "each change is told once");
                    told.push((now, is_firing));
                }
                prop_assert!(told.iter().filter(|(at, _)| now - at < HOUR_MS).count() <= TOLD_PER_HOUR_MAX);
                prop_assert!(standing.recent.len() <= RECENT_KEPT);
            }
            // Whatever was silent or held back: an hour later they are told what is so.
            standing.tell(false, Timestamp::from_ms(now + HOUR_MS));
            prop_assert_eq!(standing.told_firing, fires);
        }
    }
}
