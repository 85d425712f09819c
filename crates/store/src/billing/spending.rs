//! The `spending_limits` table: the only place that writes it, under the lock on the tenant's row.
//!
//! A row counts what its spender holds for open jobs and was charged in the month, from the moment on at which it was given a limit;
//! what was before is added up then. Tenants without any limit have no row, and cost nothing.

use super::tenants::total;
use crate::{
    StoreError, SubmitError,
    entity::{api_key, project, signed, spending_limit as table, tenant as tenant_table},
};
use domain::{
    ApiKeyId, ProjectId, TenantId, Timestamp, VideoTime,
    billing::{Day, Spender, Spending, SpendingLimits, month_of},
    scheduling::AdmissionError,
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    UpdateMany,
    sea_query::{Expr, ExprTrait},
};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

const TABLE: &str = "spending_limits";

/// Whether a row of another table, with the columns `tenant_id`, `project_id` and `api_key_id`, is the spender's of the row of
/// `spending_limits`.
macro_rules! is_of_spender {
    ($table:literal) => {
        concat!(
            $table,
            ".tenant_id = spending_limits.tenant_id AND (kind = 'tenant' OR (kind = 'project' AND COALESCE(",
            $table,
            ".project_id, ",
            $table,
            ".tenant_id) = subject_id) OR (kind = 'key' AND EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = ",
            $table,
            ".api_key_id AND COALESCE(spender_id, api_keys.id) = subject_id)))"
        )
    };
}

/// What its spender holds, and what it was charged in the month of the row: added up, not counted.
macro_rules! held_sum {
    () => {
        concat!(
            "COALESCE((SELECT CAST(SUM(billed_ms) AS BIGINT) FROM jobs WHERE ended_at_ms IS NULL AND plan IS NOT NULL AND ",
            crate::billing::spending::is_of_spender!("jobs"),
            "), 0)"
        )
    };
}
macro_rules! charged_sum {
    () => {
        concat!(
            "COALESCE((SELECT CAST(SUM(usage_days.charged_ms) AS BIGINT) FROM usage_days WHERE day >= from_day AND day < until_day AND ",
            crate::billing::spending::is_of_spender!("usage_days"),
            "), 0)"
        )
    };
}
pub(super) use {charged_sum, held_sum, is_of_spender};

const RECOUNT: &str = concat!("UPDATE spending_limits SET held_ms = ", held_sum!(), ", charged_ms = ", charged_sum!());

/// Who pays for a job beside its tenant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Payer {
    pub project: ProjectId,
    pub api_key: Option<ApiKeyId>,
}

/// An alert that is to be told.
pub(crate) struct Reached {
    /// As it stands in a sentence.
    pub whose: String,
    pub used: VideoTime,
    pub soft: VideoTime,
    pub hard: Option<VideoTime>,
    pub resets_on: Day,
}

/// Adds `asked` to what the tenant, the project and the key hold, by conditional updates: however many ask at once, no limit is passed. The
/// tenant's row must be locked. Returns the alerts that this has reached, each once a month.
///
/// # Errors
/// [`AdmissionError::SpendingLimitReached`] names the first limit that is passed; the transaction is to be given up.
pub(crate) async fn take(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    payer: Payer,
    asked: VideoTime,
) -> Result<Vec<Reached>, SubmitError> {
    let mut reached = Vec::new();
    let (from, until) = month_of(Day::of(now));
    let mut spenders = vec![Spender::Tenant, Spender::Project(payer.project)];
    if let Some(key) = payer.api_key {
        spenders.extend(first_keys(db, &[key]).await?.into_values().map(Spender::Key));
    }
    for spender in spenders {
        let Some(row) = this(db, tenant, spender).await? else { continue };
        let used_ms = row.held_ms + if row.from_day == from.0 { row.charged_ms } else { 0 };
        let asked_ms: i64 = signed(TABLE, "held_ms", asked.ms())?;
        let charged = Expr::cust(format!("CASE WHEN from_day = {} THEN charged_ms ELSE 0 END", from.0));
        let fits = Expr::col(table::Column::HardMs)
            .is_null()
            .or(Expr::col(table::Column::HeldMs).add(charged).add(asked_ms).lte(Expr::col(table::Column::HardMs)));
        let taken = update(tenant, spender).col_expr(table::Column::HeldMs, Expr::col(table::Column::HeldMs).add(asked_ms)).filter(fits);
        if taken.exec(db).await?.rows_affected == 0 {
            let (used, limit) = (total(used_ms), total(row.hard_ms.unwrap_or_default()));
            let whose = whose(db, tenant, spender).await?;
            return Err(AdmissionError::SpendingLimitReached { whose, used, limit, asked, resets_on: until }.into());
        }
        if row.soft_ms.is_some_and(|soft_ms| used_ms + asked_ms >= soft_ms) && row.told_from_day != Some(from.0) {
            let (whose, used, soft) =
                (whose(db, tenant, spender).await?, total(used_ms + asked_ms), total(row.soft_ms.unwrap_or_default()));
            reached.push(Reached { whose, used, soft, hard: row.hard_ms.map(total), resets_on: until });
            update(tenant, spender).col_expr(table::Column::ToldFromDay, Expr::value(from.0)).exec(db).await?;
        }
    }
    Ok(reached)
}

