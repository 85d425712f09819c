//! How far the lines of a model have come, and where a newcomer stands in them.

use crate::{Store, StoreError, entity::job as table, rows::readable_tuples};
use domain::{
    JobId, Stage, TenantId, VideoTime,
    billing::Lane,
    scheduling::{LineOf, LineProgress, Place, Tag, VirtualTime},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Select, Statement,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

const LANES: [Lane; 2] = [Lane::Interactive, Lane::Batch];

/// The progress of both lanes of one model.
pub(crate) struct Lines([(Lane, LineProgress); 2]);

impl Lines {
    /// As everybody's jobs are now: five looks at the ends of indexes for each lane.
    pub(crate) async fn read(db: &impl ConnectionTrait, model: &str) -> Result<Self, StoreError> {
        let statement = Statement::from_sql_and_values(db.get_database_backend(), ends_of_both_lanes(), [model.into()]);
        // A row that cannot be read keeps nobody from being taken in.
        let rows = db.query_all_raw(statement).await?;
        let rows: Vec<_> = rows.iter().filter_map(|row| Ends::from_query_result(row, "").ok()).collect();
        Ok(Self(LANES.map(|lane| (lane, rows.iter().find(|ends| ends.lane == lane.as_str()).map_or_else(LineProgress::default, progress)))))
    }

    pub(crate) fn progress(&self, lane: Lane) -> LineProgress {
        self.0.iter().find(|(of, _)| *of == lane).map_or_else(LineProgress::default, |(_, progress)| *progress)
    }
}

/// Where a job of so much work would stand in the lines of a model, behind those that its tenant has there; of `None`, one of a tenant with the
/// lightest plan that has none.
pub(super) async fn would_stand(
    store: &Store,
    tenant: Option<TenantId>,
    model: &str,
    work: VideoTime,
) -> Result<(Lane, Place), StoreError> {
    let lines = Lines::read(&store.db, model).await?;
    let (lane, weight, last) = match tenant {
        Some(tenant) => {
            let plan = store.tenant(tenant).credits().plan().await?;
            (plan.lane, plan.weight, last_of(&store.of(tenant), tenant, LineOf { lane: plan.lane, model }).await?)
        }
        None => (Lane::Interactive, 1, None),
    };
    let finish = lines.progress(lane).tag(last, work, weight).finish;
    Ok((lane, Place { finish, job: JobId::from_uuid(Uuid::max()) }))
}

/// Of jobs that wait for a worker or are with one. In the words of the index `jobs_in_queue_by_tenant`: SQLite takes it for nothing else.
pub(super) const IS_IN_QUEUE: &str = "ended_at_ms IS NULL AND state <> 'throttled'";

/// The finish of the last job of a tenant in a line that has not ended.
pub(crate) async fn last_of(db: &impl ConnectionTrait, tenant: TenantId, line: LineOf<'_>) -> Result<Option<VirtualTime>, StoreError> {
    let last = readable_tuples::<(Option<i64>,)>(db, last_finish(tenant, line)).await?;
    Ok(last.first().and_then(|(last,)| *last).map(VirtualTime::new))
}

fn last_finish(tenant: TenantId, line: LineOf<'_>) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .expr(Expr::col(table::Column::FinishTag).max())
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::Model.eq(line.model))
        .filter(table::Column::Lane.eq(line.lane.as_str()))
        .filter(Expr::cust(IS_IN_QUEUE))
}

#[derive(FromQueryResult)]
struct Ends {
    lane: String,
    sampling_start: Option<i64>,
    sampling_finish: Option<i64>,
    decoding_start: Option<i64>,
    decoding_finish: Option<i64>,
    taken: Option<i64>,
}

fn progress(ends: &Ends) -> LineProgress {
    let tag = |start: Option<i64>, finish: Option<i64>| {
        start.zip(finish).map(|(start, finish)| Tag { start: VirtualTime::new(start), finish: VirtualTime::new(finish) })
    };
    let heads = [tag(ends.sampling_start, ends.sampling_finish), tag(ends.decoding_start, ends.decoding_finish)];
    LineProgress::of(heads, ends.taken.map(VirtualTime::new))
}

fn ends_of_both_lanes() -> String {
    let ends = |lane: Lane| {
        let next = |stage: Stage, column: &str| {
            format!(
                "(SELECT {column} FROM jobs WHERE waits_for = '{stage}' AND model = $1 AND lane = '{lane}' \
                 ORDER BY finish_tag, id LIMIT 1) AS {stage}_{}",
                column.trim_end_matches("_tag")
            )
        };
        let heads =
            [Stage::Sampling, Stage::Decoding].map(|stage| ["start_tag", "finish_tag"].map(|column| next(stage, column)).join(", "));
        format!(
            "SELECT '{lane}' AS lane, {}, (SELECT MAX(finish_tag) FROM jobs WHERE lease_worker IS NOT NULL AND model = $1 AND lane = '{lane}') AS taken",
            heads.join(", ")
        )
    };
    LANES.map(ends).join(" UNION ALL ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, QueryTrait};

    async fn plan(store: &Store, sql: &str) -> Vec<String> {
        let sql = format!("EXPLAIN QUERY PLAN {sql}");
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect()
    }

    #[tokio::test]
    async fn the_ends_of_lines_are_looked_up() {
        let store = TempDatabase::sqlite().open().await.unwrap();
        let steps = plan(&store, &ends_of_both_lanes().replace("$1", "'m'")).await;
        let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ")).collect();
        assert!(
            of_jobs.len() == 10
                && of_jobs.iter().all(|step| step.contains("(waits_for=? AND model=? AND lane=?)")
                    || step.contains("INDEX jobs_taken_by_line (model=? AND lane=?)")),
            "{steps:?}"
        );
        assert!(!steps.iter().any(|step| step.contains("B-TREE")), "{steps:?}");
        let line = LineOf { lane: Lane::Batch, model: "m" };
        let last = last_finish(TenantId::from_uuid(Uuid::nil()), line);
        let steps = plan(&store, &last.build(DbBackend::Sqlite).to_string()).await;
        assert!(steps.iter().all(|step| step.contains("INDEX jobs_in_queue_by_tenant (tenant_id=? AND model=? AND lane=?)")), "{steps:?}");
    }
}
