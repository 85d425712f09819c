//! The queue at one moment, from which the place of any job and the work in front of it are read.
//!
//! A line may be long, so it is known by marks: its first [`EXACT`] jobs one by one, of the rest only some.
//! Between two marks a job's place is interpolated by its virtual time: never beyond either mark, and never
//! in front of one that is next before it.

use super::{LineOf, Place, WorkAhead};
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
    /// Denoising steps of all jobs in front of it.
    pub steps_before: u64,
    /// Its own denoising steps.
    pub steps: u64,
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
    pub steps_left: u64,
}

/// What is asked about a job that has not ended.
#[derive(Debug, Clone, Copy)]
pub struct QueuedJob<'a> {
    pub line: LineOf<'a>,
    pub place: Place,
    pub state: &'a JobState,
    pub steps_left: u64,
}

/// How many jobs wait for a stage, and how many workers have in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageJobs {
    pub waiting: u64,
    pub running: u64,
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// In its line, where 1 is next; 0 of a job that does not wait.
    pub position: u64,
    pub ahead: WorkAhead,
}

#[derive(Debug, Clone, Default)]
pub struct QueueSnapshot {
    lines: Vec<(Stage, Lane, String, Line)>,
    running: Vec<RunningJob>,
    /// Those of all jobs that wait or run.
    models: BTreeSet<String>,
    /// Steps of the jobs that were seen waiting for a sampler after the snapshot was taken.
    newcomers: BTreeMap<(&'static str, String, Place), u64>,
}

/// How many jobs, and how many denoising steps they need together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Load {
    jobs: u64,
    steps: u64,
}

impl Load {
    const fn and(self, other: Self) -> Self {
        Self { jobs: self.jobs + other.jobs, steps: self.steps + other.steps }
    }
}

impl Line {
    /// `marks` in the order of their ranks: each of the first [`EXACT`] jobs, some of the others, and the last.
    #[must_use]
    pub const fn new(marks: Vec<Mark>) -> Self {
        Self { marks }
    }

    fn all(&self) -> Load {
        self.marks.last().map_or_else(Load::default, |last| Load { jobs: last.rank, steps: last.steps_before + last.steps })
    }

    /// In front of `place`, whether or not a job of this line stands there.
    fn before(&self, place: Place) -> Load {
        let at = self.marks.partition_point(|mark| mark.place < place);
        let Some(next) = self.marks.get(at) else { return self.all() };
        let in_front_of_next = Load { jobs: next.rank - 1, steps: next.steps_before };
        match at.checked_sub(1).and_then(|at| self.marks.get(at)) {
            Some(previous) if next.place != place => between(previous, next, place),
            _ => in_front_of_next,
        }
    }
}

/// In front of a place between two marks, by its virtual time.
fn between(previous: &Mark, next: &Mark, place: Place) -> Load {
    let whole = u128::from(next.place.finish.since(previous.place.finish));
    let passed = u128::from(place.finish.since(previous.place.finish));
    let hidden = next.rank - previous.rank - 1;
    let passed = (u128::from(hidden) * passed).checked_div(whole).and_then(|jobs| u64::try_from(jobs).ok()).unwrap_or(0);
    let steps = previous.steps_before + previous.steps;
    let hidden_steps = next.steps_before.saturating_sub(steps);
    // Nothing hidden: the whole of no steps.
    let passed_steps = (hidden_steps * passed).checked_div(hidden).unwrap_or(0);
    Load { jobs: previous.rank + passed, steps: steps + passed_steps }
}

impl QueueSnapshot {
    #[must_use]
    pub const fn new(lines: Vec<(Stage, Lane, String, Line)>, running: Vec<RunningJob>) -> Self {
        Self { lines, running, models: BTreeSet::new(), newcomers: BTreeMap::new() }
    }

    /// The same of jobs of these models.
    #[must_use]
    pub fn with_models(self, models: BTreeSet<String>) -> Self {
        Self { models, ..self }
    }

    /// Whether jobs of another model wait or run: then the steps in front of one are not all like its own.
    #[must_use]
    pub fn has_other_models(&self, model: &str) -> bool {
        self.models.iter().any(|other| other != model)
    }

