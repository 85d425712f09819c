//! How much is left of a stage that runs.
//!
//! A step is told when it is over, and of a decode nothing before it draws. No row says when a decode began: two looks at the queue do, between which
//! it did.

use domain::{JobId, Stage, Timestamp, WorkerId};
use std::collections::{BTreeMap, BTreeSet};
use store::queue::{OpenJob, OpenPhase, QueueState};

/// Of two looks that are further apart, nothing is known between them.
const NEXT_LOOK_MS: u64 = 4000;
/// Of a decode that has drawn nothing and should have been through by now.
const LEAST_LEFT: f64 = 0.1;

/// Since when decodes run, as far as this process has seen them begin.
#[derive(Default)]
pub(crate) struct Decodes {
    looked_at: Option<Timestamp>,
    /// Of those that run. `None`: it is not known.
    since: BTreeMap<JobId, Option<Timestamp>>,
}

impl Decodes {
    /// Looks which decodes run, and says since when: since the middle between the looks between which each has begun. Those of which it is not known
    /// are left out.
    pub(crate) fn look(&mut self, state: &QueueState) -> BTreeMap<JobId, Timestamp> {
        let before = self.looked_at.filter(|before| *before <= state.now && state.now.ms_since(*before) <= NEXT_LOOK_MS);
        let begun = before.map(|before| before.plus_ms((state.now.ms_since(before) / 2).cast_signed()));
        let runs = |open: &&OpenJob| matches!(open.phase, OpenPhase::Running { stage: Stage::Decoding, .. });
        let since = |id: &JobId| self.since.get(id).copied().unwrap_or(begun);
        let running: BTreeMap<_, _> = state.jobs.iter().filter(runs).map(|open| (open.id, since(&open.id))).collect();
        (self.looked_at, self.since) = (Some(state.now), running);
        self.since.iter().filter_map(|(id, since)| Some((*id, (*since)?))).collect()
    }
}

/// How many calls share the device of each worker: each decode is one, and what is sampled of each model.
pub(super) fn calls(state: &QueueState) -> BTreeMap<WorkerId, usize> {
    let mut calls: BTreeMap<WorkerId, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for open in &state.jobs {
        let OpenPhase::Running { stage, worker, .. } = open.phase else { continue };
        let (decodes, sampled) = calls.entry(worker).or_default();
        match stage {
            Stage::Sampling => drop(sampled.insert(&open.model)),
            Stage::Decoding => *decodes += 1,
        }
    }
    calls.into_iter().map(|(worker, (decodes, sampled))| (worker, decodes + sampled.len())).collect()
}

