//! The `grants` table: the only place that writes it. Whoever writes holds the lock on the tenant's row.

use crate::{
    StoreError, chance,
    entity::{grant as table, signed, unsigned},
    sql::in_steps,
};
use domain::{
    TenantId, Timestamp, VideoTime,
    billing::{GrantKind, Part, UNLIMITED, UnitPrice},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

const TABLE: &str = "grants";
/// Of a grant that does not expire.
pub(super) const NEVER: i64 = i64::MAX;

/// What is to be granted.
pub(super) struct Fresh {
    pub kind: GrantKind,
    pub cause: String,
    pub amount: VideoTime,
    pub expires_at_ms: i64,
    pub price: Option<UnitPrice>,
    pub note: Option<String>,
}

/// `None`: it was granted before.
pub(super) async fn insert(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, fresh: Fresh) -> Result<Option<Part>, StoreError> {
    if find_by_cause(db, tenant, &fresh.cause).await?.is_some() {
        return Ok(None);
    }
    let time = fresh.amount;
    let row = row(now, tenant, fresh)?;
    let part = Part { grant: *row.id.as_ref(), time };
    table::Entity::insert(row).exec_without_returning(db).await?;
    Ok(Some(part))
}

/// One of which nothing is left, and never was.
pub(super) async fn insert_used(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    kind: GrantKind,
    cause: String,
) -> Result<(), StoreError> {
    let fresh = Fresh { kind, cause, amount: UNLIMITED, expires_at_ms: now.ms(), price: None, note: None };
    let row = table::ActiveModel { remaining_ms: Set(0), ..row(now, tenant, fresh)? };
    table::Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}

fn row(now: Timestamp, tenant: TenantId, fresh: Fresh) -> Result<table::ActiveModel, StoreError> {
    let amount_ms = signed(TABLE, "amount_ms", fresh.amount.ms())?;
    Ok(table::ActiveModel {
        id: Set(chance::new_id()),
        tenant_id: Set(tenant.uuid()),
        kind: Set(fresh.kind.as_str().to_owned()),
        draw_order: Set(fresh.kind.draw_order().into()),
        cause: Set(fresh.cause),
        amount_ms: Set(amount_ms),
        remaining_ms: Set(amount_ms),
        created_at_ms: Set(now.ms()),
        expires_at_ms: Set(fresh.expires_at_ms),
        minor_per_minute: Set(fresh.price.map(|price| signed(TABLE, "minor_per_minute", price.minor_per_minute)).transpose()?),
        currency: Set(fresh.price.map(|price| price.currency.code().to_owned())),
        note: Set(fresh.note),
        ended_ms: Set(0),
    })
}

pub(super) async fn find_by_cause(db: &impl ConnectionTrait, tenant: TenantId, cause: &str) -> Result<Option<table::Model>, StoreError> {
    Ok(table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::Cause.eq(cause)).one(db).await?)
}

/// Those with something left, in the order in which they are drawn on.
pub(super) async fn with_rest(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Vec<table::Model>, StoreError> {
    Ok(table::Entity::find()
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::RemainingMs.gt(0))
        .order_by_asc(table::Column::DrawOrder)
        .order_by_asc(table::Column::ExpiresAtMs)
        .order_by_asc(table::Column::Id)
        .all(db)
        .await?)
}

/// Those that the plan gives for the period that runs, used up or not.
pub(super) async fn of_plan(db: &impl ConnectionTrait, tenant: TenantId, now: Timestamp) -> Result<Vec<table::Model>, StoreError> {
    let of_plan = GrantKind::ALL.into_iter().filter(|kind| !kind.is_credit()).map(GrantKind::as_str);
    Ok(table::Entity::find()
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::Kind.is_in(of_plan))
        .filter(table::Column::ExpiresAtMs.gt(now.ms()))
        .order_by_asc(table::Column::Id)
        .all(db)
        .await?)
}

/// Those of a kind that were granted from `from` on.
pub(super) async fn since(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    kind: GrantKind,
    from: Timestamp,
) -> Result<Vec<table::Model>, StoreError> {
    let of_kind = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::Kind.eq(kind.as_str()));
    Ok(of_kind.filter(table::Column::CreatedAtMs.gte(from.ms())).all(db).await?)
}

pub(super) async fn find_all(db: &impl ConnectionTrait, ids: &[Uuid]) -> Result<Vec<table::Model>, StoreError> {
    Ok(table::Entity::find().filter(table::Column::Id.is_in(in_steps(ids.to_vec()))).all(db).await?)
}

