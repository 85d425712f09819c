//! What enters the queue when, by the limits of a plan.

use super::shares::Team;
use crate::{MODELS, World, new_job};
use domain::{
    FailureCode, JobId, JobState, Stage, VideoTime,
    billing::{Lane, Plan},
    job::AttemptFailure,
    metrics::StretchOf,
};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use store::{
    ActOfOperator, Job, on_both_engines,
    queue::{Released, Throttled},
    testing::Engine,
};

/// Between two clips of two seconds at a minute a minute.
const GAP_MS: i64 = 2007;

/// A team of which a minute enters in a minute.
async fn batch_team(world: &World) -> Team {
    let rate = Some(VideoTime::from_minutes(1));
    world.team("batch", |plan| Plan { lane: Lane::Batch, release_rate: rate, ..plan }).await
}

/// All jobs of a team, the oldest first.
async fn all(world: &World, team: Team) -> Vec<Job> {
    let page = store::PageQuery { after: None, limit: 100, order: store::Order::OldestFirst };
    world.store.tenant(team.tenant).jobs().list(page, store::Texts::LeftOut).await.unwrap().jobs
}

async fn throttled(world: &World, team: Team) -> usize {
    all(world, team).await.iter().filter(|job| job.lifecycle.state == JobState::Throttled).count()
}

