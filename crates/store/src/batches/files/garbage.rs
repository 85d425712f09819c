//! Files that nobody needs any more: those that were deleted or have expired, and uploads that broke off.

use crate::{Store, StoreError, database::write::Write, entity::file as table};
use domain::retention::removal_pause_ms;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// An upload of which nothing has arrived for so long has broken off.
const SILENT_MS: i64 = 60 * 60 * 1000;
const AT_ONCE: i64 = 500;

/// Not those that a batch reads which has not ended.
const EXPIRED: &str = "SELECT id FROM files \
     WHERE expires_at_ms IS NOT NULL AND unneeded_since_ms IS NULL AND expires_at_ms <= $1 AND is_stored = TRUE \
     AND NOT EXISTS (SELECT 1 FROM batches WHERE batches.tenant_id = files.tenant_id AND batches.input_file_id = files.id \
     AND batches.ended_at_ms IS NULL) ORDER BY expires_at_ms LIMIT $2";
/// Whoever makes a batch of one locks its row, so what was locked is looked at once more.
const EXPIRE: &str = "UPDATE files SET unneeded_since_ms = $1 WHERE id = $2 AND unneeded_since_ms IS NULL \
     AND NOT EXISTS (SELECT 1 FROM batches WHERE batches.tenant_id = files.tenant_id AND batches.input_file_id = files.id \
     AND batches.ended_at_ms IS NULL)";
const ABANDON: &str = "UPDATE files SET unneeded_since_ms = $1 WHERE id IN (SELECT id FROM files \
     WHERE is_stored = FALSE AND unneeded_since_ms IS NULL AND touched_at_ms <= $2 ORDER BY touched_at_ms LIMIT $3)";

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

#[derive(FromQueryResult)]
struct Stuck {
    id: Uuid,
    removal_failures: i32,
}

/// The files of all tenants, for whoever tidies up.
#[derive(Clone, Copy)]
pub struct FileRows<'a> {
    store: &'a Store,
}

impl Store {
    /// The files of all tenants, for whoever tidies up.
    #[must_use]
    pub const fn file_rows(&self) -> FileRows<'_> {
        FileRows { store: self }
    }
}

impl FileRows<'_> {
    /// Has those removed that have expired, and uploads that broke off; says how many these were.
    pub async fn expire(self) -> Result<u64, StoreError> {
        let mut expired = 0;
        loop {
            let write = self.store.write().await?;
            let some = expire_in(&write).await?;
            let values = [write.now.ms().into(), write.now.plus_ms(-SILENT_MS).ms().into(), AT_ONCE.into()];
            let broken_off = write.tx.execute_raw(write.statement(ABANDON, values)).await?.rows_affected();
            write.commit().await?;
            expired += some + broken_off;
            // Those that somebody has locked wait for the next time.
            if some.max(broken_off) < AT_ONCE.unsigned_abs() {
                return Ok(expired);
            }
        }
    }

    /// Keys of unneeded objects; of uploads that broke off only `grace_ms` later, as they may still be going on.
    pub async fn garbage(self, grace_ms: i64, limit: u64) -> Result<Vec<String>, StoreError> {
        let now = self.store.now().await?;
        let quiet =
            Condition::any().add(table::Column::IsStored.eq(true)).add(table::Column::UnneededSinceMs.lte(now.plus_ms(-grace_ms).ms()));
        let keys = table::Entity::find()
            .select_only()
            .column(table::Column::ObjectKey)
            .filter(table::Column::UnneededSinceMs.is_not_null())
            .filter(table::Column::RemoveAfterMs.lte(now.ms()))
            .filter(quiet)
            .order_by_asc(table::Column::RemoveAfterMs)
            .order_by_asc(table::Column::UnneededSinceMs)
            .limit(limit);
        Ok(keys.into_tuple().all(&self.store.db).await?)
    }

    /// These could not be removed: the next try is later, the later the more often it failed.
    pub async fn postpone(self, object_keys: &[String]) -> Result<(), StoreError> {
        if object_keys.is_empty() {
            return Ok(());
        }
        let write = self.store.write().await?;
        let stuck = table::Entity::find().filter(table::Column::ObjectKey.is_in(object_keys));
        let stuck = stuck.select_only().columns([table::Column::Id, table::Column::RemovalFailures]).into_model::<Stuck>();
        for row in stuck.all(&write.tx).await? {
            let after = write.now.plus_ms(removal_pause_ms(row.removal_failures.unsigned_abs()));
            let update = "UPDATE files SET remove_after_ms = $1, removal_failures = removal_failures + 1 WHERE id = $2";
            write.tx.execute_raw(write.statement(update, [after.ms().into(), row.id.into()])).await?;
        }
        write.commit().await
    }

    /// The objects under these keys are gone.
    pub async fn forget(self, object_keys: &[String]) -> Result<(), StoreError> {
        if object_keys.is_empty() {
            return Ok(());
        }
        let write = self.store.write().await?;
        table::Entity::delete_many()
            .filter(table::Column::ObjectKey.is_in(object_keys))
            .filter(table::Column::UnneededSinceMs.is_not_null())
            .exec(&write.tx)
            .await?;
        write.commit().await
    }
}

async fn expire_in(write: &Write) -> Result<u64, StoreError> {
    // SQLite has one writer, and this is it.
    let is_postgres = write.tx.get_database_backend() == DbBackend::Postgres;
    let lock = if is_postgres { " FOR NO KEY UPDATE SKIP LOCKED" } else { "" };
    let expired = write.statement(&format!("{EXPIRED}{lock}"), [write.now.ms().into(), AT_ONCE.into()]);
    let mut gone = 0;
    for row in IdRow::find_by_statement(expired).all(&write.tx).await? {
        gone += write.tx.execute_raw(write.statement(EXPIRE, [write.now.ms().into(), row.id.into()])).await?.rows_affected();
    }
    Ok(gone)
}

/// Those of `keys` that a row names.
pub(crate) async fn named(store: &Store, keys: &[String]) -> Result<Vec<String>, StoreError> {
    let query = table::Entity::find().select_only().column(table::Column::ObjectKey);
    Ok(query.filter(table::Column::ObjectKey.is_in(keys)).into_tuple().all(&store.db).await?)
}

/// Whether any tenant has a file that is whole.
pub(crate) async fn is_any_stored(store: &Store) -> Result<bool, StoreError> {
    let stored = table::Entity::find().filter(table::Column::IsStored.eq(true)).filter(table::Column::UnneededSinceMs.is_null());
    let any: Option<Uuid> = stored.select_only().column(table::Column::Id).limit(1).into_tuple().one(&store.db).await?;
    Ok(any.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use domain::Timestamp;
    use sea_orm::Statement;

    #[tokio::test]
    async fn what_is_to_go_is_found_along_indexes() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let now = Timestamp::from_ms(0).ms();
        for (sql, values, index) in [
            (EXPIRED, vec![now.into(), AT_ONCE.into()], "INDEX files_by_expiry (expires_at_ms"),
            (ABANDON, vec![now.into(), now.into(), AT_ONCE.into()], "INDEX files_unfinished (touched_at_ms"),
        ] {
            let plan = Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"), values);
            let plan = store.db.query_all_raw(plan).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}");
            assert!(!steps.iter().any(|step| step.starts_with("SCAN files") && !step.contains("INDEX")), "{steps:?}");
        }
    }
}