/// Takes from what is left of a grant; it has as much.
pub(super) async fn take(db: &impl ConnectionTrait, part: Part) -> Result<(), StoreError> {
    let ms: i64 = signed(TABLE, "remaining_ms", part.time.ms())?;
    let taken = table::Entity::update_many()
        .col_expr(table::Column::RemainingMs, Expr::col(table::Column::RemainingMs).sub(ms))
        .filter(table::Column::Id.eq(part.grant))
        .filter(table::Column::RemainingMs.gte(ms))
        .exec(db)
        .await?;
    if taken.rows_affected == 1 { Ok(()) } else { Err(StoreError::Raced { table: TABLE }) }
}

/// Grants more, or takes from what is left, so that `by_ms` more or less was granted in all.
pub(super) async fn adjust(db: &impl ConnectionTrait, grant: &table::Model, by_ms: i64) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(grant.id),
        amount_ms: Set(grant.amount_ms + by_ms),
        remaining_ms: Set(grant.remaining_ms + by_ms),
        ..Default::default()
    };
    row.update(db).await?;
    Ok(())
}

/// Gives back what was taken. `expires_at`: when it can be used no longer from now on.
pub(super) async fn give_back(db: &impl ConnectionTrait, part: Part, expires_at: Option<Timestamp>) -> Result<(), StoreError> {
    let ms: i64 = signed(TABLE, "remaining_ms", part.time.ms())?;
    let mut update = table::Entity::update_many()
        .col_expr(table::Column::RemainingMs, Expr::col(table::Column::RemainingMs).add(ms))
        .filter(table::Column::Id.eq(part.grant));
    if let Some(at) = expires_at {
        update = update.col_expr(table::Column::ExpiresAtMs, Expr::value(at.ms()));
    }
    update.exec(db).await?;
    Ok(())
}

/// Nothing of it can be used any more; `may_return`: unless it is given again by [`resume`].
pub(super) async fn end(db: &impl ConnectionTrait, grant: &table::Model, now: Timestamp, may_return: bool) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(grant.id),
        remaining_ms: Set(0),
        expires_at_ms: Set(Ord::min(grant.expires_at_ms, now.ms())),
        ended_ms: Set(if may_return { grant.remaining_ms } else { 0 }),
        ..Default::default()
    };
    row.update(db).await?;
    Ok(())
}

/// Of one that has ended more was left than was known then.
pub(super) async fn leave(db: &impl ConnectionTrait, part: Part) -> Result<(), StoreError> {
    let ms: i64 = signed(TABLE, "ended_ms", part.time.ms())?;
    let left = table::Entity::update_many().col_expr(table::Column::EndedMs, Expr::col(table::Column::EndedMs).add(ms));
    left.filter(table::Column::Id.eq(part.grant)).exec(db).await?;
    Ok(())
}

/// What was left of it when it was ended can be used again.
pub(super) async fn resume(db: &impl ConnectionTrait, grant: &table::Model, expires_at_ms: i64) -> Result<table::Model, StoreError> {
    let row = table::ActiveModel {
        id: Set(grant.id),
        remaining_ms: Set(grant.remaining_ms + grant.ended_ms),
        expires_at_ms: Set(expires_at_ms),
        ended_ms: Set(0),
        ..Default::default()
    };
    Ok(row.update(db).await?)
}

/// When the first of those with something left expires.
pub(super) async fn first_expiry_ms(db: &impl ConnectionTrait, tenant: TenantId) -> Result<i64, StoreError> {
    let expires_at = table::Entity::find()
        .select_only()
        .column(table::Column::ExpiresAtMs)
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::RemainingMs.gt(0))
        .order_by_asc(table::Column::ExpiresAtMs);
    Ok(expires_at.into_tuple().one(db).await?.unwrap_or(NEVER))
}

pub(super) fn rest(row: &table::Model) -> Result<Part, StoreError> {
    Ok(Part { grant: row.id, time: VideoTime::from_ms(unsigned(TABLE, "remaining_ms", row.remaining_ms)?) })
}

pub(super) fn kind(row: &table::Model) -> Result<GrantKind, StoreError> {
    GrantKind::named(&row.kind).ok_or_else(|| StoreError::inconsistent(TABLE, "kind", &row.kind))
}

pub(super) fn price(row: &table::Model) -> Option<UnitPrice> {
    let currency = row.currency.clone()?.try_into().ok()?;
    Some(UnitPrice { minor_per_minute: u32::try_from(row.minor_per_minute?).ok()?, currency })
}
