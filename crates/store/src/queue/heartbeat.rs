//! What a worker says again and again about all its jobs together: that it holds them, and how far they have come.
//!
//! One statement each, whatever the number of jobs.

use super::{LeaseToken, ProgressReport, Renewal, lease};
use crate::{
    Change, Store, StoreError,
    database::{deadlock, write::Write},
    entity::{job as table, signed, unsigned},
    rows::{jobs, previews},
};
use domain::{JobId, Stage, TenantId, Timestamp, WorkerId};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait,
    Statement, Value,
    sea_query::{Expr, LockBehavior, LockType, Query},
};
use std::collections::HashSet;
use uuid::Uuid;

/// The setting that is written to see whether there is room.
const WRITTEN: &str = "written_while_leases_ran_out";

pub(super) async fn renew(store: &Store, tokens: &[LeaseToken], lease_ms: i64) -> Result<Renewal, StoreError> {
    let held = held(tokens)?;
    let write = store.write().await?;
    let unlocked = table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(held)
        .order_by_asc(table::Column::Id)
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let renewing = Query::update()
        .table(table::Entity)
        .value(table::Column::LeaseExpiresAtMs, write.now.plus_ms(lease_ms).ms())
        .and_where(table::Column::Id.in_subquery(unlocked.into_query()))
        .returning_col(table::Column::Id)
        .take();
    let renewed = ids(write.tx.query_all(&renewing).await?)?;
    let missing: Vec<LeaseToken> = tokens.iter().filter(|token| !renewed.contains(&token.job.uuid())).copied().collect();
    let (skipped, lost) = if missing.is_empty() { Default::default() } else { still_held(&write, missing).await? };
    write.commit().await?;
    Ok(Renewal { lost, skipped })
}

/// Which of these leases the database still knows, and which it gives to somebody else, or to nobody.
async fn still_held(write: &Write, tokens: Vec<LeaseToken>) -> Result<(Vec<LeaseToken>, Vec<LeaseToken>), StoreError> {
    let known = table::Entity::find().select_only().column(table::Column::Id).filter(held(&tokens)?);
    let known: HashSet<Uuid> = known.into_tuple().all(&write.tx).await?.into_iter().collect();
    Ok(tokens.into_iter().partition(|token| known.contains(&token.job.uuid())))
}

fn ids(rows: Vec<QueryResult>) -> Result<HashSet<Uuid>, StoreError> {
    Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?)
}

/// The rows that these leases hold.
fn held(tokens: &[LeaseToken]) -> Result<Condition, StoreError> {
    let mut any = Condition::any();
    for token in tokens {
        let one = Condition::all()
            .add(table::Column::Id.eq(token.job.uuid()))
            .add(table::Column::State.eq(token.stage.as_str()))
            .add(table::Column::Epoch.eq(signed::<_, i32>(jobs::TABLE, "epoch", token.epoch)?));
        any = any.add(one);
    }
    // An empty `any` would mean all.
    Ok(if tokens.is_empty() { any.add(Expr::value(false)) } else { any })
}

pub(super) async fn progress(store: &Store, mut reports: Vec<ProgressReport>) -> Result<Vec<LeaseToken>, StoreError> {
    if reports.is_empty() {
        return Ok(Vec::new());
    }
    reports.sort_unstable_by_key(|report| report.token.job);
    deadlock::retried(StoreError::is_deadlock, || try_to_note(store, &reports)).await
}

async fn try_to_note(store: &Store, reports: &[ProgressReport]) -> Result<Vec<LeaseToken>, StoreError> {
    let mut write = store.write().await?;
    let noted = ids(write.tx.query_all_raw(progress_statement(write.backend(), reports)?).await?)?;
    let (known, unknown): (Vec<_>, Vec<_>) = reports.iter().partition(|report| noted.contains(&report.token.job.uuid()));
    let mut newest = Vec::new();
    for ProgressReport { token, preview, .. } in known {
        write.tell(Change::Job(token.job));
        newest.extend(preview.clone().map(|preview| (token.job, preview)));
    }
    previews::replace(&write, newest).await?;
    write.commit().await?;
    Ok(unknown.into_iter().map(|report| report.token).collect())
}

