//! Jobs that failed and are tried once more: charged once, whoever asks how often.

use super::control::because;
use crate::{World, object};
use domain::{
    Act, Clock, FailureCode, JobId, Stage, VideoTime,
    billing::{EntryKind, GrantKind, Spender, SpendingLimits},
    job::{AttemptFailure, TransitionError},
    metrics::{Count, Range},
    scheduling::AdmissionError,
};
use futures::future::join_all;
use std::time::Duration;
use store::{ArtifactKind, Asked, JobActError, NewGrant, NewJob, SubmitError, metrics::TallyQuery, on_both_engines, testing::Engine};

/// What a job of these tests costs.
const PRICE_MS: u64 = 2000;

impl World {
    /// With so much to use.
    pub(crate) async fn with_credit(database: store::testing::TempDatabase, ms: u64) -> Self {
        let world = Self::new(database).await;
        let credits = world.store.tenant(world.tenant).credits();
        credits.set_plan("payg").await.unwrap();
        let amount = VideoTime::from_ms(ms);
        credits
            .grant(NewGrant { kind: GrantKind::Gift, amount, expires_at: None, cause: "a".into(), price: None, note: None })
            .await
            .unwrap();
        world
    }

    async fn fail_next(&self) {
        let claimed = self.claim(Stage::Sampling).await.unwrap();
        self.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
    }

    async fn failed(&self) -> JobId {
        let id = self.submit().await.id;
        self.fail_next().await;
        id
    }

    pub(crate) async fn requeue(&self, id: JobId) -> Result<(), JobActError> {
        self.store.tenant(self.tenant).acts().requeue(id, because("our fault")).await
    }

    /// What is `asked` comes to while somebody writes the row of each job, and lets go once so many wait for that.
    async fn held_until<T: std::fmt::Debug>(&self, waiting: usize, asked: impl Future<Output = T>) -> T {
        let held = self.database.hold("", "SELECT id FROM jobs FOR NO KEY UPDATE").await;
        let who_waits = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let until_they_wait = async { while self.texts(who_waits).await.len() < waiting {} };
        let mut asked = Box::pin(asked);
        tokio::select! {
            done = &mut asked => panic!("its row is held: {done:?}"),
            () = until_they_wait => {}
        }
        drop(held);
        asked.await
    }

    async fn failures_counted(&self) -> u64 {
        let range = Range::last(60_000, self.dial.now()).unwrap();
        let query = TallyQuery { range, tenant: None, model: None, lane: None, device: None, by: None };
        let tallies = self.store.kept_numbers().tallies(&query).await.unwrap();
        tallies.iter().map(|row| row.tally.count(Count::Failed)).sum()
    }

    pub(crate) async fn left_ms(&self) -> u64 {
        self.store.tenant(self.tenant).credits().balance().await.unwrap().left(|_| true).ms()
    }

    pub(crate) async fn ledger_is_true(&self) {
        assert_eq!(self.store.check().ledger().await.unwrap().faults, []);
    }
}

