//! Batches of one team beside each other: all have no more open than one, and each has its turn, unless the operator keeps the team waiting.

use crate::{lines::Site, numbered};
use domain::{
    Actor, NoEta, VideoTime,
    batch::{BatchStatus, BatchWait},
    billing::{Included, Plan},
    scheduling::{PauseScope, QueueAct},
};
use store::on_both_engines;

on_both_engines! {
    async fn all_batches_of_a_team_have_no_more_open_than_one(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { open_work_max_ms: VideoTime::from_ms(16_000), ..plan }).await;
        let batches = [site.batch(&numbered(10), "24h").await, site.batch(&numbered(10), "24h").await];
        for _ in 0..6 {
            site.step().await;
            let [one, other] = [site.look(batches[0]).await.open.lines, site.look(batches[1]).await.open.lines];
            assert!(one + other <= 6, "{one} and {other}");
        }
        for batch in batches {
            site.run_until_ended(batch).await;
            assert_eq!(site.look(batch).await.batch.completed, 10);
        }
    }

    async fn a_second_batch_of_a_team_is_made_while_the_first_goes_on(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { open_work_max_ms: VideoTime::from_ms(16_000), ..plan }).await;
        let long = site.batch(&numbered(500), "24h").await;
        site.step().await;
        site.step().await;
        assert_eq!(site.look(long).await.open.lines, 6, "as long as it is alone");
        let short = site.batch(&numbered(5), "10m").await;
        site.run_until_ended(short).await;
        let short = site.look(short).await.batch;
        assert_eq!((short.status, short.completed), (BatchStatus::Completed, 5));
        let long = site.look(long).await;
        assert!(long.batch.status == BatchStatus::InProgress && long.batch.completed > 5, "{long:?}");
    }

    async fn batches_of_a_team_take_turns_where_a_line_of_one_takes_all_of_the_room(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { open_work_max_ms: VideoTime::from_ms(2700), ..plan }).await;
        let long = site.batch(&numbered(100), "24h").await;
        let short = [site.batch(&numbered(5), "24h").await, site.batch(&numbered(5), "24h").await];
        for _ in 0..40 {
            site.step().await;
            let mut open = site.look(long).await.open.lines;
            for batch in short {
                open += site.look(batch).await.open.lines;
            }
            assert!(open <= 1, "{open}");
            site.make_all().await;
        }
        for batch in short {
            assert_eq!(site.look(batch).await.batch.completed, 5);
        }
        assert!(site.look(long).await.batch.completed > 5);
    }

    async fn no_end_is_promised_of_a_batch_that_the_operator_keeps_waiting(database: TempDatabase) {
        let site = Site::new(database).await;
        site.measured_worker().await;
        let quote = site.quoted(&numbered(3)).await;
        site.step().await;
        let pause = QueueAct::Pause(PauseScope::Tenant(site.world.ada.tenant));
        site.world.services.change_queue(Actor::Operator, None, &pause, "the team is moving").await.unwrap();
        let mut eta = Err(NoEta::NotAsked);
        for _ in 0..50 {
            if eta != Err(NoEta::NotAsked) {
                break;
            }
            eta = site.look(quote).await.eta;
            tokio::task::yield_now().await;
        }
        assert_eq!(eta, Err(NoEta::Paused));
    }

    async fn no_end_is_promised_of_a_batch_that_waits_for_credit(database: TempDatabase) {
        let site = Site::new(database).await;
        site.set_plan(|plan| Plan { included: Included::MonthlyMs(VideoTime::from_ms(4000)), overage: None, ..plan }).await;
        let batch = site.batch(&numbered(3), "24h").await;
        for _ in 0..4 {
            site.step().await;
            site.make_all().await;
        }
        site.measured_worker().await;
        for _ in 0..50 {
            let view = site.look(batch).await;
            assert_eq!((view.batch.wait.map(|(wait, _)| wait), view.eta), (Some(BatchWait::Credit), Err(NoEta::NotAsked)));
            tokio::task::yield_now().await;
        }
    }
}
