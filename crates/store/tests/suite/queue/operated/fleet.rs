//! The workers one by one, as the operator sees them, and drains them.

use crate::{LEASE_MS, MODELS, World, report, worker};
use domain::{Act, Stage, WorkerId, billing::Lane, scheduling::Suspects};
use store::{
    ALIVE_MS, ActOfOperator, Asked, Beat, Drained, FleetJob, FleetWorker, ProgressReport, Registration, SpareTime, WorkerCondition,
    WorkerRole, on_both_engines,
};

const GIB: u64 = 1 << 30;

impl World {
    async fn fleet(&self) -> Vec<FleetWorker> {
        self.store.operator().fleet().await.unwrap()
    }

    async fn register(&self, role: WorkerRole, memory_bytes: Option<u64>) -> WorkerId {
        let me = worker();
        let registration = Registration { memory_bytes, ..Registration::new(role, "h100", MODELS) };
        self.store.workers().register(me, registration).await.unwrap();
        me
    }
}

on_both_engines! {
    async fn a_worker_is_told_with_its_slots_its_memory_and_its_jobs(database: TempDatabase) {
        let world = World::new(database).await;
        assert_eq!(world.fleet().await, []);
        let me = world.register(WorkerRole::All, Some(80 * GIB)).await;
        world.dial.advance_ms(1);
        let decoder = world.register(WorkerRole::Decoder, None).await;
        let ids = [world.submit().await.id, world.submit().await.id];
        let mut claimed = Vec::new();
        for _ in 0..2 {
            claimed.push(world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap().token);
        }
        world.queue().progress(vec![report(claimed[0], 3)]).await.unwrap();
        world.hand_over(&claimed[1]).await;
        let decoding = world.queue().claim(Stage::Decoding, decoder, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap().token;
        world.queue().progress(vec![ProgressReport { decoded_permille: 425, ..report(decoding, 24) }]).await.unwrap();

        let fleet = world.fleet().await;
        assert_eq!(fleet.iter().map(|worker| worker.seen.id).collect::<Vec<_>>(), [decoder, me], "who was seen last comes first");
        let (other, mine) = (&fleet[0], &fleet[1]);
        let slots = |worker: &FleetWorker| [worker.slots.sampling.all(), worker.slots.sampling.reserved(), worker.slots.decoding.all()];
        assert_eq!((slots(mine), mine.memory_bytes, mine.draining_since), ([4, 3, 1], Some(80 * GIB), None));
        assert_eq!((slots(other)[0], other.memory_bytes, (mine.seen.sampling, other.seen.decoding)), (0, None, (1, 1)));
        let models: Vec<_> = MODELS.iter().map(|model| (*model).to_owned()).collect();
        assert_eq!(mine.models, Some(models));
        let [job] = &mine.jobs[..] else { panic!("{:?}", mine.jobs) };
        let steps = world.job(ids[0]).await.spec.steps;
        let expected = FleetJob {
            job: claimed[0].job,
            stage: Stage::Sampling,
            lane: Lane::Interactive,
            model: MODELS[0].to_owned(),
            step: 3,
            steps,
            decoded_permille: 0,
        };
        assert_eq!(*job, expected);
        let [job] = &other.jobs[..] else { panic!("{:?}", other.jobs) };
        assert_eq!((job.job, job.stage, job.decoded_permille), (decoding.job, Stage::Decoding, 425));
    }

    async fn a_worker_is_drained_once_and_it_stands_in_the_log_of_who_asked(database: TempDatabase) {
        let world = World::new(database).await;
        let operator = world.store.operator();
        let asked = || ActOfOperator { by: Some(Asked { user: world.user, address: "198.51.100.7" }), reason: "" };
        assert_eq!(operator.drain(worker(), asked()).await.unwrap(), Drained::Gone);
        let me = world.register(WorkerRole::All, None).await;
        assert_eq!(world.store.workers().fleet(ALIVE_MS).await.unwrap().samplers, 1);
        assert_eq!(operator.drain(me, asked()).await.unwrap(), Drained::Now);
        assert_eq!(operator.drain(me, asked()).await.unwrap(), Drained::Before);
        assert!(world.fleet().await[0].draining_since.is_some());
        assert_eq!(world.store.workers().fleet(ALIVE_MS).await.unwrap().samplers, 0);
        let beat = world.store.workers().beat(me, WorkerCondition::Working, SpareTime::default()).await.unwrap();
        assert_eq!(beat, Beat::Drain);
        let log = world.store.accounts().audit_log(world.user, 10).await.unwrap();
        let acts: Vec<_> = log.iter().map(|entry| (entry.act, entry.subject.as_str(), entry.address.as_str())).collect();
        assert_eq!(acts, [(Act::WorkerDrained, &*format!("{me} (h100)"), "198.51.100.7")]);
    }

    async fn a_device_that_fails_is_told_until_its_worker_is_silent(database: TempDatabase) {
        let world = World::new(database).await;
        let me = world.register(WorkerRole::All, None).await;
        let fails = async || world.store.workers().any_failing(ALIVE_MS).await.unwrap();
        assert!(!fails().await);
        world.store.workers().beat(me, WorkerCondition::Stalled, SpareTime::default()).await.unwrap();
        assert!(fails().await);
        world.dial.advance_ms(-3_600_000);
        assert!(!fails().await, "it was seen before the clock was put back");
        world.dial.advance_ms(3_600_000 + ALIVE_MS + 1);
        assert!(!fails().await);
    }

    async fn a_worker_that_takes_no_more_is_live_and_told_so(database: TempDatabase) {
        let world = World::new(database).await;
        let (me, _) = (world.register(WorkerRole::All, None).await, world.register(WorkerRole::Sampler, None).await);
        world.store.operator().drain(me, ActOfOperator { by: None, reason: "" }).await.unwrap();
        let live = world.store.workers().live(ALIVE_MS).await.unwrap();
        let mut draining: Vec<_> = live.iter().map(|worker| (worker.id == me, worker.is_draining)).collect();
        draining.sort_unstable();
        assert_eq!(draining, [(false, false), (true, true)]);
        world.dial.advance_ms(ALIVE_MS + 1);
        assert_eq!(world.store.workers().live(ALIVE_MS).await.unwrap(), []);
    }
}