on_both_engines! {
    async fn that_it_has_failed_stays_counted_however_soon_it_is_tried_once_more(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        let id = world.failed().await;
        world.requeue(id).await.unwrap();
        assert_eq!(world.failures_counted().await, 1);
    }

    async fn a_failure_whose_row_is_being_written_is_counted_before_it_is_tried_once_more(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        if world.database.engine == Engine::Sqlite {
            // It has one writer.
            return;
        }
        let id = world.failed().await;
        world.held_until(1, world.requeue(id)).await.unwrap();
        assert_eq!((world.failures_counted().await, world.state(id).await), (1, "ready"));
    }

    async fn many_who_ask_while_its_row_is_being_written_do_not_keep_it_from_being_counted(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        if world.database.engine == Engine::Sqlite {
            // It has one writer.
            return;
        }
        let id = world.failed().await;
        let all = world.held_until(4, join_all((0..8).map(|_| world.requeue(id))));
        let done = tokio::time::timeout(Duration::from_secs(60), all).await.unwrap();
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{done:?}");
        assert_eq!((world.failures_counted().await, world.state(id).await), (1, "ready"));
    }

    async fn a_job_that_is_tried_once_more_is_charged_once(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        let id = world.failed().await;
        assert_eq!(world.left_ms().await, 3 * PRICE_MS, "what fails costs nothing");
        assert_eq!(world.store.kept_numbers().count_ended().await.unwrap(), 1);
        world.requeue(id).await.unwrap();
        assert_eq!(world.left_ms().await, 2 * PRICE_MS, "it is held again");
        let again = world.job(id).await;
        assert_eq!((again.lifecycle.state.name(), again.lifecycle.attempts, again.failed_attempts.len()), ("ready", 1, 1));
        assert!(again.ended_at.is_none() && again.charge.charged.is_none() && again.step == 0);
        world.ledger_is_true().await;
        // It fails once more, and is tried once more.
        world.fail_next().await;
        assert_eq!(world.store.kept_numbers().count_ended().await.unwrap(), 1, "its end counts again");
        assert_eq!(world.left_ms().await, 3 * PRICE_MS);
        world.ledger_is_true().await;
        world.requeue(id).await.unwrap();
        world.make_next().await;
        let made = world.job(id).await;
        assert_eq!((made.lifecycle.state.name(), made.lifecycle.attempts, made.failed_attempts.len()), ("succeeded", 3, 2));
        assert_eq!((made.charge.charged.map(VideoTime::ms), world.left_ms().await), (Some(PRICE_MS), 2 * PRICE_MS));
        let booked = world.store.tenant(world.tenant).credits().of_job(id).await.unwrap();
        let of_kind = |kind| booked.iter().filter(|row| row.kind == kind).count();
        assert_eq!([EntryKind::Hold, EntryKind::Release, EntryKind::Capture].map(of_kind), [3, 2, 1]);
        world.ledger_is_true().await;
        let acts = world.store.tenant(world.tenant).members().audit_log(None, 50).await.unwrap();
        let told: Vec<_> = acts.iter().filter(|entry| entry.act == Act::JobRequeued).map(|entry| entry.subject.clone()).collect();
        assert_eq!(told, [format!("{id}: our fault"), format!("{id}: our fault")]);
        assert!(matches!(world.requeue(id).await, Err(JobActError::Refused(TransitionError::NotFrom { from: "succeeded", .. }))));
    }

    async fn many_who_ask_at_once_have_it_tried_once_more(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        let id = world.failed().await;
        let done = join_all((0..8).map(|_| world.requeue(id))).await;
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{done:?}");
        assert!(done.iter().all(|done| matches!(done, Ok(()) | Err(JobActError::Refused(_)))), "{done:?}");
        assert_eq!(world.left_ms().await, 2 * PRICE_MS);
        world.ledger_is_true().await;
        world.make_next().await;
        assert!(world.claim(Stage::Sampling).await.is_none());
        assert_eq!(world.left_ms().await, 2 * PRICE_MS);
        world.ledger_is_true().await;
    }

    async fn a_tenant_that_cannot_pay_keeps_its_failed_job(database: TempDatabase) {
        let world = World::with_credit(database, PRICE_MS).await;
        let id = world.failed().await;
        world.submit().await;
        let refused = world.requeue(id).await;
        assert!(matches!(refused, Err(JobActError::NotHeld(SubmitError::NotAdmitted(AdmissionError::OutOfCredit { .. })))), "{refused:?}");
        let job = world.job(id).await;
        assert!(job.lifecycle.state.is_terminal() && job.ended_at.is_some());
        world.make_next().await;
        assert!(world.claim(Stage::Sampling).await.is_none());
        world.ledger_is_true().await;
    }

    async fn a_cancelled_one_gives_back_what_was_held_for_it(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        let id = world.failed().await;
        world.requeue(id).await.unwrap();
        world.store.tenant(world.tenant).jobs().cancel(id).await.unwrap();
        assert_eq!(world.left_ms().await, 3 * PRICE_MS);
        world.ledger_is_true().await;
    }

    async fn spending_limits_count_it_again(database: TempDatabase) {
        let world = World::with_credit(database, 3 * PRICE_MS).await;
        let asked = Asked { user: world.user, address: "" };
        let limits = SpendingLimits { hard: Some(VideoTime::from_ms(PRICE_MS)), soft: None };
        assert!(world.store.tenant(world.tenant).spending().set(asked, Spender::Tenant, limits).await.unwrap());
        let id = world.failed().await;
        world.requeue(id).await.unwrap();
        world.ledger_is_true().await;
        world.make_next().await;
        world.ledger_is_true().await;
        let other = world.store.tenant(world.tenant).jobs().submit(NewJob { ..world.new_job() }, None).await;
        assert!(matches!(other, Err(SubmitError::NotAdmitted(AdmissionError::SpendingLimitReached { .. }))), "{other:?}");
    }

    async fn nothing_is_tried_once_more_without_its_model_its_row_or_out_of_quarantine(database: TempDatabase) {
        let world = World::with_credit(database, 9 * PRICE_MS).await;
        let (deleted, kept) = (world.failed().await, world.failed().await);
        let jobs = world.store.tenant(world.tenant).jobs();
        jobs.delete(deleted).await.unwrap();
        assert!(matches!(world.requeue(deleted).await, Err(JobActError::Unknown)));
        let acts = world.store.tenant(world.tenant).acts();
        acts.quarantine(kept, because("look at it first")).await.unwrap();
        assert!(matches!(world.requeue(kept).await, Err(JobActError::Refused(TransitionError::NotFrom { from: "quarantined", .. }))));
        acts.lift(kept, because("")).await.unwrap();
        world.store.models().offer(&[]).await.unwrap();
        assert!(matches!(world.requeue(kept).await, Err(JobActError::ModelWithdrawn(model)) if model == "vignette-1"));
        assert_eq!(world.left_ms().await, 9 * PRICE_MS);
        world.ledger_is_true().await;
    }

    async fn what_it_had_made_before_is_never_taken_for_what_it_makes_now(database: TempDatabase) {
        let world = World::with_credit(database, 9 * PRICE_MS).await;
        let claimed = world.decoding().await;
        let before = world.queue().latents(&claimed.token).await.unwrap().unwrap();
        world.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        world.requeue(claimed.job.id).await.unwrap();
        let again = world.claim(Stage::Sampling).await.unwrap();
        assert_eq!(again.token.epoch, 3);
        assert!(world.queue().hand_over(&claimed.token, object(ArtifactKind::Latents), 1).await.is_err(), "the old lease is worth nothing");
        assert_eq!(world.job(claimed.job.id).await.sampling_ms, None);
        world.hand_over(&again.token).await;
        let decoding = world.claim(Stage::Decoding).await.unwrap();
        let now = world.queue().latents(&decoding.token).await.unwrap().unwrap();
        assert_ne!(now.object_key, before.object_key);
    }
}
