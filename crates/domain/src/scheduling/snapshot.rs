//! The queue at one moment, from which the place of any job and the work in front of it are read.
//!
//! A line may be long, so it is known by marks: its first [`EXACT`] jobs one by one, of the rest only some.
//! Between two marks a job's place is interpolated by its age: never beyond either mark, and never
//! in front of an older job.

use super::{Place, WorkAhead};
use crate::{JobId, JobState, Stage};
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

/// The jobs that wait for one stage.
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
    /// 1 is next; 0 of a job that does not wait.
    pub position: u64,
    pub ahead: WorkAhead,
}

#[derive(Debug, Clone, Default)]
pub struct QueueSnapshot {
    sampling: Line,
    decoding: Line,
    running: Vec<RunningJob>,
    /// Those of all jobs that wait or run.
    models: BTreeSet<String>,
    /// Steps of the jobs that were seen waiting for a sampler after the snapshot was taken.
    newcomers: BTreeMap<Place, u64>,
}

/// How many jobs, and how many denoising steps they need together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Load {
    jobs: u64,
    steps: u64,
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

    /// How many there are, but for one at `asked`: what has moved on since stood in another line then.
    fn jobs_without(&self, asked: Option<Place>) -> u64 {
        let is_among = asked.is_some_and(|asked| self.marks.binary_search_by_key(&asked, |mark| mark.place).is_ok());
        self.all().jobs - u64::from(is_among)
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

/// In front of a place between two marks, by its age.
fn between(previous: &Mark, next: &Mark, place: Place) -> Load {
    let whole_ms = next.place.created_at.ms_since(previous.place.created_at);
    let passed_ms = place.created_at.ms_since(previous.place.created_at);
    let hidden = next.rank - previous.rank - 1;
    let passed = (hidden * passed_ms).checked_div(whole_ms).unwrap_or(0);
    let steps = previous.steps_before + previous.steps;
    let hidden_steps = next.steps_before.saturating_sub(steps);
    // Nothing hidden: the whole of no steps.
    let passed_steps = (hidden_steps * passed).checked_div(hidden).unwrap_or(0);
    Load { jobs: previous.rank + passed, steps: steps + passed_steps }
}

impl QueueSnapshot {
    #[must_use]
    pub const fn new(sampling: Line, decoding: Line, running: Vec<RunningJob>) -> Self {
        Self { sampling, decoding, running, models: BTreeSet::new(), newcomers: BTreeMap::new() }
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

    /// Where `job` stands. One that waits and is not in the snapshot yet stands behind all that are, and is
    /// remembered, so that those who come after it stand behind it until it is met otherwise.
    pub fn place_of(&mut self, job: &QueuedJob<'_>) -> Standing {
        self.newcomers.remove(&job.place);
        match job.state {
            JobState::Ready | JobState::Retrying { stage: Stage::Sampling, .. } => {
                if self.sampling.marks.last().is_none_or(|last| last.place < job.place) {
                    self.newcomers.insert(job.place, job.steps_left);
                }
                self.before_sampling(Some(job.place))
            }
            JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. } => self.before_decoding(job.place),
            JobState::Sampling(_) => Standing { position: 0, ahead: self.beside(job) },
            _ => Standing::default(),
        }
    }

    /// The jobs of a stage when the snapshot was taken.
    #[must_use]
    pub fn jobs_of(&self, stage: Stage) -> StageJobs {
        let line = match stage {
            Stage::Sampling => &self.sampling,
            Stage::Decoding => &self.decoding,
        };
        StageJobs { waiting: line.all().jobs, running: self.running(stage, None).jobs }
    }

    /// Where a job submitted now would stand.
    #[must_use]
    pub fn behind_all(&self) -> Standing {
        self.before_sampling(None)
    }

    fn before_sampling(&self, place: Option<Place>) -> Standing {
        let waiting = place.map_or_else(|| self.sampling.all(), |place| self.sampling.before(place));
        let newer = self.newcomers.iter().filter(|(newcomer, _)| place.is_none_or(|place| **newcomer < place));
        let waiting = newer.fold(waiting, |load, (_, steps)| Load { jobs: load.jobs + 1, steps: load.steps + steps });
        let (sampling, decoding) = (self.running(Stage::Sampling, place), self.running(Stage::Decoding, place));
        let decodes = waiting.jobs + sampling.jobs + self.decoding.jobs_without(place) + decoding.jobs;
        Standing { position: waiting.jobs + 1, ahead: WorkAhead { steps: waiting.steps + sampling.steps, decodes } }
    }

    fn before_decoding(&self, place: Place) -> Standing {
        let waiting = self.decoding.before(place);
        let decodes = waiting.jobs + self.running(Stage::Decoding, Some(place)).jobs;
        Standing { position: waiting.jobs + 1, ahead: WorkAhead { steps: 0, decodes } }
    }

    /// A running job takes turns with those sampled beside it, for as long as either has steps left.
    fn beside(&self, job: &QueuedJob<'_>) -> WorkAhead {
        let others = self.running.iter().filter(|other| other.stage == Stage::Sampling && other.job != job.place.job);
        let steps = others.map(|other| other.steps_left.min(job.steps_left)).sum();
        let asked = Some(job.place);
        WorkAhead { steps, decodes: self.decoding.jobs_without(asked) + self.running(Stage::Decoding, asked).jobs }
    }

    /// The jobs running in `stage`, except the one that is asked about.
    fn running(&self, stage: Stage, asked: Option<Place>) -> Load {
        let others = self.running.iter().filter(|job| job.stage == stage && asked.is_none_or(|asked| asked.job != job.job));
        others.fold(Load::default(), |load, job| Load { jobs: load.jobs + 1, steps: load.steps + job.steps_left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lease, Timestamp, WorkerId};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn id(n: u128) -> JobId {
        JobId::from_uuid(Uuid::from_u128(n))
    }

    fn place(ms: i64, n: u128) -> Place {
        Place { created_at: Timestamp::from_ms(ms), job: id(n) }
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
        QueueSnapshot::new(line(jobs), Line::default(), Vec::new())
    }

    const fn waiting(place: Place) -> QueuedJob<'static> {
        QueuedJob { place, state: &JobState::Ready, steps_left: 24 }
    }

    fn lease() -> Lease {
        Lease { worker: WorkerId::from_uuid(Uuid::from_u128(1)), expires_at: Timestamp::from_ms(0) }
    }

    #[test]
    fn the_first_of_an_empty_queue_is_next() {
        let mut queue = QueueSnapshot::default();
        assert_eq!(queue.behind_all(), Standing { position: 1, ahead: WorkAhead::default() });
        assert_eq!(queue.place_of(&waiting(place(5, 1))).position, 1);
    }

    #[test]
    fn the_jobs_of_a_stage_are_those_that_wait_for_it_and_those_that_run_in_it() {
        let jobs: Vec<_> = (1..=300_i64).map(|n| (place(n, n.cast_unsigned().into()), 10)).collect();
        let running = RunningJob { job: id(999), stage: Stage::Decoding, steps_left: 0 };
        let queue = QueueSnapshot::new(line(&jobs), Line::default(), vec![running]);
        assert_eq!(queue.jobs_of(Stage::Sampling), StageJobs { waiting: 300, running: 0 });
        assert_eq!(queue.jobs_of(Stage::Decoding), StageJobs { waiting: 0, running: 1 });
    }

    #[test]
    fn who_has_moved_on_since_is_not_in_front_of_itself() {
        let (asked, other) = (place(2, 2), place(1, 1));
        let waited = QueueSnapshot::new(Line::default(), line(&[(other, 0), (asked, 0)]), Vec::new());
        let ran = QueueSnapshot::new(
            Line::default(),
            line(&[(other, 0)]),
            vec![RunningJob { job: asked.job, stage: Stage::Decoding, steps_left: 0 }],
        );
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
        assert_eq!(queue.behind_all().position, 5);
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
        let mut queue = QueueSnapshot::new(line(&[(place(7, 7), 24)]), line(&[(place(6, 6), 24)]), running);
        assert_eq!(queue.behind_all(), Standing { position: 2, ahead: WorkAhead { steps: 24 + 24, decodes: 1 + 2 + 1 + 1 } });
        let state = JobState::Sampling(lease());
        let beside = queue.place_of(&QueuedJob { place: place(1, 1), state: &state, steps_left: 20 });
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
            let behind = queue.behind_all();
            prop_assert_eq!((behind.position, behind.ahead.steps), (jobs.len() as u64 + 1, steps_before));
        }
    }
}
