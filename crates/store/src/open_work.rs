//! How much video time each tenant has open (waiting and running): a running total beside the tenant.
//!
//! The total changes in the transaction that takes a job in or ends it, so it equals the sum over the jobs
//! whenever nobody is writing. See [`crate::billing`] for who changes it.

use crate::{Store, StoreError, database::write::Write, entity::tenant as table};
use domain::{TenantId, VideoTime};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Statement,
    sea_query::{Alias, Expr, ExprTrait, Func, LockType, SimpleExpr},
};
use uuid::Uuid;

/// Locks the tenant's open work: nobody else changes it until this transaction ends.
pub(crate) async fn lock(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::find_by_id(tenant.uuid()).lock(LockType::NoKeyUpdate).one(&write.tx).await?;
    Ok(())
}

pub(crate) async fn of(db: &impl ConnectionTrait, tenant: TenantId) -> Result<VideoTime, StoreError> {
    let row = table::Entity::find_by_id(tenant.uuid()).one(db).await?;
    Ok(total(row.ok_or_else(|| DbErr::RecordNotFound(tenant.to_string()))?.open_ms))
}

/// A total below nothing is wrong, and no reason to refuse work until it is mended.
fn total(open_ms: i64) -> VideoTime {
    VideoTime::from_ms(u64::try_from(open_ms).unwrap_or_default())
}

/// Total and sum of some tenants, in one statement, so of one moment.
const COMPARE: &str = "SELECT id, open_ms, COALESCE((SELECT CAST(SUM(billed_ms) AS BIGINT) FROM jobs WHERE jobs.tenant_id = tenants.id \
     AND ended_at_ms IS NULL AND deleted_at_ms IS NULL), 0) AS sum_ms FROM tenants";

#[derive(FromQueryResult)]
struct Compared {
    id: Uuid,
    open_ms: i64,
    sum_ms: i64,
}

/// A total that was not the sum over the tenant's jobs, and is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repaired {
    pub tenant: TenantId,
    pub was_ms: i64,
    pub is_ms: i64,
}

#[derive(Clone, Copy)]
pub struct OpenWork<'a> {
    store: &'a Store,
}

impl<'a> OpenWork<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// What all tenants have open. Costs a walk along the tenants: share it.
    pub async fn of_all(self) -> Result<VideoTime, StoreError> {
        // PostgreSQL adds up BIGINT to NUMERIC.
        let open_ms = SimpleExpr::from(Func::sum(Expr::col(table::Column::OpenMs))).cast_as(Alias::new("BIGINT"));
        let all = table::Entity::find().select_only().expr_as(open_ms, "open_ms");
        let found: Option<Option<i64>> = all.into_tuple().one(&self.store.db).await?;
        Ok(total(found.flatten().unwrap_or_default()))
    }

    /// Compares total and sum of the next `limit` tenants behind `after`, and mends what differs. Also returns
    /// the tenant behind which to go on; `None` when these were the last.
    pub async fn repair(self, after: Option<TenantId>, limit: u32) -> Result<(Vec<Repaired>, Option<TenantId>), StoreError> {
        let sql = format!("{COMPARE} WHERE id > $1 ORDER BY id LIMIT {limit}");
        let behind = after.map_or(Uuid::nil(), TenantId::uuid);
        let statement = Statement::from_sql_and_values(self.store.db.get_database_backend(), sql, [behind.into()]);
        let compared = Compared::find_by_statement(statement).all(&self.store.db).await?;
        let mut repaired = Vec::new();
        for tenant in compared.iter().filter(|tenant| tenant.open_ms != tenant.sum_ms) {
            repaired.extend(self.mend(TenantId::from_uuid(tenant.id)).await?);
        }
        let more = compared.len() as u64 == u64::from(limit);
        Ok((repaired, compared.last().filter(|_| more).map(|last| TenantId::from_uuid(last.id))))
    }

    /// Looks again under the lock of the total, where nobody can change one without the other.
    async fn mend(self, tenant: TenantId) -> Result<Option<Repaired>, StoreError> {
        let write = self.store.write().await?;
        lock(&write, tenant).await?;
        let statement = write.statement(&format!("{COMPARE} WHERE id = $1"), [tenant.uuid().into()]);
        let compared = Compared::find_by_statement(statement).one(&write.tx).await?;
        let Some(Compared { open_ms, sum_ms, .. }) = compared.filter(|now| now.open_ms != now.sum_ms) else {
            write.abandon().await?;
            return Ok(None);
        };
        table::Entity::update_many()
            .col_expr(table::Column::OpenMs, Expr::value(sum_ms))
            .filter(table::Column::Id.eq(tenant.uuid()))
            .exec(&write.tx)
            .await?;
        write.commit().await?;
        Ok(Some(Repaired { tenant, was_ms: open_ms, is_ms: sum_ms }))
    }
}
