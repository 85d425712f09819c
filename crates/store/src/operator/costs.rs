//! What devices did and what it brought in, on some days.

use super::Operator;
use crate::{
    StoreError,
    entity::{device_day, tenant, unsigned},
    payment,
};
use domain::{
    TenantId, Timestamp, VideoTime,
    billing::{
        Currency, Day, Money,
        costs::{Books, DevicePrices, DeviceTime, DeviceWork, Sold, Subscribed},
    },
};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, Statement};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

const PRICES: &str = "device-prices";
const WORK: &str = "SELECT tenant_id, model, device, CAST(SUM(done_ms) AS BIGINT) AS done_ms, CAST(SUM(failed_ms) AS BIGINT) AS failed_ms, \
     CAST(SUM(cancelled_ms) AS BIGINT) AS cancelled_ms FROM device_work_days WHERE day >= $1 AND day < $2 GROUP BY tenant_id, model, device";
const SOLD: &str = "SELECT tenant_id, model, currency, CAST(SUM(succeeded) AS BIGINT) AS succeeded, CAST(SUM(charged_ms) AS BIGINT) AS charged_ms, \
     CAST(SUM(cost_thousandths) AS BIGINT) AS cost_thousandths FROM usage_days WHERE day >= $1 AND day < $2 GROUP BY tenant_id, model, currency";
/// Of all tenants and models together.
const WORK_BY_DAY: &str = "SELECT day, device, CAST(SUM(done_ms) AS BIGINT) AS done_ms, CAST(SUM(failed_ms) AS BIGINT) AS failed_ms, \
     CAST(SUM(cancelled_ms) AS BIGINT) AS cancelled_ms FROM device_work_days WHERE day >= $1 AND day < $2 GROUP BY day, device";
const SOLD_BY_DAY: &str = "SELECT day, currency, CAST(SUM(succeeded) AS BIGINT) AS succeeded, CAST(SUM(charged_ms) AS BIGINT) AS charged_ms, \
     CAST(SUM(cost_thousandths) AS BIGINT) AS cost_thousandths FROM usage_days WHERE day >= $1 AND day < $2 GROUP BY day, currency";

#[derive(FromQueryResult)]
struct WorkRow {
    tenant_id: Uuid,
    model: String,
    device: String,
    done_ms: i64,
    failed_ms: i64,
    cancelled_ms: i64,
}

#[derive(FromQueryResult)]
struct SoldRow {
    tenant_id: Uuid,
    model: String,
    currency: String,
    succeeded: i64,
    charged_ms: i64,
    cost_thousandths: i64,
}

#[derive(FromQueryResult)]
struct WorkOfDay {
    day: i32,
    device: String,
    done_ms: i64,
    failed_ms: i64,
    cancelled_ms: i64,
}

#[derive(FromQueryResult)]
struct SoldOnDay {
    day: i32,
    currency: String,
    succeeded: i64,
    charged_ms: i64,
    cost_thousandths: i64,
}

