//! What waits, line by line. Of a line that is very long a part is counted, so that no other is hidden by it.

use super::{super::load::COUNTED_MAX, Operator, lane, time};
use crate::StoreError;
use domain::{Stage, TenantId, Timestamp, VideoTime, billing::Lane, scheduling::LineOf};
use sea_orm::FromQueryResult;
use uuid::Uuid;

/// Of each line so many are counted at least, however many the others have.
const OF_A_LINE_MIN: u64 = 1000;

/// What a tenant has waiting for a stage in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineWaiting {
    pub tenant: TenantId,
    pub model: String,
    pub lane: Lane,
    pub stage: Stage,
    pub jobs: u64,
    pub billed: VideoTime,
    /// When the oldest was submitted.
    pub since: Timestamp,
    /// Since when the first of them has waited in it: what was before, outside of the queue or of another stage, is not counted, nor are pauses
    /// that are over.
    pub in_line_since: Timestamp,
    /// More wait in the line than were counted, of whomever.
    pub is_part: bool,
}

#[derive(FromQueryResult)]
struct ModelRow {
    model: String,
}

#[derive(FromQueryResult)]
struct WaitingRow {
    tenant_id: Uuid,
    jobs: i64,
    billed_ms: i64,
    since_ms: i64,
    in_line_since_ms: i64,
}

/// From one model to the next along the index `jobs_by_line`. `$1`: the stage.
const MODELS: &str = "WITH RECURSIVE lines (model) AS (SELECT MIN(model) FROM jobs WHERE waits_for = $1 UNION ALL \
     SELECT (SELECT MIN(model) FROM jobs WHERE waits_for = $1 AND model > lines.model) FROM lines WHERE lines.model IS NOT NULL) \
     SELECT model FROM lines WHERE model IS NOT NULL";

/// When a job came into the line in which it waits.
pub(super) const CAME: &str = "(CASE WHEN queued_at_ms > COALESCE(sampled_at_ms, created_at_ms) THEN queued_at_ms \
     ELSE COALESCE(sampled_at_ms, created_at_ms) END)";

/// Along the index `jobs_by_line`, the first in line first. `$1` and `$2`: the stage and the model; `$3`: how many.
fn waiting(lane: Option<Lane>) -> String {
    let lane = lane.map_or("lane IS NULL".to_owned(), |lane| format!("lane = '{}'", lane.as_str()));
    format!(
        "SELECT tenant_id, COUNT(*) AS jobs, CAST(SUM(billed_ms) AS BIGINT) AS billed_ms, MIN(created_at_ms) AS since_ms, \
         MIN(came_ms) AS in_line_since_ms FROM (SELECT tenant_id, billed_ms, created_at_ms, {CAME} AS came_ms FROM jobs \
         WHERE waits_for = $1 AND model = $2 AND {lane} ORDER BY finish_tag LIMIT $3) AS counted GROUP BY tenant_id"
    )
}

impl Operator<'_> {
    /// What waits in the queue, by tenant and line. Interactive lines are counted before those of batches.
    pub async fn waiting_by_line(self) -> Result<Vec<LineWaiting>, StoreError> {
        let mut lines = Vec::new();
        for stage in [Stage::Sampling, Stage::Decoding] {
            let models: Vec<ModelRow> = self.rows(MODELS.to_owned(), vec![stage.as_str().into()]).await?;
            lines.extend(models.into_iter().map(|row| (stage, row.model)));
        }
        let pauses = self.store.past_pauses(Timestamp::from_ms(0)).await?;
        let (mut found, mut left) = (Vec::new(), COUNTED_MAX);
        for kept in [Some(Lane::Interactive), None, Some(Lane::Batch)] {
            for (stage, model) in &lines {
                let limit = left.max(OF_A_LINE_MIN);
                let values = vec![stage.as_str().into(), model.as_str().into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
                let rows: Vec<WaitingRow> = self.rows(waiting(kept), values).await?;
                let counted: u64 = rows.iter().map(|row| row.jobs.unsigned_abs()).sum();
                left = left.saturating_sub(counted);
                // Jobs of before there were lanes are of the first.
                let Some(lane) = lane(kept.map(Lane::as_str)) else { continue };
                found.extend(rows.into_iter().map(|row| LineWaiting {
                    tenant: TenantId::from_uuid(row.tenant_id),
                    model: model.clone(),
                    lane,
                    stage: *stage,
                    jobs: row.jobs.unsigned_abs(),
                    billed: time(row.billed_ms),
                    since: Timestamp::from_ms(row.since_ms),
                    in_line_since: pauses.waited_since(LineOf { lane, model }, Timestamp::from_ms(row.in_line_since_ms)),
                    is_part: counted >= limit,
                }));
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend, Statement};

    #[tokio::test]
    async fn each_line_is_found_and_counted_along_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for (sql, index) in [
            (MODELS.to_owned(), "jobs_by_line (waits_for=? AND model>?)"),
            (waiting(Some(Lane::Batch)), "jobs_by_line (waits_for=? AND model=? AND lane=?)"),
            (waiting(None), "jobs_by_line (waits_for=? AND model=? AND lane=?)"),
        ] {
            let sql = [("$1", "'sampling'"), ("$2", "'m'"), ("$3", "5")].iter().fold(sql, |sql, (from, to)| sql.replace(from, to));
            let explained = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.db.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ") || step.ends_with(" jobs")).collect();
            assert!(of_jobs.iter().any(|step| step.contains(index)), "{sql}: {steps:?}");
            assert!(of_jobs.iter().all(|step| step.contains("SEARCH") && step.contains("INDEX jobs_by_line")), "{sql}: {steps:?}");
        }
    }
}
