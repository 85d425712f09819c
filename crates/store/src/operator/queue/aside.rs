//! The jobs of tenants that are paused are laid aside, behind the end of their lines, and brought back when the pause is over.
//!
//! A line would go on without them, and whoever looks along it would pass all of them. Aside they are as far apart as in the line, so they keep
//! their order, and what is submitted meanwhile is laid behind them.

use super::{lines::CAME, pauses::is_paused};
use crate::{
    Change, Store, StoreError,
    database::{deadlock, write::Write},
    entity::job::{self as table, Column},
    queue::{
        line::{IS_IN_QUEUE, Lines, last_finish},
        order::{ORDER, in_order},
    },
    rows::readable_tuples,
    sql::in_steps,
};
use domain::{
    TenantId, Timestamp,
    billing::Lane,
    scheduling::{LineOf, PauseScope, VirtualTime},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, Statement,
    sea_query::{Expr, ExprTrait, LockType},
};
use std::error::Error;
use uuid::Uuid;

const ASIDE: i64 = VirtualTime::ASIDE.value();
/// So many jobs in one transaction.
const AT_ONCE: u64 = 512;
/// For so long a pause of a tenant that is over is known: who learns how long jobs took asks for those of some hours.
const OVER_KEPT_MS: i64 = 24 * 3_600_000;
/// One in quarantine finds its place when that is lifted.
const MOVES: &str = "lease_worker IS NULL AND quarantined_since_ms IS NULL";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    Aside,
    Line,
}

impl To {
    /// Where those lie that are not there yet.
    fn elsewhere(self) -> String {
        match self {
            Self::Aside => format!("finish_tag < {ASIDE}"),
            Self::Line => format!("finish_tag >= {ASIDE}"),
        }
    }
}

/// Lays aside what is paused, and brings back what is not any more. Returns how many jobs that were. A tenant whose jobs cannot be moved keeps no
/// other waiting; the error is then that of the first.
pub(super) async fn follow_pauses(store: &Store) -> Result<u64, StoreError> {
    let (mut moved, mut failed) = (0, None);
    // A pause of whenever: all servers may have ended before they had brought back what it was about.
    let (pauses, now) = (store.past_pauses(Timestamp::from_ms(0)).await?, store.now().await?);
    for (tenant, resumed) in pauses.tenants() {
        match follow(store, tenant, resumed, now).await {
            Ok(jobs) => moved += jobs,
            Err(error) => {
                tracing::warn!(tenant.id = %tenant, error = &error as &dyn Error, "the jobs of a tenant stay where they lie for now");
                failed.get_or_insert(error);
            }
        }
    }
    failed.map_or(Ok(moved), Err)
}

/// `resumed`: when the pause was over; `None`: it is not.
async fn follow(store: &Store, tenant: TenantId, resumed: Option<Timestamp>, now: Timestamp) -> Result<u64, StoreError> {
    let Some(resumed) = resumed else { return lay_aside(store, tenant).await };
    let back = bring_back(store, tenant).await?;
    if back == 0 && resumed.plus_ms(OVER_KEPT_MS) <= now {
        forget(store, tenant, resumed).await?;
    }
    Ok(back)
}

/// Or the jobs of every tenant that was ever paused would be looked for again and again. One that is paused anew stays.
async fn forget(store: &Store, tenant: TenantId, resumed: Timestamp) -> Result<(), StoreError> {
    let write = store.write().await?;
    let over = "DELETE FROM queue_pauses WHERE scope = $1 AND resumed_ms = $2";
    let values = [PauseScope::Tenant(tenant).to_string().into(), resumed.ms().into()];
    write.tx.execute_raw(write.statement(over, values)).await?;
    write.commit().await
}

/// Of a tenant that is paused, all that no worker has. The last ones first: those that are not aside are in front of those that are.
pub(super) async fn lay_aside(store: &Store, tenant: TenantId) -> Result<u64, StoreError> {
    move_all(store, tenant, To::Aside).await
}

