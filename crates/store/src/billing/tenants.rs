//! The totals in a tenant's row: what it has open, available and held.

use crate::{
    StoreError,
    entity::tenant as table,
    sql::{in_steps, places},
};
use domain::{TenantId, Timestamp, VideoTime};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Statement, UpdateMany,
    Value,
    sea_query::{Expr, ExprTrait, LockType},
};
use uuid::Uuid;

/// By how much a transaction changes the totals of a tenant, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Change {
    pub open: i64,
    pub available: i64,
    pub held: i64,
}

pub(super) fn change(tenant: TenantId, by: Change) -> UpdateMany<table::Entity> {
    let columns = [(table::Column::OpenMs, by.open), (table::Column::AvailableMs, by.available), (table::Column::HeldMs, by.held)];
    let changed = columns.into_iter().filter(|(_, by_ms)| *by_ms != 0);
    let update = table::Entity::update_many().filter(table::Column::Id.eq(tenant.uuid()));
    changed.fold(update, |update, (column, by_ms)| update.col_expr(column, Expr::col(column).add(by_ms)))
}

/// Changes the totals of several tenants, which come in the order of their ids. Returns the rows of those that are there: locked until this
/// transaction ends, in that order, so that two of them never wait for each other in a ring.
pub(super) async fn change_all(db: &impl ConnectionTrait, changes: &[(TenantId, Change)]) -> Result<Vec<table::Model>, StoreError> {
    if let [(tenant, by)] = changes {
        return Ok(change(*tenant, *by).exec_with_returning(db).await?);
    }
    let by: Vec<[Value; 4]> =
        in_steps(changes.iter().map(|(tenant, by)| [tenant.uuid().into(), by.open.into(), by.available.into(), by.held.into()]).collect());
    // One that stands there twice changes its row once.
    let places = places(by.len(), 4);
    let (with, backend) =
        (format!("WITH changes (tenant_id, open_by, available_by, held_by) AS (VALUES {places})"), db.get_database_backend());
    let set = "SET open_ms = open_ms + open_by, available_ms = available_ms + available_by, held_ms = held_ms + held_by";
    let sql = match backend {
        // In one statement, as all who end jobs of these tenants wait from here on until the commit.
        DbBackend::Postgres => format!(
            "{with}, locked AS (SELECT id AS locked_id FROM tenants WHERE id IN (SELECT tenant_id FROM changes) ORDER BY id FOR NO KEY UPDATE) \
             UPDATE tenants {set} FROM changes, locked WHERE id = tenant_id AND id = locked_id RETURNING tenants.*"
        ),
        _ => format!("{with} UPDATE tenants {set} FROM changes WHERE id = tenant_id RETURNING *"),
    };
    let rows = db.query_all_raw(Statement::from_sql_and_values(backend, sql, by.into_iter().flatten())).await?;
    Ok(rows.iter().map(|row| table::Model::from_query_result(row, "")).collect::<Result<_, _>>()?)
}

/// As [`lock`], where what is done is for those that stay: one that is being deleted is gone too.
pub(crate) async fn lock_live(db: &impl ConnectionTrait, tenant: TenantId) -> Result<table::Model, StoreError> {
    let row = lock(db, tenant).await?;
    if row.deleted_at_ms.is_some() { Err(StoreError::TenantGone(tenant)) } else { Ok(row) }
}

/// The tenant's row; nobody else changes it until this transaction ends.
pub(crate) async fn lock(db: &impl ConnectionTrait, tenant: TenantId) -> Result<table::Model, StoreError> {
    let row = table::Entity::find_by_id(tenant.uuid()).lock(LockType::NoKeyUpdate).one(db).await?;
    row.ok_or(StoreError::TenantGone(tenant))
}

pub(super) async fn read(db: &impl ConnectionTrait, tenant: TenantId) -> Result<table::Model, StoreError> {
    let row = table::Entity::find_by_id(tenant.uuid()).one(db).await?;
    row.ok_or(StoreError::TenantGone(tenant))
}

