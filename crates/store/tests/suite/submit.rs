//! Taking jobs in: once for each key, never beyond the limit.

use crate::{World, account, new_job};
use domain::{VideoTime, scheduling::OPEN_WORK_MAX};
use futures::future::join_all;
use std::collections::HashSet;
use store::{Idempotency, SubmitError, on_both_engines};

fn key(fingerprint: &str) -> Option<Idempotency> {
    Some(Idempotency { key: "once".into(), fingerprint: fingerprint.into() })
}

on_both_engines! {
    async fn a_job_is_stored_as_it_was_asked_for(database: TempDatabase) {
        let world = World::new(database).await;
        let asked = world.new_job();
        let (id, spec) = (asked.id, asked.spec.clone());
        world.store.tenant(world.tenant).jobs().submit(asked, None).await.unwrap();
        let job = world.job(id).await;
        assert_eq!((job.spec, job.lifecycle.state.name(), job.revision, job.step), (spec, "ready", 1, 0));
        assert_eq!((job.started_at, job.ended_at, job.preview_step), (None, None, None));
    }

    async fn fifty_parallel_submissions_under_one_key_make_one_job(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let answers = join_all((0..50).map(|_| jobs.submit(world.new_job(), key("same")))).await;
        let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
        assert_eq!(answers.iter().map(|answer| answer.job.id).collect::<HashSet<_>>().len(), 1);
        assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1);
        assert_eq!(jobs.open_work().await.unwrap(), VideoTime::from_ms(2000));
    }

    async fn a_key_is_refused_for_another_request_and_belongs_to_its_tenant(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        jobs.submit(world.new_job(), key("one")).await.unwrap();
        assert!(matches!(jobs.submit(world.new_job(), key("two")).await, Err(SubmitError::KeyReused)));
        let (other, user) = account(&world.store, "eve@example.com").await;
        assert!(!world.store.tenant(other).jobs().submit(new_job(user), key("two")).await.unwrap().replayed);
    }

    async fn parallel_submissions_cannot_pass_the_limit_together(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let big = || { let mut job = world.new_job(); job.billed = VideoTime::from_ms(OPEN_WORK_MAX.ms() / 8); job };
        let answers = join_all((0..40).map(|_| jobs.submit(big(), None))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 8);
        assert!(answers.iter().all(|answer| matches!(answer, Ok(_) | Err(SubmitError::NotAdmitted(_)))));
        assert_eq!(jobs.open_work().await.unwrap(), OPEN_WORK_MAX);
    }

    async fn work_that_has_ended_is_no_longer_open(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let (cancelled, deleted) = (world.submit().await.id, world.submit().await.id);
        let finished = world.submit().await;
        jobs.cancel(cancelled).await.unwrap();
        jobs.delete(deleted).await.unwrap();
        assert_eq!(jobs.open_work().await.unwrap(), finished.billed);
    }
}
