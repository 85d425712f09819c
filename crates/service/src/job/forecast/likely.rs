//! Jobs that are likely to come next: those that came after moments like this one.

use domain::JobId;
use simulation::{Arrival, Foretold, Job};
use uuid::Uuid;

/// Jobs of a tenant that come within so many milliseconds of each other come together; more of them than these are as good as many.
pub(super) const TOGETHER_MS: f64 = 1000.0;
const MANY: usize = 8;
/// Of moments like this one, the newest are looked at.
const MOMENTS_MAX: usize = 40;
const MOMENTS_MIN: usize = 4;
/// So few jobs that have all come within so many milliseconds say nothing of a longer time.
const FEW: usize = 100;
const BEGINNING_MS: f64 = 60_000.0;
/// The part of the futures in which a job ends before its late end.
const LATE: f64 = 0.9;
/// Above those of all jobs that are there: of two that stand at the same place the one that is there is next.
const FIRST_ID: u128 = u128::MAX - (1 << 64);

/// Jobs that came lately, in the order of their times.
pub(super) struct Arrivals(Vec<Arrival>);

impl Arrivals {
    pub(super) fn new(mut arrivals: Vec<Arrival>) -> Self {
        arrivals.sort_by(|one, other| one.at_ms.total_cmp(&other.at_ms));
        Self(arrivals)
    }

    /// So many futures of a moment, for so long: what came behind others at which a job of the same tenant came, with as many of its jobs just
    /// before it; of `None`, and of a tenant of which too little is known, behind any. Where nothing is known for so long, as long as there is;
    /// none where that is a beginning alone.
    pub(super) fn futures(&self, (at_ms, for_ms): (f64, f64), tenant: Option<(usize, usize)>, count: usize) -> Vec<Vec<Arrival>> {
        if for_ms > BEGINNING_MS && self.have_just_begun(at_ms) {
            return Vec::new();
        }
        let before_ms = at_ms - for_ms.max(2.0 * TOGETHER_MS);
        let alike: Vec<usize> = match tenant {
            Some((tenant, before)) => self.moments_of(tenant, before.min(MANY), before_ms),
            None => Vec::new(),
        };
        // Behind the first of them the most is known.
        let any = || {
            let known = self.0.iter().take_while(|arrival| arrival.at_ms < before_ms).count();
            (0..known.max(MOMENTS_MIN.min(self.0.len()))).collect()
        };
        let moments: Vec<usize> = if alike.len() < MOMENTS_MIN { any() } else { alike };
        let chosen = (0..count.min(moments.len())).map(|n| moments[n * moments.len() / count.min(moments.len())]);
        chosen.map(|moment| self.behind(moment, at_ms)).collect()
    }

    /// A few came, all of them just now: they may be all, or the first of many, and how many of them are known goes by the moment of the look alone.
    fn have_just_begun(&self, at_ms: f64) -> bool {
        self.0.len() < FEW && self.0.first().is_none_or(|first| at_ms - first.at_ms < BEGINNING_MS)
    }

    /// How many jobs of a tenant came just before.
    pub(super) fn just_before(&self, tenant: usize, at_ms: f64) -> usize {
        let lately = self.0.iter().rev().skip_while(|other| other.at_ms >= at_ms).take_while(|other| at_ms - other.at_ms <= TOGETHER_MS);
        lately.filter(|other| other.job.tenant == tenant).count()
    }

    /// Where a job of a tenant came with so many of its jobs before it, and early enough to know what came then.
    fn moments_of(&self, tenant: usize, before: usize, before_ms: f64) -> Vec<usize> {
        let mut moments = Vec::new();
        let (mut first, mut together) = (0, 0);
        for (at, arrival) in self.0.iter().enumerate() {
            while arrival.at_ms - self.0[first].at_ms > TOGETHER_MS {
                together -= usize::from(self.0[first].job.tenant == tenant);
                first += 1;
            }
            if arrival.job.tenant == tenant {
                if together.min(MANY) == before && arrival.at_ms < before_ms {
                    moments.push(at);
                }
                together += 1;
            }
        }
        moments.drain(..moments.len().saturating_sub(MOMENTS_MAX));
        moments
    }

    /// What came behind that moment, as if it came now.
    fn behind(&self, moment: usize, at_ms: f64) -> Vec<Arrival> {
        let later_ms = at_ms - self.0[moment].at_ms;
        let came = self.0[moment + 1..].iter().zip(FIRST_ID..);
        came.map(|(came, id)| Arrival { at_ms: came.at_ms + later_ms, job: Job { id: JobId::from_uuid(Uuid::from_u128(id)), ..came.job } })
            .collect()
    }
}

/// What is foretold of a job in the middle of likely futures, and in a late one where it was followed into several.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFutures {
    pub(super) middle: Foretold,
    pub(super) late: Option<Foretold>,
}

impl InFutures {
    pub(super) const fn one(middle: Foretold) -> Self {
        Self { middle, late: None }
    }

    /// `one`: where it ends in too few of them.
    pub(super) fn of(futures: &[Foretold], one: Foretold) -> Self {
        middle_and_late(futures).map_or(Self::one(one), |(middle, late)| Self { middle, late: Some(late) })
    }
}