impl Operator<'_> {
    /// As [`Self::books`] for each of these days, of all tenants and models together: their sums are those of the whole.
    pub async fn books_by_day(self, from: Day, until: Day, now: Timestamp) -> Result<Vec<(Day, Books)>, StoreError> {
        let db = &self.store.db;
        let days = |sql: &str| Statement::from_sql_and_values(db.get_database_backend(), sql, [from.0.into(), until.0.into()]);
        let mut books: BTreeMap<i32, Books> = (from.0..until.0).map(|day| (day, Books::default())).collect();
        for WorkOfDay { day, device, done_ms, failed_ms, cancelled_ms } in WorkOfDay::find_by_statement(days(WORK_BY_DAY)).all(db).await? {
            let row = WorkRow { tenant_id: Uuid::nil(), model: String::new(), device, done_ms, failed_ms, cancelled_ms };
            books.entry(day).or_default().work.push(worked(row)?);
        }
        for SoldOnDay { day, currency, succeeded, charged_ms, cost_thousandths } in
            SoldOnDay::find_by_statement(days(SOLD_BY_DAY)).all(db).await?
        {
            let row = SoldRow { tenant_id: Uuid::nil(), model: String::new(), currency, succeeded, charged_ms, cost_thousandths };
            books.entry(day).or_default().sold.push(sold(row)?);
        }
        let devices = device_day::Entity::find().filter(device_day::Column::Day.gte(from.0)).filter(device_day::Column::Day.lt(until.0));
        for row in devices.all(db).await? {
            let day = row.day;
            books.entry(day).or_default().devices.push(device_time(row)?);
        }
        let invoices = payment::paid_after(db, from.start()).await?;
        for (day, books) in &mut books {
            let (begin, end) = (Day(*day).start(), Day(*day).plus(1).start().min(now));
            let paid = invoices
                .iter()
                .map(|(_, invoice)| Subscribed { tenant: TenantId::from_uuid(Uuid::nil()), paid: invoice.paid_for_plans(begin, end) });
            books.subscribed = paid.filter(|of| of.paid.thousandths_of_minor != 0).collect();
        }
        Ok(books.into_iter().map(|(day, books)| (Day(day), books)).collect())
    }

    /// From one day up to and without another. What invoices have brought in for plans is told up to `now`.
    pub async fn books(self, from: Day, until: Day, now: Timestamp) -> Result<Books, StoreError> {
        let db = &self.store.db;
        let days = |sql: &str| Statement::from_sql_and_values(db.get_database_backend(), sql, [from.0.into(), until.0.into()]);
        let (begin, end) = (from.start(), until.start().min(now));
        let work = WorkRow::find_by_statement(days(WORK)).all(db).await?;
        let sold = SoldRow::find_by_statement(days(SOLD)).all(db).await?;
        let invoices = payment::paid_after(db, begin).await?;
        let subscribed = invoices.into_iter().map(|(tenant, invoice)| Subscribed { tenant, paid: invoice.paid_for_plans(begin, end) });
        Ok(Books {
            devices: self.device_times(from, until).await?,
            work: work.into_iter().map(worked).collect::<Result<_, _>>()?,
            sold: sold.into_iter().map(self::sold).collect::<Result<_, _>>()?,
            subscribed: subscribed.filter(|of| of.paid.thousandths_of_minor != 0).collect(),
        })
    }

    /// The names of those of these tenants that are there.
    pub async fn tenant_names(self, ids: &[TenantId]) -> Result<HashMap<TenantId, String>, StoreError> {
        let named = tenant::Entity::find().filter(tenant::Column::Id.is_in(ids.iter().map(|id| id.uuid())));
        let rows = named.filter(tenant::Column::DeletedAtMs.is_null()).all(&self.store.db).await?;
        Ok(rows.into_iter().map(|row| (TenantId::from_uuid(row.id), row.name)).collect())
    }

    /// What an hour of each device costs, as the operator has set it.
    pub async fn device_prices(self) -> Result<DevicePrices, StoreError> {
        prices(self.store.settings().find(PRICES).await?)
    }

    /// They are what `change` makes of them: of two who change them at once the second finds what the first has set. Where it fails they stay.
    pub async fn change_device_prices<E: From<StoreError>>(
        self,
        change: impl FnOnce(DevicePrices) -> Result<DevicePrices, E>,
    ) -> Result<(), E> {
        let changed = |kept: Option<String>| -> Result<String, E> {
            let DevicePrices(changed) = change(prices(kept)?)?;
            serde_json::to_string(&changed).map_err(|error| StoreError::inconsistent("settings", PRICES, error).into())
        };
        self.store.settings().change(PRICES, changed).await
    }

    async fn device_times(self, from: Day, until: Day) -> Result<Vec<DeviceTime>, StoreError> {
        let days = device_day::Entity::find().filter(device_day::Column::Day.gte(from.0)).filter(device_day::Column::Day.lt(until.0));
        let mut sums: BTreeMap<String, DeviceTime> = BTreeMap::new();
        for row in days.all(&self.store.db).await? {
            let time = device_time(row)?;
            let sum =
                sums.entry(time.device.clone()).or_insert_with(|| DeviceTime { device: time.device.clone(), ..DeviceTime::default() });
            sum.present_ms += time.present_ms;
            sum.idle_ms += time.idle_ms;
            sum.loading_ms += time.loading_ms;
        }
        Ok(sums.into_values().collect())
    }
}

fn prices(kept: Option<String>) -> Result<DevicePrices, StoreError> {
    let Some(kept) = kept else { return Ok(DevicePrices::default()) };
    serde_json::from_str(&kept).map(DevicePrices).map_err(|error| StoreError::inconsistent("settings", PRICES, error))
}

fn device_time(row: device_day::Model) -> Result<DeviceTime, StoreError> {
    let ms = |column, value: i64| unsigned::<u64>("device_days", column, value);
    let (present_ms, idle_ms) = (ms("present_ms", row.present_ms)?, ms("idle_ms", row.idle_ms)?);
    Ok(DeviceTime { present_ms, idle_ms, loading_ms: ms("loading_ms", row.loading_ms)?, device: row.device })
}

fn worked(row: WorkRow) -> Result<DeviceWork, StoreError> {
    let ms = |column, value: i64| unsigned("device_work_days", column, value);
    Ok(DeviceWork {
        tenant: TenantId::from_uuid(row.tenant_id),
        model: row.model,
        device: row.device,
        done_ms: ms("done_ms", row.done_ms)?,
        failed_ms: ms("failed_ms", row.failed_ms)?,
        cancelled_ms: ms("cancelled_ms", row.cancelled_ms)?,
    })
}

fn sold(row: SoldRow) -> Result<Sold, StoreError> {
    let count = |column, value: i64| unsigned("usage_days", column, value);
    let currency: Option<Currency> = row.currency.try_into().ok();
    Ok(Sold {
        tenant: TenantId::from_uuid(row.tenant_id),
        model: row.model,
        videos: count("succeeded", row.succeeded)?,
        charged: VideoTime::from_ms(count("charged_ms", row.charged_ms)?),
        price: currency.map(|currency| Money { thousandths_of_minor: row.cost_thousandths, currency }),
    })
}
