//! The `usage_days` table: the only place that writes it, in the transaction that ends a job.

use super::credits::Credits;
use crate::{
    StoreError,
    entity::{signed, unsigned, usage_day as table},
};
use domain::{
    ApiKeyId, ProjectId, TenantId, Timestamp, UserId, VideoTime,
    billing::{Day, Lane, Money, Usage, UsageGroup},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Statement,
    sea_query::{Alias, Expr, ExprTrait, OnConflict},
};
use std::collections::BTreeMap;
use uuid::Uuid;

const TABLE: &str = "usage_days";

/// What came of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Succeeded,
    Failed,
    Cancelled,
}

/// What usage is added up by, and what of it one job is.
#[derive(Debug, Clone)]
pub(crate) struct UsageOf {
    pub model: String,
    pub project: ProjectId,
    pub api_key: Option<ApiKeyId>,
    pub user: UserId,
    pub lane: Lane,
    pub outcome: Outcome,
    pub cost: Option<Money>,
}

/// Tenant, model, project, key, user, lane and currency.
type Key<'a> = (TenantId, &'a str, ProjectId, Uuid, Uuid, &'a str, String);

/// What the columns are added to by.
#[derive(Default)]
struct Sums {
    by_outcome: [i64; 3],
    charged_ms: u64,
    cost_thousandths: i64,
}

/// Adds up jobs that end, each with its tenant and with what it is charged, in one statement.
pub(super) async fn record(
    db: &impl ConnectionTrait,
    now: Timestamp,
    ended: Vec<(TenantId, &UsageOf, VideoTime)>,
) -> Result<(), StoreError> {
    let mut sums_by_key: BTreeMap<Key, Sums> = BTreeMap::new();
    for (tenant, usage, charged) in ended {
        let currency = usage.cost.map(|cost| cost.currency.code().to_owned()).unwrap_or_default();
        let key = usage.api_key.map_or(Uuid::nil(), ApiKeyId::uuid);
        let key = (tenant, &*usage.model, usage.project, key, usage.user.uuid(), usage.lane.as_str(), currency);
        let sums = sums_by_key.entry(key).or_default();
        sums.by_outcome[usage.outcome as usize] += 1;
        sums.charged_ms += charged.ms();
        sums.cost_thousandths += usage.cost.map_or(0, |cost| cost.thousandths_of_minor);
    }
    let mut rows = Vec::with_capacity(sums_by_key.len());
    for ((tenant, model, project, key, user, lane, currency), sums) in sums_by_key {
        let Sums { by_outcome: [succeeded, failed, cancelled], charged_ms, cost_thousandths } = sums;
        rows.push(table::ActiveModel {
            tenant_id: Set(tenant.uuid()),
            day: Set(Day::of(now).0),
            model: Set(model.to_owned()),
            project_id: Set(project.uuid()),
            api_key_id: Set(key),
            user_id: Set(user),
            lane: Set(lane.to_owned()),
            currency: Set(currency),
            succeeded: Set(succeeded),
            failed: Set(failed),
            cancelled: Set(cancelled),
            charged_ms: Set(signed(TABLE, "charged_ms", charged_ms)?),
            cost_thousandths: Set(cost_thousandths),
        });
    }
    let key = [
        table::Column::TenantId,
        table::Column::Day,
        table::Column::Model,
        table::Column::ProjectId,
        table::Column::ApiKeyId,
        table::Column::UserId,
        table::Column::Lane,
        table::Column::Currency,
    ];
    let counts = [
        table::Column::Succeeded,
        table::Column::Failed,
        table::Column::Cancelled,
        table::Column::ChargedMs,
        table::Column::CostThousandths,
    ];
    let excluded = |column| Expr::col((Alias::new("excluded"), column));
    let more = counts.map(|column| (column, Expr::col((table::Entity, column)).add(excluded(column))));
    let again = OnConflict::columns(key).values(more).to_owned();
    table::Entity::insert_many(rows).on_conflict(again).exec_without_returning(db).await?;
    Ok(())
}

/// What one user has used is another's from now on.
pub(crate) async fn give(db: &impl ConnectionTrait, tenant: TenantId, from: UserId, to: UserId) -> Result<(), StoreError> {
    const GIVE: &str = "INSERT INTO usage_days SELECT tenant_id, day, model, project_id, api_key_id, $1, lane, currency, succeeded, failed, cancelled, \
         charged_ms, cost_thousandths FROM usage_days WHERE tenant_id = $2 AND user_id = $3 \
         ON CONFLICT (tenant_id, day, model, project_id, api_key_id, user_id, lane, currency) DO UPDATE SET \
         succeeded = usage_days.succeeded + excluded.succeeded, failed = usage_days.failed + excluded.failed, \
         cancelled = usage_days.cancelled + excluded.cancelled, charged_ms = usage_days.charged_ms + excluded.charged_ms, \
         cost_thousandths = usage_days.cost_thousandths + excluded.cost_thousandths";
    let values = [to.uuid().into(), tenant.uuid().into(), from.uuid().into()];
    db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), GIVE, values)).await?;
    let theirs = table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid()));
    theirs.filter(table::Column::UserId.eq(from.uuid())).exec(db).await?;
    Ok(())
}