/// What a job that ends had held, and is charged.
pub(super) struct Ending {
    pub payer: Payer,
    pub held: VideoTime,
    pub charged: VideoTime,
}

/// Takes off what these jobs held, and adds what they are charged. The tenant's row must be locked.
pub(super) async fn settle(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, ended: &[Ending]) -> Result<(), StoreError> {
    let keys: Vec<_> = ended.iter().filter_map(|ending| ending.payer.api_key).collect();
    let first = first_keys(db, &keys).await?;
    let mut sums: BTreeMap<Spender, (i64, i64)> = BTreeMap::new();
    for Ending { payer, held, charged } in ended {
        let key = payer.api_key.and_then(|key| first.get(&key)).map(|key| Spender::Key(*key));
        for spender in [Some(Spender::Tenant), Some(Spender::Project(payer.project)), key].into_iter().flatten() {
            let sum = sums.entry(spender).or_default();
            sum.0 += held.ms().cast_signed();
            sum.1 += charged.ms().cast_signed();
        }
    }
    let (from, until) = month_of(Day::of(now));
    for (spender, (held_ms, charged_ms)) in sums {
        // A transaction that began in the month before, and waited, charges that month: it is over.
        let month = from.0;
        let charged = format!(
            "CASE WHEN from_day = {month} THEN charged_ms + {charged_ms} WHEN from_day < {month} THEN {charged_ms} ELSE charged_ms END"
        );
        let later = |column: &str, day: Day| Expr::cust(format!("CASE WHEN {column} < {0} THEN {0} ELSE {column} END", day.0));
        update(tenant, spender)
            .col_expr(table::Column::HeldMs, Expr::col(table::Column::HeldMs).sub(held_ms))
            .col_expr(table::Column::ChargedMs, Expr::cust(charged))
            .col_expr(table::Column::FromDay, later("from_day", from))
            .col_expr(table::Column::UntilDay, later("until_day", until))
            .exec(db)
            .await?;
    }
    Ok(())
}

/// Of each of these keys that is there, the first of those that were rotated to it.
async fn first_keys(db: &impl ConnectionTrait, keys: &[ApiKeyId]) -> Result<HashMap<ApiKeyId, ApiKeyId>, StoreError> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = api_key::Entity::find().filter(api_key::Column::Id.is_in(keys.iter().map(|key| key.uuid()))).all(db).await?;
    Ok(rows.into_iter().map(|row| (ApiKeyId::from_uuid(row.id), ApiKeyId::from_uuid(row.spender_id.unwrap_or(row.id)))).collect())
}

fn update(tenant: TenantId, spender: Spender) -> UpdateMany<table::Entity> {
    let (kind, id) = spender.columns(tenant);
    let of_tenant = table::Entity::update_many().filter(table::Column::TenantId.eq(tenant.uuid()));
    of_tenant.filter(table::Column::Kind.eq(kind)).filter(table::Column::SubjectId.eq(id))
}

async fn this(db: &impl ConnectionTrait, tenant: TenantId, spender: Spender) -> Result<Option<table::Model>, StoreError> {
    let (kind, id) = spender.columns(tenant);
    Ok(table::Entity::find_by_id((tenant.uuid(), kind.to_owned(), id)).one(db).await?)
}