/// The part of a stage that is left, in the middle of what is possible. `passed`: what its time on the device is of all that it takes, of a decode of
/// which it is known when it began.
pub(super) fn part_left(stage: Stage, done_permille: u32, steps: u32, passed: Option<f64>) -> f64 {
    let left = 1.0 - f64::from(done_permille) / 1000.0;
    let left = match (stage, done_permille, passed) {
        (Stage::Sampling, ..) => left - 0.5 / f64::from(steps.max(1)),
        (Stage::Decoding, 0, Some(passed)) => (left - passed).max(LEAST_LEFT),
        (Stage::Decoding, 0, None) => 0.5,
        (Stage::Decoding, ..) => left,
    };
    left.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::{super::Simulated, *};
    use crate::costs::Costs;
    use domain::{
        Shape, Size, TenantId, VideoTime,
        billing::Lane,
        scheduling::{Tag, VirtualTime},
    };
    use store::{LiveWorker, WorkerSlots, queue::Limits};
    use uuid::Uuid;

    const fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(1_800_000_000_000 + ms)
    }

    fn id(n: u128) -> JobId {
        JobId::from_uuid(Uuid::from_u128(n))
    }

    fn running(n: u128, stage: Stage) -> OpenJob {
        let shape = Shape { size: Size { width: 64, height: 64 }, duration: VideoTime::from_ms(2000) };
        let tag = Tag { start: VirtualTime::new(0), finish: VirtualTime::new(1) };
        let (id, model, work, tenant) = (id(n), "m".to_owned(), VideoTime::from_ms(2000), TenantId::from_uuid(Uuid::nil()));
        let phase = OpenPhase::Running { stage, worker: WorkerId::from_uuid(Uuid::nil()), done_permille: 0 };
        let (lane, created_at) = (Lane::Interactive, at(-9000));
        OpenJob { id, tenant, lane, model, shape, steps: 10, work, billed: work, tag, created_at, phase }
    }

    /// One worker has these jobs.
    fn state(now_ms: i64, jobs: Vec<OpenJob>) -> QueueState {
        let worker = LiveWorker {
            id: WorkerId::from_uuid(Uuid::nil()),
            device: "cpu".into(),
            slots: WorkerSlots::default(),
            memory_bytes: None,
            models: None,
            held: None,
            desired: None,
            started_at: at(-9000),
            is_draining: false,
        };
        let limits = Limits { tenant: TenantId::from_uuid(Uuid::nil()), weight: 1, gate: None, free_at: at(0) };
        QueueState {
            now: at(now_ms),
            jobs,
            held: Vec::new(),
            recent: Vec::new(),
            workers: vec![worker],
            tenants: vec![limits],
            pauses: std::sync::Arc::default(),
        }
    }

    #[test]
    fn a_decode_has_begun_between_the_looks_between_which_it_came_where_these_are_close() {
        let mut decodes = Decodes::default();
        let mut look = |ms, jobs: &[u128]| decodes.look(&state(ms, jobs.iter().map(|n| running(*n, Stage::Decoding)).collect()));
        assert_eq!(look(0, &[1]), BTreeMap::new(), "nothing was seen before");
        let second = BTreeMap::from([(id(2), at(500))]);
        assert_eq!(look(1000, &[1, 2]), second);
        assert_eq!(look(9000, &[2, 3]), second, "nobody has looked for long");
        assert_eq!(look(9000, &[]), BTreeMap::new());
        assert_eq!(look(9500, &[2]), BTreeMap::from([(id(2), at(9250))]), "it is decoded anew");
    }

    #[test]
    fn who_waited_for_the_simulation_is_told_no_longer_time_for_that() {
        let costs = Costs::measured("m", 1000, 500);
        let simulated = Simulated::of(state(0, vec![running(1, Stage::Decoding)]), &[], &BTreeMap::new(), &costs).unwrap();
        let told = |asked_ms| simulated.told("m", &simulated.foretold[&id(1)], at(asked_ms)).unwrap().ends_ms.round() as i64;
        assert!((245..280).contains(&told(0)), "{}", told(0));
        assert_eq!([told(-1900), told(100)], [told(0), told(0) - 100]);
    }

    #[test]
    fn a_decode_that_has_drawn_nothing_comes_on_with_its_share_of_the_device() {
        let costs = Costs::measured("m", 1000, 500);
        let left_ms = |begun: Option<i64>, beside: Vec<OpenJob>| {
            let begun: BTreeMap<_, _> = begun.map(|ms| (id(1), at(ms))).into_iter().collect();
            let state = state(0, [vec![running(1, Stage::Decoding)], beside].concat());
            let simulated = Simulated::of(state, &[], &begun, &costs).unwrap();
            (simulated.foretold[&id(1)].middle.ended_ms.unwrap() - at(0).ms() as f64).round() as i64
        };
        assert!((495..530).contains(&left_ms(Some(0), Vec::new())), "it has just begun");
        assert!((295..330).contains(&left_ms(Some(-200), Vec::new())));
        assert!((45..80).contains(&left_ms(Some(-900), Vec::new())), "it is late");
        assert!((245..280).contains(&left_ms(None, Vec::new())), "it has begun at some time");
        // Half of the device in those two hundred milliseconds, and in those to come.
        assert!((790..840).contains(&left_ms(Some(-200), vec![running(2, Stage::Sampling)])));
    }
}