/// The tenants in which a user has used something, in the order of their ids.
pub(crate) async fn tenants_of(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<TenantId>, StoreError> {
    let used = table::Entity::find().filter(table::Column::UserId.eq(user.uuid())).select_only().column(table::Column::TenantId).distinct();
    let tenants: Vec<Uuid> = used.order_by_asc(table::Column::TenantId).into_tuple().all(db).await?;
    Ok(tenants.into_iter().map(TenantId::from_uuid).collect())
}

/// Of a tenant that is deleted: its sums stay, as its ledger does, and say no more who used what, by which key, and for which project.
pub(crate) async fn forget_users(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    const FOLD: &str = "INSERT INTO usage_days SELECT tenant_id, day, model, $2, $2, $2, lane, currency, CAST(SUM(succeeded) AS BIGINT), \
         CAST(SUM(failed) AS BIGINT), CAST(SUM(cancelled) AS BIGINT), CAST(SUM(charged_ms) AS BIGINT), CAST(SUM(cost_thousandths) AS BIGINT) \
         FROM usage_days WHERE tenant_id = $1 AND user_id <> $2 GROUP BY tenant_id, day, model, lane, currency";
    let values = [tenant.uuid().into(), Uuid::nil().into()];
    db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), FOLD, values)).await?;
    let theirs = table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid()));
    theirs.filter(table::Column::UserId.ne(Uuid::nil())).exec(db).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Found {
    day: i32,
    model: Option<String>,
    project_id: Option<Uuid>,
    api_key_id: Option<Uuid>,
    user_id: Option<Uuid>,
    lane: Option<String>,
    currency: String,
    succeeded: i64,
    failed: i64,
    cancelled: i64,
    charged_ms: i64,
    cost_thousandths: i64,
}

impl Credits<'_> {
    /// What was used from one day up to and without another, told apart by `groups`; the oldest first. With `project`, in that one alone. A day
    /// on which prices were in two currencies comes once for each. `None`: these are more than `rows_max`.
    pub async fn usage(
        self,
        (from, until): (Day, Day),
        groups: &[UsageGroup],
        project: Option<ProjectId>,
        rows_max: usize,
    ) -> Result<Option<Vec<Usage>>, StoreError> {
        let (store, tenant) = self.parts();
        let column =
            |group: UsageGroup| if groups.contains(&group) { group.as_str().to_owned() } else { format!("NULL AS {}", group.as_str()) };
        let selected: Vec<_> = UsageGroup::ALL.into_iter().map(column).collect();
        let by: String =
            UsageGroup::ALL.into_iter().filter(|group| groups.contains(group)).map(|group| format!(", {}", group.as_str())).collect();
        let within = if project.is_some() { " AND project_id = $4" } else { "" };
        let sum = |name: &str| format!("CAST(SUM({name}) AS BIGINT) AS {name}");
        let sums = ["succeeded", "failed", "cancelled", "charged_ms", "cost_thousandths"].map(sum).join(", ");
        let sql = format!(
            "SELECT day, {}, currency, {sums} FROM usage_days WHERE tenant_id = $1 AND day >= $2 AND day < $3{within} \
             GROUP BY day, currency{by} ORDER BY day{by}, currency LIMIT {}",
            selected.join(", "),
            rows_max + 1
        );
        let values = [tenant.uuid().into(), from.0.into(), until.0.into()].into_iter().chain(project.map(|project| project.uuid().into()));
        let statement = Statement::from_sql_and_values(store.db.get_database_backend(), sql, values);
        let rows = Found::find_by_statement(statement).all(&store.of(tenant)).await?;
        if rows.len() > rows_max {
            return Ok(None);
        }
        Ok(Some(merged(rows.into_iter().map(|row| usage(row, groups)).collect::<Result<_, _>>()?)))
    }
}

/// What has no price is told with what has one: it comes before it.
fn merged(rows: Vec<Usage>) -> Vec<Usage> {
    let mut merged: Vec<Usage> = Vec::with_capacity(rows.len());
    for row in rows {
        let key = |usage: &Usage| (usage.day, usage.model.clone(), usage.project, usage.api_key, usage.user, usage.lane);
        match merged.last_mut().filter(|before| before.cost.is_none() && key(before) == key(&row)) {
            Some(before) => {
                before.succeeded += row.succeeded;
                before.failed += row.failed;
                before.cancelled += row.cancelled;
                before.charged = before.charged + row.charged;
                before.cost = row.cost;
            }
            None => merged.push(row),
        }
    }
    merged
}

fn usage(row: Found, groups: &[UsageGroup]) -> Result<Usage, StoreError> {
    let count = |column, value: i64| unsigned(TABLE, column, value);
    let key = row.api_key_id.filter(|id| !id.is_nil()).map(ApiKeyId::from_uuid);
    let currency = row.currency.try_into().ok();
    Ok(Usage {
        day: Day(row.day),
        model: row.model,
        project: row.project_id.map(ProjectId::from_uuid),
        api_key: groups.contains(&UsageGroup::ApiKey).then_some(key),
        user: row.user_id.map(UserId::from_uuid),
        lane: row.lane.as_deref().and_then(Lane::named),
        succeeded: count("succeeded", row.succeeded)?,
        failed: count("failed", row.failed)?,
        cancelled: count("cancelled", row.cancelled)?,
        charged: VideoTime::from_ms(count("charged_ms", row.charged_ms)?),
        cost: currency.map(|currency| Money { thousandths_of_minor: row.cost_thousandths, currency }),
    })
}
