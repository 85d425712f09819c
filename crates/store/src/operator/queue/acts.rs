//! What the operator does to the queue as a whole: pausing and resuming parts of it. Each act stands in the audit log.

use super::{super::Operator, aside};
use crate::{
    Change, StoreError,
    database::write::Write,
    rows::account::{
        asked::Asked,
        audit::{self, AuditEntry},
    },
};
use domain::{Act, TenantId, scheduling::PauseScope};
use sea_orm::ConnectionTrait;

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
        if let Some(tenant) = tenant_of(scope) {
            // Of a pause before: what was brought back since then would be laid behind what was not.
            self.bring_back(tenant).await;
        }
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
        if let Some(tenant) = tenant_of(scope) {
            aside::lay_aside(self.store, tenant).await?;
        }
        let resumed = self.end_pause(scope, act).await?;
        self.store.pauses.forget();
        if let Some(tenant) = tenant_of(scope) {
            self.bring_back(tenant).await;
        }
        Ok(resumed)
    }

    async fn bring_back(self, tenant: TenantId) {
        if let Err(error) = aside::bring_back(self.store, tenant).await {
            tracing::warn!(tenant.id = %tenant, error = &error as &dyn std::error::Error, "jobs that were paused are brought back later");
        }
    }

    async fn end_pause(self, scope: &PauseScope, act: ActOfOperator<'_>) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
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

    /// The newest acts of operators upon the queue.
    pub async fn queue_acts(self, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        audit::of_queue(&self.store.db, limit).await
    }
}

const fn tenant_of(scope: &PauseScope) -> Option<TenantId> {
    if let PauseScope::Tenant(tenant) = scope { Some(*tenant) } else { None }
}