/// As it stands in a sentence.
async fn whose(db: &impl ConnectionTrait, tenant: TenantId, spender: Spender) -> Result<String, StoreError> {
    Ok(match spender {
        Spender::Tenant => "the team".to_owned(),
        Spender::Project(id) => {
            let row = project::Entity::find_by_id(id.uuid()).filter(project::Column::TenantId.eq(tenant.uuid())).one(db).await?;
            format!("the project {}", row.map(|row| row.name).unwrap_or_default())
        }
        Spender::Key(id) => {
            let name: Option<String> = api_key::Entity::find()
                .select_only()
                .column(api_key::Column::Name)
                .filter(api_key::Column::TenantId.eq(tenant.uuid()))
                .filter(api_key::Column::Id.eq(id.uuid()).or(api_key::Column::SpenderId.eq(id.uuid())))
                .order_by_desc(api_key::Column::CreatedAtMs)
                .into_tuple()
                .one(db)
                .await?;
            format!("the API key {}", name.unwrap_or_default())
        }
    })
}

/// The least that the limits of these leave in the month that runs; `None`: none of them has a limit.
pub(super) async fn left(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    spenders: &[Spender],
) -> Result<Option<VideoTime>, StoreError> {
    let mut least: Option<VideoTime> = None;
    for spender in spenders {
        let row = this(db, tenant, *spender).await?;
        let spending = row.map(|row| spending(row, now)).transpose()?;
        let left = spending.and_then(|spending| Some(spending.limits.hard?.saturating_sub(spending.used())));
        least = least.into_iter().chain(left).min();
    }
    Ok(least)
}

/// All of a tenant that have limits, and what each has used in the month that runs.
pub(crate) async fn list(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId) -> Result<Vec<Spending>, StoreError> {
    let rows = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).all(db).await?;
    rows.into_iter().map(|row| spending(row, now)).collect()
}

fn spending(row: table::Model, now: Timestamp) -> Result<Spending, StoreError> {
    let (from, _) = month_of(Day::of(now));
    let spender = Spender::of_columns(&row.kind, row.subject_id);
    Ok(Spending {
        spender: spender.ok_or_else(|| StoreError::inconsistent(TABLE, "kind", &row.kind))?,
        limits: SpendingLimits { hard: row.hard_ms.map(total), soft: row.soft_ms.map(total) },
        held: total(row.held_ms),
        charged: if row.from_day == from.0 { total(row.charged_ms) } else { total(0) },
    })
}

/// Sets the limits of a spender; says whose they are. `None`: there is no such project or key. The tenant's row must be locked.
pub(crate) async fn set(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    spender: Spender,
    limits: SpendingLimits,
) -> Result<Option<String>, StoreError> {
    let spender = match spender {
        Spender::Project(id) if !is_project(db, tenant, id.uuid()).await? => return Ok(None),
        Spender::Tenant | Spender::Project(_) => spender,
        Spender::Key(id) => match first_key(db, tenant, id).await? {
            Some(first) => Spender::Key(first),
            None => return Ok(None),
        },
    };
    match this(db, tenant, spender).await? {
        _ if limits == SpendingLimits::default() => remove(db, tenant, spender).await?,
        Some(row) => change(db, tenant, &row, spender, limits).await?,
        None => insert(db, now, tenant, spender, limits).await?,
    }
    whose(db, tenant, spender).await.map(Some)
}

#[derive(FromQueryResult)]
struct Sums {
    held_ms: i64,
    charged_ms: i64,
}

/// Writes the limits of a spender that has none yet, with what it has used so far. The tenant's row must be locked.
async fn insert(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    spender: Spender,
    limits: SpendingLimits,
) -> Result<(), StoreError> {
    let (from, until) = month_of(Day::of(now));
    let (kind, id) = spender.columns(tenant);
    let row = table::ActiveModel {
        tenant_id: Set(tenant.uuid()),
        kind: Set(kind.to_owned()),
        subject_id: Set(id),
        hard_ms: Set(ms("hard_ms", limits.hard)?),
        soft_ms: Set(ms("soft_ms", limits.soft)?),
        held_ms: Set(0),
        charged_ms: Set(0),
        from_day: Set(from.0),
        until_day: Set(until.0),
        told_from_day: Set(None),
    };
    table::Entity::insert(row).exec_without_returning(db).await?;
    let has_some = tenant_table::ActiveModel { id: Set(tenant.uuid()), has_spending_limits: Set(true), ..Default::default() };
    has_some.update(db).await?;
    const ADDED_UP: &str = concat!(
        "SELECT ",
        held_sum!(),
        " AS held_ms, ",
        charged_sum!(),
        " AS charged_ms FROM spending_limits WHERE tenant_id = $1 AND kind = $2 AND subject_id = $3"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), ADDED_UP, [tenant.uuid().into(), kind.into(), id.into()]);
    if let Some(Sums { held_ms, charged_ms }) = Sums::find_by_statement(statement).one(db).await? {
        let counted = update(tenant, spender).col_expr(table::Column::HeldMs, Expr::value(held_ms));
        counted.col_expr(table::Column::ChargedMs, Expr::value(charged_ms)).exec(db).await?;
    }
    Ok(())
}

