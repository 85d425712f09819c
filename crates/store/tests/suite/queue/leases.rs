//! What the holder of a lease may do, and what one who has lost it may not.

use crate::{LEASE_MS, World, object, report};
use domain::{Clock, Failure, FailureCode, JobState, Stage, job::FailureClass};
use store::{ArtifactKind, LeaseError, LeaseToken, Preview, ProgressReport, Renewal, Store, on_both_engines};

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Everything a worker can report, all of it refused.
async fn everything_is_refused(store: &Store, token: &LeaseToken) {
    let queue = store.queue();
    let preview = Preview { step: 1, content_type: "image/webp".into(), bytes: vec![1] };
    let report = ProgressReport { token: *token, step: 1, decoded_permille: 0, device_ms: 0, preview: Some(preview) };
    assert_eq!(queue.progress(vec![report]).await.unwrap(), [*token]);
    let refusals = [
        queue.announce(token, &[ArtifactKind::Video]).await.map(drop),
        queue.hand_over(token, object(ArtifactKind::Latents), 1).await,
        queue.succeed(token, vec![], None, 1).await,
        queue.report_failure(token, FailureClass::Bug).await,
        queue.report_failure(token, FailureClass::Timeout).await,
        queue.give_back(token).await,
    ];
    for refusal in refusals {
        assert!(matches!(refusal, Err(LeaseError::Lost { .. })), "{refusal:?}");
    }
    assert_eq!(queue.renew(&[*token], LEASE_MS).await.unwrap().lost, [*token]);
}

