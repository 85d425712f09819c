//! Batches that go on where something is otherwise than when they began: those with which this version cannot go on are left alone for a
//! moment between two looks, and the lines of all stay with their model.

use crate::{
    HOUR_MS,
    lines::{Site, line},
    numbered,
};
use domain::{
    Actor, Model,
    batch::{BatchStatus, BatchWait},
    catalog::testing::video_model,
};
use service::BatchError;
use std::collections::BTreeSet;
use store::on_both_engines;

on_both_engines! {
    async fn batches_that_are_closed_for_a_reason_of_another_version_keep_nobody_busy(database: TempDatabase) {
        let site = Site::new(database).await;
        let read = site.batch(&numbered(3), "24h").await;
        site.step().await;
        let unread = site.batch(&numbered(3), "24h").await;
        site.world.database.damage("UPDATE batches SET closing = 'unheard_of'").await;
        let due = async || site.world.services.step_batches(Actor::System).await.unwrap();
        assert_eq!((due().await, due().await), (2, 0), "no line is read of one, and of the other none becomes a job");
        site.world.dial.advance_ms(25 * HOUR_MS);
        assert_eq!((due().await, due().await), (2, 0), "nor is one closed once more");
        assert_eq!(site.texts("SELECT state FROM jobs").await, Vec::<String>::new());
        site.world.database.damage("UPDATE batches SET closing = NULL").await;
        site.world.dial.advance_ms(1000);
        for batch in [read, unread] {
            site.run_until_ended(batch).await;
            let ended = site.look(batch).await.batch;
            assert_eq!((ended.status, ended.failed), (BatchStatus::Expired, 3));
        }
    }

    async fn lines_that_name_no_model_are_made_by_the_one_that_they_were_quoted_for(database: TempDatabase) {
        let site = Site::new(database).await;
        let batch = site.batch(&numbered(2), "24h").await;
        site.step().await;
        let first = Model { id: "other-1".into(), order: 1, ..video_model() };
        site.world.services.store.models().offer(&[video_model(), first]).await.unwrap();
        // Whoever names a model sees to it that what is on offer is looked at anew.
        site.world.services.set_alias(Actor::Operator, "usual", "vignette-1").await.unwrap();
        let catalog = site.world.services.catalog().await.unwrap();
        assert_eq!(catalog.default_model().map(|model| &*model.id), Some("other-1"));
        site.step().await;
        assert_eq!(site.texts("SELECT model FROM jobs").await, ["vignette-1"; 2]);
        site.run_until_ended(batch).await;
        assert_eq!(site.look(batch).await.batch.completed, 2);
    }

    async fn lines_cost_no_more_than_they_were_quoted(database: TempDatabase) {
        let site = Site::new(database).await;
        let batch = site.batch(&numbered(2), "24h").await;
        site.step().await;
        let mut dearer = video_model();
        for size in &mut dearer.sizes {
            size.weight_permille *= 3;
        }
        site.offer(&dearer).await;
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.completed, ended.charged), (2, ended.quoted));
        assert_eq!(site.texts("SELECT CAST(size_weight_permille AS TEXT) FROM jobs").await, ["1000"; 2]);
    }

    async fn a_quote_is_made_as_it_was_quoted(database: TempDatabase) {
        let site = Site::new(database).await;
        let quote = site.quoted(&(numbered(2) + &line("c", "sun||mood"))).await;
        site.run_until_ended(quote).await;
        let quoted = site.look(quote).await.batch;
        let mut dearer = video_model();
        for size in &mut dearer.sizes {
            size.weight_permille *= 3;
        }
        let first = Model { id: "other-1".into(), order: 1, ..video_model() };
        site.world.services.store.models().offer(&[dearer, first]).await.unwrap();
        site.world.services.set_alias(Actor::Operator, "usual", "vignette-1").await.unwrap();
        let batch = site.world.services.start_quoted(site.actor(), quote).await.unwrap().batch.id;
        site.run_until_ended(batch).await;
        let ended = site.look(batch).await.batch;
        assert_eq!((ended.completed, ended.model.as_deref()), (3, Some("vignette-1")));
        assert_eq!((ended.quoted, ended.charged), (quoted.quoted, quoted.quoted));
        assert_eq!((ended.unknown_lines, ended.first_unknown), (1, quoted.first_unknown));
        let wrong = site.quoted("no json").await;
        site.run_until_ended(wrong).await;
        let refused = site.world.services.start_quoted(site.actor(), wrong).await;
        assert!(matches!(refused, Err(BatchError::NothingQuoted)));
    }

    async fn a_server_that_knows_of_no_quotes_reads_on_behind_the_lines_that_were_taken_over(database: TempDatabase) {
        let site = Site::new(database).await;
        let quote = site.quoted(&[line("a", "sea"), "\n".to_owned(), line("b", "sun"), line("c", "rain")].concat()).await;
        site.run_until_ended(quote).await;
        let quoted = site.look(quote).await.batch;
        let batch = site.world.services.start_quoted(site.actor(), quote).await.unwrap().batch;
        let steps = site.world.services.store.tenant(batch.tenant).batches().steps(batch.id);
        assert_eq!(steps.copy_lines(&batch, quote, 1, 0).await.unwrap(), Some(1));
        // As the version before reads its row.
        site.world.database.damage("UPDATE batches SET quote_id = NULL WHERE quote_id IS NOT NULL").await;
        site.run_until_ended(batch.id).await;
        let ended = site.look(batch.id).await.batch;
        assert_eq!((ended.status, ended.lines, ended.completed, ended.charged), (BatchStatus::Completed, 3, 3, quoted.quoted));
        assert_eq!(site.results(batch.id).await.iter().map(|result| result.line).collect::<BTreeSet<_>>(), BTreeSet::from([1, 3, 4]));
    }

    async fn a_line_whose_fallback_is_taken_off_offer_is_made_without_it(database: TempDatabase) {
        let site = Site::new(database).await;
        let other = Model { id: "other-1".into(), order: 1000, ..video_model() };
        site.world.services.store.models().offer(&[video_model(), other]).await.unwrap();
        site.world.services.set_alias(Actor::Operator, "usual", "vignette-1").await.unwrap();
        let batch = site.batch(&line("a", "sea|other-1"), "24h").await;
        site.step().await;
        assert_eq!(site.look(batch).await.batch.status, BatchStatus::InProgress);
        site.offer(&video_model()).await;
        site.run_until_ended(batch).await;
        assert_eq!(site.look(batch).await.batch.completed, 1);
        assert_eq!(site.texts("SELECT model FROM jobs WHERE fallback IS NULL").await, ["vignette-1"]);
    }

    async fn lines_wait_for_an_hour_for_a_model_that_is_taken_off_offer(database: TempDatabase) {
        let site = Site::new(database).await;
        let other = Model { id: "other-1".into(), ..video_model() };
        let back = site.batch(&numbered(2), "24h").await;
        site.step().await;
        site.offer(&other).await;
        site.step().await;
        assert_eq!(site.look(back).await.batch.wait.map(|(wait, _)| wait), Some(BatchWait::Model));
        assert_eq!(site.texts("SELECT state FROM jobs").await, Vec::<String>::new());
        // What is on offer is looked at once a second.
        site.world.services.store.models().offer(&[video_model()]).await.unwrap();
        site.step().await;
        assert_eq!(site.look(back).await.batch.failed, 0);
        site.offer(&video_model()).await;
        site.run_until_ended(back).await;
        assert_eq!(site.look(back).await.batch.completed, 2);
        let gone = site.batch(&numbered(3), "24h").await;
        site.step().await;
        site.offer(&other).await;
        site.world.dial.advance_ms(2 * HOUR_MS);
        site.run_until_ended(gone).await;
        assert_eq!(site.look(gone).await.batch.failed, 3);
    }
}

impl Site {
    /// From now on this model is on offer, and no other one.
    async fn offer(&self, model: &Model) {
        self.world.services.store.models().offer(std::slice::from_ref(model)).await.unwrap();
        // Whoever names a model sees to it that what is on offer is looked at anew.
        self.world.services.set_alias(Actor::Operator, "usual", &model.id).await.unwrap();
    }
}
