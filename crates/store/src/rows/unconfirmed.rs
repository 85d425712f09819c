//! The `unconfirmed_jobs` table: jobs of clients that send no idempotency key, but say how often they have sent a request before.
//!
//! Such a client sends the same request again when it got no answer, and does not know whether a job was made. The job stands here until the
//! client shows that it knows the job, by asking for it, or until it has stopped trying.

use crate::{
    Store, StoreError,
    database::write::Write,
    entity::{job, signed, unconfirmed_job as table},
};
use domain::{ApiKeyId, JobId, TenantId, Timestamp, retention::RETRIES_EXPECTED_MS};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};

const TABLE: &str = "unconfirmed_jobs";
/// No client tries again earlier.
const PAUSE_LEAST_MS: i64 = 300;
/// No request waits here any longer.
const OVERTAKEN_MS: i64 = 30_000;

/// What is known of a request beside its content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sender {
    pub tenant: TenantId,
    pub api_key: Option<ApiKeyId>,
    /// How often it was sent before.
    pub retry_count: u32,
}

pub(crate) async fn insert(write: &Write, sender: Sender, fingerprint: String, job: JobId) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        job_id: Set(job.uuid()),
        tenant_id: Set(sender.tenant.uuid()),
        api_key_id: Set(sender.api_key.map(ApiKeyId::uuid)),
        fingerprint: Set(fingerprint),
        retry_count: Set(signed(TABLE, "retry_count", sender.retry_count)?),
        retry_count_least: Set(signed(TABLE, "retry_count_least", sender.retry_count)?),
        created_at_ms: Set(write.now.ms()),
    };
    table::Entity::insert(row).exec_without_returning(&write.tx).await?;
    Ok(())
}

/// The job that an earlier try of this request has made. It counts as this try's from now on.
///
/// Of several requests that are alike nothing tells which try belongs to which; each finds a job of its own, and no job is made twice. It is
/// the one that was tried most often, and of these the newest, but for those that are younger than the pause before a try. One that was deleted
/// since is none of them: in its place another would be made, beside the one that the try is for.
///
/// A try may also come in behind a later one, as its client gave it up while it was waiting here.
pub(crate) async fn take(write: &Write, sender: Sender, fingerprint: &str) -> Result<Option<JobId>, StoreError> {
    let count: i32 = signed(TABLE, "retry_count", sender.retry_count)?;
    let found = of_other_tries(write.now, sender, count, fingerprint).one(&write.tx).await?;
    let Some(row) = found else { return Ok(None) };
    table::Entity::update_many()
        .col_expr(table::Column::RetryCount, Expr::value(Ord::max(row.retry_count, count)))
        .col_expr(table::Column::RetryCountLeast, Expr::value(Ord::min(row.retry_count_least, count)))
        .filter(table::Column::JobId.eq(row.job_id))
        .exec(&write.tx)
        .await?;
    Ok(Some(JobId::from_uuid(row.job_id)))
}

/// What the other tries of a request have made that was sent so often before.
fn of_other_tries(now: Timestamp, sender: Sender, count: i32, fingerprint: &str) -> Select<table::Entity> {
    let key = match sender.api_key {
        Some(key) => table::Column::ApiKeyId.eq(key.uuid()),
        None => table::Column::ApiKeyId.is_null(),
    };
    let overtook = table::Column::RetryCountLeast.gt(count).and(table::Column::CreatedAtMs.gt(now.plus_ms(-OVERTAKEN_MS).ms()));
    let earlier = table::Column::RetryCount.lt(count).and(table::Column::CreatedAtMs.gt(now.plus_ms(-RETRIES_EXPECTED_MS).ms()));
    table::Entity::find()
        .filter(table::Column::TenantId.eq(sender.tenant.uuid()))
        .filter(table::Column::Fingerprint.eq(fingerprint))
        .filter(key)
        .filter(is_there())
        // No try is earlier than the first: it looks at none of those that are alike, of which there may be many.
        .filter(if count == 0 { overtook } else { earlier.or(overtook) })
        .order_by_desc(table::Column::RetryCount)
        .order_by_asc(Expr::col(table::Column::CreatedAtMs).gt(now.plus_ms(-PAUSE_LEAST_MS).ms()))
        .order_by_desc(table::Column::JobId)
}

/// That its job was not deleted, in a query of these.
fn is_there() -> SimpleExpr {
    let own = Expr::col((job::Entity, job::Column::Id)).equals((table::Entity, table::Column::JobId));
    let present = job::Entity::find().select_only().column(job::Column::Id).filter(own).filter(job::Column::DeletedAtMs.is_null());
    Expr::exists(present.into_query())
}

/// Its client knows it: a request like the one that it came with is another one.
pub(crate) async fn confirm(store: &Store, tenant: TenantId, job: JobId) -> Result<(), StoreError> {
    // Mostly it is none of these: then nobody waits for a writer.
    if table::Entity::find_by_id(job.uuid()).one(&store.of(tenant)).await?.is_none() {
        return Ok(());
    }
    let write = store.write_of(tenant).await?;
    table::Entity::delete_by_id(job.uuid()).filter(table::Column::TenantId.eq(tenant.uuid())).exec(&write.tx).await?;
    write.commit().await
}

impl Store {
    /// Removes those whose clients have long stopped trying.
    pub async fn forget_unconfirmed(&self) -> Result<(), StoreError> {
        let write = self.write().await?;
        let old = table::Column::CreatedAtMs.lte(write.now.plus_ms(-RETRIES_EXPECTED_MS).ms());
        table::Entity::delete_many().filter(old).exec(&write.tx).await?;
        write.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend, Statement};
    use uuid::Uuid;

    #[tokio::test]
    async fn a_first_try_looks_at_none_of_those_that_overtook_no_other() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let sender = Sender { tenant: TenantId::from_uuid(Uuid::nil()), api_key: None, retry_count: 0 };
        let query = of_other_tries(Timestamp::from_ms(1), sender, 0, "f");
        let sql = format!("EXPLAIN QUERY PLAN {}", query.build(DbBackend::Sqlite));
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let looked_along = "unconfirmed_jobs_by_fingerprint (tenant_id=? AND fingerprint=? AND retry_count_least>?)";
        assert!(steps.iter().any(|step| step.contains(looked_along)), "{steps:?}");
    }
}