/// Brings forward when the tenant's grants are looked through.
pub(super) async fn due_by(db: &impl ConnectionTrait, tenant: TenantId, at: Timestamp) -> Result<(), StoreError> {
    table::Entity::update_many()
        .col_expr(table::Column::DueAtMs, Expr::value(at.ms()))
        .filter(table::Column::Id.eq(tenant.uuid()))
        .filter(table::Column::DueAtMs.gt(at.ms()))
        .exec(db)
        .await?;
    Ok(())
}

/// Has the jobs looked at that are not in the queue yet.
pub(crate) async fn release_now(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    let of_tenant = table::Entity::update_many().filter(table::Column::Id.eq(tenant.uuid()));
    let waiting = of_tenant.filter(table::Column::NextReleaseMs.is_not_null());
    waiting.col_expr(table::Column::NextReleaseMs, Expr::value(0)).exec(db).await?;
    Ok(())
}

/// The plan of a tenant is this one from now on.
pub(crate) async fn set_plan(
    db: &impl ConnectionTrait,
    row: &table::Model,
    plan: &str,
    since: Timestamp,
) -> Result<table::Model, StoreError> {
    let update = table::ActiveModel {
        id: Set(row.id),
        plan: Set(plan.to_owned()),
        plan_since_ms: Set(since.ms()),
        period_ends_ms: Set(0),
        due_at_ms: Set(0),
        // By the limits that it has from now on.
        next_release_ms: row.next_release_ms.map_or(NotSet, |_| Set(Some(0))),
        ..Default::default()
    };
    Ok(update.update(db).await?)
}

/// For so long videos are kept that the plan before has kept.
const KEPT_AFTER_CHANGE_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// Its videos are kept for a while, whatever its new plan says: who made them may not have read that.
pub(crate) async fn keep_for_a_while(db: &impl ConnectionTrait, row: &table::Model, now: Timestamp) -> Result<table::Model, StoreError> {
    let kept_until_ms = Set(now.plus_ms(KEPT_AFTER_CHANGE_MS).ms());
    Ok(table::ActiveModel { id: Set(row.id), kept_until_ms, ..Default::default() }.update(db).await?)
}

/// No plan of it is paid for. Its videos are kept for a while: it may come back.
pub(crate) async fn forget_paid_plan(db: &impl ConnectionTrait, row: &table::Model, now: Timestamp) -> Result<table::Model, StoreError> {
    let update = table::ActiveModel {
        id: Set(row.id),
        paid_plan: Set(None),
        paid_until_ms: Set(None),
        without_overage: Set(false),
        next_plan: Set(None),
        ..Default::default()
    };
    keep_for_a_while(db, &update.update(db).await?, now).await
}

/// Has what its plan gives worked out again.
pub(super) async fn look_again(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    let again = table::ActiveModel { id: Set(tenant.uuid()), period_ends_ms: Set(0), due_at_ms: Set(0), ..Default::default() };
    again.update(db).await?;
    Ok(())
}

/// Has what these plans give looked at again, by each who has one of them.
pub(super) async fn plans_changed(db: &impl ConnectionTrait, plans: &[&str]) -> Result<(), StoreError> {
    let is_theirs = || table::Column::Plan.is_in(plans.iter().copied());
    // Whoever locks several does so in one order.
    let of_plan = table::Entity::find().filter(is_theirs()).order_by_asc(table::Column::Id).lock(LockType::NoKeyUpdate);
    of_plan.select_only().column(table::Column::Id).into_tuple::<Uuid>().all(db).await?;
    table::Entity::update_many()
        .col_expr(table::Column::PeriodEndsMs, Expr::value(0))
        .col_expr(table::Column::DueAtMs, Expr::value(0))
        .filter(is_theirs())
        .exec(db)
        .await?;
    let waiting = table::Entity::update_many().filter(is_theirs()).filter(table::Column::NextReleaseMs.is_not_null());
    waiting.col_expr(table::Column::NextReleaseMs, Expr::value(0)).exec(db).await?;
    Ok(())
}

/// A total below nothing is wrong, and nothing is to be had of it.
pub(super) fn total(ms: i64) -> VideoTime {
    VideoTime::from_ms(u64::try_from(ms).unwrap_or_default())
}
