//! How far the lines of a model have come, and where a newcomer stands in them.

use crate::{Store, StoreError, entity::job as table, rows::readable_tuples};
use domain::{
    Stage, TenantId, Timestamp, VideoTime,
    billing::Lane,
    job::PAUSE_MAX_MS,
    scheduling::{LineOf, LineProgress, Tag, VirtualTime},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Select, Statement, Value,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType},
};
use uuid::Uuid;

const LANES: [Lane; 2] = [Lane::Interactive, Lane::Batch];
/// Among so many at the head of a line the first one is looked for that may be taken.
const LOOK: u32 = 32;

/// The progress of both lanes of one model.
pub(crate) struct Lines([(Lane, LineProgress); 2]);

impl Lines {
    /// As everybody's jobs are now: three looks at the ends of indexes for each lane.
    pub(crate) async fn read(store: &Store, db: &impl ConnectionTrait, model: &str) -> Result<Self, StoreError> {
        // This machine's clock will do to tell whose pause of some seconds is over.
        let (now, unreadable) = (store.local_now().ms(), store.unreadable());
        let paused: Vec<_> = store.pauses_by(db).await?.tenants().collect();
        let ids = unreadable.iter().copied().chain(paused.iter().map(|tenant| tenant.uuid()));
        let values: Vec<Value> = [model.into(), now.into(), (now + PAUSE_MAX_MS).into()].into_iter().chain(ids.map(Into::into)).collect();
        let statement =
            Statement::from_sql_and_values(db.get_database_backend(), ends_of_both_lanes(unreadable.len(), paused.len()), values);
        // A row that cannot be read keeps nobody from being taken in.
        let rows = db.query_all_raw(statement).await?;
        let ends: Vec<_> = rows.iter().filter_map(|row| End::from_query_result(row, "").ok()).collect();
        Ok(Self(LANES.map(|lane| (lane, progress(lane, &ends)))))
    }

    pub(crate) fn progress(&self, lane: Lane) -> LineProgress {
        self.0.iter().find(|(of, _)| *of == lane).map_or_else(LineProgress::default, |(_, progress)| *progress)
    }
}

/// Where a job of so much work would stand in the lines of a model, as [`stand`] would have it.
pub(super) async fn would_stand(
    store: &Store,
    tenant: TenantId,
    (model, work): (&str, VideoTime),
    deadline: Option<Timestamp>,
) -> Result<(Lane, Tag), StoreError> {
    let lines = Lines::read(store, &store.db, model).await?;
    let (plan, db) = (store.tenant(tenant).credits().plan().await?, store.of(tenant));
    let line = LineOf { lane: plan.lane, model };
    let tag = lines.progress(plan.lane).tag(last_of(&db, tenant, line).await?, work, plan.weight);
    let behind = match deadline {
        Some(deadline) => Behind::of(never_begun(tenant, line).into_tuple().all(&db).await?, deadline),
        None => Behind::default(),
    };
    Ok((plan.lane, behind.start.map_or(tag, |start| tag.moved_to(start))))
}

/// Where a job of so much work would stand in a line, of a tenant with the lightest plan that has none.
pub(super) async fn stranger_would_stand(store: &Store, line: LineOf<'_>, work: VideoTime) -> Result<Tag, StoreError> {
    Ok(Lines::read(store, &store.db, line.model).await?.progress(line.lane).tag(None, work, 1))
}

/// Of jobs that wait for a worker or are with one. In the words of the index `jobs_in_queue_by_tenant`: SQLite takes it for nothing else.
pub(crate) const IS_IN_QUEUE: &str = "ended_at_ms IS NULL AND state <> 'throttled'";

/// The finish of the last job of a tenant in a line that has not ended. One in quarantine keeps no other behind it.
pub(crate) async fn last_of(db: &impl ConnectionTrait, tenant: TenantId, line: LineOf<'_>) -> Result<Option<VirtualTime>, StoreError> {
    let last = readable_tuples::<(Option<i64>,)>(db, last_finish(tenant, line)).await?;
    Ok(last.first().and_then(|(last,)| *last).map(VirtualTime::new))
}

