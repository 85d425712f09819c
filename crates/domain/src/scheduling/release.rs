//! When a tenant's jobs enter the queue: not faster than its plan's release rate, and not more at once than it lets be made.
//!
//! The rate is kept by the generic cell rate algorithm (ITU-T I.371) with one moment for each tenant: a job may enter from then on, and moves it
//! on by what its work takes at the rate. Who comes a little late for that moment loses nothing: the next one follows as much earlier. For that
//! the rate is lowered by so little that over any minute no more work enters than the rate gives, and one job.

use crate::{
    Timestamp, VideoTime,
    billing::{Lane, Plan},
};

const MINUTE_MS: u64 = 60_000;
/// Who enters at most so late is as if it had come in time.
const TOLERANCE_MS: u64 = 200;

/// What keeps a plan's jobs from entering the queue at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleaseGate {
    /// Video time a minute.
    rate: Option<VideoTime>,
    /// Jobs that are in the queue or with a worker.
    at_once: Option<u32>,
}

/// Whether the next job of a tenant may enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    Open,
    /// By the release rate, at this moment.
    At(Timestamp),
    /// When one of the others has ended.
    AfterAnother,
}

impl ReleaseGate {
    /// `None`: the jobs of this plan enter as they come. A release rate is one of batches.
    #[must_use]
    pub fn of(plan: &Plan) -> Option<Self> {
        let rate = plan.release_rate.filter(|rate| plan.lane == Lane::Batch && *rate > VideoTime::default());
        Self::new(rate, plan.concurrency)
    }

    /// By a rate, in video time a minute, and by the most jobs at once. `None`: by neither.
    #[must_use]
    pub fn new(rate: Option<VideoTime>, at_once: Option<u32>) -> Option<Self> {
        (rate.is_some() || at_once.is_some()).then_some(Self { rate, at_once })
    }

    /// `free_at`: the moment that the tenant's last job has left; `in_queue`: how many of its jobs have entered and not ended.
    #[must_use]
    pub fn passage(self, free_at: Timestamp, in_queue: u64, now: Timestamp) -> Passage {
        if self.at_once.is_some_and(|at_once| in_queue >= u64::from(at_once)) {
            Passage::AfterAnother
        } else if self.rate.is_some() && free_at > now {
            Passage::At(free_at)
        } else {
            Passage::Open
        }
    }

    /// When a job that might enter from `free_at` on, and does `now`, counts as having entered.
    #[must_use]
    pub fn counts_from(free_at: Timestamp, now: Timestamp) -> Timestamp {
        free_at.max(now.plus_ms(-TOLERANCE_MS.cast_signed())).min(now)
    }

    /// When another job may enter after one of so much `work` that counts as having entered at this moment.
    #[must_use]
    pub fn free_after(self, entered: Timestamp, work: VideoTime) -> Timestamp {
        entered.plus_ms(self.takes_ms(work))
    }

    /// How long work takes at the rate, rounded up to the millisecond.
    fn takes_ms(self, work: VideoTime) -> i64 {
        let Some(rate) = self.rate else { return 0 };
        i64::try_from(work.ms().saturating_mul(MINUTE_MS + TOLERANCE_MS).div_ceil(rate.ms().max(1))).unwrap_or(i64::MAX)
    }

    /// When a job enters that has so much work of its tenant in front of it, if nothing but the rate keeps it.
    #[must_use]
    pub fn enters_at(self, free_at: Timestamp, ahead: VideoTime, now: Timestamp) -> Option<Timestamp> {
        self.rate.map(|_| free_at.max(now).plus_ms(self.takes_ms(ahead)))
    }

