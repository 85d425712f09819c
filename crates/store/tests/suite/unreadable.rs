//! Rows that make no sense to us: they stand in nobody's way, and the operator is told.

use crate::{LEASE_MS, World};
use domain::Stage;
use std::collections::HashMap;
use store::{JobPage, Order, PageQuery, StoreError, on_both_engines, testing::TempDatabase};

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

async fn list(world: &World, limit: u64) -> JobPage {
    world
        .store
        .tenant(world.tenant)
        .jobs()
        .list(PageQuery { after: None, limit, order: Order::NewestFirst }, store::Texts::Whole)
        .await
        .unwrap()
}

/// The row, column and value of each entry for the operator.
async fn noted(world: &World) -> Vec<(String, String, String)> {
    let noted = world.store.operator().unreadable_rows().await.unwrap();
    noted.into_iter().map(|row| (row.row, row.column, row.reason)).collect()
}

on_both_engines! {
    async fn an_unreadable_job_is_claimed_by_nobody_and_left_out_of_lists(database: TempDatabase) {
        let world = World::new(database).await;
        let (broken, sound) = (world.submit().await.id, world.submit().await.id);
        world.store.spoil(broken, "seed", -1).await.unwrap();
        assert_eq!(list(&world, 10).await.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), [sound]);
        assert_eq!(noted(&world).await, [(broken.to_string(), "seed".to_owned(), "-1".to_owned())]);
        let alone = world.store.tenant(world.tenant).jobs().get(broken).await;
        assert!(matches!(alone, Err(StoreError::Inconsistent { column: "seed", .. })), "{alone:?}");
        let claimed = [world.claim(Stage::Sampling).await, world.claim(Stage::Sampling).await];
        assert_eq!(claimed.map(|claimed| claimed.map(|claimed| claimed.token.job)), [Some(sound), None]);
    }

    async fn unreadable_jobs_are_passed_over_and_written_down_once_an_hour(database: TempDatabase) {
        let world = World::new(database).await;
        let first = world.submit().await.id;
        for _ in 0..5 {
            world.submit().await;
        }
        let last = world.submit().await.id;
        let broken = format!("created_at_ms > {} AND created_at_ms < {}", world.job(first).await.created_at.ms(), world.job(last).await.created_at.ms());
        world.sql(&format!("UPDATE jobs SET state = 'from_the_future' WHERE {broken}")).await;
        let page = list(&world, 2).await;
        assert_eq!((page.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), page.has_more), (vec![last, first], false));
        let page = list(&world, 1).await;
        assert_eq!((page.jobs[0].id, page.has_more), (last, true));

        let noted = world.store.operator().unreadable_rows().await.unwrap();
        assert_eq!(noted.len(), 5);
        assert_eq!((noted[0].table.as_str(), noted[0].column.as_str(), noted[0].reason.as_str()), ("jobs", "state", "from_the_future"));
        world.dial.advance_ms(HOUR_MS - 1);
        list(&world, 10).await;
        assert_eq!(world.store.operator().unreadable_rows().await.unwrap(), noted);
        world.dial.advance_ms(1);
        list(&world, 10).await;
        let again = world.store.operator().unreadable_rows().await.unwrap();
        assert!(again.len() == 5 && again.iter().all(|row| row.last_seen.ms_since(row.first_seen) == 3_600_000), "{again:?}");
    }

    async fn a_row_that_was_not_met_for_a_week_is_forgotten(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        world.sql("UPDATE jobs SET seed = -1").await;
        list(&world, 10).await;
        for (advance_ms, left) in [(7 * 24 * HOUR_MS - 1, 1), (1, 0)] {
            world.dial.advance_ms(advance_ms);
            world.store.operator().forget_unreadable().await.unwrap();
            assert_eq!(world.store.operator().unreadable_rows().await.unwrap().len(), left);
        }
    }

    async fn a_row_that_can_be_read_and_not_be_changed_keeps_neither_claims_nor_leases_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (stuck, sound) = (world.submit().await.id, world.submit().await.id);
        world.store.spoil(stuck, "epoch", i32::MAX).await.unwrap();
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, sound);
        world.dial.advance_ms(MINUTE_MS);
        world.store.spoil(stuck, "epoch", 0).await.unwrap();
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, stuck);
        world.sql("UPDATE jobs SET revision = 9223372036854775807 WHERE created_at_ms = (SELECT MIN(created_at_ms) FROM jobs)").await;
        assert_eq!(world.lose_leases().await, 1, "the other one");
        assert_eq!(world.state(sound).await, "retry_sampling");
    }

    async fn a_row_that_was_mended_is_found_after_a_minute(database: TempDatabase) {
        let world = World::new(database).await;
        let job = world.submit().await;
        world.store.spoil(job.id, "seed", -1).await.unwrap();
        assert!(world.claim(Stage::Sampling).await.is_none());
        world.store.spoil(job.id, "seed", 7).await.unwrap();
        world.dial.advance_ms(MINUTE_MS);
        assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, job.id);
    }

    async fn more_unreadable_rows_than_are_remembered_keep_nobody_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        for _ in 0..1010 {
            world.submit().await;
        }
        world.sql("UPDATE jobs SET seed = -1").await;
        let sound = world.submit().await.id;
        for _ in 0..2 {
            assert_eq!(world.claim(Stage::Sampling).await.unwrap().token.job, sound);
            world.lose_leases().await;
            world.pass_pause();
        }
    }

    async fn looks_that_many_share_leave_out_what_cannot_be_read(database: TempDatabase) {
        let world = World::new(database).await;
        let (broken, sound) = (world.submit().await, world.submit().await);
        for column in ["revision", "steps"] {
            world.store.spoil(broken.id, column, -1).await.unwrap();
        }
        let revisions = world.store.revisions(&[broken.id, sound.id]).await.unwrap();
        assert_eq!(revisions, HashMap::from([(sound.id, sound.revision)]));
        world.queue().snapshot().await.unwrap();
        world.sql("UPDATE jobs SET state = 'sampling', waits_for = NULL").await;
        world.queue().snapshot().await.unwrap();
    }

    async fn an_unreadable_job_keeps_neither_leases_nor_garbage_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (broken, sound) = (world.submit().await.id, world.submit().await.id);
        let lost = [world.claim(Stage::Sampling).await.unwrap().token, world.claim(Stage::Sampling).await.unwrap().token];
        assert_eq!(lost.map(|token| token.job), [broken, sound]);
        world.sql("UPDATE jobs SET seed = -1 WHERE created_at_ms = (SELECT MIN(created_at_ms) FROM jobs)").await;
        world.dial.advance_ms(LEASE_MS);
        assert_eq!(world.expire_leases().await, 1);
        assert_eq!(world.state(sound).await, "retry_sampling");
        let noted = world.store.operator().unreadable_rows().await.unwrap();
        assert_eq!(noted.iter().map(|row| (row.row.clone(), row.column.as_str())).collect::<Vec<_>>(), [(broken.to_string(), "seed")]);
        world.store.tenant(world.tenant).jobs().delete(sound).await.unwrap();
        world.sql("UPDATE jobs SET deleted_at_ms = 1").await;
        world.queue().forget_deleted().await.unwrap();
        assert_eq!(world.count("jobs").await, 0);
    }
}

/// SQLite keeps whatever is put into a column.
#[tokio::test]
async fn a_value_of_another_type_hides_one_job_of_a_list() {
    let world = World::new(TempDatabase::sqlite()).await;
    let (broken, sound) = (world.submit().await.id, world.submit().await.id);
    world.sql("UPDATE jobs SET step = 'x', revision = 'x' WHERE created_at_ms = (SELECT MIN(created_at_ms) FROM jobs)").await;
    assert_eq!(list(&world, 10).await.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), [sound]);
    assert_eq!(world.store.operator().unreadable_rows().await.unwrap()[0].row, broken.to_string());
    assert_eq!(world.store.revisions(&[broken, sound]).await.unwrap().len(), 1);
    world.queue().snapshot().await.unwrap();
}
