//! The `queue_pauses` table: what the operator keeps from being begun. Every claim asks for it, so the answer is kept for a moment.

use crate::{Store, StoreError, clock::Instant, database::write::Write};
use domain::{
    TenantId, Timestamp,
    scheduling::{LineOf, Pause, PauseScope, Pauses},
};
use sea_orm::{ConnectionTrait, QueryResult, Statement};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// A claim goes by what was asked for no longer ago than this, so that nothing is begun a second after it was paused.
const GOOD_FOR: Duration = Duration::from_millis(250);

/// When it was asked for, and the answer.
type Answer = (Instant, Arc<Pauses>);

/// The last one. Shared by all clones of a store.
#[derive(Clone, Default)]
pub(crate) struct KeptPauses(Arc<Mutex<Option<Answer>>>);

impl KeptPauses {
    fn fresh(&self) -> Option<Arc<Pauses>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(asked, _)| asked.elapsed() < GOOD_FOR).map(|(_, pauses)| Arc::clone(pauses))
    }

    fn keep(&self, asked: Instant, pauses: &Arc<Pauses>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((asked, Arc::clone(pauses)));
    }

    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Store {
    /// What no worker begins, as it was a quarter of a second ago or later.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn pauses(&self) -> Result<Arc<Pauses>, StoreError> {
        self.pauses_by(&self.shared).await
    }

    /// The same, asked for in the transaction of whoever is in one: it needs no other connection.
    pub(crate) async fn pauses_by(&self, db: &impl ConnectionTrait) -> Result<Arc<Pauses>, StoreError> {
        if let Some(pauses) = self.pauses.fresh() {
            return Ok(pauses);
        }
        let asked = Instant::now();
        let pauses = Arc::new(read(db).await?);
        self.pauses.keep(asked, &pauses);
        Ok(pauses)
    }

    /// The last pause of each scope, of those that were not over before `after`.
    pub(crate) async fn past_pauses(&self, after: Timestamp) -> Result<PastPauses, StoreError> {
        PastPauses::read(&self.shared, after).await
    }
}

/// Whether nothing of a tenant is begun, whatever was asked before.
pub(crate) async fn is_paused(db: &impl ConnectionTrait, tenant: TenantId) -> Result<bool, StoreError> {
    let paused = "SELECT scope FROM queue_pauses WHERE scope = $1 AND resumed_ms IS NULL";
    let scope = PauseScope::Tenant(tenant).to_string();
    Ok(db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), paused, [scope.into()])).await?.is_some())
}

/// Of a tenant that is deleted: nothing of it could be begun.
pub(crate) async fn forget_tenant(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let theirs = write.statement("DELETE FROM queue_pauses WHERE scope = $1", [PauseScope::Tenant(tenant).to_string().into()]);
    write.tx.execute_raw(theirs).await?;
    Ok(())
}

/// The oldest first. A scope of a newer version is passed over.
async fn read(db: &impl ConnectionTrait) -> Result<Pauses, StoreError> {
    let all = "SELECT scope, reason, since_ms, resumed_ms FROM queue_pauses WHERE resumed_ms IS NULL ORDER BY since_ms, scope";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), all)).await?;
    Ok(Pauses::new(rows.iter().filter_map(|row| parsed(row).map(|(pause, _)| pause)).collect()))
}

/// With when it was resumed, if it was.
fn parsed(row: &QueryResult) -> Option<(Pause, Option<Timestamp>)> {
    let scope: String = row.try_get("", "scope").ok()?;
    let since = Timestamp::from_ms(row.try_get("", "since_ms").ok()?);
    let resumed: Option<i64> = row.try_get("", "resumed_ms").ok()?;
    Some((Pause { scope: scope.parse().ok()?, reason: row.try_get("", "reason").ok()?, since }, resumed.map(Timestamp::from_ms)))
}

/// The last pause of each scope, the oldest first.
pub(crate) struct PastPauses(Vec<(Pause, Option<Timestamp>)>);

impl PastPauses {
    async fn read(db: &impl ConnectionTrait, after: Timestamp) -> Result<Self, StoreError> {
        let since =
            "SELECT scope, reason, since_ms, resumed_ms FROM queue_pauses WHERE resumed_ms IS NULL OR resumed_ms > $1 ORDER BY since_ms";
        let rows = db.query_all_raw(Statement::from_sql_and_values(db.get_database_backend(), since, [after.ms().into()])).await?;
        Ok(Self(rows.iter().filter_map(parsed).collect()))
    }

    /// Whose jobs were paused, and until when; `None`: they are still.
    pub(crate) fn tenants(&self) -> impl Iterator<Item = (TenantId, Option<Timestamp>)> {
        let of_tenant = |(pause, resumed): &(Pause, Option<Timestamp>)| match pause.scope {
            PauseScope::Tenant(tenant) => Some((tenant, *resumed)),
            PauseScope::Everything | PauseScope::Model(_) | PauseScope::Lane(_) => None,
        };
        self.0.iter().filter_map(of_tenant)
    }

    /// Since when a job has waited that came into a line then, without the time for which all of the line was paused. What a tenant was paused for is
    /// written with its jobs.
    pub(super) fn waited_since(&self, line: LineOf<'_>, came_at: Timestamp) -> Timestamp {
        let of_line = self.0.iter().filter(|(pause, _)| pause.scope.holds_line(line));
        let (mut counted_to, mut paused_ms) = (came_at, 0_u64);
        for (since, resumed) in of_line.filter_map(|(pause, resumed)| Some((pause.since, (*resumed)?))) {
            paused_ms += resumed.ms_since(since.max(counted_to));
            counted_to = counted_to.max(resumed);
        }
        came_at.plus_ms(paused_ms.cast_signed())
    }

    /// Whether a job that was there from `created_at` until `ended_at` has waited for one of them.
    pub(crate) fn held(&self, (line, tenant): (LineOf<'_>, TenantId), created_at: Timestamp, ended_at: Timestamp) -> bool {
        let overlaps =
            |pause: &Pause, resumed: Option<Timestamp>| pause.since < ended_at && resumed.is_none_or(|resumed| created_at < resumed);
        self.0.iter().any(|(pause, resumed)| pause.scope.holds(line, tenant) && overlaps(pause, *resumed))
    }
}
