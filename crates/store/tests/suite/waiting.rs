//! All that a tenant has waiting: counted, and cancelled in batches.

use crate::{World, account, new_job};
use domain::{Stage, VideoTime};
use store::{Waiting, on_both_engines};

on_both_engines! {
    async fn what_waits_is_cancelled_in_batches_and_what_runs_goes_on(database: TempDatabase) {
        let world = World::new(database).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let (running, begun) = (world.submit().await.id, world.submit().await.id);
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        world.queue().progress(vec![crate::report(token, 3)]).await.unwrap();
        let given_back = world.claim(Stage::Sampling).await.unwrap().token;
        world.queue().give_back(&given_back).await.unwrap();
        for _ in 0..3 {
            world.submit().await;
        }
        let billed = world.new_job().quote.billed;
        let all = (0..4).fold(VideoTime::default(), |sum, _| sum + billed);
        assert_eq!(jobs.waiting().await.unwrap(), Waiting { jobs: 4, billed: all });
        let mut batches = Vec::new();
        for _ in 0..3 {
            batches.push(jobs.cancel_waiting(3).await.unwrap());
        }
        assert_eq!(batches, [3, 1, 0]);
        assert_eq!(jobs.waiting().await.unwrap(), Waiting::default());
        assert_eq!((world.state(running).await, world.state(begun).await), ("sampling", "cancelled"));
        assert_eq!(jobs.open_work().await.unwrap(), billed);
        assert!(world.claim(Stage::Sampling).await.is_none());
    }

    async fn a_waiting_job_that_cannot_be_read_is_passed_over(database: TempDatabase) {
        let world = World::new(database).await;
        let (oldest, older) = (world.submit().await.id, world.submit().await.id);
        let broken = [world.submit().await.id, world.submit().await.id];
        world.sql(&format!("UPDATE jobs SET seed = -1 WHERE created_at_ms > {}", world.job(older).await.created_at.ms())).await;
        let jobs = world.store.tenant(world.tenant).jobs();
        let batches = [jobs.cancel_waiting(2).await.unwrap(), jobs.cancel_waiting(2).await.unwrap()];
        assert_eq!(batches, [2, 0]);
        assert_eq!((world.state(oldest).await, world.state(older).await), ("cancelled", "cancelled"));
        let mut noted: Vec<_> = world.store.operator().unreadable_rows().await.unwrap().into_iter().map(|row| row.row).collect();
        noted.sort();
        assert_eq!(noted, broken.map(|id| id.to_string()));
    }

    async fn another_tenants_waiting_jobs_stay(database: TempDatabase) {
        let world = World::new(database).await;
        let (stranger, user) = account(&world.store, "eve@example.com").await;
        let theirs = world.store.tenant(stranger).jobs();
        theirs.submit(new_job(user), None).await.unwrap();
        world.submit().await;
        assert_eq!(world.store.tenant(world.tenant).jobs().cancel_waiting(10).await.unwrap(), 1);
        assert_eq!(theirs.waiting().await.unwrap().jobs, 1);
    }
}