    /// The most jobs at once, where there is a limit.
    #[must_use]
    pub const fn at_once(self) -> Option<u32> {
        self.at_once
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::testing::plan;
    use proptest::prelude::*;

    fn gate(rate_ms: u64) -> ReleaseGate {
        ReleaseGate { rate: Some(VideoTime::from_ms(rate_ms)), at_once: None }
    }

    const fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn a_plan_without_limits_has_no_gate_and_interactive_jobs_no_rate() {
        let rate = Some(VideoTime::from_minutes(1));
        assert_eq!(ReleaseGate::of(&plan()), None);
        assert_eq!(ReleaseGate::of(&Plan { lane: Lane::Interactive, release_rate: rate, ..plan() }), None);
        let batch = ReleaseGate::of(&Plan { lane: Lane::Batch, release_rate: rate, ..plan() });
        assert_eq!(batch, Some(gate(60_000)));
        let few = ReleaseGate::of(&Plan { concurrency: Some(2), ..plan() }).unwrap();
        assert_eq!([0, 1, 2].map(|n| few.passage(at(99), n, at(0))), [Passage::Open, Passage::Open, Passage::AfterAnother]);
        assert_eq!(few.enters_at(at(0), VideoTime::from_ms(1), at(0)), None);
    }

    #[test]
    fn at_a_minute_a_minute_a_clip_of_two_seconds_enters_every_two_seconds() {
        let gate = gate(60_000);
        let free_at = gate.free_after(at(1000), VideoTime::from_ms(2000));
        assert_eq!(free_at, at(3007), "a third of a percent later");
        assert_eq!(gate.passage(free_at, 0, at(3006)), Passage::At(at(3007)));
        assert_eq!(gate.passage(free_at, 0, at(3007)), Passage::Open);
        // The hundredth.
        assert_eq!(gate.enters_at(free_at, VideoTime::from_ms(99 * 2000), at(1500)), Some(at(3007 + 198_660)));
    }

    #[test]
    fn who_is_late_by_a_little_keeps_nobody_else_waiting_and_who_was_away_has_saved_nothing_up() {
        let counts_from = |free_at, now| ReleaseGate::counts_from(at(free_at), at(now)).ms();
        assert_eq!([counts_from(5000, 5150), counts_from(5000, 5000), counts_from(0, 90_000)], [5000, 5000, 89_800]);
        assert_eq!(counts_from(9000, 5000), 5000, "the gate is kept open by nobody");
    }

    proptest! {
        #[test]
        fn all_of_the_rate_is_used_however_late_each_enters_by_a_little(work in 1_u64..10_000, late in prop::collection::vec(0_i64..200, 100)) {
            let (gate, mut free_at) = (gate(60_000), at(0));
            for late in &late {
                let now = free_at.plus_ms(*late);
                free_at = gate.free_after(ReleaseGate::counts_from(free_at, now), VideoTime::from_ms(work));
            }
            prop_assert_eq!(free_at.ms(), gate.takes_ms(VideoTime::from_ms(work)) * 100);
        }

        #[test]
        fn over_any_minute_no_more_enters_than_the_rate_and_one_job(
            rate_ms in 100_u64..1_000_000, works in prop::collection::vec(1_u64..100_000, 1..100), late in prop::collection::vec(0_i64..5000, 100),
        ) {
            let gate = gate(rate_ms);
            let (mut now, mut free_at, mut entered) = (at(0), at(0), Vec::new());
            for (work, late) in works.into_iter().zip(late) {
                if let Passage::At(moment) = gate.passage(free_at, 0, now) {
                    now = moment.plus_ms(late);
                }
                free_at = gate.free_after(ReleaseGate::counts_from(free_at, now), VideoTime::from_ms(work));
                entered.push((now, work));
            }
            for (first, (begin, _)) in entered.iter().enumerate() {
                let minute: Vec<u64> = entered[first..].iter().take_while(|(moment, _)| moment.ms() < begin.ms() + 60_000).map(|(_, work)| *work).collect();
                let (last, others) = minute.split_last().unwrap();
                prop_assert!(others.iter().sum::<u64>() <= rate_ms, "{minute:?}, the last {last}");
            }
        }
    }
}
