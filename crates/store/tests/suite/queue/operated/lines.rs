//! What waits in each line, however long another is.

use crate::World;
use domain::billing::Lane;
use store::{COUNTED_MAX, on_both_engines};

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
}
