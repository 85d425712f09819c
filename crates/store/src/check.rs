//! What a check of the whole database looks at: every job and its artifacts, a bounded batch at a time.
//!
//! A batch is one snapshot, so that a job which moves on meanwhile is seen before it or after it, never in between.

use crate::{
    Job, Store, StoreError, Verified, batches,
    billing::verify,
    database::wall::Scope,
    entity::{artifact, job as table},
    rows::jobs,
};
use domain::JobId;
use sea_orm::{
    AccessMode, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, IsolationLevel, QueryFilter, QueryOrder,
    QuerySelect, TransactionTrait,
};
use std::collections::HashMap;
use uuid::Uuid;

/// A job's row and what hangs on it.
#[derive(Debug)]
pub struct CheckedJob {
    pub id: JobId,
    /// The state by the name under which it is stored.
    pub state: String,
    /// The row as the queue reads it; the error names the column that cannot be.
    pub job: Result<Job, StoreError>,
    /// Its owner has deleted it; the rows go when the objects have gone.
    pub deleted: bool,
    pub artifacts: Vec<CheckedArtifact>,
}

/// A row of `artifacts`, committed or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedArtifact {
    pub kind: String,
    pub epoch: i32,
    pub object_key: String,
    pub bytes: Option<i64>,
    /// Lower-case hex.
    pub sha256: Option<String>,
    pub committed: bool,
    /// Nobody will read it any more: the garbage collection knows of it.
    pub unneeded: bool,
}

#[derive(Clone, Copy)]
pub struct Check<'a> {
    store: &'a Store,
}

impl<'a> Check<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Up to `limit` jobs of all tenants in the order of their ids, from the one after `after` on.
    pub async fn jobs_after(self, after: Option<JobId>, limit: u64) -> Result<Vec<CheckedJob>, StoreError> {
        let snapshot = self.snapshot().await?;
        let mut query = table::Entity::find().order_by_asc(table::Column::Id).limit(limit);
        if let Some(after) = after {
            query = query.filter(table::Column::Id.gt(after.uuid()));
        }
        let rows = query.all(&snapshot).await?;
        let mut artifacts = artifacts_of(&snapshot, rows.iter().map(|row| row.id)).await?;
        snapshot.rollback().await?;
        Ok(rows.into_iter().map(|row| checked(&mut artifacts, row)).collect())
    }

    /// Those of `keys` that a row names.
    pub async fn named(self, keys: &[String]) -> Result<Vec<String>, StoreError> {
        let query = artifact::Entity::find().select_only().column(artifact::Column::ObjectKey);
        let of_jobs: Vec<String> = query.filter(artifact::Column::ObjectKey.is_in(keys)).into_tuple().all(&self.store.db).await?;
        Ok([of_jobs, batches::named(self.store, keys).await?].concat())
    }

    /// Whether the object under `key` still counts: jobs are deleted while they are being checked.
    pub async fn counts(self, key: &str) -> Result<bool, StoreError> {
        let row = artifact::Entity::find()
            .filter(artifact::Column::ObjectKey.eq(key))
            .filter(artifact::Column::Committed.eq(true))
            .filter(artifact::Column::UnneededSinceMs.is_null());
        Ok(row.one(&self.store.db).await?.is_some())
    }

    /// Looks through the whole ledger, all at one moment.
    pub async fn ledger(self) -> Result<Verified, StoreError> {
        let snapshot = self.unhurried_snapshot().await?;
        let verified = verify(&snapshot).await?;
        snapshot.rollback().await?;
        Ok(verified)
    }

    /// In which a statement may take as long as it takes: a rule reads the whole ledger, however large.
    async fn unhurried_snapshot(self) -> Result<DatabaseTransaction, StoreError> {
        let snapshot = self.snapshot().await?;
        if snapshot.get_database_backend() == DbBackend::Postgres {
            snapshot.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        }
        Ok(snapshot)
    }

    /// A transaction that only reads, all of it at one moment.
    async fn snapshot(self) -> Result<DatabaseTransaction, StoreError> {
        let door = self.store.db.door();
        let snapshot = match door.db.get_database_backend() {
            DbBackend::Postgres => door.db.begin_with_config(Some(IsolationLevel::RepeatableRead), Some(AccessMode::ReadOnly)).await?,
            _ => door.db.begin().await?,
        };
        door.enter(&snapshot, Scope::System).await?;
        Ok(snapshot)
    }
}

async fn artifacts_of(
    snapshot: &DatabaseTransaction,
    jobs: impl Iterator<Item = Uuid>,
) -> Result<HashMap<Uuid, Vec<CheckedArtifact>>, StoreError> {
    let query = artifact::Entity::find().filter(artifact::Column::JobId.is_in(jobs));
    let rows = query.order_by_asc(artifact::Column::Epoch).order_by_asc(artifact::Column::Kind).all(snapshot).await?;
    let mut by_job: HashMap<Uuid, Vec<CheckedArtifact>> = HashMap::new();
    for row in rows {
        let artifact::Model { job_id, kind, epoch, object_key, bytes, sha256, committed, unneeded_since_ms, .. } = row;
        let unneeded = unneeded_since_ms.is_some();
        by_job.entry(job_id).or_default().push(CheckedArtifact { kind, epoch, object_key, bytes, sha256, committed, unneeded });
    }
    Ok(by_job)
}

fn checked(artifacts: &mut HashMap<Uuid, Vec<CheckedArtifact>>, row: table::Model) -> CheckedJob {
    let id = row.id;
    CheckedJob {
        id: JobId::from_uuid(id),
        state: row.state.clone(),
        deleted: row.deleted_at_ms.is_some(),
        artifacts: artifacts.remove(&id).unwrap_or_default(),
        job: jobs::consistent(row),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests say what they expect by panicking")]

    use super::*;
    use sea_orm::Statement;

    crate::on_both_engines! {
        async fn the_ledger_is_read_without_a_limit_of_time_and_all_else_with_one(database: TempDatabase) {
            let store = database.open().await.unwrap();
            let check = store.check();
            let (whole, batch) = (check.unhurried_snapshot().await.unwrap(), check.snapshot().await.unwrap());
            if whole.get_database_backend() != DbBackend::Postgres {
                return;
            }
            let limit = async |snapshot: &DatabaseTransaction| {
                let shown = Statement::from_string(DbBackend::Postgres, "SELECT current_setting('statement_timeout') AS shown");
                snapshot.query_one_raw(shown).await.unwrap().unwrap().try_get::<String>("", "shown").unwrap()
            };
            assert_eq!((limit(&whole).await.as_str(), limit(&batch).await.as_str()), ("0", "10s"));
        }
    }
}