on_both_engines! {
    async fn an_undisturbed_job_goes_through_both_stages(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        assert_eq!(world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key, format!("tenants/{}/jobs/{}/1/latents.safetensors", world.tenant, claimed.token.job));
        world.succeed(&claimed.token).await;
        let job = world.job(claimed.token.job).await;
        assert_eq!((job.lifecycle.state, job.lifecycle.epoch, job.lifecycle.attempts), (JobState::Succeeded, 2, 1));
        assert_eq!((job.sampling_ms, job.decoding_ms, job.step), (Some(1200), Some(300), 24));
        assert_eq!((job.started_at, job.ended_at), (Some(world.dial.now()), Some(world.dial.now())));
        assert_eq!(job.revision, 5, "submitted, claimed, handed over, claimed, succeeded");
    }

    async fn a_stale_epoch_is_refused_whatever_it_reports(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let stale = world.claim(Stage::Sampling).await.unwrap().token;
        assert_eq!(world.lose_leases().await, 1);
        everything_is_refused(&world.store, &stale).await;
        world.pass_pause();
        let current = world.claim(Stage::Sampling).await.unwrap().token;
        assert_eq!(current.epoch, 2);
        let before = world.job(id).await;
        everything_is_refused(&world.store, &stale).await;
        assert_eq!(world.job(id).await, before);
        world.hand_over(&current).await;
    }

    async fn a_cancelled_or_deleted_job_is_lost_to_its_worker(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        for delete in [false, true] {
            let id = world.submit().await.id;
            let token = world.claim(Stage::Sampling).await.unwrap().token;
            if delete { assert!(jobs.delete(id).await.unwrap()) } else { assert!(jobs.cancel(id).await.unwrap().is_some()) }
            everything_is_refused(&world.store, &token).await;
            assert!(world.claim(Stage::Sampling).await.is_none());
        }
    }

    async fn a_renewed_lease_lasts_and_only_an_unrenewed_one_runs_out(database: TempDatabase) {
        let world = World::new(database).await;
        let (kept, dropped) = (world.submit().await.id, world.submit().await.id);
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.claim(Stage::Sampling).await.unwrap();
        world.dial.advance_ms(LEASE_MS - 1);
        assert_eq!(world.queue().expire_leases().await.unwrap(), 0);
        assert_eq!(world.queue().renew(&[token], LEASE_MS).await.unwrap(), Renewal::default());
        world.dial.advance_ms(1);
        assert_eq!(world.queue().expire_leases().await.unwrap(), 1);
        assert_eq!((world.state(kept).await, world.state(dropped).await), ("sampling", "retry_sampling"));
        assert!(world.job(dropped).await.lifecycle.suspect);
    }

    async fn a_clock_that_is_put_back_keeps_no_job_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        world.queue().give_back(&claimed.token).await.unwrap();
        world.dial.advance_ms(-HOUR_MS);
        world.claim(Stage::Sampling).await.expect("it waits for no moment an hour away");
        assert_eq!(world.queue().expire_leases().await.unwrap(), 0);
        world.dial.advance_ms(-HOUR_MS);
        assert_eq!(world.queue().expire_leases().await.unwrap(), 1, "its worker may be gone");
    }

    async fn a_job_that_kills_every_worker_is_started_exactly_three_times(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let (mut starts, mut lost_at) = (0, world.dial.now());
        while world.claim(Stage::Sampling).await.is_some() {
            starts += 1;
            world.lose_leases().await;
            lost_at = world.dial.now();
            assert!(world.claim(Stage::Sampling).await.is_none(), "others go first for a moment");
            world.pass_pause();
        }
        let job = world.job(id).await;
        assert_eq!((starts, job.lifecycle.state), (3, JobState::Failed(Failure::new(FailureCode::WorkerLost))));
        assert_eq!(job.ended_at, Some(lost_at));
    }

    async fn an_expired_decode_resumes_at_decode_and_keeps_its_latents(database: TempDatabase) {
        let world = World::new(database).await;
        let first = world.decoding().await;
        world.lose_leases().await;
        world.pass_pause();
        let second = world.claim(Stage::Decoding).await.unwrap();
        assert_eq!((second.token.epoch, second.job.lifecycle.attempts), (3, 2));
        let before = world.queue().latents(&first.token).await.unwrap();
        assert!(before.is_some());
        assert_eq!(world.queue().latents(&second.token).await.unwrap(), before);
        world.succeed(&second.token).await;
    }

    async fn latents_that_are_lost_are_sampled_anew(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        let lost = world.queue().latents(&claimed.token).await.unwrap().unwrap().object_key;
        world.queue().report_failure(&claimed.token, FailureClass::LostLatents).await.unwrap();
        assert!(world.claim(Stage::Decoding).await.is_none() && world.claim(Stage::Sampling).await.is_none(), "after a pause");
        assert_eq!(world.queue().garbage(0, 10).await.unwrap(), [lost.as_str()]);
        world.pass_pause();
        let again = world.claim(Stage::Sampling).await.unwrap();
        assert_eq!(again.job.lifecycle.attempts, 2);
        world.hand_over(&again.token).await;
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        assert_ne!(world.queue().latents(&decoding.token).await.unwrap().unwrap().object_key, lost);
        world.succeed(&decoding.token).await;
    }

    async fn a_job_given_back_costs_no_attempt_and_is_free_at_once(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.queue().progress(vec![report(token, 5)]).await.unwrap();
        world.queue().give_back(&token).await.unwrap();
        let again = world.claim(Stage::Sampling).await.unwrap().job;
        assert_eq!((again.lifecycle.attempts, again.lifecycle.suspect, again.step), (1, false, 0));
    }

    async fn announcing_twice_gives_the_same_keys_in_the_order_asked(database: TempDatabase) {
        let world = World::new(database).await;
        let token = world.decoding().await.token;
        let first = world.queue().announce(&token, &[ArtifactKind::Thumbnail, ArtifactKind::Video]).await.unwrap();
        let again = world.queue().announce(&token, &[ArtifactKind::Video, ArtifactKind::Thumbnail]).await.unwrap();
        assert!(first[0].ends_with("/2/thumbnail.webp") && first[1].ends_with("/2/video.mp4"));
        assert_eq!(again, [first[1].clone(), first[0].clone()]);
    }

    async fn what_was_not_announced_cannot_be_handed_in(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        let refused = world.queue().hand_over(&token, object(ArtifactKind::Latents), 1).await;
        assert!(matches!(refused, Err(LeaseError::Store(_))));
        assert_eq!(world.state(token.job).await, "sampling");
    }
}