/// Of a tenant that is not paused, end to end from where its lines are by now, the first ones first.
pub(super) async fn bring_back(store: &Store, tenant: TenantId) -> Result<u64, StoreError> {
    move_all(store, tenant, To::Line).await
}

async fn move_all(store: &Store, tenant: TenantId, to: To) -> Result<u64, StoreError> {
    let backend = store.db.get_database_backend();
    let lines = Statement::from_sql_and_values(backend, lines_of(to), [tenant.uuid().into()]);
    let mut moved = 0;
    for row in store.db.query_all_raw(lines).await?.iter().filter_map(|row| LineRow::from_query_result(row, "").ok()) {
        let Some(lane) = Lane::named(&row.lane) else { continue };
        let line = LineOf { lane, model: &row.model };
        loop {
            let some = deadlock::retried(StoreError::is_deadlock, || move_some(store, (tenant, line), to)).await?;
            moved += some;
            if some < AT_ONCE {
                break;
            }
        }
    }
    Ok(moved)
}

#[derive(FromQueryResult)]
struct LineRow {
    model: String,
    lane: String,
}

/// Lines in which a tenant has something that is to be moved: a look at an end of the index for each. `$1`: the tenant.
fn lines_of(to: To) -> String {
    let elsewhere = to.elsewhere();
    format!(
        "SELECT model, lane FROM (SELECT models.id AS model, lanes.lane AS lane, (SELECT 1 FROM jobs WHERE jobs.tenant_id = $1 \
         AND jobs.model = models.id AND jobs.lane = lanes.lane AND {IS_IN_QUEUE} AND {elsewhere} AND {MOVES} LIMIT 1) AS found \
         FROM models CROSS JOIN (SELECT '{}' AS lane UNION ALL SELECT '{}' AS lane) AS lanes) AS looked WHERE found IS NOT NULL",
        Lane::Interactive,
        Lane::Batch
    )
}

