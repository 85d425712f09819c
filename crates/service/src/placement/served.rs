//! Since when models are not served whose jobs wait, as far as the server that plans has seen it.

use domain::{JobId, Stage, Timestamp};
use std::collections::BTreeMap;
use store::queue::{OpenJob, OpenPhase, QueueState};

/// Whether workers sample, and whether they decode.
pub(super) type Stages = (bool, bool);

/// What is known of the past. Nothing is, before the first look.
#[derive(Default)]
pub(super) struct Served {
    /// When this server took over: whether a model was served before is not known.
    pub(super) since: Option<Timestamp>,
    looked_at: Option<Timestamp>,
    /// When each model was last warm on a worker of each group.
    warm: BTreeMap<(Stages, String), Timestamp>,
    /// The same, of workers whose devices are large enough for those of its jobs that need more memory.
    warm_on_large: BTreeMap<(Stages, String), Timestamp>,
    /// Since when jobs wait for a stage.
    waiting: BTreeMap<(JobId, &'static str), Timestamp>,
}

impl Served {
    /// Notes which jobs wait.
    pub(super) fn look(&mut self, state: &QueueState) {
        self.since.get_or_insert(state.now);
        let looked_at = self.looked_at.replace(state.now);
        let mut waiting = BTreeMap::new();
        for job in &state.jobs {
            let OpenPhase::Waiting(stage) = job.phase else { continue };
            let key = (job.id, stage.as_str());
            // One that is older than the last look and did not wait then was made, released or tried since.
            let came_at = if looked_at.is_some_and(|at| job.created_at < at) { state.now } else { job.created_at.min(state.now) };
            waiting.insert(key, self.waiting.get(&key).copied().unwrap_or(came_at));
        }
        self.waiting = waiting;
    }

    /// The clock was put back by so much.
    pub(super) fn put_back(&mut self, ms: i64) {
        let earlier = |at: &mut Timestamp| *at = at.plus_ms(-ms);
        self.since.iter_mut().chain(&mut self.looked_at).for_each(earlier);
        self.warm.values_mut().chain(self.warm_on_large.values_mut()).for_each(earlier);
        self.waiting.values_mut().for_each(earlier);
    }

    pub(super) fn note_warm(&mut self, stages: Stages, model: &str, now: Timestamp) {
        self.warm.insert((stages, model.to_owned()), now);
    }

    pub(super) fn note_warm_on_large(&mut self, stages: Stages, model: &str, now: Timestamp) {
        self.warm_on_large.insert((stages, model.to_owned()), now);
    }

    /// Since when a job waits for a stage.
    pub(super) fn waits_since(&self, job: &OpenJob, stage: Stage) -> Timestamp {
        self.waiting.get(&(job.id, stage.as_str())).copied().unwrap_or(job.created_at)
    }

    /// Since when jobs wait for their model to be loaded, of which the oldest waits since `oldest`: while it is served nobody does, however long
    /// its line is.
    pub(super) fn unserved_since(&self, stages: Stages, model: &str, oldest: Timestamp) -> Timestamp {
        self.later(&self.warm, stages, model, oldest)
    }

    /// The same, to be loaded on a device that is large enough.
    pub(super) fn unserved_on_large_since(&self, stages: Stages, model: &str, oldest: Timestamp) -> Timestamp {
        self.later(&self.warm_on_large, stages, model, oldest)
    }

    fn later(&self, warm: &BTreeMap<(Stages, String), Timestamp>, stages: Stages, model: &str, oldest: Timestamp) -> Timestamp {
        let warm_at = warm.get(&(stages, model.to_owned())).copied();
        [Some(oldest), warm_at, self.since].into_iter().flatten().max().unwrap_or(oldest)
    }
}
