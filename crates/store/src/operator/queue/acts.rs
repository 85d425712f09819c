//! What the operator does to the queue as a whole: pausing and resuming parts of it. Each act stands in the audit log.

use super::super::Operator;
use crate::{
    Change, StoreError,
    database::{deadlock, write::Write},
    queue::line::{IS_IN_QUEUE, Lines},
    rows::account::{
        asked::Asked,
        audit::{self, AuditEntry},
    },
};
use domain::{Act, TenantId, VideoTime, billing::Lane, scheduling::PauseScope};
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

    /// Moves the jobs of a tenant that no worker has to where their lines are: as a whole, so that they keep their order and distances.
    async fn catch_up(self, write: &Write, tenant: TenantId) -> Result<(), StoreError> {
        let waiting = format!("tenant_id = $1 AND {IS_IN_QUEUE} AND lease_worker IS NULL");
        let sql = format!("SELECT model, lane, MIN(start_tag) AS start_tag FROM jobs WHERE {waiting} GROUP BY model, lane");
        let rows = write.tx.query_all_raw(write.statement(&sql, [tenant.uuid().into()])).await?;
        for row in rows.iter().filter_map(|row| Waiting::from_query_result(row, "").ok()) {
            let Some(lane) = Lane::named(&row.lane) else { continue };
            // Without the tenant itself, which is paused still.
            let progress = Lines::read(self.store, &write.tx, &row.model).await?.progress(lane);
            let behind = progress.tag(None, VideoTime::default(), 1).start.value().saturating_sub(row.start_tag);
            if behind > 0 {
                let sql = format!(
                    "UPDATE jobs SET start_tag = start_tag + $4, finish_tag = finish_tag + $4 WHERE {waiting} AND model = $2 AND lane = $3"
                );
                let values = [tenant.uuid().into(), row.model.into(), row.lane.into(), behind.into()];
                write.tx.execute_raw(write.statement(&sql, values)).await?;
            }
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

/// The first of a tenant's jobs in a line.
#[derive(FromQueryResult)]
struct Waiting {
    model: String,
    lane: String,
    start_tag: i64,
}
