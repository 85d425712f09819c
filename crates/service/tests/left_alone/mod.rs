//! Batches with which this version cannot go on: they are left alone for a moment between two looks.

use crate::{HOUR_MS, lines::Site, numbered};
use domain::{Actor, batch::BatchStatus};
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
}
