//! Fair shares of a line, between tenants: weighted fair queueing (Demers, Keshav and Shenker 1989; Parekh and Gallager 1993).
//!
//! A tenant's jobs are laid end to end in virtual time, in which a job is as long as its work divided by the weight of the
//! tenant's plan. What ends first in virtual time is next. So tenants that have jobs waiting get work in proportion to their weights,
//! whatever their number of jobs, keys or users, and however large or small the jobs: none is behind its share by more than one
//! of its own jobs. Tags are given when a job is taken in, so that a claim walks along an index in their order.

use crate::VideoTime;

/// A moment or a length of virtual time: thousandths of a millisecond of work, of a tenant of weight 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct VirtualTime(i64);

impl VirtualTime {
    /// From here on lies what is laid aside because its tenant is paused, as far apart as before. No line comes here: that would take it some
    /// thirty thousand years.
    pub const ASIDE: Self = Self(1 << 60);

    #[must_use]
    pub const fn new(value: i64) -> Self {
        Self(value)
    }

    #[must_use]
    pub const fn value(self) -> i64 {
        self.0
    }

    /// How long `work` is for a tenant of this weight; something, however little the work is.
    fn of(work: VideoTime, weight: u32) -> Self {
        let thousandths = work.ms().saturating_mul(1000) / u64::from(weight.max(1));
        Self(i64::try_from(thousandths).unwrap_or(i64::MAX).max(1))
    }

    /// Where what is laid aside was before.
    fn in_line(self) -> Self {
        if self < Self::ASIDE { self } else { Self(self.0 - Self::ASIDE.0) }
    }

    /// Where it is when it is laid aside, if it is not yet.
    fn aside(self) -> Self {
        Self::ASIDE.plus(self.in_line())
    }

    pub(super) const fn plus(self, length: Self) -> Self {
        Self(self.0.saturating_add(length.0))
    }

    /// Never negative.
    pub(super) const fn since(self, earlier: Self) -> u64 {
        let length = self.0.saturating_sub(earlier.0);
        if length > 0 { length.unsigned_abs() } else { 0 }
    }
}

/// From where to where a job lies in the virtual time of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tag {
    pub start: VirtualTime,
    pub finish: VirtualTime,
}

impl Tag {
    /// How long the job is in virtual time.
    #[must_use]
    pub const fn length(self) -> VirtualTime {
        VirtualTime(self.finish.0.saturating_sub(self.start.0))
    }

    /// One as long, from there.
    #[must_use]
    pub const fn moved_to(self, start: VirtualTime) -> Self {
        Self { start, finish: start.plus(self.length()) }
    }

    /// In front of `head`, the first of its line. It starts no earlier than that one, so that the line is as far as it was.
    #[must_use]
    pub fn in_front_of(self, head: Self) -> Self {
        let finish = VirtualTime(head.finish.0.saturating_sub(1));
        let start = VirtualTime(finish.0.saturating_sub(self.length().0)).max(head.start).min(finish);
        Self { start, finish }
    }

    /// Where a job stands that comes back while its tenant is paused: aside, where it would be had it been laid there with the others, and not behind
    /// where a new job of its tenant would stand.
    #[must_use]
    pub fn back_aside(self, last_of_tenant: Option<VirtualTime>) -> Self {
        let start = self.start.aside();
        self.moved_to(last_of_tenant.map_or(start, |last| start.min(last.aside())))
    }

    /// As long, and this much later.
    #[must_use]
    pub const fn later_by(self, time: VirtualTime) -> Self {
        Self { start: self.start.plus(time), finish: self.finish.plus(time) }
    }
}

/// How far a line has come, as a newcomer meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineProgress {
    /// Of the first job that may be taken, of either stage: the one that starts earlier, and the one that finishes earlier.
    pub next: Option<Tag>,
    /// The latest finish among the jobs that workers have.
    pub taken: Option<VirtualTime>,
}

impl LineProgress {
    /// Of two stages of a line.
    #[must_use]
    pub fn of(heads: impl IntoIterator<Item = Tag>, taken: Option<VirtualTime>) -> Self {
        let next = heads.into_iter().reduce(|one, other| Tag { start: one.start.min(other.start), finish: one.finish.min(other.finish) });
        Self { next, taken }
    }

    /// The virtual time of the line: what was taken last ends there, unless that was taken out of its turn, or put back since.
    #[must_use]
    pub fn now(self) -> VirtualTime {
        match (self.next, self.taken) {
            (Some(next), Some(taken)) => taken.max(next.start).min(next.finish),
            (Some(next), None) => next.start,
            (None, Some(taken)) => taken,
            (None, None) => VirtualTime::default(),
        }
    }