pub(crate) fn last_finish(tenant: TenantId, line: LineOf<'_>) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .expr(Expr::col(table::Column::FinishTag).max())
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::Model.eq(line.model))
        .filter(table::Column::Lane.eq(line.lane.as_str()))
        .filter(Expr::cust(IS_IN_QUEUE))
        .filter(table::Column::QuarantinedSinceMs.is_null())
}

/// Of a tenant's jobs as many make room for one with a deadline.
const MAKE_ROOM_MAX: u64 = 1000;

/// Where a job stands that enters its line: behind those that its tenant has there; one with a `deadline` in front of those of them that no
/// worker has begun and that stand behind all that have an earlier one. These make room for it, each by as much, so that the tenant gets no
/// more than its share.
pub(crate) async fn stand(
    db: &impl ConnectionTrait,
    (tenant, line): (TenantId, LineOf<'_>),
    (progress, work, weight): (LineProgress, VideoTime, u32),
    deadline: Option<Timestamp>,
) -> Result<Tag, StoreError> {
    let tag = progress.tag(last_of(db, tenant, line).await?, work, weight);
    let Some(deadline) = deadline else { return Ok(tag) };
    // What a worker is just taking is left where it is.
    let last_first = never_begun(tenant, line).lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let Behind { ids, start } = Behind::of(last_first.into_tuple().all(db).await?, deadline);
    let Some(start) = start else { return Ok(tag) };
    let later = |column: table::Column| Expr::col(column).add(tag.length().value());
    table::Entity::update_many()
        .col_expr(table::Column::StartTag, later(table::Column::StartTag))
        .col_expr(table::Column::FinishTag, later(table::Column::FinishTag))
        .filter(table::Column::Id.is_in(ids))
        .exec(db)
        .await?;
    Ok(tag.moved_to(start))
}

/// Jobs of a tenant that make room for one with a deadline, and where the first of them begins.
#[derive(Default)]
struct Behind {
    ids: Vec<Uuid>,
    start: Option<VirtualTime>,
}

impl Behind {
    /// Of a tenant's last jobs, the last first, those behind all whose deadline is not later.
    fn of(last_first: Vec<(Uuid, i64, Option<i64>, Option<i64>)>, deadline: Timestamp) -> Self {
        let is_later = |by_ms: Option<i64>| by_ms.is_none_or(|by_ms| by_ms > deadline.ms());
        let behind = last_first.into_iter().take_while(|(_, _, start_by, finish_by)| is_later(*start_by) && is_later(*finish_by));
        let (ids, starts): (Vec<Uuid>, Vec<i64>) = behind.map(|(id, start, ..)| (id, start)).unzip();
        Self { ids, start: starts.into_iter().min().map(VirtualTime::new) }
    }
}

/// The ids, starts and deadlines of a tenant's last jobs that no worker has begun.
fn never_begun(tenant: TenantId, line: LineOf<'_>) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .columns([table::Column::Id, table::Column::StartTag, table::Column::StartByMs, table::Column::FinishByMs])
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::Model.eq(line.model))
        .filter(table::Column::Lane.eq(line.lane.as_str()))
        .filter(Expr::cust(IS_IN_QUEUE))
        // Not along the line, which is everybody's.
        .filter(Expr::cust("waits_for || '' = 'sampling'"))
        .filter(table::Column::Epoch.eq(0))
        .order_by_desc(table::Column::FinishTag)
        .order_by_desc(table::Column::Id)
        .limit(MAKE_ROOM_MAX)
}

/// Of what waits first for a stage, or of what was taken last, which has a finish alone.
#[derive(FromQueryResult)]
struct End {
    lane: String,
    start_tag: Option<i64>,
    finish_tag: Option<i64>,
}