    /// Where `job` stands. One that waits and is not in the snapshot yet stands where its place says; behind all that are, it is
    /// remembered, so that those who come after it stand behind it until it is met otherwise.
    pub fn place_of(&mut self, job: &QueuedJob<'_>) -> Standing {
        let newcomer = (job.line.lane.as_str(), job.line.model.to_owned(), job.place);
        self.newcomers.remove(&newcomer);
        match job.state {
            JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. } => {
                let last = self.line(Stage::Sampling, job.line).and_then(|line| line.marks.last());
                if last.is_none_or(|last| last.place < job.place) {
                    self.newcomers.insert(newcomer, job.steps_left);
                }
                self.place_in(job.line, job.place)
            }
            JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. } => self.before_decoding(job.line, job.place),
            JobState::Sampling(_) => Standing { position: 0, ahead: self.beside(job) },
            _ => Standing::default(),
        }
    }

    /// The jobs of a stage when the snapshot was taken.
    #[must_use]
    pub fn jobs_of(&self, stage: Stage) -> StageJobs {
        let waiting = self.lines.iter().filter(|(of, ..)| *of == stage).map(|(.., line)| line.all().jobs).sum();
        StageJobs { waiting, running: self.running(stage, None).jobs }
    }

    /// Where a job stands that waits for a sampler at `place`, or would.
    #[must_use]
    pub fn place_in(&self, line: LineOf<'_>, place: Place) -> Standing {
        let asked = Some(place.job);
        let newer = self
            .newcomers
            .iter()
            .filter(|((lane, model, newcomer), _)| *lane == line.lane.as_str() && model == line.model && *newcomer < place);
        let own = newer.fold(self.before(Stage::Sampling, line, place), |load, (_, steps)| load.and(Load { jobs: 1, steps: *steps }));
        let waiting = own.and(self.of_lane_before(Stage::Sampling, line));
        let (sampling, decoding) = (self.running(Stage::Sampling, asked), self.running(Stage::Decoding, asked));
        let decodes = waiting.jobs + sampling.jobs + self.waiting_decodes(line, place) + decoding.jobs;
        Standing { position: own.jobs + 1, ahead: WorkAhead { steps: waiting.steps + sampling.steps, decodes } }
    }

    fn line(&self, stage: Stage, line: LineOf<'_>) -> Option<&Line> {
        let is_it = |(of, lane, model, _): &&(Stage, Lane, String, Line)| *of == stage && *lane == line.lane && model == line.model;
        self.lines.iter().find(is_it).map(|(.., line)| line)
    }

    fn before(&self, stage: Stage, line: LineOf<'_>, place: Place) -> Load {
        self.line(stage, line).map_or_else(Load::default, |line| line.before(place))
    }

    /// All of the interactive jobs, in front of one of a batch.
    fn of_lane_before(&self, stage: Stage, line: LineOf<'_>) -> Load {
        let interactive = LineOf { lane: Lane::Interactive, ..line };
        if line.lane == Lane::Interactive { Load::default() } else { self.line(stage, interactive).map_or_else(Load::default, Line::all) }
    }

    /// In front of `place`: what has moved on since is not in front of itself.
    fn waiting_decodes(&self, line: LineOf<'_>, place: Place) -> u64 {
        self.before(Stage::Decoding, line, place).and(self.of_lane_before(Stage::Decoding, line)).jobs
    }

    fn before_decoding(&self, line: LineOf<'_>, place: Place) -> Standing {
        let position = self.before(Stage::Decoding, line, place).jobs + 1;
        let decodes = self.waiting_decodes(line, place) + self.running(Stage::Decoding, Some(place.job)).jobs;
        Standing { position, ahead: WorkAhead { steps: 0, decodes } }
    }

    /// A running job takes turns with those sampled beside it, for as long as either has steps left.
    fn beside(&self, job: &QueuedJob<'_>) -> WorkAhead {
        let others = self.running.iter().filter(|other| other.stage == Stage::Sampling && other.job != job.place.job);
        let steps = others.map(|other| other.steps_left.min(job.steps_left)).sum();
        let decodes = self.waiting_decodes(job.line, job.place) + self.running(Stage::Decoding, Some(job.place.job)).jobs;
        WorkAhead { steps, decodes }
    }

    /// The jobs running in `stage`, except the one that is asked about.
    fn running(&self, stage: Stage, asked: Option<JobId>) -> Load {
        let others = self.running.iter().filter(|job| job.stage == stage && asked != Some(job.job));
        others.fold(Load::default(), |load, job| load.and(Load { jobs: 1, steps: job.steps_left }))
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
    fn behind_all(queue: &QueueSnapshot) -> Standing {
        queue.place_in(LINE, place(i64::MAX, u128::MAX))
    }

    /// Every job of the line with its steps; marks as a database gives them.
    fn line(jobs: &[(Place, u64)]) -> Line {
        let mut steps_before = 0;
        let mut marks = Vec::new();
        for ((place, steps), rank) in jobs.iter().zip(1..) {
            if rank <= EXACT || rank % EXACT == 0 || rank == jobs.len() as u64 {
                marks.push(Mark { place: *place, rank, steps_before, steps: *steps });
            }
            steps_before += steps;
        }
        Line::new(marks)
    }

    fn of_sampling(jobs: &[(Place, u64)]) -> QueueSnapshot {
        snapshot(line(jobs), Line::default(), Vec::new())
    }

    const fn waiting(place: Place) -> QueuedJob<'static> {
        QueuedJob { line: LINE, place, state: &JobState::Ready, steps_left: 24 }
    }

    fn lease() -> Lease {
        Lease { worker: WorkerId::from_uuid(Uuid::from_u128(1)), expires_at: Timestamp::from_ms(0) }
    }

    #[test]
    fn the_first_of_an_empty_queue_is_next() {
        let mut queue = QueueSnapshot::default();
        assert_eq!(behind_all(&queue), Standing { position: 1, ahead: WorkAhead::default() });
        assert_eq!(queue.place_of(&waiting(place(5, 1))).position, 1);
    }

    #[test]
    fn the_jobs_of_a_stage_are_those_that_wait_for_it_and_those_that_run_in_it() {
        let jobs: Vec<_> = (1..=300_i64).map(|n| (place(n, n.cast_unsigned().into()), 10)).collect();
        let running = RunningJob { job: id(999), stage: Stage::Decoding, steps_left: 0 };
        let queue = snapshot(line(&jobs), Line::default(), vec![running]);
        assert_eq!(queue.jobs_of(Stage::Sampling), StageJobs { waiting: 300, running: 0 });
        assert_eq!(queue.jobs_of(Stage::Decoding), StageJobs { waiting: 0, running: 1 });
    }

    #[test]
    fn who_has_moved_on_since_is_not_in_front_of_itself() {
        let (asked, other) = (place(2, 2), place(1, 1));
        let waited = snapshot(Line::default(), line(&[(other, 0), (asked, 0)]), Vec::new());
        let ran =
            snapshot(Line::default(), line(&[(other, 0)]), vec![RunningJob { job: asked.job, stage: Stage::Decoding, steps_left: 0 }]);
        for mut queue in [waited, ran] {
            for state in [JobState::Ready, JobState::Sampling(lease())] {
                let ahead = queue.place_of(&QueuedJob { state: &state, ..waiting(asked) }).ahead;
                assert_eq!(ahead, WorkAhead { steps: 0, decodes: 1 }, "{state:?}");
            }
        }
    }

    #[test]
    fn newcomers_stand_behind_the_snapshot_in_their_own_order_and_are_counted_once() {
        let mut queue = of_sampling(&[(place(1, 1), 10), (place(2, 2), 10)]);
        let (older, newer) = (place(8, 8), place(9, 9));
        assert_eq!(queue.place_of(&waiting(newer)).position, 3);
        assert_eq!(queue.place_of(&waiting(older)).position, 3);
        let last = queue.place_of(&waiting(newer));
        assert_eq!((last.position, last.ahead), (4, WorkAhead { steps: 20 + 24, decodes: 3 }));
        assert_eq!(behind_all(&queue).position, 5);
    }

    #[test]
    fn a_job_that_came_back_stands_where_its_age_says() {
        let mut queue = of_sampling(&[(place(1, 1), 10), (place(5, 5), 10), (place(9, 9), 10)]);
        let back = JobState::Retrying { stage: Stage::Sampling, not_before: Timestamp::from_ms(0) };
        let standing = queue.place_of(&QueuedJob { state: &back, ..waiting(place(3, 3)) });
        assert_eq!((standing.position, standing.ahead), (2, WorkAhead { steps: 10, decodes: 1 }));
        assert_eq!(queue.place_of(&waiting(place(0, 0))).position, 1);
    }

    #[test]
    fn running_jobs_are_work_ahead_and_share_with_those_beside_them() {
        let running = |n, stage, steps_left| RunningJob { job: id(n), stage, steps_left };
        let running = vec![running(1, Stage::Sampling, 20), running(2, Stage::Sampling, 4), running(3, Stage::Decoding, 0)];
        let mut queue = snapshot(line(&[(place(7, 7), 24)]), line(&[(place(6, 6), 24)]), running);
        assert_eq!(behind_all(&queue), Standing { position: 2, ahead: WorkAhead { steps: 24 + 24, decodes: 1 + 2 + 1 + 1 } });
        let state = JobState::Sampling(lease());
        let beside = queue.place_of(&QueuedJob { line: LINE, place: place(7, 1), state: &state, steps_left: 20 });
        assert_eq!(beside, Standing { position: 0, ahead: WorkAhead { steps: 4, decodes: 2 } });
        let decoding = queue.place_of(&QueuedJob { state: &JobState::Sampled, ..waiting(place(9, 9)) });
        assert_eq!(decoding, Standing { position: 2, ahead: WorkAhead { steps: 0, decodes: 2 } });
        assert_eq!(queue.place_of(&QueuedJob { state: &JobState::Decoding(lease()), ..waiting(place(3, 3)) }), Standing::default());
    }

    proptest! {
        #[test]
        fn places_are_exact_at_the_head_near_behind_it_and_never_out_of_order(
            jobs in prop::collection::vec((0_i64..50, 1_u64..100), 1..1500),
        ) {
            let mut at = 0;
            let jobs: Vec<_> = jobs.into_iter().zip(1..).map(|((later, steps), n)| { at += later; (place(at, n), steps) }).collect();
            let mut queue = of_sampling(&jobs);
            let (mut steps_before, mut last) = (0, Standing::default());
            for ((place, steps), rank) in jobs.iter().zip(1..) {
                let here = queue.place_of(&waiting(*place));
                if rank <= EXACT {
                    prop_assert_eq!((here.position, here.ahead.steps), (rank, steps_before));
                }
                prop_assert!(here.position.abs_diff(rank) < EXACT);
                prop_assert!(here.position >= last.position && here.ahead.steps >= last.ahead.steps);
                (last, steps_before) = (here, steps_before + steps);
            }
            let behind = behind_all(&queue);
            prop_assert_eq!((behind.position, behind.ahead.steps), (jobs.len() as u64 + 1, steps_before));
        }
    }
}
