//! The `device_days` and `device_work_days` tables: what devices do with their time. The only place that writes them.
//!
//! What a job takes is told by its worker with its progress, and booked by the transaction that ends the lease; all the rest is told with the
//! worker's signs of life. So a worker that is killed loses what it did since it told last: mostly a step.

use crate::{
    StoreError,
    entity::{device_day as table, signed, worker},
    sql::{in_steps, places},
};
use domain::{JobState, TenantId, Timestamp, WorkerId, billing::Day};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Statement, Value,
    sea_query::{Alias, Expr, ExprTrait, OnConflict},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

const TABLE: &str = "device_days";
/// The device of a worker whose row is gone.
const UNKNOWN: &str = "unknown";
/// A worker that was silent for longer has another row.
const SILENT_MAX_MS: i64 = 24 * 60 * 60 * 1000;

/// What came of a stage that took the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    Done,
    Failed,
    Cancelled,
}

impl Came {
    /// Of a lease that ended in this state.
    pub(crate) const fn of(state: &JobState) -> Self {
        match state {
            JobState::Sampled | JobState::Succeeded => Self::Done,
            JobState::Cancelled => Self::Cancelled,
            _ => Self::Failed,
        }
    }
}

/// The time that all leases took which a transaction ends: booked last, in one order, so that two transactions never wait for each other in a ring.
#[derive(Default)]
pub(crate) struct Booking {
    taken: BTreeMap<(TenantId, String, WorkerId), [i64; 3]>,
}

impl Booking {
    /// `ms`: of the device, in milliseconds.
    pub(crate) fn add(&mut self, (tenant, model, worker): (TenantId, &str, WorkerId), came: Came, ms: i64) {
        if ms > 0 {
            self.taken.entry((tenant, model.to_owned(), worker)).or_default()[came as usize] += ms;
        }
    }

    /// What the devices are called of those who took it.
    pub(crate) async fn devices(&self, db: &impl ConnectionTrait) -> Result<HashMap<Uuid, String>, StoreError> {
        devices_of(db, self.taken.keys().map(|(.., worker)| *worker).collect()).await
    }

    pub(crate) async fn apply(self, db: &impl ConnectionTrait, now: Timestamp, devices: &HashMap<Uuid, String>) -> Result<(), StoreError> {
        const BOOK: &str = "INSERT INTO device_work_days (day, tenant_id, model, device, done_ms, failed_ms, cancelled_ms) VALUES";
        const AGAIN: &str = "ON CONFLICT (day, tenant_id, model, device) DO UPDATE SET done_ms = device_work_days.done_ms + excluded.done_ms, \
             failed_ms = device_work_days.failed_ms + excluded.failed_ms, cancelled_ms = device_work_days.cancelled_ms + excluded.cancelled_ms";
        if self.taken.is_empty() {
            return Ok(());
        }
        let mut by_device: BTreeMap<(TenantId, String, String), [i64; 3]> = BTreeMap::new();
        for ((tenant, model, worker), taken) in self.taken {
            let device = devices.get(&worker.uuid()).map_or(UNKNOWN, String::as_str);
            let sums = by_device.entry((tenant, model, device.to_owned())).or_default();
            sums.iter_mut().zip(taken).for_each(|(sum, ms)| *sum += ms);
        }
        let row = |((tenant, model, device), [done, failed, cancelled]): ((TenantId, String, String), [i64; 3])| -> [Value; 7] {
            [Day::of(now).0.into(), tenant.uuid().into(), model.into(), device.into(), done.into(), failed.into(), cancelled.into()]
        };
        let rows: Vec<_> = by_device.into_iter().map(row).collect();
        let sql = format!("{BOOK} {} {AGAIN}", places(rows.len(), 7));
        db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, rows.into_iter().flatten())).await?;
        Ok(())
    }
}

/// What the devices of these workers are called, of those whose rows are there.
pub(crate) async fn devices_of(db: &impl ConnectionTrait, workers: BTreeSet<WorkerId>) -> Result<HashMap<Uuid, String>, StoreError> {
    if workers.is_empty() {
        return Ok(HashMap::new());
    }
    let these = worker::Entity::find().filter(worker::Column::Id.is_in(in_steps(workers.into_iter().map(WorkerId::uuid).collect())));
    let devices = these.select_only().columns([worker::Column::Id, worker::Column::Device]);
    Ok(devices.into_tuple::<(Uuid, String)>().all(db).await?.into_iter().collect())
}

/// What a device did since it was told last, but for jobs, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpareTime {
    pub idle_ms: u64,
    /// Models.
    pub loading_ms: u64,
    /// So much of that was before the worker was seen at all.
    pub unseen_ms: u64,
}

/// Adds what a device did since the worker was `seen` last.
pub(crate) async fn add_spare(
    db: &impl ConnectionTrait,
    now: Timestamp,
    (device, seen): (&str, Timestamp),
    spare: SpareTime,
) -> Result<(), StoreError> {
    let unseen_ms = signed::<_, i64>(TABLE, "present_ms", spare.unseen_ms)?;
    let loading_ms = signed::<_, i64>(TABLE, "loading_ms", spare.loading_ms)?;
    // What was told and got no answer is told once more: of neither there was more than has passed.
    let passed_ms = (now.ms() - seen.ms()).clamp(0, SILENT_MAX_MS);
    let idle_ms = Ord::min(signed(TABLE, "idle_ms", spare.idle_ms)?, passed_ms);
    let seen_loading_ms = Ord::min(loading_ms - unseen_ms, passed_ms);
    // What lies before midnight was done on the day before, of all that was done as large a part.
    let today = Day::of(now);
    let before_ms = Ord::max(passed_ms - now.ms_since(today.start()).cast_signed(), 0);
    let before = |ms: i64| Ord::max(ms, 0) * before_ms / Ord::max(passed_ms, 1);
    let row = |day: Day, present_ms: i64, idle_ms: i64, loading_ms: i64| table::ActiveModel {
        day: Set(day.0),
        device: Set(device.to_owned()),
        present_ms: Set(present_ms),
        idle_ms: Set(idle_ms),
        loading_ms: Set(loading_ms),
    };
    let yesterday = (before_ms > 0).then(|| row(today.plus(-1), before_ms, before(idle_ms), before(seen_loading_ms)));
    let of_today = row(
        today,
        (passed_ms - before_ms).saturating_add(unseen_ms),
        idle_ms - before(idle_ms),
        seen_loading_ms - before(seen_loading_ms) + unseen_ms,
    );
    let excluded = |column| Expr::col((Alias::new("excluded"), column));
    let sums = [table::Column::PresentMs, table::Column::IdleMs, table::Column::LoadingMs];
    let more = sums.map(|column| (column, Expr::col((table::Entity, column)).add(excluded(column))));
    let again = OnConflict::columns([table::Column::Day, table::Column::Device]).values(more).to_owned();
    for row in yesterday.into_iter().chain([of_today]) {
        table::Entity::insert(row).on_conflict(again.clone()).exec_without_returning(db).await?;
    }
    Ok(())
}
