//! Where the lines of a batch are, counted for who looks at it: open ones by where their jobs are, and those that were not made.

use super::{Batches, lines::TABLE};
use crate::{StoreError, entity::unsigned};
use domain::{
    BatchId, VideoTime,
    batch::{LineState, OpenLines, UnmadeLines},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// What a worker has in hand, or has ended and is not noted yet, is not withdrawn when the batch is cancelled, see `withdrawal.rs`.
const OPEN: &str = "SELECT COUNT(*) AS lines, \
     CAST(COALESCE(SUM(CASE WHEN jobs.state IN ('throttled', 'ready', 'retry_sampling') THEN 0 ELSE 1 END), 0) AS BIGINT) AS begun, \
     CAST(COALESCE(SUM(CASE WHEN jobs.state IN ('sampled', 'retry_decoding') THEN 1 ELSE 0 END), 0) AS BIGINT) AS for_decoder, \
     CAST(COALESCE(SUM(CASE WHEN jobs.state IN ('throttled', 'ready', 'retry_sampling', 'sampled', 'retry_decoding') THEN 0 \
     ELSE batch_lines.billed_ms END), 0) AS BIGINT) AS in_hand_billed_ms FROM batch_lines LEFT JOIN jobs ON jobs.id = batch_lines.job_id \
     WHERE batch_lines.batch_id = $1 AND batch_lines.state = 'open'";
const UNMADE: &str = "SELECT state, COUNT(*) AS lines, CAST(COALESCE(SUM(billed_ms), 0) AS BIGINT) AS billed_ms FROM batch_lines \
     WHERE batch_id = $1 AND state IN ('failed', 'cancelled', 'expired') GROUP BY state";

#[derive(FromQueryResult)]
struct OpenRow {
    lines: i64,
    begun: i64,
    for_decoder: i64,
    in_hand_billed_ms: i64,
}

#[derive(FromQueryResult)]
struct UnmadeRow {
    state: String,
    lines: i64,
    billed_ms: i64,
}

impl Batches<'_> {
    /// Its lines that are jobs and have not ended.
    pub async fn open_standing(self, id: BatchId) -> Result<OpenLines, StoreError> {
        let db = self.store.of(self.tenant);
        let statement = Statement::from_sql_and_values(db.get_database_backend(), OPEN, [id.uuid().into()]);
        let Some(row) = OpenRow::find_by_statement(statement).one(&db).await? else { return Ok(OpenLines::default()) };
        Ok(OpenLines {
            lines: unsigned(TABLE, "lines", row.lines)?,
            begun: unsigned(TABLE, "begun", row.begun)?,
            for_decoder: unsigned(TABLE, "for_decoder", row.for_decoder)?,
            in_hand_billed: VideoTime::from_ms(unsigned(TABLE, "billed_ms", row.in_hand_billed_ms)?),
        })
    }

    /// Its lines that have ended without success.
    pub async fn unmade_lines(self, id: BatchId) -> Result<UnmadeLines, StoreError> {
        let db = self.store.of(self.tenant);
        let statement = Statement::from_sql_and_values(db.get_database_backend(), UNMADE, [id.uuid().into()]);
        let (mut unmade, mut billed_ms) = (UnmadeLines::default(), 0_u64);
        for row in UnmadeRow::find_by_statement(statement).all(&db).await? {
            let lines: u32 = unsigned(TABLE, "lines", row.lines)?;
            if row.state == LineState::Failed.as_str() {
                unmade.failed += lines;
            } else {
                unmade.withdrawn += lines;
            }
            billed_ms += unsigned::<u64>(TABLE, "billed_ms", row.billed_ms)?;
        }
        Ok(UnmadeLines { billed: VideoTime::from_ms(billed_ms), ..unmade })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            steps::{ENDED_JOBS, JOB_HAS_ENDED},
            withdrawal::{LEFT, RUNNING, UNBEGUN},
        },
        *,
    };
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, Value};
    use uuid::Uuid;

    #[tokio::test]
    async fn lines_and_their_jobs_are_found_along_indexes() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let ends = format!("UPDATE batch_lines SET state = 'failed' WHERE batch_id = $1 AND state = 'open'{JOB_HAS_ENDED}");
        for select in [OPEN, UNMADE, ENDED_JOBS, LEFT, UNBEGUN, RUNNING, &ends] {
            let sql = format!("EXPLAIN QUERY PLAN {select}");
            let values: [Value; 3] = [Uuid::nil().into(), 1.into(), 1.into()];
            let values = values.into_iter().take(select.matches('$').count());
            let plan = store.db.query_all_raw(Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps[0].contains("batch_lines_by_state") && !steps.iter().any(|step| step.starts_with("SCAN")), "{select}: {steps:?}");
        }
    }
}
