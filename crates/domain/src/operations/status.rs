//! The parts of the installation that the public status page shows, what is seen of each, and what a day of it was like.

use crate::billing::Day;

/// Days that are kept and shown.
pub const DAYS: u16 = 45;
/// Looks are made so often; each counts as so much of its day.
pub const LOOK_EVERY_MS: i64 = 60_000;
/// Whoever looks may be late by so much before nobody looked at all.
const LATE_MAX_MS: i64 = 3 * LOOK_EVERY_MS;
/// A database that takes longer for nothing is slow.
const SLOW_MS: u64 = 1000;
/// Of work that somebody waits for in front of the screen.
const LONG_WAIT_MS: u64 = 15 * 60 * 1000;

/// What works, or does not, by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Pages and API, with the database behind them.
    Api,
    Queue,
    Workers,
    /// Where videos lie.
    Objects,
}

impl Part {
    pub const EVERY: [Self; 4] = [Self::Api, Self::Queue, Self::Workers, Self::Objects];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Queue => "queue",
            Self::Workers => "workers",
            Self::Objects => "objects",
        }
    }

    /// As people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Api => "Website and API",
            Self::Queue => "Queue",
            Self::Workers => "Workers",
            Self::Objects => "Video storage",
        }
    }

    /// `None`: one of a newer version.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|part| part.as_str() == text)
    }
}

/// How a part fares; the worse, the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartState {
    Works,
    /// It does, but not as it should.
    Degraded,
    Down,
}

impl PartState {
    pub const EVERY: [Self; 3] = [Self::Works, Self::Degraded, Self::Down];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Degraded => "degraded",
            Self::Down => "down",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Works => "Works",
            Self::Degraded => "Works in part",
            Self::Down => "Does not work",
        }
    }

    /// `None`: one of a newer version.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|state| state.as_str() == text)
    }
}

/// What one look at everything found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// What the database took to answer, in milliseconds.
    pub database_ms: u64,
    /// Whether nothing at all is begun, because the operator says so. `None`: it is not known, as below.
    pub is_paused: Option<bool>,
    /// How long the oldest work waits that somebody waits for, in milliseconds; 0 where nothing does.
    pub longest_wait_ms: Option<u64>,
    /// Whether every stage has a worker.
    pub has_workers: Option<bool>,
    /// Whether some worker's device stalls or fails.
    pub has_failing_worker: Option<bool>,
    /// Whether it answers, and is ours.
    pub has_objects: Option<bool>,
}

impl Look {
    /// What is known of each part. Whoever looks has come through pages and API's own way, so that part is there.
    #[must_use]
    pub fn states(&self) -> Vec<(Part, PartState)> {
        let degraded_if = |is: bool| if is { PartState::Degraded } else { PartState::Works };
        let queue = match (self.is_paused, self.longest_wait_ms) {
            (Some(true), _) => Some(PartState::Degraded),
            (_, Some(wait_ms)) => Some(degraded_if(wait_ms > LONG_WAIT_MS)),
            _ => None,
        };
        let workers = match (self.has_workers, self.has_failing_worker) {
            (Some(false), _) => Some(PartState::Down),
            (Some(true), failing) => Some(degraded_if(failing.unwrap_or(false))),
            (None, _) => None,
        };
        let objects = self.has_objects.map(|there| if there { PartState::Works } else { PartState::Down });
        let states = [
            (Part::Api, Some(degraded_if(self.database_ms > SLOW_MS))),
            (Part::Queue, queue),
            (Part::Workers, workers),
            (Part::Objects, objects),
        ];
        states.into_iter().filter_map(|(part, state)| Some((part, state?))).collect()
    }
}

/// The looks that nobody made between two that somebody did, in milliseconds: no server ran, or the database was away.
#[must_use]
pub const fn missed_looks(last_ms: i64, now_ms: i64) -> u32 {
    let gap_ms = now_ms - last_ms;
    if gap_ms <= LATE_MAX_MS {
        return 0;
    }
    let looks = gap_ms / LOOK_EVERY_MS - 1;
    let most = DAYS as i64 * 24 * 60;
    (if looks < most { looks } else { most }) as u32
}

/// Whether what was seen then still says how it is.
#[must_use]
pub const fn is_current(seen_ms: i64, now_ms: i64) -> bool {
    now_ms - seen_ms <= LATE_MAX_MS
}

/// What a part was like on a day, in looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartDay {
    pub day: Day,
    pub works: u32,
    pub degraded: u32,
    pub down: u32,
}

/// How a day is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayMark {
    /// Nobody looked.
    Unknown,
    Good,
    /// For some time it did not work, or not as it should.
    Troubled,
    /// For an hour or more it did not work.
    Bad,
}

