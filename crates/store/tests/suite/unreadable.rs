//! Rows that make no sense to us: they stand in nobody's way, and the operator is told.

use crate::{LEASE_MS, World};
use domain::Stage;
use store::{JobPage, Order, PageQuery, on_both_engines};

const HOUR_MS: i64 = 60 * 60 * 1000;

async fn list(world: &World, limit: u64) -> JobPage {
    world
        .store
        .tenant(world.tenant)
        .jobs()
        .list(PageQuery { after: None, limit, order: Order::NewestFirst }, store::Texts::Whole)
        .await
        .unwrap()
}

on_both_engines! {
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

    async fn an_unreadable_job_keeps_neither_leases_nor_garbage_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (broken, sound) = (world.submit().await.id, world.submit().await.id);
        let lost = [world.claim(Stage::Sampling).await.unwrap().token, world.claim(Stage::Sampling).await.unwrap().token];
        assert_eq!(lost.map(|token| token.job), [broken, sound]);
        world.sql("UPDATE jobs SET seed = -1 WHERE created_at_ms = (SELECT MIN(created_at_ms) FROM jobs)").await;
        world.dial.advance_ms(LEASE_MS);
        assert_eq!(world.queue().expire_leases().await.unwrap(), 1);
        assert_eq!(world.state(sound).await, "retry_sampling");
        let noted = world.store.operator().unreadable_rows().await.unwrap();
        assert_eq!(noted.iter().map(|row| (row.row.clone(), row.column.as_str())).collect::<Vec<_>>(), [(broken.to_string(), "seed")]);
        world.store.tenant(world.tenant).jobs().delete(sound).await.unwrap();
        world.sql("UPDATE jobs SET deleted_at_ms = 1").await;
        world.queue().forget_garbage(&[]).await.unwrap();
        assert_eq!(world.count("jobs").await, 0);
    }
}