/// In the middle of what is foretold in several futures, each moment by itself, and later than in nine of ten. `None`: in half of them it does not end;
/// in more than a tenth of them it does not, where the late end is missing.
fn middle_and_late(of: &[Foretold]) -> Option<(Foretold, Foretold)> {
    let at = |part: f64| {
        move |moment: fn(&Foretold) -> Option<f64>| {
            let mut all: Vec<f64> = of.iter().filter_map(moment).collect();
            all.sort_by(f64::total_cmp);
            // Where it does not come to pass, it is later than all of them.
            all.get((part * of.len() as f64) as usize).copied()
        }
    };
    let foretold = |part: f64| {
        let at = at(part);
        Foretold {
            released_ms: at(|foretold| foretold.released_ms),
            sampling_ms: at(|foretold| foretold.sampling_ms),
            decoding_ms: at(|foretold| foretold.decoding_ms),
            ended_ms: at(|foretold| foretold.ended_ms),
        }
    };
    let middle = foretold(0.5);
    middle.ended_ms?;
    Some((middle, foretold(LATE)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{VideoTime, billing::Lane};
    use simulation::StageMs;

    fn came(at_ms: f64, tenant: usize) -> Arrival {
        let (work, id) = (VideoTime::from_ms(2000), JobId::from_uuid(Uuid::from_u128(at_ms as u128)));
        let (device_ms, overhead_ms) = (StageMs { sampling: 100.0, decoding: 50.0 }, StageMs::default());
        let (lane, stands, has_entered) = (Lane::Batch, None, false);
        let job = Job { id, tenant, lane, stands, has_entered, model: 0, steps: 4, work, billed: work, device_ms, overhead_ms };
        Arrival { at_ms, job }
    }

    /// Every ten seconds three jobs of tenant 1 come together, and five seconds later one of tenant 2.
    fn arrivals() -> Arrivals {
        let each = |round: u32| {
            let at_ms = f64::from(round) * 10_000.0;
            [(0.0, 1), (10.0, 1), (20.0, 1), (5000.0, 2)].map(|(later, tenant)| came(at_ms + later, tenant))
        };
        Arrivals::new((0..6).flat_map(each).collect())
    }

    #[test]
    fn behind_the_first_of_some_that_come_together_come_the_others() {
        let arrivals = arrivals();
        assert_eq!([1, 2].map(|tenant| arrivals.just_before(tenant, 55_500.0)), [0, 1]);
        for (before, next) in [(0, [(10.0, 1), (20.0, 1)]), (1, [(10.0, 1), (4990.0, 2)]), (2, [(4980.0, 2), (9980.0, 1)])] {
            let futures = arrivals.futures((70_000.0, 0.0), Some((1, before)), 4);
            assert_eq!(futures.len(), 4);
            for future in &futures[..3] {
                let first: Vec<_> = future[..2].iter().map(|came| (came.at_ms - 70_000.0, came.job.tenant)).collect();
                assert_eq!(first, next);
            }
        }
    }

    #[test]
    fn of_whom_nothing_is_known_any_moment_is_as_good() {
        let arrivals = arrivals();
        assert_eq!(arrivals.futures((70_000.0, 0.0), Some((3, 0)), 8).len(), 8);
        assert!(Arrivals::new(Vec::new()).futures((1.0, 0.0), None, 8).is_empty());
        assert_eq!(Arrivals::new(vec![came(1.0, 1)]).futures((2.0, 0.0), None, 8), [vec![]]);
    }

    #[test]
    fn a_few_that_came_just_now_are_no_future_of_what_takes_longer() {
        let of_burst = Arrivals::new((0..30).map(|n| came(f64::from(n) * 10.0, 1)).collect());
        let futures = |at_ms, for_ms| [None, Some((1, 8))].map(|tenant| of_burst.futures((at_ms, for_ms), tenant, 8).len());
        assert_eq!([futures(300.0, 100_000.0), futures(59_000.0, 100_000.0)], [[0; 2]; 2]);
        assert_eq!([futures(300.0, 30_000.0), futures(61_000.0, 100_000.0)], [[MOMENTS_MIN; 2]; 2]);
    }

    #[test]
    fn a_future_lasts_as_long_as_a_job_where_so_much_is_known() {
        let arrivals = arrivals();
        let last = |for_ms: f64, tenant| {
            let futures = arrivals.futures((70_000.0, for_ms), tenant, 8);
            futures.iter().map(|future| future.last().unwrap().at_ms - 70_000.0).collect::<Vec<_>>()
        };
        assert!(last(30_000.0, None).iter().all(|ms| *ms >= 15_000.0));
        assert!(last(30_000.0, Some((1, 0))).iter().all(|ms| *ms >= 15_000.0));
        assert_eq!(last(1e9, None).len(), MOMENTS_MIN, "behind the first the most is known");
    }

    #[test]
    fn the_middle_is_taken_where_most_end() {
        let ends = |ms: Option<f64>| Foretold { ended_ms: ms, ..Foretold::default() };
        let of_three = [ends(Some(5.0)), ends(Some(1.0)), ends(Some(3.0))];
        assert_eq!(middle_and_late(&of_three), Some((ends(Some(3.0)), ends(Some(5.0)))));
        let of_twenty: Vec<_> = (0..20).map(|n| ends(Some(f64::from(n)))).collect();
        assert_eq!(middle_and_late(&of_twenty), Some((ends(Some(10.0)), ends(Some(18.0)))));
        assert_eq!(middle_and_late(&[ends(Some(5.0)), ends(None)]), None);
        let late = |missing: usize| {
            let of_twenty: Vec<_> = (0..20).map(|n| ends((n < 20 - missing).then_some(n as f64))).collect();
            middle_and_late(&of_twenty).map(|(middle, late)| (middle.ended_ms, late.ended_ms))
        };
        assert_eq!(
            [late(1), late(2), late(9)],
            [Some(18.0), None, None].map(|late| Some((Some(10.0), late))),
            "where it does not end it is late"
        );
        assert_eq!(late(10), None);
        assert_eq!(middle_and_late(&[]), None);
    }
}
