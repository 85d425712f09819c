//! The queue as a snapshot shows it: places, beside what the rows say; and its state, of which forecasts are made.

use crate::{MODELS, World, worker};
use domain::{
    JobId, Stage,
    billing::Lane,
    scheduling::{EXACT, LineOf, Place, QueueSnapshot, QueuedJob, VirtualTime},
};
use store::{Job, Registration, WorkerRole, on_both_engines, queue::OpenPhase};
use uuid::Uuid;

fn position(queue: &mut QueueSnapshot, job: &Job) -> u64 {
    let (line, place) = job.place();
    queue.position(&QueuedJob { line, place, state: &job.lifecycle.state })
}

/// Where one would stand that is next to nobody in this line.
fn behind_all(queue: &QueueSnapshot) -> u64 {
    let line = LineOf { lane: Lane::Interactive, model: MODELS[0] };
    queue.position_in(line, Place { finish: VirtualTime::new(i64::MAX), job: JobId::from_uuid(Uuid::max()) })
}

on_both_engines! {
    async fn places_are_those_of_older_waiting_jobs(database: TempDatabase) {
        let world = World::new(database).await;
        let mut jobs = Vec::new();
        for _ in 0..4 {
            jobs.push(world.submit().await);
        }
        let running = world.claim(Stage::Sampling).await.unwrap();
        let mut queue = world.queue().snapshot().await.unwrap();
        assert_eq!([1, 3].map(|n| position(&mut queue, &jobs[n])), [1, 3]);
        assert_eq!((behind_all(&queue), position(&mut queue, &running.job)), (4, 0));
        world.hand_over(&running.token).await;
        let sampled = world.job(running.token.job).await;
        assert_eq!(position(&mut world.queue().snapshot().await.unwrap(), &sampled), 1);
    }

    async fn the_head_and_the_end_of_a_long_line_are_exact_and_its_middle_near(database: TempDatabase) {
        let world = World::new(database).await;
        let mut jobs = Vec::new();
        for _ in 0..600 {
            jobs.push(world.submit().await);
        }
        let mut queue = world.queue().snapshot().await.unwrap();
        let mut last = 0;
        for (job, rank) in jobs.iter().zip(1..) {
            let here = position(&mut queue, job);
            assert!(here >= last, "{here} behind {last}");
            if rank <= EXACT || rank > 512 {
                assert_eq!(here, rank);
            }
            assert!(here.abs_diff(rank) < EXACT);
            last = here;
        }
        assert_eq!(behind_all(&queue), 601);
        let newcomer = world.submit().await;
        assert_eq!(position(&mut queue, &newcomer), 601);
        assert_eq!(behind_all(&queue), 602);
    }

    async fn the_state_is_what_waits_what_runs_and_who_works(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.store.workers().register(me, Registration::new(WorkerRole::Sampler, "cuda:0", MODELS)).await.unwrap();
        for _ in 0..3 {
            world.submit().await;
        }
        let running = world.claim(Stage::Sampling).await.unwrap();
        world.queue().progress(vec![crate::report(running.token, 6)]).await.unwrap();
        let sampled = world.claim(Stage::Sampling).await.unwrap();
        world.hand_over(&sampled.token).await;
        let state = world.queue().state().await.unwrap();
        let phase = |id| state.jobs.iter().find(|job| job.id == id).unwrap().phase;
        assert!(matches!(phase(running.token.job), OpenPhase::Running { stage: Stage::Sampling, done_permille: 250, .. }));
        assert_eq!(phase(sampled.token.job), OpenPhase::Waiting(Stage::Decoding));
        assert_eq!(state.jobs.iter().filter(|job| job.phase == OpenPhase::Waiting(Stage::Sampling)).count(), 1);
        let [only] = &state.workers[..] else { panic!("{:?}", state.workers) };
        assert_eq!((only.id, &*only.device, only.slots.sampling.all(), only.slots.decoding.all()), (me, "cuda:0", 4, 0));
        assert_eq!(state.tenants.len(), 1);
    }
}
