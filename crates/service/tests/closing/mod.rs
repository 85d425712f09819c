//! Batches that are closed before all of their lines are made: cancelled, or by the end of their time.

use crate::{
    HOUR_MS,
    lines::{Site, line},
    numbered,
};
use domain::{
    VideoTime,
    batch::{BatchStatus, FaultCode, LineFault},
};
use service::{BatchError, BatchRepetition, LineOutcome};
use store::{NewLine, on_both_engines};

on_both_engines! {
    async fn who_cancels_pays_for_what_was_made_and_the_failed_lines_are_tried_again(database: TempDatabase) {
        let site = Site::new(database).await;
        let text = [line("a", "sea"), line("fails", "a red ball"), line("b", "sun")].concat();
        let batch = site.batch(&text, "24h").await;
        site.step().await;
        site.step().await;
        let first = site.begin_one().await;
        let open = site.look(batch).await.open;
        let a_line = site.look(batch).await.batch.quoted.ms() / 3;
        assert_eq!((open.begun, open.for_decoder, open.in_hand_billed.ms()), (1, 0, a_line), "the others wait for a sampler");
        site.end_one(&first).await;
        let open = site.look(batch).await.open;
        assert_eq!((open.begun, open.in_hand_billed.ms()), (1, a_line), "what is made and not noted yet is charged whoever cancels");
        let services = &site.world.services;
        assert!(matches!(services.retry_batch(site.actor(), batch, BatchRepetition::default()).await, Err(BatchError::NotEnded)));
        services.cancel_batch(site.actor(), batch).await.unwrap().unwrap();
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.status, ended.completed, ended.failed), (BatchStatus::Cancelled, 1, 2));
        let unmade = services.unmade_lines(site.actor(), batch).await.unwrap().unwrap();
        assert_eq!((unmade.failed, unmade.withdrawn, unmade.billed.ms()), (0, 2, ended.quoted.ms() - ended.charged.ms()));
        assert_eq!(ended.charged.ms() * 3, ended.quoted.ms());
        assert_eq!(site.events().await, ["batch.cancelled"]);
        let outcomes = site.results(batch).await;
        assert_eq!(outcomes.iter().filter(|result| matches!(result.outcome, LineOutcome::Made(_))).count(), 1);
        assert_eq!(outcomes.iter().map(|result| result.number).collect::<Vec<_>>(), [1, 2, 3]);

        let again = services.retry_batch(site.actor(), batch, BatchRepetition::default()).await.unwrap().batch;
        assert_eq!((again.retry_of, again.input), (Some(batch), ended.input));
        site.run_until_ended(again.id).await;
        let again = site.look(again.id).await.batch;
        assert_eq!((again.status, again.lines, again.completed), (BatchStatus::Completed, 2, 2));
        assert!(matches!(services.retry_batch(site.actor(), again.id, BatchRepetition::default()).await, Err(BatchError::NothingFailed)));
    }

    async fn a_batch_that_is_cancelled_while_it_is_about_to_fail_ends(database: TempDatabase) {
        let site = Site::new(database).await;
        let id = site.batch(&numbered(9), "24h").await;
        let batches = site.world.services.store.tenant(site.world.ada.tenant).batches();
        let (batch, steps) = (batches.get(id).await.unwrap().unwrap(), batches.steps(id));
        let read = |n: u32| {
            let (billed, fault) = (VideoTime::from_ms(2000), (n == 10).then(|| LineFault::new(FaultCode::InvalidJson, "no")));
            NewLine { line: n, custom_id: None, offset: u64::from(n), length: 1, billed, fault, unknown_field: None }
        };
        let lines: Vec<_> = (1..=10).map(read).collect();
        assert!(steps.add_lines(&batch, &lines, (10, 50), (None, 0)).await.unwrap());
        assert_eq!(steps.forget_sound(5).await.unwrap(), 5);
        site.world.services.cancel_batch(site.actor(), id).await.unwrap().unwrap();
        site.run_until_ended(id).await;
        assert_eq!(site.look(id).await.batch.status, BatchStatus::Cancelled);
        assert_eq!(site.events().await, ["batch.cancelled"]);
    }

    async fn who_cancels_has_none_decoded_that_no_decoder_has(database: TempDatabase) {
        let site = Site::new(database).await;
        let batch = site.batch(&numbered(3), "24h").await;
        site.step().await;
        site.step().await;
        let before = site.charged().await;
        for _ in 0..2 {
            let token = site.begin_one().await;
            site.half_make(&token).await;
        }
        let sampling = site.begin_one().await;
        site.world.services.cancel_batch(site.actor(), batch).await.unwrap().unwrap();
        site.step().await;
        site.step().await;
        let view = site.look(batch).await;
        assert_eq!((view.batch.status, view.open.lines), (BatchStatus::Cancelling, 1), "a worker has one");
        site.half_make(&sampling).await;
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.status, ended.completed, ended.failed, ended.charged), (BatchStatus::Cancelled, 0, 3, VideoTime::default()));
        assert_eq!(site.charged().await, before, "the ledger says the same");
        assert_eq!(site.world.services.store.check().ledger().await.unwrap().faults, []);
    }

    async fn what_is_not_made_within_the_hour_after_the_end_costs_nothing(database: TempDatabase) {
        let site = Site::new(database).await;
        let batch = site.batch(&numbered(2), "1h").await;
        site.step().await;
        site.step().await;
        let before = site.charged().await;
        for _ in 0..2 {
            // Half of it is done, and a decoder does not come.
            let token = site.begin_one().await;
            site.half_make(&token).await;
        }
        let open = site.look(batch).await.open;
        assert_eq!((open.lines, open.begun, open.for_decoder), (2, 2, 2));
        site.world.dial.advance_ms(HOUR_MS);
        site.step().await;
        site.step().await;
        assert_eq!(site.look(batch).await.open.lines, 2);
        site.world.dial.advance_ms(HOUR_MS + 60_000);
        for _ in 0..6 {
            site.step().await;
        }
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.status, ended.failed, ended.charged), (BatchStatus::Expired, 2, VideoTime::default()));
        assert_eq!(site.charged().await, before, "the ledger says the same");
        assert_eq!(site.world.services.store.check().ledger().await.unwrap().faults, []);
    }
}
