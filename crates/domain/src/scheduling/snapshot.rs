//! The queue at one moment, from which the place of any job is read.
//!
//! A line may be long, so it is known by marks: its first [`EXACT`] jobs one by one, of the rest only some.
//! Between two marks a job's place is interpolated by its virtual time: never beyond either mark, and never
//! in front of one that is next before it.

use super::{LineOf, Place};
use crate::{JobId, JobState, Stage, billing::Lane};
use std::collections::{BTreeMap, BTreeSet};

/// How many jobs at the head of a line have a mark each.
pub const EXACT: u64 = 256;

/// One waiting job of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub place: Place,
    /// 1 is next.
    pub rank: u64,
}

/// The jobs of one lane and model that wait for one stage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    marks: Vec<Mark>,
}

/// A job that a worker has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunningJob {
    pub job: JobId,
    pub stage: Stage,
}

/// What is asked about a job that has not ended.
#[derive(Debug, Clone, Copy)]
pub struct QueuedJob<'a> {
    pub line: LineOf<'a>,
    pub place: Place,
    pub state: &'a JobState,
}

/// How many jobs wait for a stage, and how many workers have in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageJobs {
    pub waiting: u64,
    pub running: u64,
}

#[derive(Debug, Clone, Default)]
pub struct QueueSnapshot {
    lines: Vec<(Stage, Lane, String, Line)>,
    running: Vec<RunningJob>,
    /// The jobs that were seen waiting for a sampler after the snapshot was taken, by their lines.
    newcomers: BTreeMap<(&'static str, String), BTreeSet<Place>>,
}

impl Line {
    /// `marks` in the order of their ranks: each of the first [`EXACT`] jobs, some of the others, and the last.
    #[must_use]
    pub const fn new(marks: Vec<Mark>) -> Self {
        Self { marks }
    }

    fn jobs(&self) -> u64 {
        self.marks.last().map_or(0, |last| last.rank)
    }

    /// How many are in front of `place`, whether or not a job of this line stands there.
    fn before(&self, place: Place) -> u64 {
        let at = self.marks.partition_point(|mark| mark.place < place);
        let Some(next) = self.marks.get(at) else { return self.jobs() };
        match at.checked_sub(1).and_then(|at| self.marks.get(at)) {
            Some(previous) if next.place != place => between(previous, next, place),
            _ => next.rank - 1,
        }
    }
}

/// In front of a place between two marks, by its virtual time.
fn between(previous: &Mark, next: &Mark, place: Place) -> u64 {
    let whole = u128::from(next.place.finish.since(previous.place.finish));
    let passed = u128::from(place.finish.since(previous.place.finish));
    let hidden = next.rank - previous.rank - 1;
    let passed = (u128::from(hidden) * passed).checked_div(whole).and_then(|jobs| u64::try_from(jobs).ok()).unwrap_or(0);
    previous.rank + passed
}

impl QueueSnapshot {
    #[must_use]
    pub const fn new(lines: Vec<(Stage, Lane, String, Line)>, running: Vec<RunningJob>) -> Self {
        Self { lines, running, newcomers: BTreeMap::new() }
    }