/// Changes the limits of a spender that has some. Another alert is told anew, but not one that is passed in the month that was told of: else whoever
/// changes it again and again could have any number of mails sent. The tenant's row must be locked.
async fn change(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    row: &table::Model,
    spender: Spender,
    limits: SpendingLimits,
) -> Result<(), StoreError> {
    let soft_ms = ms("soft_ms", limits.soft)?;
    let told = row.told_from_day.filter(|told_from_day| {
        let used_ms = row.held_ms + if row.from_day == *told_from_day { row.charged_ms } else { 0 };
        row.soft_ms == soft_ms || soft_ms.is_none_or(|soft_ms| soft_ms <= used_ms)
    });
    let changed = update(tenant, spender).col_expr(table::Column::HardMs, Expr::value(ms("hard_ms", limits.hard)?));
    let changed = changed.col_expr(table::Column::SoftMs, Expr::value(soft_ms)).col_expr(table::Column::ToldFromDay, Expr::value(told));
    changed.exec(db).await?;
    Ok(())
}

/// A spender without limits is not counted. The tenant's row must be locked.
async fn remove(db: &impl ConnectionTrait, tenant: TenantId, spender: Spender) -> Result<(), StoreError> {
    let (kind, id) = spender.columns(tenant);
    table::Entity::delete_by_id((tenant.uuid(), kind.to_owned(), id)).exec(db).await?;
    let others = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).count(db).await?;
    let has_some = tenant_table::ActiveModel { id: Set(tenant.uuid()), has_spending_limits: Set(others > 0), ..Default::default() };
    has_some.update(db).await?;
    Ok(())
}

/// When keys are gone, limits of theirs go too, and what they share with others is added up anew. The tenant's row must be locked.
pub(crate) async fn keys_gone(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    const GONE: &str = "DELETE FROM spending_limits WHERE tenant_id = $1 AND kind = 'key' AND NOT EXISTS \
         (SELECT 1 FROM api_keys WHERE api_keys.tenant_id = $1 AND COALESCE(spender_id, api_keys.id) = subject_id)";
    let recount = format!("{RECOUNT} WHERE tenant_id = $1 AND kind = 'key'");
    for sql in [GONE, &recount] {
        let values = [sea_orm::Value::from(tenant.uuid())];
        db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?;
    }
    Ok(())
}

/// Of a tenant that is deleted.
pub(crate) async fn delete_all(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(db).await?;
    Ok(())
}

fn ms(column: &'static str, limit: Option<VideoTime>) -> Result<Option<i64>, StoreError> {
    limit.map(|limit| signed(TABLE, column, limit.ms())).transpose()
}

/// The id by which a project or key is found is one of the tenant's.
async fn is_project(db: &impl ConnectionTrait, tenant: TenantId, id: Uuid) -> Result<bool, StoreError> {
    let live = project::Entity::find_by_id(id).filter(project::Column::TenantId.eq(tenant.uuid()));
    Ok(live.filter(project::Column::ArchivedAtMs.is_null()).one(db).await?.is_some())
}

/// The first of the keys that were rotated to this one, or of which this one was the first and is gone; `None`: the tenant has no such key.
async fn first_key(db: &impl ConnectionTrait, tenant: TenantId, id: ApiKeyId) -> Result<Option<ApiKeyId>, StoreError> {
    let is_meant = api_key::Column::Id.eq(id.uuid()).or(api_key::Column::SpenderId.eq(id.uuid()));
    let row = api_key::Entity::find().filter(api_key::Column::TenantId.eq(tenant.uuid())).filter(is_meant).one(db).await?;
    Ok(row.map(|row| ApiKeyId::from_uuid(row.spender_id.unwrap_or(row.id))))
}