impl PartDay {
    /// A day on which nobody has looked.
    #[must_use]
    pub const fn unseen(day: Day) -> Self {
        Self { day, works: 0, degraded: 0, down: 0 }
    }

    const fn looks(&self) -> u32 {
        self.works + self.degraded + self.down
    }

    /// Minutes without it.
    #[must_use]
    pub const fn down_minutes(&self) -> u32 {
        self.down
    }

    #[must_use]
    pub const fn mark(&self) -> DayMark {
        if self.looks() == 0 {
            DayMark::Unknown
        } else if self.down >= 60 {
            DayMark::Bad
        } else if self.down > 0 || self.degraded > 0 {
            DayMark::Troubled
        } else {
            DayMark::Good
        }
    }
}

/// Of all looks of these days, how many of ten thousand found it there. Rounded down, so that a minute is never lost. `None`: nobody looked.
#[must_use]
pub fn there_permyriad(days: &[PartDay]) -> Option<u32> {
    let looks: u64 = days.iter().map(|day| u64::from(day.looks())).sum();
    let down: u64 = days.iter().map(|day| u64::from(day.down)).sum();
    ((looks - down) * 10_000).checked_div(looks).map(|share| share as u32)
}

/// Each of the last [`DAYS`] up to `today`, whether somebody looked or not, oldest first.
#[must_use]
pub fn every_day(today: Day, seen: &[PartDay]) -> Vec<PartDay> {
    let first = today.plus(1 - i32::from(DAYS));
    (0..i32::from(DAYS))
        .map(|n| first.plus(n))
        .map(|day| seen.iter().find(|seen| seen.day == day).copied().unwrap_or(PartDay::unseen(day)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: Look = Look {
        database_ms: 3,
        is_paused: Some(false),
        longest_wait_ms: Some(0),
        has_workers: Some(true),
        has_failing_worker: Some(false),
        has_objects: Some(true),
    };

    fn state(look: Look, part: Part) -> Option<PartState> {
        look.states().into_iter().find(|(of, _)| *of == part).map(|(_, state)| state)
    }

    #[test]
    fn each_part_fares_by_what_was_seen_of_it_alone() {
        use PartState::{Degraded, Down, Works};
        assert_eq!(FINE.states(), Part::EVERY.map(|part| (part, Works)));
        for (look, part, expected) in [
            (Look { database_ms: 1001, ..FINE }, Part::Api, Degraded),
            (Look { is_paused: Some(true), ..FINE }, Part::Queue, Degraded),
            (Look { longest_wait_ms: Some(LONG_WAIT_MS + 1), ..FINE }, Part::Queue, Degraded),
            (Look { has_workers: Some(false), ..FINE }, Part::Workers, Down),
            (Look { has_failing_worker: Some(true), ..FINE }, Part::Workers, Degraded),
            (Look { has_objects: Some(false), ..FINE }, Part::Objects, Down),
        ] {
            for other in Part::EVERY {
                assert_eq!(state(look, other), Some(if other == part { expected } else { Works }), "{look:?}");
            }
        }
    }

    #[test]
    fn what_was_not_seen_is_not_told() {
        assert_eq!(Look::default().states(), [(Part::Api, PartState::Works)]);
    }

    #[test]
    fn looks_that_nobody_made_count_but_for_a_little_lateness() {
        let now = 10_000 * LOOK_EVERY_MS;
        assert_eq!([60_000, 180_000, 180_001, 600_000].map(|gap| missed_looks(now - gap, now)), [0, 0, 2, 9]);
        assert_eq!(missed_looks(now, now - 5000), 0, "the clock was put back");
        assert_eq!(missed_looks(0, i64::MAX / 2), u32::from(DAYS) * 24 * 60);
    }

    #[test]
    fn a_minute_without_it_is_never_rounded_away() {
        let day = |works, down| PartDay { day: Day(1), works, degraded: 0, down };
        assert_eq!(there_permyriad(&[day(1440, 0), day(1439, 1)]), Some(9996));
        assert_eq!([there_permyriad(&[]), there_permyriad(&[day(0, 0)]), there_permyriad(&[day(0, 5)])], [None, None, Some(0)]);
        assert_eq!(
            [day(0, 0), day(9, 0), day(9, 1), day(9, 60)].map(|day| day.mark()),
            [DayMark::Unknown, DayMark::Good, DayMark::Troubled, DayMark::Bad]
        );
    }

    #[test]
    fn every_day_has_its_place_whether_somebody_looked_or_not() {
        let seen = PartDay { works: 5, ..PartDay::unseen(Day(100)) };
        let days = every_day(Day(101), &[seen, PartDay::unseen(Day(3))]);
        assert_eq!((days.len(), days[0].day, days[44].day), (45, Day(57), Day(101)));
        assert_eq!((days[43], days[44].mark()), (seen, DayMark::Unknown));
    }
}
