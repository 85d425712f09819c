//! The work that has not ended: how much of it waits and is at work in each stage, and which worker holds how much.

use crate::{
    Store, StoreError,
    entity::{job as table, unsigned},
    rows::{jobs, readable_tuples},
};
use domain::{Stage, VideoTime, WorkerId};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Statement};
use uuid::Uuid;

/// Jobs of one state beyond this many are not counted.
pub const COUNTED_MAX: u64 = 100_000;

/// Some jobs, and the video time they are billed when they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Load {
    pub jobs: u64,
    pub billed: VideoTime,
}

/// The work of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageLoad {
    pub stage: Stage,
    pub waiting: Load,
    pub at_work: Load,
}

/// Jobs that a worker has in one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    pub worker: WorkerId,
    pub stage: Stage,
    pub jobs: u64,
}

/// The states of jobs that have not ended, each with its stage and whether a worker has it.
const OPEN: [(&str, Stage, bool); 7] = [
    ("throttled", Stage::Sampling, false),
    ("ready", Stage::Sampling, false),
    ("retry_sampling", Stage::Sampling, false),
    ("sampling", Stage::Sampling, true),
    ("sampled", Stage::Decoding, false),
    ("retry_decoding", Stage::Decoding, false),
    ("decoding", Stage::Decoding, true),
];

/// One walk along the index `jobs_by_state_and_end` for each state.
fn counts() -> String {
    let count = |(state, ..): (&str, Stage, bool)| {
        format!(
            "SELECT '{state}' AS state, COUNT(*) AS jobs, CAST(COALESCE(SUM(billed_ms), 0) AS BIGINT) AS billed_ms \
             FROM (SELECT billed_ms FROM jobs WHERE state = '{state}' LIMIT {COUNTED_MAX}) AS counted"
        )
    };
    OPEN.map(count).join(" UNION ALL ")
}

#[derive(FromQueryResult)]
struct CountRow {
    state: String,
    jobs: i64,
    billed_ms: i64,
}

pub(super) async fn by_stage(store: &Store) -> Result<[StageLoad; 2], StoreError> {
    let statement = Statement::from_string(store.db.get_database_backend(), counts());
    let rows = CountRow::find_by_statement(statement).all(&store.db).await?;
    let mut loads = [Stage::Sampling, Stage::Decoding].map(|stage| StageLoad { stage, waiting: Load::default(), at_work: Load::default() });
    for row in rows {
        let Some((_, stage, is_at_work)) = OPEN.into_iter().find(|(state, ..)| *state == row.state) else { continue };
        for load in loads.iter_mut().filter(|load| load.stage == stage) {
            let sum = if is_at_work { &mut load.at_work } else { &mut load.waiting };
            sum.jobs += unsigned::<u64>(jobs::TABLE, "id", row.jobs)?;
            sum.billed = sum.billed + VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", row.billed_ms)?);
        }
    }
    Ok(loads)
}

pub(super) async fn held(store: &Store) -> Result<Vec<Held>, StoreError> {
    let held = table::Entity::find()
        .select_only()
        .columns([table::Column::LeaseWorker, table::Column::State])
        .expr_as(table::Column::Id.count(), "jobs")
        .filter(table::Column::State.is_in([Stage::Sampling, Stage::Decoding].map(Stage::as_str)))
        .filter(table::Column::LeaseWorker.is_not_null())
        .group_by(table::Column::LeaseWorker)
        .group_by(table::Column::State);
    let rows: Vec<(Uuid, String, i64)> = readable_tuples(&store.db, held).await?;
    let held = rows.into_iter().map(|(worker, state, jobs)| {
        let stage = if state == Stage::Sampling.as_str() { Stage::Sampling } else { Stage::Decoding };
        Held { worker: WorkerId::from_uuid(worker), stage, jobs: u64::try_from(jobs).unwrap_or(0) }
    });
    Ok(held.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend};

    #[tokio::test]
    async fn nothing_is_looked_at_but_the_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {}", counts());
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ")).collect();
        assert!(of_jobs.len() == 7 && of_jobs.iter().all(|step| step.contains("USING COVERING INDEX jobs_by_state_and_end")), "{steps:?}");
    }
}
