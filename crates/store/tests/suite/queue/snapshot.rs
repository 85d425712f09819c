//! The queue as a snapshot shows it: places and work ahead, beside what the rows say.

use crate::World;
use domain::{
    JobId, Stage,
    billing::Lane,
    scheduling::{EXACT, LineOf, Place, QueueSnapshot, QueuedJob, Standing, VirtualTime, WorkAhead},
};
use store::{Job, on_both_engines};
use uuid::Uuid;

fn standing(queue: &mut QueueSnapshot, job: &Job) -> Standing {
    let (line, place) = job.place();
    queue.place_of(&QueuedJob { line, place, state: &job.lifecycle.state, steps_left: (job.spec.steps - job.step).into() })
}

/// Where one would stand that is next to nobody in this line.
fn behind_all(queue: &QueueSnapshot) -> Standing {
    let line = LineOf { lane: Lane::Interactive, model: crate::MODELS[0] };
    queue.place_in(line, Place { finish: VirtualTime::new(i64::MAX), job: JobId::from_uuid(Uuid::max()) })
}

fn is(position: u64, steps: u64, decodes: u64) -> Standing {
    Standing { position, ahead: WorkAhead { steps, decodes } }
}

on_both_engines! {
    async fn the_work_ahead_is_that_of_older_waiting_jobs_and_of_running_ones(database: TempDatabase) {
        let world = World::new(database).await;
        let mut jobs = Vec::new();
        for _ in 0..4 {
            jobs.push(world.submit().await);
        }
        let running = world.claim(Stage::Sampling).await.unwrap();
        world.queue().progress(vec![crate::report(running.token, 20)]).await.unwrap();
        let mut queue = world.queue().snapshot().await.unwrap();
        assert_eq!(standing(&mut queue, &jobs[1]), is(1, 4, 1));
        assert_eq!(standing(&mut queue, &jobs[3]), is(3, 4 + 48, 3));
        assert_eq!(behind_all(&queue), is(4, 4 + 72, 4));
        assert_eq!(standing(&mut queue, &running.job), is(0, 0, 0));
        let beside = world.claim(Stage::Sampling).await.unwrap();
        let mut queue = world.queue().snapshot().await.unwrap();
        let running = store::Claimed { job: world.job(running.token.job).await, ..running };
        assert_eq!(standing(&mut queue, &running.job), is(0, 4, 0));
        assert_eq!(standing(&mut queue, &beside.job), is(0, 4, 0));
        world.hand_over(&running.token).await;
        let sampled = world.job(running.token.job).await;
        assert_eq!(standing(&mut world.queue().snapshot().await.unwrap(), &sampled), is(1, 0, 0));
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
            let here = standing(&mut queue, job);
            assert!(here.position >= last, "{} behind {last}", here.position);
            if rank <= EXACT || rank > 512 {
                assert_eq!(here, is(rank, 24 * (rank - 1), rank - 1));
            }
            assert!(here.position.abs_diff(rank) < EXACT);
            last = here.position;
        }
        assert_eq!(behind_all(&queue), is(601, 600 * 24, 600));
        let newcomer = world.submit().await;
        assert_eq!(standing(&mut queue, &newcomer), is(601, 600 * 24, 600));
        assert_eq!(behind_all(&queue), is(602, 601 * 24, 601));
    }
}
