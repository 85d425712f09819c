//! What the operator does to the queue as a whole: pausing and resuming parts of it. Each act stands in the audit log.

use super::super::Operator;
use crate::{
    Change, StoreError,
    database::{deadlock, write::Write},
    queue::{
        line::{IS_IN_QUEUE, Lines},
        order::ORDER,
    },
    rows::account::{
        asked::Asked,
        audit::{self, AuditEntry},
    },
};
use domain::{Act, TenantId, billing::Lane, scheduling::PauseScope};
use sea_orm::{ConnectionTrait, FromQueryResult};

/// Why something is done, and by whom: `by`: `None` of the command line.
#[derive(Debug, Clone, Copy)]
pub struct ActOfOperator<'a> {
    pub by: Option<Asked<'a>>,
    /// Empty: none was given.
    pub reason: &'a str,
}

impl ActOfOperator<'_> {
    /// As it stands in the log.
    pub(crate) fn about(&self, what: impl ToString) -> String {
        if self.reason.is_empty() { what.to_string() } else { format!("{}: {}", what.to_string(), self.reason) }
    }

    pub(crate) async fn note(&self, write: &Write, tenant: Option<TenantId>, act: Act, what: impl ToString) -> Result<(), StoreError> {
        audit::insert_of_queue(write, tenant, self.by, act, self.about(what)).await
    }
}

impl Operator<'_> {
    /// From now on no worker begins what `scope` names; paused again, it is told for another reason. All servers and workers know within a
    /// quarter of a second.
    pub async fn pause(self, scope: &PauseScope, act: ActOfOperator<'_>) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        let reason = Some(act.reason.to_owned()).filter(|reason| !reason.is_empty());
        let sql = "INSERT INTO queue_pauses (scope, reason, since_ms) VALUES ($1, $2, $3) ON CONFLICT (scope) DO UPDATE SET reason = excluded.reason, resumed_ms = NULL, \
             since_ms = CASE WHEN queue_pauses.resumed_ms IS NULL THEN queue_pauses.since_ms ELSE excluded.since_ms END";
        write.tx.execute_raw(write.statement(sql, [scope.to_string().into(), reason.into(), write.now.ms().into()])).await?;
        act.note(&write, tenant_of(scope), Act::QueuePaused, scope).await?;
        write.tell(Change::Any);
        write.commit().await?;
        self.store.pauses.forget();
        Ok(())
    }

    /// Workers begin it again. A tenant's jobs go on where their lines are by now: while it was paused it has saved nothing up. `false`: it was
    /// not paused.
    pub async fn resume(self, scope: &PauseScope, act: ActOfOperator<'_>) -> Result<bool, StoreError> {
        let resumed = deadlock::retried(StoreError::is_deadlock, || self.try_to_resume(scope, act)).await?;
        self.store.pauses.forget();
        Ok(resumed)
    }

    async fn try_to_resume(self, scope: &PauseScope, act: ActOfOperator<'_>) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
        if let PauseScope::Tenant(tenant) = scope {
            self.catch_up(&write, *tenant).await?;
        }
        let over = "UPDATE queue_pauses SET resumed_ms = $2 WHERE scope = $1 AND resumed_ms IS NULL";
        let gone = write.statement(over, [scope.to_string().into(), write.now.ms().into()]);
        if write.tx.execute_raw(gone).await?.rows_affected() == 0 {
            write.abandon().await?;
            return Ok(false);
        }
        act.note(&write, tenant_of(scope), Act::QueueResumed, scope).await?;
        write.tell(Change::Any);
        write.commit().await?;
        Ok(true)
    }

    /// Lays the jobs of a tenant that no worker has end to end, in their order, from where their lines are by now: later than before or, where a
    /// line has begun anew, earlier. Those that lie so already stay. One in quarantine finds its place when that is lifted.
    async fn catch_up(self, write: &Write, tenant: TenantId) -> Result<(), StoreError> {
        let rows = write.tx.query_all_raw(write.statement(&lines_of(), [tenant.uuid().into()])).await?;
        for row in rows.iter().filter_map(|row| Open::from_query_result(row, "").ok()) {
            let Some(lane) = Lane::named(&row.lane) else { continue };
            // Without the tenant itself, which is paused still.
            let now = Lines::read(self.store, &write.tx, &row.model).await?.progress(lane).now().value();
            let from = row.taken.map_or(now, |taken| taken.max(now));
            let values = [tenant.uuid().into(), row.model.into(), row.lane.into(), from.into()];
            write.tx.execute_raw(write.statement(&laid_end_to_end(), values)).await?;
        }
        Ok(())
    }

    /// The newest acts of operators upon the queue.
    pub async fn queue_acts(self, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        audit::of_queue(&self.store.db, limit).await
    }
}

const fn tenant_of(scope: &PauseScope) -> Option<TenantId> {
    if let PauseScope::Tenant(tenant) = scope { Some(*tenant) } else { None }
}

/// A tenant's jobs in a line: where those end that workers have.
#[derive(FromQueryResult)]
struct Open {
    model: String,
    lane: String,
    taken: Option<i64>,
}

/// `$1`: the tenant.
fn lines_of() -> String {
    format!(
        "SELECT model, lane, MAX(CASE WHEN lease_worker IS NOT NULL THEN finish_tag END) AS taken FROM jobs \
         WHERE tenant_id = $1 AND {IS_IN_QUEUE} GROUP BY model, lane"
    )
}

/// `$1`: the tenant; `$2` and `$3`: the model and the lane; `$4`: where the first one begins.
fn laid_end_to_end() -> String {
    let waits =
        format!("tenant_id = $1 AND model = $2 AND lane = $3 AND {IS_IN_QUEUE} AND lease_worker IS NULL AND quarantined_since_ms IS NULL");
    // PostgreSQL adds up BIGINT to NUMERIC. Whose row has changed meanwhile is looked at again there.
    format!(
        "WITH laid (job_id, starts) AS (SELECT id, $4 + CAST(COALESCE(SUM(finish_tag - start_tag) \
         OVER (ORDER BY {ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS BIGINT) FROM jobs WHERE {waits}) \
         UPDATE jobs SET start_tag = laid.starts, finish_tag = laid.starts + finish_tag - start_tag FROM laid \
         WHERE id = laid.job_id AND start_tag <> laid.starts AND {waits}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, Statement};

    #[tokio::test]
    async fn only_the_open_jobs_of_the_tenant_are_looked_at() {
        let store = TempDatabase::sqlite().open().await.unwrap();
        for sql in [lines_of(), laid_end_to_end()] {
            let sql =
                [("$1", "x''"), ("$2", "'m'"), ("$3", "'batch'"), ("$4", "5")].iter().fold(sql, |sql, (from, to)| sql.replace(from, to));
            let explained = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.db.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.iter().any(|step| step.contains("INDEX jobs_in_queue_by_tenant (tenant_id=?")), "{steps:?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN jobs")), "{steps:?}");
        }
    }
}
