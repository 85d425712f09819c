//! What waits in each line, however long another is.

use crate::{MODELS, World};
use domain::{
    Stage, Timestamp,
    billing::{Lane, Plan},
};
use store::{COUNTED_MAX, on_both_engines};

const HOUR_MS: i64 = 3_600_000;

on_both_engines! {
    async fn a_line_that_is_longer_than_is_counted_hides_no_other(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        // Rows as that one, in the other lane.
        let (numbers, id) = if world.database.url.starts_with("postgres") {
            (format!("generate_series(1, {COUNTED_MAX})"), "gen_random_uuid()")
        } else {
            (format!("(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {COUNTED_MAX}) SELECT i FROM n)"), "randomblob(16)")
        };
        world.sql(&format!(
            "CREATE TEMPORARY TABLE copies AS SELECT jobs.* FROM jobs, {numbers} AS numbers; UPDATE copies SET id = {id}, lane = 'batch'; INSERT INTO jobs SELECT * FROM copies"
        )).await;
        let mut lines = world.store.operator().waiting_by_line().await.unwrap();
        lines.sort_by_key(|line| line.lane.as_str());
        let told: Vec<_> = lines.iter().map(|line| (line.lane, line.jobs, line.is_part)).collect();
        assert_eq!(told, [(Lane::Batch, COUNTED_MAX - 1, true), (Lane::Interactive, 1, false)]);
    }

    async fn who_was_kept_outside_has_waited_in_the_line_since_it_came_into_it(database: TempDatabase) {
        let world = World::new(database).await;
        let team = world.team("few", |plan| Plan { concurrency: Some(1), ..plan }).await;
        for _ in 0..2 {
            world.submit_of(team, MODELS[0], 2000).await;
        }
        let submitted = world.waits().await;
        assert_eq!(submitted.0, submitted.1);
        let first = world.claim(Stage::Sampling).await.unwrap();
        world.dial.advance_ms(60_000);
        world.hand_over(&first.token).await;
        world.dial.advance_ms(1000);
        let decoded = world.waits().await;
        assert!(decoded.1.ms_since(decoded.0) >= 60_000, "its sampling is no wait: {decoded:?}");
        let first = world.claim(Stage::Decoding).await.unwrap();
        world.succeed(&first.token).await;
        world.dial.advance_ms(3_600_000);
        assert_eq!(world.queue().release().await.unwrap().jobs, 1);
        let released = world.waits().await;
        assert!(released.1.ms_since(released.0) >= 3_600_000, "{released:?}");
        let paused = format!("tenant:{}", team.tenant);
        world.pause(&paused).await;
        world.dial.advance_ms(3_600_000);
        assert!(world.resume(&paused).await);
        world.store.operator().follow_pauses().await.unwrap();
        let resumed = world.waits().await;
        assert!(resumed.0 == released.0 && resumed.1.ms_since(released.1) >= 3_600_000, "{resumed:?}");
        world.dial.advance_ms(3_600_000);
        world.pause(&paused).await;
        assert!(world.resume(&paused).await);
        world.store.operator().follow_pauses().await.unwrap();
        assert!(world.waits().await.1.ms_since(resumed.1) < 1_800_000, "what was waited before the pause is not forgotten");
    }

    async fn what_a_line_was_paused_for_is_no_wait(database: TempDatabase) {
        let world = World::new(database).await;
        world.submit().await;
        let model = format!("model:{}", MODELS[0]);
        for (hours, scope) in (1..).zip(["everything", "lane:interactive", &model]) {
            world.dial.advance_ms(60_000);
            world.pause(scope).await;
            world.dial.advance_ms(HOUR_MS + 1000);
            assert!(world.resume(scope).await);
            assert_eq!(world.hours_outside().await, hours, "{scope}");
        }
        world.pause("lane:batch").await;
        world.dial.advance_ms(HOUR_MS + 1000);
        assert!(world.resume("lane:batch").await);
        assert_eq!(world.hours_outside().await, 3, "it is of the other lane");
    }
}

impl World {
    /// Since when the only line has waited: since its oldest job was submitted, and since it came into the line.
    async fn waits(&self) -> (Timestamp, Timestamp) {
        let lines = self.store.operator().waiting_by_line().await.unwrap();
        let [line] = &lines[..] else { panic!("{lines:?}") };
        (line.since, line.in_line_since)
    }

    /// For how many hours of its life the oldest job of the only line has not waited in it.
    async fn hours_outside(&self) -> u64 {
        let (since, in_line_since) = self.waits().await;
        in_line_since.ms_since(since) / HOUR_MS.unsigned_abs()
    }
}
