//! What was told of jobs' times, and what came of it.

use crate::World;
use domain::{
    Interval, Stage,
    billing::Lane,
    scheduling::{EtaBasis, Forecast, ForecastOutcome},
};
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use store::{
    ActOfOperator, Job, on_both_engines,
    queue::{EtaCoverage, ToldEta},
    testing::Engine,
};

fn told(job: &Job, ms: u64) -> ToldEta {
    let forecast = Forecast { lane: Lane::Interactive, basis: EtaBasis::Queue, ms, late_ms: (ms > 1000).then_some(2 * ms) };
    ToldEta { job: job.id, forecast, told: Interval { p50_ms: ms, p90_ms: 2 * ms } }
}

on_both_engines! {
    async fn what_was_told_first_is_compared_with_what_came_of_it(database: TempDatabase) {
        let world = World::new(database).await;
        let begun = world.store.now().await.unwrap();
        let mut jobs = Vec::new();
        for _ in 0..4 {
            jobs.push(world.submit().await);
        }
        world.queue().note_told(&[]).await.unwrap();
        world.queue().note_told(&[told(&jobs[0], 5000), told(&jobs[1], 1000), told(&jobs[2], 1000)]).await.unwrap();
        world.queue().note_told(&[told(&jobs[0], 1)]).await.unwrap();
        world.dial.advance_ms(3000);
        for job in [0, 1, 3] {
            let sampling = world.claim(Stage::Sampling).await.unwrap();
            if job == 3 {
                // The third is cancelled, and says nothing.
                world.store.tenant(sampling.token.tenant).jobs().cancel(sampling.token.job).await.unwrap();
                let sampling = world.claim(Stage::Sampling).await.unwrap();
                world.hand_over(&sampling.token).await;
            } else {
                world.hand_over(&sampling.token).await;
            }
            let decoding = world.claim(Stage::Decoding).await.unwrap();
            assert_eq!(decoding.token.job, jobs[job].id);
            world.succeed(&decoding.token).await;
            world.dial.advance_ms(1);
        }
        let ended = world.queue().told_of_ended(begun, 10).await.unwrap();
        let outcomes: Vec<_> = ended.iter().map(|ended| ended.outcome).collect();
        let outcome = |n: usize, ms, took_ms| ForecastOutcome { forecast: told(&jobs[n], ms).forecast, shown: told(&jobs[n], ms).told, took_ms };
        assert_eq!(outcomes, [outcome(0, 5000, 3003), outcome(1, 1000, 3003)]);
        assert_eq!(outcomes.iter().map(ForecastOutcome::is_covered).collect::<Vec<_>>(), [true, false]);
        let coverage = world.queue().eta_coverage(begun).await.unwrap();
        assert_eq!(coverage, EtaCoverage { ended: 3, told: 2, covered: 1 });
        // As a line of a batch.
        world.database.damage("UPDATE jobs SET batch_id = tenant_id, batch_line = 1 WHERE state = 'succeeded' AND forecast_ms IS NULL").await;
        let alone = world.queue().eta_coverage(begun).await.unwrap();
        assert_eq!(alone, EtaCoverage { ended: 2, ..coverage });
        let later = world.queue().told_of_ended(ended[0].ended_at, 10).await.unwrap();
        assert_eq!(later.iter().map(|ended| ended.job).collect::<Vec<_>>(), [jobs[1].id]);
    }

    async fn of_few_jobs_it_is_not_said_how_many_were_in_time(database: TempDatabase) {
        let world = World::new(database).await;
        let begun = world.store.now().await.unwrap();
        let jobs = [world.submit().await, world.submit().await];
        let shown = |job: &Job, p90_ms| ToldEta { told: Interval { p50_ms: 500, p90_ms }, ..told(job, 500) };
        world.queue().note_told(&[shown(&jobs[0], 3000), shown(&jobs[1], 2000)]).await.unwrap();
        world.dial.advance_ms(2900);
        for _ in jobs {
            world.hand_over(&world.claim(Stage::Sampling).await.unwrap().token).await;
            world.succeed(&world.claim(Stage::Decoding).await.unwrap().token).await;
        }
        let coverage = world.queue().eta_coverage(begun).await.unwrap();
        assert_eq!(coverage, EtaCoverage { ended: 2, told: 2, covered: 1 });
        assert_eq!((coverage.kept(), EtaCoverage { told: 10, ..coverage }.kept()), (None, Some(0.1)));
    }

    async fn what_is_told_and_how_far_jobs_are_is_noted_also_where_others_wait_for_it_in_a_circle(database: TempDatabase) {
        let world = World::new(database).await;
        if world.database.engine == Engine::Sqlite {
            // It has one writer.
            return;
        }
        let jobs = [world.submit().await, world.submit().await];
        let tokens = [world.claim(Stage::Sampling).await.unwrap().token, world.claim(Stage::Sampling).await.unwrap().token];
        let db = Database::connect(world.database.url_of_all()).await.unwrap();
        let lock = |job: &Job| format!("SELECT id FROM jobs WHERE id = '{}' FOR NO KEY UPDATE", job.id.uuid());
        for tells in [true, false] {
            let other = db.begin().await.unwrap();
            other.execute_unprepared(&lock(&jobs[1])).await.unwrap();
            let (store, told, reports) =
                (world.store.clone(), [told(&jobs[1], 1), told(&jobs[0], 1)], vec![crate::report(tokens[1], 1), crate::report(tokens[0], 1)]);
            let noting = tokio::spawn(async move {
                if tells { store.queue().note_told(&told).await.unwrap() } else { assert_eq!(store.queue().progress(reports).await.unwrap(), []) }
            });
            let waiting = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
            while world.texts(waiting).await.is_empty() {}
            // Now each waits for the other, and the database ends one of them.
            let _ended = other.execute_unprepared(&lock(&jobs[0])).await;
            other.rollback().await.unwrap();
            noting.await.unwrap();
        }
        db.close().await.unwrap();
    }

    async fn of_what_was_paused_meanwhile_it_is_said(database: TempDatabase) {
        let world = World::new(database).await;
        let begun = world.store.now().await.unwrap();
        let make_next = async || {
            let sampling = world.claim(Stage::Sampling).await.unwrap();
            world.hand_over(&sampling.token).await;
            let decoding = world.claim(Stage::Decoding).await.unwrap();
            world.dial.advance_ms(1);
            world.succeed(&decoding.token).await;
        };
        let (operator, why) = (world.store.operator(), ActOfOperator { by: None, reason: "" });
        let pause = async |scope: &str| {
            world.dial.advance_ms(10);
            operator.pause(&scope.parse().unwrap(), why).await.unwrap();
            world.dial.advance_ms(10);
            operator.resume(&scope.parse().unwrap(), why).await.unwrap();
            world.dial.advance_ms(10);
        };
        let (first, second) = (world.submit().await, world.submit().await);
        make_next().await;
        pause("lane:batch").await;
        pause("everything").await;
        make_next().await;
        let third = world.submit().await;
        make_next().await;
        world.queue().note_told(&[told(&first, 1), told(&second, 1), told(&third, 1)]).await.unwrap();
        let ended = world.queue().told_of_ended(begun, 10).await.unwrap();
        let said: Vec<_> = ended.iter().map(|ended| (ended.job, ended.was_paused)).collect();
        assert_eq!(said, [(first.id, false), (second.id, true), (third.id, false)]);
    }
}