async fn move_some(store: &Store, of: (TenantId, LineOf<'_>), to: To) -> Result<u64, StoreError> {
    let mut write = store.write().await?;
    let moved = move_some_in(store, &mut write, of, to).await;
    write.end(moved).await
}

async fn move_some_in(store: &Store, write: &mut Write, (tenant, line): (TenantId, LineOf<'_>), to: To) -> Result<u64, StoreError> {
    // Another server would go by where the last one lay before this one had laid others behind it.
    write.in_turn(tenant).await?;
    if is_paused(&write.tx, tenant).await? != (to == To::Aside) {
        return Ok(0);
    }
    let ids = locked(write, next(tenant, line, to)).await?;
    let found = ids.len() as u64;
    match to {
        _ if ids.is_empty() => {}
        To::Aside => lay(write, ids).await?,
        To::Line => {
            lay_end_to_end(store, write, tenant, line).await?;
            write.tell(Change::Any);
        }
    }
    Ok(found)
}

fn next(tenant: TenantId, line: LineOf<'_>, to: To) -> Select<table::Entity> {
    let jobs = table::Entity::find()
        .filter(Column::TenantId.eq(tenant.uuid()))
        .filter(Column::Model.eq(line.model))
        .filter(Column::Lane.eq(line.lane.as_str()))
        .filter(Expr::cust(IS_IN_QUEUE))
        .filter(Expr::cust(to.elsewhere()))
        .filter(Expr::cust(MOVES));
    let jobs = match to {
        To::Aside => jobs.order_by_desc(Column::FinishTag).order_by_desc(Column::Id),
        To::Line => in_order(jobs),
    };
    jobs.select_only().column(Column::Id).limit(AT_ONCE)
}

/// In the order of their ids, as everybody locks jobs.
async fn locked(write: &Write, jobs: Select<table::Entity>) -> Result<Vec<Uuid>, StoreError> {
    let these = table::Entity::find().select_only().column(Column::Id).filter(Column::Id.in_subquery(jobs.into_query()));
    Ok(these.order_by_asc(Column::Id).lock(LockType::NoKeyUpdate).into_tuple().all(&write.tx).await?)
}

async fn lay(write: &Write, ids: Vec<Uuid>) -> Result<(), StoreError> {
    let aside = |column: Column| Expr::col(column).add(ASIDE);
    table::Entity::update_many()
        .col_expr(Column::StartTag, aside(Column::StartTag))
        .col_expr(Column::FinishTag, aside(Column::FinishTag))
        .filter(Column::Id.is_in(in_steps(ids)))
        // A worker may have had it when it was waited for.
        .filter(Expr::cust(MOVES))
        .filter(Expr::cust(To::Aside.elsewhere()))
        .exec(&write.tx)
        .await?;
    Ok(())
}

/// Behind those of the tenant that are in the line: workers have them, or have had them.
async fn lay_end_to_end(store: &Store, write: &Write, tenant: TenantId, line: LineOf<'_>) -> Result<(), StoreError> {
    let now = Lines::read(store, &write.tx, line.model).await?.progress(line.lane).now().value();
    let in_line = last_finish(tenant, line).filter(Expr::cust(To::Aside.elsewhere()));
    let last = readable_tuples::<(Option<i64>,)>(&write.tx, in_line).await?;
    let from = last.first().and_then(|(last,)| *last).map_or(now, |last| Ord::max(last, now));
    let paused = "SELECT since_ms FROM queue_pauses WHERE scope = $1";
    let paused = write.tx.query_one_raw(write.statement(paused, [PauseScope::Tenant(tenant).to_string().into()])).await?;
    let now_ms = write.now.ms();
    let paused_ms: i64 = paused.map_or(Ok(now_ms), |row| row.try_get_by_index(0))?;
    let values = [
        tenant.uuid().into(),
        line.model.into(),
        line.lane.as_str().into(),
        from.into(),
        now_ms.into(),
        Ord::max(now_ms - paused_ms, 0).into(),
    ];
    write.tx.execute_raw(write.statement(&laid_end_to_end(), values)).await?;
    Ok(())
}

/// `$1`: the tenant; `$2` and `$3`: the model and the lane; `$4`: where the first one begins; `$5`: the moment; `$6`: how long it
/// was paused, which is no wait.
fn laid_end_to_end() -> String {
    let aside = To::Line.elsewhere();
    let moves = format!("tenant_id = $1 AND model = $2 AND lane = $3 AND {IS_IN_QUEUE} AND {aside} AND {MOVES}");
    // PostgreSQL adds up BIGINT to NUMERIC. Whose row has changed meanwhile is looked at again there.
    format!(
        "WITH laid (job_id, starts) AS (SELECT id, $4 + CAST(COALESCE(SUM(finish_tag - start_tag) \
         OVER (ORDER BY {ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS BIGINT) \
         FROM (SELECT id, start_tag, finish_tag FROM jobs WHERE {moves} ORDER BY {ORDER} LIMIT {AT_ONCE}) AS first) \
         UPDATE jobs SET start_tag = laid.starts, finish_tag = laid.starts + finish_tag - start_tag, \
         queued_at_ms = CASE WHEN {CAME} + $6 > $5 THEN $5 ELSE {CAME} + $6 END \
         FROM laid WHERE id = laid.job_id AND {moves}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn only_the_open_jobs_of_the_tenant_are_looked_at() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let line = LineOf { lane: Lane::Batch, model: "m" };
        let mut looks = vec![laid_end_to_end()];
        for to in [To::Aside, To::Line] {
            looks.extend([lines_of(to), next(TenantId::from_uuid(Uuid::nil()), line, to).build(DbBackend::Sqlite).to_string()]);
        }
        for sql in looks {
            let sql =
                [("$1", "x''"), ("$2", "'m'"), ("$3", "'batch'"), ("$4", "5")].iter().fold(sql, |sql, (from, to)| sql.replace(from, to));
            let explained = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.db.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let along = "INDEX jobs_in_queue_by_tenant (tenant_id=? AND model=? AND lane=? AND finish_tag";
            assert!(steps.iter().any(|step| step.contains(along)), "{sql}: {steps:?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN jobs")), "{sql}: {steps:?}");
        }
    }
}
