//! What the holder of a lease may do, and what one who has lost it may not.

use crate::{LEASE_MS, MODELS, World, object, report, worker};
use domain::{Clock, Failure, FailureCode, JobState, Stage, job::FailureClass, scheduling::Suspects};
use futures::future::join_all;
use store::{
    ArtifactKind, LeaseError, LeaseToken, Preview, ProgressReport, Registration, Renewal, Store, WorkerRole, on_both_engines,
    testing::Engine,
};

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

const FILES: [ArtifactKind; 3] = [ArtifactKind::Video, ArtifactKind::Thumbnail, ArtifactKind::Spritesheet];

impl World {
    /// Jobs of the tenant and of two others whose files are announced, by one decoder.
    async fn about_to_succeed(&self, jobs: usize) -> Vec<LeaseToken> {
        let (teams, decoder) = ([self.team("a", |plan| plan).await, self.team("b", |plan| plan).await], worker());
        self.store.workers().register(decoder, Registration::new(WorkerRole::All, "cuda:0", MODELS)).await.unwrap();
        let mut tokens = Vec::new();
        for n in 0..jobs {
            match n % 3 {
                0 => drop(self.submit().await),
                n => self.submit_of(teams[n - 1], MODELS[0], 2000).await,
            }
            let claimed = self.claim(Stage::Sampling).await.unwrap();
            self.hand_over(&claimed.token).await;
            let claimed = self.queue().claim(Stage::Decoding, decoder, MODELS, LEASE_MS, Suspects::LeaveOut).await.unwrap().unwrap();
            self.queue().announce(&claimed.token, &FILES).await.unwrap();
            tokens.push(claimed.token);
        }
        tokens
    }

    /// All at once; whose lease was held.
    async fn succeed_at_once(&self, tokens: &[LeaseToken]) -> Vec<Result<(), LeaseError>> {
        join_all(tokens.iter().map(|token| self.queue().succeed(token, FILES.map(object).to_vec(), None, 300))).await
    }