/// Notes each report in its row, if that is still under the report's lease, and names those that were.
fn progress_statement(backend: DbBackend, reports: &[ProgressReport]) -> Result<Statement, StoreError> {
    let mut values: Vec<Value> = Vec::with_capacity(7 * reports.len());
    let mut rows = Vec::with_capacity(reports.len());
    for report in reports {
        let at = values.len();
        rows.push(match backend {
            // Its types follow from nothing else.
            DbBackend::Postgres => {
                let [id, epoch, stage, step, decoded, device, preview] = [1, 2, 3, 4, 5, 6, 7].map(|place| at + place);
                format!("(${id}::uuid, ${epoch}::int, ${stage}::text, ${step}::int, ${decoded}::int, ${device}::bigint, ${preview}::int)")
            }
            _ => format!("(${}, ${}, ${}, ${}, ${}, ${}, ${})", at + 1, at + 2, at + 3, at + 4, at + 5, at + 6, at + 7),
        });
        let preview_step = report.preview.as_ref().map(|preview| signed::<_, i32>(jobs::TABLE, "preview_step", preview.step));
        values.extend([
            report.token.job.uuid().into(),
            signed::<_, i32>(jobs::TABLE, "epoch", report.token.epoch)?.into(),
            report.token.stage.as_str().into(),
            signed::<_, i32>(jobs::TABLE, "step", report.step)?.into(),
            signed::<_, i32>(jobs::TABLE, "decoded_permille", report.decoded_permille)?.into(),
            signed::<_, i64>(jobs::TABLE, "lease_device_ms", report.device_ms)?.into(),
            preview_step.transpose()?.into(),
        ]);
    }
    let sql = format!(
        "WITH report (job_id, job_epoch, at_stage, at_step, decoded, device_ms, shows_step) AS (VALUES {}) \
         UPDATE jobs SET step = report.at_step, decoded_permille = report.decoded, \
         lease_device_ms = CASE WHEN report.device_ms > lease_device_ms THEN report.device_ms ELSE lease_device_ms END, \
         preview_step = COALESCE(report.shows_step, preview_step), revision = revision + 1 \
         FROM report WHERE id = report.job_id AND epoch = report.job_epoch AND state = report.at_stage RETURNING id",
        rows.join(", ")
    );
    Ok(Statement::from_sql_and_values(backend, sql, values))
}

pub(super) async fn held_by(store: &Store, worker: WorkerId) -> Result<Vec<LeaseToken>, StoreError> {
    let columns = [table::Column::Id, table::Column::TenantId, table::Column::State, table::Column::Epoch];
    let rows: Vec<(Uuid, Uuid, String, i32)> = table::Entity::find()
        .select_only()
        .columns(columns)
        .filter(table::Column::LeaseWorker.eq(worker.uuid()))
        .into_tuple()
        .all(&store.db)
        .await?;
    let token = |(job, tenant, state, epoch): (Uuid, Uuid, String, i32)| {
        let stage = [Stage::Sampling, Stage::Decoding].into_iter().find(|stage| stage.as_str() == state);
        let stage = stage.ok_or_else(|| StoreError::inconsistent(jobs::TABLE, "lease_worker", &state))?;
        let epoch = unsigned(jobs::TABLE, "epoch", epoch)?;
        Ok(LeaseToken { job: JobId::from_uuid(job), tenant: TenantId::from_uuid(tenant), stage, epoch })
    };
    rows.into_iter().map(token).collect()
}

/// On PostgreSQL a row under a lease is written to by locking it, in a way that keeps no holder from renewing. On
/// SQLite to begin is to wait for the writer; only what is committed shows that there is room as well, which matters
/// when a lease has run out.
pub(super) async fn can_renew(store: &Store) -> Result<Timestamp, StoreError> {
    let write = store.write().await?;
    let now = write.now;
    if write.backend() != DbBackend::Sqlite {
        let leased = table::Entity::find().select_only().column(table::Column::Id).filter(table::Column::LeaseExpiresAtMs.is_not_null());
        let locked = leased.limit(1).lock_with_behavior(LockType::KeyShare, LockBehavior::SkipLocked);
        locked.into_tuple::<Uuid>().one(&write.tx).await?;
    } else if lease::due(now).filter(table::Column::Id.is_not_in(store.unreadable())).into_tuple::<Uuid>().one(&write.tx).await?.is_some() {
        let sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        write.tx.execute_raw(write.statement(sql, [WRITTEN.into(), now.ms().to_string().into()])).await?;
        write.commit().await?;
        return Ok(now);
    }
    write.abandon().await?;
    Ok(now)
}