on_both_engines! {
    async fn jobs_enter_at_the_release_rate_and_say_when(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        let begun = world.store.now().await.unwrap();
        for _ in 0..5 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        assert_eq!(throttled(&world, team).await, 4);
        assert!(world.claim(Stage::Sampling).await.is_some());
        assert!(world.claim(Stage::Sampling).await.is_none());
        for (n, job) in all(&world, team).await.iter().enumerate().skip(1) {
            let Some(Throttled::Until(moment)) = world.queue().throttle(job).await.unwrap() else { panic!("{job:?}") };
            // Who was away counts as a fifth of a second late.
            assert!(moment.ms().abs_diff(begun.plus_ms(GAP_MS * n as i64 - 200).ms()) <= 5, "{moment:?}");
        }
        assert_eq!(world.queue().release().await.unwrap().jobs, 0);
        for left in (0..4).rev() {
            world.dial.advance_ms(GAP_MS);
            let released: Vec<_> = join_all((0..4).map(|_| world.store.queue().release())).await;
            assert_eq!(released.into_iter().map(|released| released.unwrap().jobs).sum::<u64>(), 1, "however many servers do it");
            assert_eq!(throttled(&world, team).await, left);
            assert!(world.claim(Stage::Sampling).await.is_some());
        }
        assert_eq!(world.queue().release().await.unwrap().next_in_ms, None);
    }

    async fn another_rate_holds_for_what_waits_already(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        for _ in 0..4 {
            world.submit_of(team, MODELS[0], 60_000).await;
        }
        let plan = world.store.tenant(team.tenant).credits().plan().await.unwrap();
        let faster = Plan { release_rate: Some(VideoTime::from_minutes(60)), ..plan.clone() };
        world.store.plans().define(&faster, None).await.unwrap();
        world.dial.advance_ms(1000);
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        world.store.plans().define(&Plan { release_rate: None, ..plan }, None).await.unwrap();
        assert_eq!(world.queue().release().await.unwrap().jobs, 2);
    }

    async fn no_more_jobs_are_in_the_queue_than_the_plan_lets_be_made_at_once(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { concurrency: Some(2), ..plan }).await;
        for _ in 0..4 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        let last = all(&world, team).await.pop().unwrap();
        assert_eq!(world.queue().throttle(&last).await.unwrap(), Some(Throttled::AtOnce(2)));
        let (one, _) = (world.claim(Stage::Sampling).await.unwrap(), world.claim(Stage::Sampling).await.unwrap());
        assert_eq!(world.queue().release().await.unwrap().jobs, 0);
        world.hand_over(&one.token).await;
        assert_eq!(world.queue().release().await.unwrap().jobs, 0);
        let one = world.claim(Stage::Decoding).await.unwrap();
        world.succeed(&one.token).await;
        assert_eq!((world.queue().release().await.unwrap().jobs, throttled(&world, team).await), (1, 1));
        // One that waits and is cancelled makes room too.
        let waits = all(&world, team).await.into_iter().find(|job| job.lifecycle.state == JobState::Ready).unwrap();
        world.store.tenant(team.tenant).jobs().cancel(waits.id).await.unwrap();
        assert_eq!((world.queue().release().await.unwrap().jobs, throttled(&world, team).await), (1, 0));
    }

    async fn who_waits_for_another_job_is_looked_at_when_that_has_ended_and_seldom_before(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { concurrency: Some(1), ..plan }).await;
        for _ in 0..3 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        let jobs = world.store.tenant(team.tenant).jobs();
        for left in [2, 1] {
            world.dial.advance_ms(3000);
            let released = world.queue().release().await.unwrap();
            assert!(released.jobs == 0 && released.next_in_ms.is_some_and(|ms| ms > 50_000), "{released:?}");
            assert_eq!(throttled(&world, team).await, left);
            let claimed = world.claim(Stage::Sampling).await.unwrap();
            jobs.cancel(claimed.job.id).await.unwrap();
            assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        }
    }

    async fn the_waterfall_of_a_job_tells_the_time_outside_of_the_queue_from_the_wait_for_a_worker(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { concurrency: Some(1), ..plan }).await;
        for _ in 0..2 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        let ids: Vec<_> = all(&world, team).await.iter().map(|job| job.id).collect();
        let tenant = world.store.tenant(team.tenant);
        let told = async |job: JobId| {
            let timeline = tenant.requests().times(job).await.unwrap().unwrap().timeline;
            let stretches = timeline.stretches(world.store.now().await.unwrap());
            stretches.into_iter().map(|stretch| (stretch.what, stretch.until.ms_since(stretch.from))).collect::<Vec<_>>()
        };
        world.dial.advance_ms(3000);
        let (first, outside) = (told(ids[0]).await, told(ids[1]).await);
        assert_eq!([&first, &outside].map(|of| of.iter().map(|(what, _)| *what).collect::<Vec<_>>()), [[StretchOf::Waiting], [StretchOf::Outside]]);
        tenant.jobs().cancel(ids[0]).await.unwrap();
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        world.dial.advance_ms(5000);
        let waiting = [outside[0], (StretchOf::Waiting, 5000)];
        assert_eq!(told(ids[1]).await, waiting);
        let begun = world.claim(Stage::Sampling).await.unwrap();
        world.dial.advance_ms(700);
        assert_eq!(told(ids[1]).await, [&waiting[..], &[(StretchOf::Denoising, 700)]].concat());
        // It has failed, and the operator has it tried once more: it came into the queue again after its first start.
        world.queue().report_failure(&begun.token, AttemptFailure::refused(FailureCode::OutOfMemory)).await.unwrap();
        world.dial.advance_ms(1);
        tenant.acts().requeue(ids[1], ActOfOperator { by: None, reason: "" }).await.unwrap();
        let again = told(ids[1]).await;
        assert!(again[0].0 == StretchOf::Waiting && again.iter().all(|(what, _)| *what != StretchOf::Outside), "{again:?}");
    }

    async fn a_job_that_is_put_into_quarantine_makes_room_at_once_and_takes_none_when_it_enters(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { concurrency: Some(1), ..plan }).await;
        for _ in 0..4 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        let ids: Vec<_> = all(&world, team).await.iter().map(|job| job.id).collect();
        let acts = world.store.tenant(team.tenant).acts();
        let act = || ActOfOperator { by: None, reason: "why?" };
        acts.quarantine(ids[2], act()).await.unwrap();
        acts.quarantine(ids[0], act()).await.unwrap();
        assert_eq!((world.queue().release().await.unwrap().jobs, throttled(&world, team).await), (1, 2));
        world.store.tenant(team.tenant).jobs().cancel(ids[1]).await.unwrap();
        assert_eq!((world.queue().release().await.unwrap().jobs, throttled(&world, team).await), (2, 0));
    }

    async fn a_team_whose_plan_cannot_be_read_keeps_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let rate = Some(VideoTime::from_minutes(1));
        let (wrong, right) = (batch_team(&world).await, world.team("right", |plan| Plan { lane: Lane::Batch, release_rate: rate, ..plan }).await);
        for team in [wrong, right] {
            world.submit_of(team, MODELS[0], 2000).await;
            world.submit_of(team, MODELS[0], 2000).await;
        }
        world.sql("UPDATE plans SET terms = '{}' WHERE id = 'batch'").await;
        world.dial.advance_ms(GAP_MS);
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        assert_eq!((throttled(&world, wrong).await, throttled(&world, right).await), (1, 0));
    }

    async fn a_clock_that_was_ahead_for_a_moment_stops_nobody(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        world.dial.advance_ms(86_400_000);
        for _ in 0..3 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        world.dial.advance_ms(-86_400_000);
        let mut released = 0;
        for _ in 0..2 {
            released += world.queue().release().await.unwrap().jobs;
            world.dial.advance_ms(GAP_MS);
        }
        assert_eq!(released, 2);
    }

    async fn who_begins_first_and_has_the_turn_later_finds_the_rate_used(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        world.submit_of(team, MODELS[0], 2000).await;
        // As the clock of a transaction shows it that began before that one and waited for the tenant.
        world.dial.advance_ms(-5000);
        world.submit_of(team, MODELS[0], 2000).await;
        assert_eq!(throttled(&world, team).await, 1);
        assert_eq!(world.queue().release().await.unwrap().jobs, 0);
        world.dial.advance_ms(5000 + GAP_MS);
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
    }

    async fn nobody_releases_those_behind_the_jobs_that_another_server_is_releasing(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        for _ in 0..31 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        world.dial.advance_ms(GAP_MS);
        if world.database.engine == Engine::Postgres {
            let db = Database::connect(world.database.url_of_all()).await.unwrap();
            let other = db.begin().await.unwrap();
            let first = "SELECT id FROM jobs WHERE state = 'throttled' ORDER BY created_at_ms, id LIMIT 20 FOR NO KEY UPDATE";
            assert_eq!(other.execute_unprepared(first).await.unwrap().rows_affected(), 20);
            assert_eq!(world.queue().release().await.unwrap().jobs, 0);
            other.rollback().await.unwrap();
            db.close().await.unwrap();
        }
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        let waiting: Vec<_> = all(&world, team).await.iter().map(|job| job.lifecycle.state == JobState::Throttled).collect();
        assert_eq!(waiting.iter().position(|is_throttled| *is_throttled), Some(2), "the next one has entered");
    }

    async fn what_has_not_entered_waits_with_the_others_and_is_cancelled_with_them(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        for _ in 0..3 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        let jobs = world.store.tenant(team.tenant).jobs();
        assert_eq!(jobs.waiting().await.unwrap().jobs, 3);
        assert_eq!(world.store.operator().load().await.unwrap()[0].waiting.jobs, 3);
        assert_eq!(jobs.cancel_waiting(50).await.unwrap(), 3);
        assert_eq!(world.queue().release().await.unwrap(), Released::default());
        world.dial.advance_ms(GAP_MS);
        world.submit_of(team, MODELS[0], 2000).await;
        assert_eq!(throttled(&world, team).await, 0, "nobody is in front of it");
    }

    async fn what_enters_late_stands_where_its_line_is_then(database: TempDatabase) {
        let world = World::new(database).await;
        let (team, other) = (batch_team(&world).await, world.team("other", |plan| Plan { lane: Lane::Batch, ..plan }).await);
        for _ in 0..2 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        for _ in 0..20 {
            world.submit_of(other, MODELS[0], 2000).await;
        }
        for _ in 0..11 {
            world.claim(Stage::Sampling).await.unwrap();
        }
        world.dial.advance_ms(GAP_MS);
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        let next = [world.claim(Stage::Sampling).await.unwrap(), world.claim(Stage::Sampling).await.unwrap()];
        assert!(next.iter().any(|claimed| claimed.token.tenant == team.tenant), "{next:?}");
    }

    async fn who_releases_late_by_a_little_loses_nothing_of_the_rate(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        for _ in 0..12 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        world.dial.advance_ms(150);
        for n in 1..=10 {
            world.dial.advance_ms(GAP_MS);
            assert_eq!(world.queue().release().await.unwrap().jobs, 1, "{n}");
        }
        world.dial.advance_ms(1000);
        assert_eq!(world.queue().release().await.unwrap().jobs, 0);
    }

    async fn what_has_not_entered_fails_with_the_others_when_its_model_is_withdrawn(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        for _ in 0..3 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        world.sql(&format!("UPDATE models SET is_offered = FALSE, withdrawn_at_ms = 1 WHERE id = '{}'", MODELS[0])).await;
        assert_eq!(world.queue().fail_withdrawn(0).await.unwrap(), 3);
        assert_eq!(throttled(&world, team).await, 0);
    }

    async fn jobs_of_a_team_that_is_gone_do_not_enter_before_they_are_deleted(database: TempDatabase) {
        let world = World::new(database).await;
        let team = batch_team(&world).await;
        for _ in 0..3 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        world.store.accounts().delete(team.user).await.unwrap();
        world.dial.advance_ms(2 * GAP_MS);
        assert_eq!(world.queue().release().await.unwrap(), Released { jobs: 0, next_in_ms: None });
        assert_eq!(throttled(&world, team).await, 2);
    }

    async fn a_team_whose_throttled_jobs_cannot_be_read_is_looked_at_again_in_a_while(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("one", |plan| Plan { lane: Lane::Batch, concurrency: Some(1), ..plan }).await;
        let submit = async || world.store.tenant(team.tenant).jobs().submit(new_job(team.user), None).await.unwrap().job.id;
        let (first, throttled) = (submit().await, submit().await);
        world.store.spoil(throttled, "seed", -1).await.unwrap();
        world.store.tenant(team.tenant).jobs().cancel(first).await.unwrap();
        for _ in 0..3 {
            world.dial.advance_ms(3000);
            let released = world.queue().release().await.unwrap();
            assert!(released.jobs == 0 && released.next_in_ms.is_some_and(|ms| ms > 1000), "{released:?}");
        }
    }
}
