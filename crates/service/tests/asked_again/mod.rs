//! Batches that are asked for once more, and quotes that are given up.

use crate::{
    lines::{Site, line},
    numbered,
};
use domain::{
    VideoTime,
    batch::{BatchStatus, WITHDRAWN_KEPT_MS},
};
use service::{BatchError, BatchRepetition, BatchRequest};
use store::{FilesUsed, NewLine, on_both_engines};

on_both_engines! {
    async fn a_batch_that_is_asked_for_again_is_found_also_where_its_team_has_no_room_for_another(database: TempDatabase) {
        let site = Site::new(database).await;
        let small = site.world.services.clone().with_files_max(2000);
        let input = site.upload_by(site.actor(), &line("a", "sea")).await;
        let under = |key: &str| {
            let repetition = BatchRepetition { key: Some(key.to_owned()), retry_count: 0 };
            BatchRequest { repetition, ..site.request(input, "24h", false) }
        };
        let first = small.create_batch(site.actor(), under("a")).await.unwrap().batch.id;
        site.upload_by(site.actor(), &"x".repeat(2000)).await;
        assert_eq!(small.create_batch(site.actor(), under("a")).await.unwrap().batch.id, first);
        assert!(matches!(small.create_batch(site.actor(), under("b")).await, Err(BatchError::NoRoom { .. })));
    }

    async fn a_quote_that_is_discarded_while_it_is_read_takes_its_file_along(database: TempDatabase) {
        let site = Site::new(database).await;
        let services = &site.world.services;
        let quote = site.quoted(&numbered(3)).await;
        assert!(services.discard_quote(site.actor(), quote).await.unwrap());
        site.run_until_ended(quote).await;
        assert_eq!(site.look(quote).await.batch.status, BatchStatus::Cancelled);
        let files = services.store.tenant(site.world.ada.tenant).files();
        assert_eq!((site.listed().await, files.used().await.unwrap()), (0, FilesUsed::default()));
        // Another batch of the same file keeps it, and so does one that was to be made.
        let (quote, batch) = (site.quoted(&numbered(3)).await, site.batch(&numbered(4), "24h").await);
        let input = site.look(quote).await.batch.input;
        let other = services.create_batch(site.actor(), site.request(input, "24h", false)).await.unwrap().batch.id;
        assert!(services.discard_quote(site.actor(), quote).await.unwrap());
        services.cancel_batch(site.actor(), batch).await.unwrap().unwrap();
        for ended in [quote, batch] {
            site.run_until_ended(ended).await;
            let input = site.look(ended).await.batch.input;
            assert!(files.get(input).await.unwrap().is_some());
        }
        site.run_until_ended(other).await;
        assert_eq!(site.look(other).await.batch.completed, 3);
    }

    async fn nothing_is_kept_of_a_quote_that_is_discarded_when_part_of_it_is_read(database: TempDatabase) {
        let site = Site::new(database).await;
        let quote = site.quoted(&numbered(3)).await;
        let rows = site.world.services.store.tenant(site.world.ada.tenant).batches();
        let batch = rows.get(quote).await.unwrap().unwrap();
        let billed = VideoTime::from_ms(2000);
        let read = NewLine { line: 1, custom_id: Some("line-0".into()), offset: 0, length: 17, billed, fault: None, unknown_field: None };
        assert!(rows.steps(quote).add_lines(&batch, &[read], (1, 18), (None, 0)).await.unwrap());
        assert!(site.world.services.discard_quote(site.actor(), quote).await.unwrap());
        site.run_until_ended(quote).await;
        let ended = site.look(quote).await.batch;
        assert_eq!((ended.status, ended.lines, ended.errors), (BatchStatus::Cancelled, 1, None));
        let files = site.world.services.store.tenant(site.world.ada.tenant).files();
        assert_eq!(files.used().await.unwrap(), FilesUsed::default(), "no file says of its lines that they were cancelled");
    }

    async fn who_asks_again_after_nothing_came_of_it_has_another_batch(database: TempDatabase) {
        let site = Site::new(database).await;
        let quote = site.quoted(&numbered(3)).await;
        site.step().await;
        let start = async || site.world.services.start_quoted(site.actor(), quote).await.unwrap().batch.id;
        let cancel = async |id| {
            site.world.services.cancel_batch(site.actor(), id).await.unwrap().unwrap();
            site.run_until_ended(id).await;
        };
        let first = start().await;
        assert_eq!(start().await, first, "a second click is the first one");
        cancel(first).await;
        let second = start().await;
        assert_ne!(second, first);
        assert_eq!(start().await, second);
        // Its lines are read.
        site.step().await;
        cancel(second).await;
        assert_eq!(site.look(second).await.batch.failed, 3);
        assert_eq!(start().await, second, "its lines are tried again from there");

        let retry = async || site.world.services.retry_failed(site.actor(), second).await.unwrap().batch.id;
        let third = retry().await;
        assert_eq!((retry().await, site.look(second).await.retried), (third, Some(third)));
        cancel(third).await;
        assert_eq!(site.look(second).await.retried, None, "nothing came of it");
        let fourth = retry().await;
        assert!(fourth != third && retry().await == fourth);
        assert_eq!((site.look(second).await.retried, site.look(fourth).await.retried), (Some(fourth), None));
        site.run_until_ended(fourth).await;
        assert_eq!((site.look(fourth).await.batch.completed, retry().await), (3, fourth));
        // Quotes and batches of which nothing came are gone by then.
        site.world.dial.advance_ms(25 * 3_600_000);
        assert!(site.world.services.store.batch_rows().forget_old().await.unwrap() > 0);
        assert_eq!(retry().await, fourth, "what it has made is not made and charged once more");
    }

    async fn a_try_that_was_cancelled_is_known_as_long_as_what_was_made_instead_of_it(database: TempDatabase) {
        let site = Site::new(database).await;
        let quote = site.quoted(&numbered(3)).await;
        site.step().await;
        let batch = site.world.services.start_quoted(site.actor(), quote).await.unwrap().batch.id;
        // Its lines are read, and one of them is being made: it is kept.
        site.step().await;
        let cancel = async |id| {
            site.world.services.cancel_batch(site.actor(), id).await.unwrap().unwrap();
            site.run_until_ended(id).await;
        };
        cancel(batch).await;
        let kept = "UPDATE batches SET remove_after_ms = NULL WHERE retry_of IS NULL";
        site.world.database.damage(kept).await;
        let retry = async || site.world.services.retry_failed(site.actor(), batch).await.unwrap().batch.id;
        cancel(retry().await).await;
        let made = retry().await;
        site.run_until_ended(made).await;
        site.world.dial.advance_ms(WITHDRAWN_KEPT_MS + 3_600_000);
        site.world.services.store.batch_rows().forget_old().await.unwrap();
        assert_eq!(retry().await, made);
    }
}