fn progress(lane: Lane, ends: &[End]) -> LineProgress {
    let (mut heads, mut taken) = (Vec::new(), None);
    for end in ends.iter().filter(|end| end.lane == lane.as_str()) {
        let Some(finish) = end.finish_tag.map(VirtualTime::new) else { continue };
        match end.start_tag.map(VirtualTime::new) {
            Some(start) => heads.push(Tag { start, finish }),
            None => taken = Some(finish),
        }
    }
    LineProgress::of(heads, taken)
}

/// `$1`: the model; `$2` and `$3`: now, and the end of the longest pause; from `$4` on, jobs that cannot be read, and then tenants that are paused:
/// those stay where they are, however many jobs they have, while the line goes on.
fn ends_of_both_lanes(unreadable: usize, paused: usize) -> String {
    let without = |column: &str, from: usize, count: usize| {
        let places: Vec<_> = (from..from + count).map(|n| format!("${n}")).collect();
        if places.is_empty() { String::new() } else { format!(" AND {column} NOT IN ({})", places.join(", ")) }
    };
    let (readable, going_on) = (without("id", 4, unreadable), without("tenant_id", 4 + unreadable, paused));
    let aside = VirtualTime::ASIDE.value();
    let ends = |lane: Lane| {
        // What is in its pause, and what runs alone, stays where it is while the line goes on.
        let head = |stage: Stage| {
            format!(
                "SELECT * FROM (SELECT '{lane}' AS lane, start_tag, finish_tag FROM (\
                 SELECT id, start_tag, finish_tag, not_before_ms, suspect FROM jobs WHERE waits_for = '{stage}' AND model = $1 AND lane = '{lane}' AND finish_tag < {aside}{going_on} \
                 ORDER BY finish_tag, id LIMIT {LOOK}) AS look \
                 ORDER BY CASE WHEN (not_before_ms <= $2 OR not_before_ms > $3) AND NOT suspect{readable} THEN 0 ELSE 1 END, finish_tag LIMIT 1) AS head"
            )
        };
        // A worker of the version before begins also what lies aside: it took that out of no place of the line.
        let taken = format!(
            "SELECT '{lane}' AS lane, NULL AS start_tag, (SELECT MAX(finish_tag) FROM jobs WHERE lease_worker IS NOT NULL AND model = $1 AND lane = '{lane}' AND finish_tag < {aside}) AS finish_tag"
        );
        [head(Stage::Sampling), head(Stage::Decoding), taken].join(" UNION ALL ")
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
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let steps = plan(
            &store,
            &[("$1", "'m'"), ("$2", "1"), ("$3", "2")].into_iter().fold(ends_of_both_lanes(0, 0), |sql, (from, to)| sql.replace(from, to)),
        )
        .await;
        let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ")).collect();
        assert!(
            of_jobs.len() == 6
                && of_jobs.iter().all(|step| step.contains("(waits_for=? AND model=? AND lane=? AND finish_tag<?)")
                    || step.contains("INDEX jobs_taken_by_line (model=? AND lane=? AND finish_tag<?)")),
            "{steps:?}"
        );
        // Only what was looked at is put in another order.
        assert_eq!(steps.iter().filter(|step| step.contains("B-TREE")).count(), 4, "{steps:?}");
        let line = LineOf { lane: Lane::Batch, model: "m" };
        let last = last_finish(TenantId::from_uuid(Uuid::nil()), line);
        let steps = plan(&store, &last.build(DbBackend::Sqlite).to_string()).await;
        assert!(steps.iter().all(|step| step.contains("INDEX jobs_in_queue_by_tenant (tenant_id=? AND model=? AND lane=?)")), "{steps:?}");
        let last = never_begun(TenantId::from_uuid(Uuid::nil()), line);
        let steps = plan(&store, &last.build(DbBackend::Sqlite).to_string()).await;
        assert!(steps[0].contains("INDEX jobs_in_queue_by_tenant (tenant_id=? AND model=? AND lane=?)"), "{steps:?}");
    }
}
