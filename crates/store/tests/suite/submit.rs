//! Taking jobs in: once for each key, never beyond the limit.

use crate::{World, account, new_job};
use domain::{VideoTime, retention::IDEMPOTENCY_KEY_KEPT_MS};
use futures::future::join_all;
use std::collections::HashSet;
use store::{Idempotency, SubmitError, on_both_engines};

/// Of the plan without a limit.
const OPEN_WORK_MAX: VideoTime = VideoTime::from_minutes(600);

fn key(fingerprint: &str) -> Option<Idempotency> {
    Some(Idempotency { key: "once".into(), fingerprint: fingerprint.into() })
}

on_both_engines! {
    async fn a_job_is_stored_as_it_was_asked_for(database: TempDatabase) {
        let world = World::new(database).await;
        let asked = world.new_job();
        let (spec, quote) = (asked.spec.clone(), asked.quote);
        let submitted = world.store.tenant(world.tenant).jobs().submit(asked, None).await.unwrap();
        let job = world.job(submitted.job.id).await;
        assert_eq!((job.spec, job.quote, job.lifecycle.state.name(), job.revision, job.step), (spec, quote, "ready", 1, 0));
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
        let big = || { let mut job = world.new_job(); job.quote.billed = VideoTime::from_ms(OPEN_WORK_MAX.ms() / 8); job };
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
        assert_eq!(jobs.open_work().await.unwrap(), finished.quote.billed);
    }

    async fn a_key_stands_for_its_job_for_a_day_also_when_that_is_gone(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let id = jobs.submit(world.new_job(), key("same")).await.unwrap().job.id;
        assert!(jobs.submit(world.new_job(), key("same")).await.unwrap().replayed);
        jobs.delete(id).await.unwrap();
        assert!(matches!(jobs.submit(world.new_job(), key("same")).await, Err(SubmitError::Deleted(job)) if job == id));
        world.queue().forget_deleted().await.unwrap();
        assert_eq!(world.count("jobs").await, 0);
        world.dial.advance_ms(IDEMPOTENCY_KEY_KEPT_MS - 1);
        world.store.forget_idempotency_keys().await.unwrap();
        assert!(matches!(jobs.submit(world.new_job(), key("same")).await, Err(SubmitError::Deleted(job)) if job == id));
        assert!(matches!(jobs.submit(world.new_job(), key("other")).await, Err(SubmitError::KeyReused)));
        let earlier = jobs.submitted_under("once").await.unwrap().unwrap();
        assert_eq!((earlier.id, earlier.job), (id, None));
        world.dial.advance_ms(1);
        let anew = jobs.submit(world.new_job(), key("other")).await.unwrap();
        assert!(!anew.replayed && anew.job.id != id);
        assert_eq!(jobs.submitted_under("once").await.unwrap().unwrap().id, anew.job.id);
    }

    async fn keys_whose_day_is_over_leave_no_rows(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        for name in ["old", "older"] {
            jobs.submit(world.new_job(), Some(Idempotency { key: name.into(), fingerprint: "f".into() })).await.unwrap();
        }
        world.dial.advance_ms(IDEMPOTENCY_KEY_KEPT_MS);
        jobs.submit(world.new_job(), key("fresh")).await.unwrap();
        world.store.forget_idempotency_keys().await.unwrap();
        assert_eq!(world.texts("SELECT key FROM idempotency_keys").await, ["once"]);
    }
}
