//! With whom a job shared its batches: those that the same worker denoised with the same model at the same time.

use super::Requests;
use crate::StoreError;
use domain::{JobId, TenantId};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

/// Told of one job.
pub const SHARED_MAX: u64 = 50;
/// What ended later had not begun by then.
const LONGEST_MS: i64 = 60 * 60 * 1000;

/// Other jobs of the batches that a job was in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedWith {
    /// Those that may be named, with whose they are, in the order in which they were done.
    pub jobs: Vec<(TenantId, JobId)>,
    /// Those of other tenants.
    pub others: u64,
    /// There may be more.
    pub has_more: bool,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    tenant_id: Uuid,
}

/// By a job's id. Of each: when its denoising began and ended.
const BESIDE: &str = "SELECT beside.id, beside.tenant_id FROM (SELECT sampled_by, model, sampled_at_ms - COALESCE(latents_upload_ms, 0) AS until, \
     sampled_at_ms - COALESCE(sampling_ms, 0) + COALESCE(load_ms, 0) + COALESCE(encode_ms, 0) AS began FROM jobs WHERE id = $1) AS own \
     CROSS JOIN jobs AS beside WHERE beside.sampled_by = own.sampled_by AND beside.sampled_at_ms > own.began \
     AND beside.sampled_at_ms < own.until + $2 AND beside.model = own.model AND beside.id <> $1 \
     AND beside.sampled_at_ms - COALESCE(beside.latents_upload_ms, 0) > own.began \
     AND beside.sampled_at_ms - COALESCE(beside.sampling_ms, 0) + COALESCE(beside.load_ms, 0) + COALESCE(beside.encode_ms, 0) < own.until \
     AND COALESCE(beside.deleted_at_ms, 0) = 0 ORDER BY beside.sampled_at_ms, beside.id LIMIT $3";

impl Requests<'_> {
    /// Of a job that was found in this log. In that of a tenant no other tenant's job is named.
    pub async fn shared_with(self, id: JobId) -> Result<SharedWith, StoreError> {
        // They are counted whosever they are.
        let db = &self.store.db;
        let values = [id.uuid().into(), LONGEST_MS.into(), i64::try_from(SHARED_MAX + 1).unwrap_or(i64::MAX).into()];
        let rows = Row::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), BESIDE, values)).all(db).await?;
        let mut shared = SharedWith { has_more: rows.len() as u64 > SHARED_MAX, ..SharedWith::default() };
        for row in rows.into_iter().take(usize::try_from(SHARED_MAX).unwrap_or(usize::MAX)) {
            let tenant = TenantId::from_uuid(row.tenant_id);
            if self.tenant.is_none_or(|own| own == tenant) {
                shared.jobs.push((tenant, JobId::from_uuid(row.id)));
            } else {
                shared.others += 1;
            }
        }
        Ok(shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn they_are_found_along_the_jobs_of_their_worker() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {BESIDE}");
        let statement = Statement::from_sql_and_values(DbBackend::Sqlite, sql, [Uuid::nil().into(), 1_i64.into(), 5_i64.into()]);
        let rows = store.db.query_all_raw(statement).await.unwrap();
        let steps: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let of_worker = "INDEX jobs_by_sampler (sampled_by=? AND sampled_at_ms>? AND sampled_at_ms<?)";
        assert!(steps.iter().any(|step| step.contains(of_worker)) && !steps.iter().any(|step| step.contains("SCAN")), "{steps:?}");
    }
}