    /// Where `job` stands in its line, where 1 is next; 0 of one that does not wait. One that waits and is not in the snapshot yet stands where
    /// its place says; behind all that are, it is remembered, so that those who come after it stand behind it until it is met otherwise.
    pub fn position(&mut self, job: &QueuedJob<'_>) -> u64 {
        let line = (job.line.lane.as_str(), job.line.model.to_owned());
        if let Some(newcomers) = self.newcomers.get_mut(&line) {
            newcomers.remove(&job.place);
        }
        match job.state {
            JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. } => {
                let last = self.line(Stage::Sampling, job.line).and_then(|line| line.marks.last());
                let is_newcomer = last.is_none_or(|last| last.place < job.place);
                let position = self.position_in(job.line, job.place);
                if is_newcomer {
                    self.newcomers.entry(line).or_default().insert(job.place);
                }
                position
            }
            JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. } => {
                self.line(Stage::Decoding, job.line).map_or(0, |line| line.before(job.place)) + 1
            }
            _ => 0,
        }
    }

    /// The jobs of a stage when the snapshot was taken.
    #[must_use]
    pub fn jobs_of(&self, stage: Stage) -> StageJobs {
        let waiting = self.lines.iter().filter(|(of, ..)| *of == stage).map(|(.., line)| line.jobs()).sum();
        StageJobs { waiting, running: self.running.iter().filter(|job| job.stage == stage).count() as u64 }
    }

    /// Where a job stands that waits for a sampler at `place`, or would.
    #[must_use]
    pub fn position_in(&self, line: LineOf<'_>, place: Place) -> u64 {
        let newcomers = self.newcomers.get(&(line.lane.as_str(), line.model.to_owned()));
        let newcomers = newcomers.map_or(0, |newcomers| newcomers.range(..place).count() as u64);
        self.line(Stage::Sampling, line).map_or(0, |line| line.before(place)) + newcomers + 1
    }

    fn line(&self, stage: Stage, line: LineOf<'_>) -> Option<&Line> {
        let is_it = |(of, lane, model, _): &&(Stage, Lane, String, Line)| *of == stage && *lane == line.lane && model == line.model;
        self.lines.iter().find(is_it).map(|(.., line)| line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lease, Timestamp, WorkerId, scheduling::VirtualTime};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn id(n: u128) -> JobId {
        JobId::from_uuid(Uuid::from_u128(n))
    }

    fn place(finish: i64, n: u128) -> Place {
        Place { finish: VirtualTime::new(finish), job: id(n) }
    }

    const LINE: LineOf<'static> = LineOf { lane: Lane::Interactive, model: "m" };

    fn snapshot(sampling: Line, decoding: Line, running: Vec<RunningJob>) -> QueueSnapshot {
        let line = |stage, line| (stage, Lane::Interactive, "m".to_owned(), line);
        QueueSnapshot::new(vec![line(Stage::Sampling, sampling), line(Stage::Decoding, decoding)], running)
    }

    /// Where one would stand that finishes behind all.
    fn behind_all(queue: &QueueSnapshot) -> u64 {
        queue.position_in(LINE, place(i64::MAX, u128::MAX))
    }

    /// Every job of the line; marks as a database gives them.
    fn line(places: &[Place]) -> Line {
        let is_marked = |rank: u64| rank <= EXACT || rank.is_multiple_of(EXACT) || rank == places.len() as u64;
        Line::new(places.iter().zip(1..).filter(|(_, rank)| is_marked(*rank)).map(|(place, rank)| Mark { place: *place, rank }).collect())
    }

    fn of_sampling(places: &[Place]) -> QueueSnapshot {
        snapshot(line(places), Line::default(), Vec::new())
    }

    const fn waiting(place: Place) -> QueuedJob<'static> {
        QueuedJob { line: LINE, place, state: &JobState::Ready }
    }

    #[test]
    fn the_first_of_an_empty_queue_is_next() {
        let mut queue = QueueSnapshot::default();
        assert_eq!(behind_all(&queue), 1);
        assert_eq!(queue.position(&waiting(place(5, 1))), 1);
    }

    #[test]
    fn the_jobs_of_a_stage_are_those_that_wait_for_it_and_those_that_run_in_it() {
        let places: Vec<_> = (1..=300_i64).map(|n| place(n, n.cast_unsigned().into())).collect();
        let running = RunningJob { job: id(999), stage: Stage::Decoding };
        let queue = snapshot(line(&places), Line::default(), vec![running]);
        assert_eq!(queue.jobs_of(Stage::Sampling), StageJobs { waiting: 300, running: 0 });
        assert_eq!(queue.jobs_of(Stage::Decoding), StageJobs { waiting: 0, running: 1 });
    }

    #[test]
    fn newcomers_stand_behind_the_snapshot_in_their_own_order_and_are_counted_once() {
        let mut queue = of_sampling(&[place(1, 1), place(2, 2)]);
        let (older, newer) = (place(8, 8), place(9, 9));
        assert_eq!(queue.position(&waiting(newer)), 3);
        assert_eq!(queue.position(&waiting(older)), 3);
        assert_eq!(queue.position(&waiting(newer)), 4);
        assert_eq!(behind_all(&queue), 5);
    }

    #[test]
    fn a_job_that_came_back_stands_where_its_age_says_and_one_that_runs_nowhere() {
        let mut queue = of_sampling(&[place(1, 1), place(5, 5), place(9, 9)]);
        let back = JobState::Retrying { stage: Stage::Sampling, not_before: Timestamp::from_ms(0) };
        assert_eq!(queue.position(&QueuedJob { state: &back, ..waiting(place(3, 3)) }), 2);
        assert_eq!(queue.position(&waiting(place(0, 0))), 1);
        let lease = Lease { worker: WorkerId::from_uuid(Uuid::from_u128(1)), expires_at: Timestamp::from_ms(0) };
        assert_eq!(queue.position(&QueuedJob { state: &JobState::Sampling(lease), ..waiting(place(5, 5)) }), 0);
        assert_eq!(queue.position(&QueuedJob { state: &JobState::Sampled, ..waiting(place(5, 5)) }), 1);
    }

    proptest! {
        #[test]
        fn places_are_exact_at_the_head_near_behind_it_and_never_out_of_order(later in prop::collection::vec(0_i64..50, 1..1500)) {
            let mut at = 0;
            let places: Vec<_> = later.into_iter().zip(1..).map(|(later, n)| { at += later; place(at, n) }).collect();
            let mut queue = of_sampling(&places);
            let mut last = 0;
            for (place, rank) in places.iter().zip(1..) {
                let here = queue.position(&waiting(*place));
                if rank <= EXACT {
                    prop_assert_eq!(here, rank);
                }
                prop_assert!(here.abs_diff(rank) < EXACT && here >= last);
                last = here;
            }
            prop_assert_eq!(behind_all(&queue), places.len() as u64 + 1);
        }
    }
}
