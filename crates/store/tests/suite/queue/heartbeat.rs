//! What a worker says about all its jobs together.

use crate::{LEASE_MS, MODELS, World, report, worker};
use domain::{Clock, Stage, scheduling::Suspects};
use std::time::Duration;
use store::{Change, Preview, ProgressReport, Renewal, on_both_engines};

on_both_engines! {
    async fn all_leases_of_a_worker_are_renewed_together_and_the_lost_ones_named(database: TempDatabase) {
        let world = World::new(database).await;
        let mut tokens = Vec::new();
        for _ in 0..3 {
            world.submit().await;
            tokens.push(world.claim(Stage::Sampling).await.unwrap().token);
        }
        world.store.tenant(world.tenant).jobs().cancel(tokens[1].job).await.unwrap();
        world.dial.advance_ms(1000);
        assert_eq!(world.queue().renew(&tokens, LEASE_MS).await.unwrap(), Renewal { lost: vec![tokens[1]], skipped: vec![] });
        assert_eq!(world.queue().renew(&[], LEASE_MS).await.unwrap(), Renewal::default());
        for token in [tokens[0], tokens[2]] {
            let lifecycle = world.job(token.job).await.lifecycle;
            assert_eq!(lifecycle.state.lease().unwrap().1.expires_at, world.dial.now().plus_ms(LEASE_MS));
        }
    }

    async fn a_lease_whose_row_is_being_written_is_not_taken_for_renewed(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        if world.database.engine == store::testing::Engine::Sqlite {
            return;
        }
        let held = world.database.hold("", "SELECT id FROM jobs FOR NO KEY UPDATE").await;
        assert_eq!(world.queue().renew(&[token], LEASE_MS).await.unwrap(), Renewal { lost: vec![], skipped: vec![token] });
        drop(held);
        while world.queue().renew(&[token], LEASE_MS).await.unwrap() != Renewal::default() {}
    }

    async fn progress_of_many_jobs_is_noted_at_once_and_each_is_told(database: TempDatabase) {
        let world = World::new(database).await;
        let mut tokens = Vec::new();
        for _ in 0..3 {
            world.submit().await;
            tokens.push(world.claim(Stage::Sampling).await.unwrap().token);
        }
        let stale = store::LeaseToken { epoch: 0, ..tokens[2] };
        let mut changes = world.store.signals().subscribe();
        let preview = Preview { step: 2, content_type: "image/webp".into(), bytes: vec![1] };
        let reports = vec![report(tokens[0], 1), ProgressReport { token: tokens[1], step: 2, decoded_permille: 0, device_ms: 0, preview: Some(preview.clone()) }, report(stale, 9)];
        assert_eq!(world.queue().progress(reports).await.unwrap(), [stale]);
        let mut told = [false; 2];
        while told != [true; 2] {
            match tokio::time::timeout(Duration::from_secs(60), changes.recv()).await.unwrap().unwrap() {
                Change::Any => told = [true; 2],
                change => (0..2).for_each(|at| told[at] |= change == Change::Job(tokens[at].job)),
            }
        }
        let jobs = world.store.tenant(world.tenant).jobs();
        let (first, second, third) = (world.job(tokens[0].job).await, world.job(tokens[1].job).await, world.job(tokens[2].job).await);
        assert_eq!((first.step, first.preview_step, first.revision), (1, None, 3));
        assert_eq!((second.step, second.preview_step, second.revision), (2, Some(2), 3));
        assert_eq!((third.step, third.revision), (0, 2));
        assert_eq!(jobs.preview(tokens[1].job).await.unwrap(), Some(preview));
        assert_eq!(world.queue().progress(vec![report(tokens[1], 3)]).await.unwrap(), []);
        assert_eq!(world.job(tokens[1].job).await.preview_step, Some(2), "the last preview stays");
    }

    async fn drawn_frames_are_noted_of_the_stage_that_draws_them_and_forgotten_by_the_next_attempt(database: TempDatabase) {
        let world = World::new(database).await;
        let claimed = world.decoding().await;
        let token = claimed.token;
        let drawn = |token, decoded_permille| ProgressReport { decoded_permille, ..report(token, claimed.job.step) };
        let sampling = store::LeaseToken { stage: Stage::Sampling, ..token };
        assert_eq!(world.queue().progress(vec![drawn(token, 250), drawn(sampling, 900)]).await.unwrap(), []);
        assert_eq!((world.job(token.job).await.decoded_permille, world.job(token.job).await.step), (250, claimed.job.step));
        assert_eq!(world.queue().progress(vec![drawn(sampling, 900)]).await.unwrap(), [sampling]);
        world.queue().give_back(&token).await.unwrap();
        assert_eq!(world.claim(Stage::Decoding).await.unwrap().job.decoded_permille, 0);
    }

    async fn what_a_worker_holds_is_known_to_the_database(database: TempDatabase) {
        let world = World::new(database).await;
        let me = worker();
        world.submit().await;
        world.submit().await;
        let mine = world.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, Suspects::Take).await.unwrap().unwrap().token;
        world.claim(Stage::Sampling).await.unwrap();
        assert_eq!(world.queue().held_by(me).await.unwrap(), [mine]);
        world.queue().give_back(&mine).await.unwrap();
        assert_eq!(world.queue().held_by(me).await.unwrap(), []);
    }

    async fn leases_can_be_renewed_when_the_database_can_be_written(database: TempDatabase) {
        let world = World::new(database).await;
        world.queue().can_renew().await.unwrap();
        world.submit().await;
        world.claim(Stage::Sampling).await.unwrap();
        world.queue().can_renew().await.unwrap();
    }
}