    async fn states(&self, tokens: &[LeaseToken]) -> Vec<&'static str> {
        let jobs = tokens.iter().map(|token| async { self.store.tenant(token.tenant).jobs().get(token.job).await.unwrap().unwrap() });
        join_all(jobs).await.iter().map(|job| job.lifecycle.state.name()).collect()
    }

    /// Each job was charged once, and the books and the use of devices say so.
    async fn is_booked(&self, jobs: usize) {
        let verified = self.store.check().ledger().await.unwrap();
        assert!(verified.faults.is_empty(), "{:?}", verified.faults);
        assert_eq!(self.count("ledger_entries WHERE kind = 'capture'").await, jobs);
        let succeeded = self.texts("SELECT CAST(SUM(succeeded) AS TEXT) FROM usage_days").await;
        assert_eq!(succeeded, [jobs.to_string()]);
        let decoded = self.texts("SELECT CAST(SUM(done_ms) AS TEXT) FROM device_work_days WHERE device = 'cuda:0'").await;
        assert_eq!(decoded, [(300 * jobs).to_string()]);
    }
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
        assert_eq!(world.expire_leases().await, 0);
        assert_eq!(world.queue().renew(&[token], LEASE_MS).await.unwrap(), Renewal::default());
        world.dial.advance_ms(1);
        assert_eq!(world.expire_leases().await, 1);
        assert_eq!((world.state(kept).await, world.state(dropped).await), ("sampling", "retry_sampling"));
        assert!(world.job(dropped).await.lifecycle.suspect);
    }

    async fn a_clock_that_jumps_after_it_was_looked_at_ends_no_lease(database: TempDatabase) {
        let world = World::new(database).await;
        for jump_ms in [HOUR_MS, -HOUR_MS] {
            let id = world.submit().await.id;
            let token = world.claim(Stage::Sampling).await.unwrap().token;
            let seen = world.queue().can_renew().await.unwrap();
            world.dial.advance_ms(jump_ms);
            assert_eq!(world.queue().expire_leases(seen).await.unwrap(), 0, "not renewed, {jump_ms} ms");
            assert_eq!(world.queue().renew(&[token], LEASE_MS).await.unwrap(), Renewal::default());
            assert_eq!(world.queue().expire_leases(seen).await.unwrap(), 0, "renewed, {jump_ms} ms");
            world.dial.advance_ms(LEASE_MS);
            assert_eq!(world.expire_leases().await, 1, "{jump_ms} ms");
            assert!(world.store.tenant(world.tenant).jobs().cancel(id).await.unwrap().is_some());
        }
    }

    async fn a_clock_that_is_put_back_keeps_no_job_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        world.queue().give_back(&claimed.token).await.unwrap();
        world.dial.advance_ms(-HOUR_MS);
        world.claim(Stage::Sampling).await.expect("it waits for no moment an hour away");
        assert_eq!(world.expire_leases().await, 0);
        world.dial.advance_ms(-HOUR_MS);
        assert_eq!(world.expire_leases().await, 1, "its worker may be gone");
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

    async fn of_results_that_come_at_once_those_of_lost_leases_are_refused_and_the_others_hold(database: TempDatabase) {
        let world = World::new(database).await;
        let tokens = world.about_to_succeed(9).await;
        world.store.end_lease(tokens[4].job).await.unwrap();
        assert_eq!(world.expire_leases().await, 1);
        let mut asked = tokens.clone();
        asked[7].epoch -= 1;
        let done = world.succeed_at_once(&asked).await;
        for (n, done) in done.iter().enumerate() {
            assert_eq!(matches!(done, Err(LeaseError::Lost { .. })), [4, 7].contains(&n), "{n}: {done:?}");
            assert_eq!(done.is_ok(), ![4, 7].contains(&n), "{n}: {done:?}");
        }
        let expected: Vec<_> = (0..9).map(|n| match n { 4 => "retry_decoding", 7 => "decoding", _ => "succeeded" }).collect();
        assert_eq!(world.states(&tokens).await, expected);
        world.is_booked(7).await;
    }

    async fn jobs_of_several_teams_that_end_at_once_are_charged_once_each(database: TempDatabase) {
        let world = World::new(database).await;
        let tokens = world.about_to_succeed(12).await;
        // Each is told twice, as by a worker that got no answer the first time.
        let twice: Vec<_> = tokens.iter().chain(&tokens).copied().collect();
        let done = world.succeed_at_once(&twice).await;
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 12, "{done:?}");
        assert!(done.iter().all(|done| matches!(done, Ok(()) | Err(LeaseError::Lost { .. }))), "{done:?}");
        assert_eq!(world.states(&tokens).await, ["succeeded"; 12]);
        assert_eq!(world.count("artifacts WHERE committed AND kind <> 'latents'").await, 36);
        world.is_booked(12).await;
        assert_eq!(world.texts("SELECT CAST(SUM(open_ms + held_ms) AS TEXT) FROM tenants").await, ["0"]);
    }

    async fn what_is_wrong_with_one_result_keeps_no_other_from_being_written(database: TempDatabase) {
        let world = World::new(database).await;
        let tokens = world.about_to_succeed(6).await;
        let id = tokens[2].job.uuid();
        let id = if world.database.engine == Engine::Sqlite { format!("x'{}'", id.simple()) } else { format!("'{id}'") };
        world.sql(&format!("DELETE FROM artifacts WHERE job_id = {id} AND kind = 'thumbnail'")).await;
        let done = world.succeed_at_once(&tokens).await;
        for (n, done) in done.iter().enumerate() {
            assert_eq!(done.is_ok(), n != 2, "{n}: {done:?}");
        }
        assert!(matches!(done[2], Err(LeaseError::Store(_))), "{:?}", done[2]);
        assert_eq!(world.states(&tokens).await, ["succeeded", "succeeded", "decoding", "succeeded", "succeeded", "succeeded"]);
        world.is_booked(5).await;
    }

    async fn results_that_come_at_once_and_break_off_leave_nothing_behind(database: TempDatabase) {
        let world = World::new(database).await;
        let tokens = world.about_to_succeed(6).await;
        // After the jobs' own rows are written, and before the books are.
        let sqlite = "CREATE TRIGGER break_off BEFORE INSERT ON usage_days BEGIN SELECT RAISE(ABORT, 'broken off'); END";
        let postgres = "CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$; \
             CREATE TRIGGER break_off BEFORE INSERT ON usage_days FOR EACH ROW EXECUTE FUNCTION break_off()";
        let is_sqlite = world.database.engine == Engine::Sqlite;
        world.sql(if is_sqlite { sqlite } else { postgres }).await;
        let done = world.succeed_at_once(&tokens).await;
        assert!(done.iter().all(|done| matches!(done, Err(LeaseError::Store(_)))), "{done:?}");
        assert_eq!(world.states(&tokens).await, ["decoding"; 6]);
        assert_eq!(world.count("artifacts WHERE committed AND kind <> 'latents'").await, 0);
        assert_eq!(world.count("ledger_entries WHERE kind = 'capture'").await, 0);
        world.sql(if is_sqlite { "DROP TRIGGER break_off" } else { "DROP TRIGGER break_off ON usage_days" }).await;
        assert!(world.succeed_at_once(&tokens).await.iter().all(Result::is_ok));
        world.is_booked(6).await;
    }

    async fn a_result_that_waits_for_its_row_keeps_no_other_from_its_answer(database: TempDatabase) {
        let world = World::new(database).await;
        let mut tokens = world.about_to_succeed(6).await;
        if world.database.engine == Engine::Sqlite {
            return;
        }
        tokens.sort_by_key(|token| token.job);
        let held = world.database.hold("", "SELECT id FROM jobs ORDER BY id LIMIT 1 FOR NO KEY UPDATE").await;
        let (waits, others) = tokens.split_at(1);
        let mut waiting = Box::pin(world.succeed_at_once(waits));
        let done = tokio::select! {
            biased;
            done = &mut waiting => panic!("its row is held: {done:?}"),
            done = world.succeed_at_once(others) => done,
        };
        assert!(done.iter().all(Result::is_ok), "{done:?}");
        drop(held);
        assert!(waiting.await[0].is_ok());
        world.is_booked(6).await;
    }
}
