//! Taking jobs in: once for each key, never beyond the limit.

use crate::{World, account, new_job};
use domain::{
    VideoTime,
    retention::{IDEMPOTENCY_KEY_KEPT_MS, RETRIES_EXPECTED_MS},
};
use futures::future::join_all;
use std::collections::HashSet;
use store::{Idempotency, Repetition, SubmitError, Submitted, on_both_engines};

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

    async fn a_client_that_counts_its_tries_gets_one_job_for_all_of_them(database: TempDatabase) {
        let world = World::new(database).await;
        let first = world.counted("f", 0).await;
        for retry_count in [1, 2, 7] {
            let again = world.counted("f", retry_count).await;
            assert_eq!((again.job.id, again.replayed), (first.job.id, true));
        }
        assert!(!world.counted("g", 1).await.replayed, "another request");
        assert!(!world.counted("f", 0).await.replayed, "the same request, from the beginning");
    }

    async fn tries_of_requests_that_are_alike_each_find_a_job(database: TempDatabase) {
        let world = World::new(database).await;
        let [a, b] = [world.counted("f", 0).await.job.id, world.counted("f", 0).await.job.id];
        world.dial.advance_ms(300);
        let young = world.counted("f", 0).await.job.id;
        let again = [1, 1, 1].map(|retry_count| world.counted("f", retry_count));
        assert_eq!(join_all(again).await.into_iter().map(|again| again.job.id).collect::<HashSet<_>>(), HashSet::from([a, b, young]));
        let [a2, b2] = [world.counted("f", 2).await.job.id, world.counted("f", 2).await.job.id];
        assert!(a2 != b2 && world.count("jobs").await == 3);
    }

    async fn a_try_finds_the_newest_of_those_that_are_as_old_as_the_pause_before_it(database: TempDatabase) {
        let world = World::new(database).await;
        let answered = world.counted("f", 0).await.job.id;
        world.dial.advance_ms(1000);
        let lost = world.counted("f", 0).await.job.id;
        world.dial.advance_ms(400);
        let other = world.counted("f", 0).await.job.id;
        assert_eq!(world.counted("f", 1).await.job.id, lost);
        assert!(answered != lost && lost != other);
    }

    async fn a_try_that_comes_in_behind_a_later_one_finds_its_job(database: TempDatabase) {
        let world = World::new(database).await;
        let second = world.counted("f", 1).await.job.id;
        assert_eq!(world.counted("f", 0).await.job.id, second);
        assert!(!world.counted("f", 0).await.replayed, "only one try of each count");
        world.dial.advance_ms(30_000);
        assert!(!world.counted("f", 0).await.replayed);
    }

    async fn a_job_that_was_deleted_keeps_no_try_from_the_job_that_is_there(database: TempDatabase) {
        let world = World::new(database).await;
        let lost = world.counted("f", 0).await.job.id;
        world.dial.advance_ms(1000);
        let deleted = world.counted("f", 0).await.job.id;
        assert!(world.store.tenant(world.tenant).jobs().delete(deleted).await.unwrap());
        world.dial.advance_ms(1000);
        let again = world.counted("f", 1).await;
        assert_eq!((again.job.id, again.replayed, world.count("jobs").await), (lost, true, 2));
    }

    async fn a_job_that_its_client_knows_is_no_answer_to_another_request(database: TempDatabase) {
        let world = World::new(database).await;
        let job = world.counted("f", 0).await.job.id;
        world.store.tenant(world.tenant).jobs().confirm(job).await.unwrap();
        assert!(!world.counted("f", 1).await.replayed);
        world.dial.advance_ms(RETRIES_EXPECTED_MS);
        assert!(!world.counted("f", 2).await.replayed, "nobody tries for so long");
        world.store.forget_unconfirmed().await.unwrap();
        assert_eq!(world.count("unconfirmed_jobs").await, 1);
    }
}

impl World {
    async fn counted(&self, fingerprint: &str, retry_count: u32) -> Submitted {
        let repetition = Repetition::Count { fingerprint: fingerprint.into(), retry_count };
        self.store.tenant(self.tenant).jobs().submit(self.new_job(), repetition).await.unwrap()
    }
}