    /// The tag of a job of so much `work`, behind the last one that its tenant has open in this line.
    #[must_use]
    pub fn tag(self, last_of_tenant: Option<VirtualTime>, work: VideoTime, weight: u32) -> Tag {
        let start = last_of_tenant.map_or_else(|| self.now(), |last| last.max(self.now()));
        Tag { start, finish: start.plus(VirtualTime::of(work, weight)) }
    }

    /// Where a job stands that had `tag` when it was taken out of the line, and comes back: there, but no earlier than the line is by now, and not
    /// behind where a new job of its tenant would stand. One that was laid aside stays there as long as others of its tenant are.
    #[must_use]
    pub fn back(self, tag: Tag, last_of_tenant: Option<VirtualTime>) -> Tag {
        let now = self.now();
        let latest = last_of_tenant.map_or(now, |last| last.max(now));
        let start = if latest < VirtualTime::ASIDE { tag.start.in_line() } else { tag.start };
        tag.moved_to(start.clamp(now, latest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// A line of one worker with some places, as rows are in a database.
    struct Line {
        waiting: BTreeMap<(VirtualTime, u64), (usize, u64, Tag)>,
        running: Vec<(VirtualTime, usize)>,
        /// Of each tenant: its jobs that wait, those that wait or run, and where the last of them ends.
        waits: Vec<usize>,
        open: Vec<usize>,
        last: Vec<VirtualTime>,
        places: usize,
        number: u64,
        weights: Vec<u32>,
        /// Work taken so far, in milliseconds.
        taken: Vec<u64>,
    }

    impl Line {
        fn new(weights: &[u32], places: usize) -> Self {
            let n = weights.len();
            let (waits, open, last) = (vec![0; n], vec![0; n], vec![VirtualTime::default(); n]);
            let (waiting, running, taken) = (BTreeMap::new(), Vec::new(), vec![0; n]);
            Self { waiting, running, waits, open, last, places, number: 0, weights: weights.to_vec(), taken }
        }

        fn submit(&mut self, tenant: usize, work_ms: u64) {
            let next = self.waiting.values().next().map(|(.., tag)| *tag);
            let taken = self.running.iter().map(|(finish, _)| *finish).max();
            let last = Some(self.last[tenant]).filter(|_| self.open[tenant] > 0);
            let tag = LineProgress::of(next, taken).tag(last, VideoTime::from_ms(work_ms), self.weights[tenant]);
            self.number += 1;
            self.last[tenant] = tag.finish;
            self.waits[tenant] += 1;
            self.open[tenant] += 1;
            self.waiting.insert((tag.finish, self.number), (tenant, work_ms, tag));
        }

        /// The next job begins; where all places are taken, the one that runs for longest has ended.
        fn take(&mut self) -> Option<(usize, u64)> {
            let (_, (tenant, work_ms, tag)) = self.waiting.pop_first()?;
            if self.running.len() == self.places {
                let (_, ended) = self.running.remove(0);
                self.open[ended] -= 1;
            }
            self.waits[tenant] -= 1;
            self.running.push((tag.finish, tenant));
            self.taken[tenant] += work_ms;
            Some((tenant, work_ms))
        }

        fn take_some(&mut self, n: usize) {
            for _ in 0..n {
                self.take();
            }
        }

        fn waits(&self, tenant: usize) -> bool {
            self.waits[tenant] > 0
        }

        fn weight(&self) -> f64 {
            self.weights.iter().map(|weight| f64::from(*weight)).sum()
        }
    }

    fn jain(shares: impl Iterator<Item = f64> + Clone) -> f64 {
        let (n, sum, squares) =
            (shares.clone().count() as f64, shares.clone().sum::<f64>(), shares.map(|share| share * share).sum::<f64>());
        sum * sum / (n * squares)
    }

    #[test]
    fn a_single_job_beside_four_hundred_of_another_tenant_is_among_the_next() {
        let mut line = Line::new(&[1, 1], 4);
        (0..400).for_each(|_| line.submit(0, 2000));
        line.take_some(7);
        line.submit(1, 2000);
        let turn = (1..).find(|_| line.take().unwrap().0 == 1);
        assert!(turn.unwrap() <= 2, "{turn:?}");
    }

    #[test]
    fn who_was_away_has_saved_nothing_up_and_owes_nothing() {
        let mut line = Line::new(&[1, 1], 1);
        (0..100).for_each(|_| line.submit(0, 1000));
        line.take_some(50);
        (0..100).for_each(|_| line.submit(1, 1000));
        let next: Vec<_> = (0..20).map(|_| line.take().unwrap().0).collect();
        assert_eq!(next.iter().filter(|tenant| **tenant == 1).count(), 10, "{next:?}");
    }

    #[test]
    fn a_job_that_is_moved_to_the_front_leaves_the_line_as_far_as_it_was() {
        let tag = |start, finish| Tag { start: VirtualTime(start), finish: VirtualTime(finish) };
        let head = tag(6000, 7000);
        for job in [tag(90_000, 90_500), tag(90_000, 99_000), tag(6000, 7000)] {
            let first = job.in_front_of(head);
            assert!(first.finish < head.finish && first.start <= first.finish && first.start >= head.start, "{first:?}");
            let newcomer = |next| LineProgress { next: Some(next), taken: None }.tag(None, VideoTime::from_ms(1), 1).start;
            assert!(newcomer(first) >= newcomer(head), "nobody passes those that wait");
        }
        assert_eq!(tag(90_000, 90_500).in_front_of(head), tag(6499, 6999));
        assert_eq!(tag(1, 3).later_by(VirtualTime(10)), tag(11, 13));
    }

    #[test]
    fn a_job_that_was_taken_out_of_its_turn_keeps_no_newcomer_waiting() {
        let tag = |start, finish| Tag { start: VirtualTime(start), finish: VirtualTime(finish) };
        let far = LineProgress { next: Some(tag(6000, 7000)), taken: Some(VirtualTime(1_000_000)) };
        assert_eq!(far.tag(None, VideoTime::from_ms(1), 1).start, VirtualTime(7000));
        let put_back = LineProgress { next: Some(tag(300_000, 301_000)), taken: Some(VirtualTime(5000)) };
        assert_eq!(put_back.tag(None, VideoTime::from_ms(1), 1).start, VirtualTime(300_000));
        let own = far.tag(Some(VirtualTime(1_000_000)), VideoTime::from_ms(1), 1).start;
        assert_eq!(own, VirtualTime(1_000_000), "whose job it was has had it");
    }

    #[test]
    fn a_job_that_comes_back_stands_where_it_stood_unless_the_line_is_elsewhere() {
        let tag = |start, finish| Tag { start: VirtualTime(start), finish: VirtualTime(finish) };
        let line = LineProgress { next: Some(tag(6000, 7000)), taken: None };
        let back = |job, last: Option<i64>| line.back(job, last.map(VirtualTime));
        assert_eq!(back(tag(7000, 7500), Some(9000)), tag(7000, 7500));
        assert_eq!(back(tag(1000, 1500), Some(9000)), tag(6000, 6500), "the line has gone on");
        assert_eq!(back(tag(1000, 1500), Some(2000)), tag(6000, 6500));
        assert_eq!(back(tag(90_000, 91_000), None), tag(6000, 7000), "it has begun anew");
        assert_eq!(back(tag(90_000, 91_000), Some(9000)), tag(9000, 10_000));
    }

    #[test]
    fn a_job_that_was_laid_aside_comes_back_as_if_it_had_not_been() {
        let aside = |time: i64| VirtualTime(VirtualTime::ASIDE.0 + time);
        let line = LineProgress { next: Some(Tag { start: VirtualTime(6000), finish: VirtualTime(7000) }), taken: None };
        let job = Tag { start: aside(8000), finish: aside(8500) };
        assert_eq!(line.back(job, Some(VirtualTime(9000))).start, VirtualTime(8000));
        assert_eq!(line.back(job, Some(VirtualTime(7500))).start, VirtualTime(7500));
        assert_eq!(line.back(job, None).start, VirtualTime(6000));
        assert_eq!(line.back(job, Some(aside(9000))), job, "the others are aside still");
        assert_eq!(line.back(Tag { start: VirtualTime(8000), finish: VirtualTime(8500) }, Some(aside(9000))).start, VirtualTime(8000));
    }

    #[test]
    fn a_job_that_comes_back_while_its_tenant_is_paused_is_aside_where_the_others_are() {
        let aside = |time: i64| VirtualTime(VirtualTime::ASIDE.0 + time);
        let job = Tag { start: VirtualTime(8000), finish: VirtualTime(8500) };
        let there = Tag { start: aside(8000), finish: aside(8500) };
        for job in [job, there] {
            for last in [None, Some(aside(9000)), Some(VirtualTime(9000))] {
                assert_eq!(job.back_aside(last), there, "{last:?}");
            }
            assert_eq!([aside(7500), VirtualTime(7500)].map(|last| job.back_aside(Some(last)).start), [aside(7500); 2]);
        }
    }

    #[test]
    fn the_work_of_a_heavier_plan_is_shorter_and_never_nothing() {
        let line = LineProgress::default();
        let length = |ms, weight| line.tag(None, VideoTime::from_ms(ms), weight).finish.value();
        assert_eq!([length(2000, 1), length(2000, 10), length(0, 1)], [2_000_000, 200_000, 1]);
        assert!(length(u64::MAX, 1) > 0);
    }

    /// Jobs of mixed sizes: (tenant, milliseconds).
    fn jobs(tenants: usize) -> impl Strategy<Value = Vec<(usize, u64)>> {
        prop::collection::vec((0..tenants, prop_oneof![1_u64..200, 1000_u64..5000, 20_000_u64..60_000]), 50..400)
    }

    proptest! {
        /// From a common start nobody who has jobs waiting is ever behind its share by more than its own next job.
        #[test]
        fn nobody_is_behind_by_more_than_one_job(weights in prop::collection::vec(1_u32..20, 2..6), jobs in jobs(2), places in 1_usize..5) {
            let mut line = Line::new(&weights, places);
            let tenants = weights.len();
            let mut largest = vec![0; tenants];
            for (n, (small, work_ms)) in jobs.iter().enumerate() {
                // The first few tenants have what was drawn, the others one size.
                let tenant = n % tenants;
                let work_ms = if tenant < 2 { *work_ms + *small as u64 } else { 2000 };
                largest[tenant] = largest[tenant].max(work_ms);
                line.submit(tenant, work_ms);
            }
            while (0..tenants).all(|tenant| line.waits(tenant)) {
                line.take();
                let all: u64 = line.taken.iter().sum();
                for tenant in 0..tenants {
                    let share = all as f64 * f64::from(weights[tenant]) / line.weight();
                    let lag = share - line.taken[tenant] as f64;
                    prop_assert!(lag <= largest[tenant] as f64 + 1.0, "{tenant}: {lag} of {}", largest[tenant]);
                }
            }
        }

        /// Whoever comes when: of what is taken while both have jobs waiting, two tenants get as much for their weights, but for a
        /// job of each.
        #[test]
        fn two_that_wait_get_as_much_for_their_weights(
            weights in prop::collection::vec(1_u32..20, 2..5), jobs in jobs(4), takes in prop::collection::vec(0_usize..3, 400), places in 1_usize..5,
        ) {
            let mut line = Line::new(&weights, places);
            let tenants = weights.len();
            // Since when both wait: what each had then.
            let mut since: BTreeMap<(usize, usize), (u64, u64)> = BTreeMap::new();
            for ((tenant, work_ms), takes) in jobs.into_iter().zip(takes) {
                line.submit(tenant % tenants, work_ms);
                for _ in 0..=takes.min(1) {
                    for (one, other) in (0..tenants).flat_map(|one| (0..one).map(move |other| (one, other))) {
                        if line.waits(one) && line.waits(other) {
                            let (had_one, had_other) = *since.entry((one, other)).or_insert((line.taken[one], line.taken[other]));
                            let per_weight = |tenant: usize, had: u64| (line.taken[tenant] - had) as f64 / f64::from(weights[tenant]);
                            let most = 2.0 * 60_000.0 * (1.0 / f64::from(weights[one]) + 1.0 / f64::from(weights[other]));
                            let apart = (per_weight(one, had_one) - per_weight(other, had_other)).abs();
                            prop_assert!(apart <= most, "{apart} apart, at most {most}");
                        } else {
                            since.remove(&(one, other));
                        }
                    }
                    if takes > 0 {
                        line.take();
                    }
                }
            }
        }

        /// Tiny jobs, or many, bring nothing.
        #[test]
        fn shares_of_mixed_sizes_are_equal(sizes in prop::collection::vec(50_u64..5000, 3..8)) {
            let mut line = Line::new(&vec![1; sizes.len()], 4);
            for (tenant, work_ms) in sizes.iter().enumerate() {
                (0..200_000 / work_ms).for_each(|_| line.submit(tenant, *work_ms));
            }
            let half: u64 = 100_000 * sizes.len() as u64;
            while line.taken.iter().sum::<u64>() < half {
                line.take();
            }
            let index = jain(line.taken.iter().map(|ms| *ms as f64));
            prop_assert!(index >= 0.998, "{index}");
        }
    }
}
