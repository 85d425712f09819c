//! Which of a tenant's jobs a list has, and in which order: a page of each list is read along an index, however many jobs there are
//! that are in others.

use crate::{entity::job as table, sql::in_steps};
use domain::{BatchId, JobId};
use sea_orm::{
    QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Alias, Expr, ExprTrait, Query, SelectStatement},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    NewestFirst,
    OldestFirst,
}

/// A page of a list. Ids sort by creation, so a page goes on behind the last id of the one before,
/// also when that job is gone.
#[derive(Debug, Clone, Copy)]
pub struct PageQuery {
    pub after: Option<JobId>,
    pub limit: u64,
    pub order: Order,
}

/// Which jobs of a tenant are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListedJobs {
    #[default]
    All,
    /// Those that were asked for one by one: lines of no batch.
    Singles,
    /// Those of one batch, in the order of its lines.
    OfBatch(BatchId),
}

const BATCH: &str = "batch_id";
const LINE: &str = "batch_line";

/// The rows of a page and, to see whether it is the last, one more.
pub(crate) fn on_page(of: ListedJobs, query: Select<table::Entity>, page: PageQuery) -> Select<table::Entity> {
    let query = query.limit(page.limit.saturating_add(1));
    let (query, by) = match of {
        ListedJobs::All => (query, vec![column("id")]),
        // In the words of the index `jobs_alone`: what is listed is not deleted.
        ListedJobs::Singles => (query.filter(column(BATCH).is_null()), vec![column("deleted_at_ms"), column("id")]),
        ListedJobs::OfBatch(batch) => (query.filter(column(BATCH).eq(batch.uuid())), vec![column(LINE)]),
    };
    let query = match page.after {
        Some(after) => query.filter(behind(of, after, page.order)),
        None => query,
    };
    by.into_iter().fold(query, |query, by| match page.order {
        Order::NewestFirst => query.order_by_desc(by),
        Order::OldestFirst => query.order_by_asc(by),
    })
}

fn behind(of: ListedJobs, after: JobId, order: Order) -> Expr {
    let (by, place): (Expr, Expr) = match of {
        ListedJobs::OfBatch(batch) => (column(LINE), line_of(after, batch).into()),
        ListedJobs::All | ListedJobs::Singles => (column("id"), after.uuid().into()),
    };
    match order {
        Order::NewestFirst => by.lt(place),
        Order::OldestFirst => by.gt(place),
    }
}

/// Which line of the batch became this job, also where that is deleted.
fn line_of(job: JobId, batch: BatchId) -> SelectStatement {
    Query::select()
        .expr(column(LINE))
        .from(table::Entity)
        .and_where(column("id").eq(job.uuid()))
        .and_where(column(BATCH).eq(batch.uuid()))
        .take()
}

/// Of those of these jobs that are lines of a batch, each with its batch.
pub(crate) fn lines_of_batches(query: Select<table::Entity>, jobs: &[JobId]) -> Select<table::Entity> {
    let query = query.filter(column("id").is_in(in_steps(jobs.iter().map(|job| job.uuid()).collect()))).filter(column(BATCH).is_not_null());
    query.select_only().expr_as(column("id"), "id").expr_as(column(BATCH), BATCH)
}

fn column(name: &'static str) -> Expr {
    Expr::col((table::Entity, Alias::new(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rows::{jobs::visible, texts::Texts},
        testing::{Engine, TempDatabase},
    };
    use domain::TenantId;
    use sea_orm::{ConnectionTrait, DbBackend, QueryTrait, Statement};
    use uuid::Uuid;

    const NIL: &str = "'00000000-0000-0000-0000-000000000000'";
    const OTHER: &str = "'00000000-0000-0000-0000-000000000001'";

    /// Each list, from its beginning and from a place, in both orders, with the index that it is to be read along.
    fn looks(backend: DbBackend) -> Vec<(Statement, &'static str)> {
        let (nil, after) = (Uuid::nil(), Some(JobId::from_uuid(Uuid::from_u128(10_000))));
        let lists = [(ListedJobs::Singles, "jobs_alone"), (ListedJobs::OfBatch(BatchId::from_uuid(nil)), "jobs_of_batch")];
        let places = [None, after].into_iter().flat_map(|after| [(after, Order::NewestFirst), (after, Order::OldestFirst)]);
        let mut looks = Vec::new();
        for (after, order) in places {
            for (of, index) in lists {
                let jobs = visible(TenantId::from_uuid(nil), Texts::LeftOut);
                let Statement { sql, values, .. } = on_page(of, jobs, PageQuery { after, limit: 4, order }).build(backend);
                let explain = if backend == DbBackend::Sqlite { "EXPLAIN QUERY PLAN" } else { "EXPLAIN" };
                looks.push((Statement { sql: format!("{explain} {sql}"), values, db_backend: backend }, index));
            }
        }
        looks
    }

    #[tokio::test]
    async fn a_page_is_read_along_an_index_and_in_its_order() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for (look, index) in looks(DbBackend::Sqlite) {
            let plan = store.db.query_all_raw(look).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps[0].starts_with(&format!("SEARCH jobs USING INDEX {index} (")), "{index}: {steps:?}");
            assert!(!steps.iter().any(|step| step.starts_with("SCAN") || step.contains("B-TREE")), "{index}: {steps:?}");
        }
    }

    /// Many jobs of one tenant, and some of another, of which half are lines of a batch.
    fn rows() -> [String; 5] {
        let tenant = |id| format!("INSERT INTO tenants (id, name, created_at_ms) VALUES ({id}, 'a', 0)");
        [
            tenant(NIL),
            tenant(OTHER),
            format!("INSERT INTO users (id, email, password_hash, is_operator, created_at_ms) VALUES ({NIL}, 'a', '', FALSE, 0)"),
            format!(
                "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, state, epoch, \
                 attempts, suspect, not_before_ms, revision, step, created_at_ms, ended_at_ms, batch_id, batch_line) \
                 SELECT CAST(lpad(to_hex(n), 32, '0') AS UUID), CAST(CASE WHEN n % 50 = 0 THEN {NIL} ELSE {OTHER} END AS UUID), \
                 {NIL}, 'm', 'cat', 96, 96, 2000, 8, 1, 1, 2000, 'succeeded', 1, 1, FALSE, 0, 1, 8, n, n, \
                 CASE WHEN n % 100 = 0 THEN CAST({NIL} AS UUID) END, CASE WHEN n % 100 = 0 THEN n END FROM generate_series(1, 20000) AS numbers(n)"
            ),
            "ANALYZE jobs".to_owned(),
        ]
    }

    #[tokio::test]
    async fn postgresql_reads_a_page_along_an_index_too() {
        let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
        let store = database.open().await.unwrap();
        let write = store.write().await.unwrap();
        for sql in rows() {
            write.tx.execute_unprepared(&sql).await.unwrap();
        }
        for (look, index) in looks(DbBackend::Postgres) {
            let plan = write.tx.query_all_raw(look).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "QUERY PLAN").unwrap()).collect();
            assert!(steps.iter().any(|step| step.contains(&format!(" using {index} "))), "{index}: {steps:?}");
            assert!(!steps.iter().any(|step| step.contains("Seq Scan") || step.contains("Sort")), "{index}: {steps:?}");
        }
    }
}
