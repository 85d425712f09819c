//! Which models should be where: rules of the operator, what loading takes, and what was decided.

use crate::{
    DesiredModel, Store, StoreError, chance,
    database::write::Write,
    entity::{job, model, worker},
    rows::account::{asked::Asked, audit},
    system::leader,
};
use domain::{
    Act, JobId, Shape, Size, TenantId, Timestamp, VideoTime, WorkerId,
    scheduling::{Words, Workload},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Statement,
    sea_query::Expr,
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Changes that are kept.
const KEPT: i64 = 1000;

/// What the operator says of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelRule {
    /// On so many workers it is always warm.
    pub pinned_workers: u32,
    /// How long it stays warm where nobody uses it; `None`: until its memory is needed.
    pub keep_warm_ms: Option<u64>,
}

/// What loading and unloading a model takes on a kind of device: the newest measurements count for most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadCost {
    pub model: String,
    /// What the kind of device is called.
    pub device: String,
    pub load_ms: Option<u64>,
    pub unload_ms: Option<u64>,
    pub memory_bytes: Option<u64>,
    /// How often it was loaded.
    pub loads: u64,
}

/// A model that was put on a worker, or taken off it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacementChange {
    pub at: Timestamp,
    pub worker: WorkerId,
    /// What its kind of device is called.
    pub device: String,
    pub model: String,
    /// Else it is unloaded.
    pub is_load: bool,
    /// In words, with its numbers.
    pub reason: String,
}

/// A job that was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    pub id: JobId,
    pub tenant: TenantId,
    pub model: String,
    pub workload: Workload,
    pub at: Timestamp,
}

#[derive(FromQueryResult)]
struct CostRow {
    model: String,
    device: String,
    load_ms: Option<i64>,
    unload_ms: Option<i64>,
    memory_bytes: Option<i64>,
    loads: i64,
}

#[derive(FromQueryResult)]
struct ChangeRow {
    at_ms: i64,
    worker: String,
    device: String,
    model: String,
    is_load: bool,
    reason: String,
}

#[derive(FromQueryResult)]
struct SubmissionRow {
    id: Uuid,
    tenant_id: Uuid,
    model: String,
    width: i32,
    height: i32,
    duration_ms: i64,
    steps: i32,
    created_at_ms: i64,
}

#[derive(Clone, Copy)]
pub struct Placement<'a> {
    store: &'a Store,
}

impl<'a> Placement<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// From now on a worker should have these models. Writes down what that changes, and drops all but the newest 1,000 of such notes.
    pub async fn decide(self, worker: WorkerId, desired: &[DesiredModel], changes: &[PlacementChange]) -> Result<(), StoreError> {
        self.decide_in(self.store.write().await?, worker, desired, changes).await
    }

    /// The same, if `holder` still leads by this name; `false`: another may by now, and nothing is changed.
    pub async fn decide_as(
        self,
        (name, holder): (&str, &str),
        worker: WorkerId,
        desired: &[DesiredModel],
        changes: &[PlacementChange],
    ) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        if !leader::leads(&write.tx, write.now, (name, holder)).await? {
            write.abandon().await?;
            return Ok(false);
        }
        self.decide_in(write, worker, desired, changes).await?;
        Ok(true)
    }

    async fn decide_in(
        self,
        write: Write,
        worker: WorkerId,
        desired: &[DesiredModel],
        changes: &[PlacementChange],
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(desired).map_err(|error| StoreError::inconsistent("workers", "desired_models", error))?;
        worker::Entity::update_many()
            .col_expr(worker::Column::DesiredModels, Expr::value(text))
            .filter(worker::Column::Id.eq(worker.uuid()))
            .exec(&write.tx)
            .await?;
        let sql = "INSERT INTO placement_changes (id, at_ms, worker, device, model, is_load, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        for change in changes {
            let values = [
                chance::new_id().to_string().into(),
                write.now.ms().into(),
                worker.to_string().into(),
                change.device.as_str().into(),
                change.model.as_str().into(),
                change.is_load.into(),
                change.reason.as_str().into(),
            ];
            write.tx.execute_raw(write.statement(sql, values)).await?;
        }
        let sql = "DELETE FROM placement_changes WHERE at_ms < (SELECT MIN(at_ms) FROM (SELECT at_ms FROM placement_changes ORDER BY at_ms DESC LIMIT $1) AS kept)";
        write.tx.execute_raw(write.statement(sql, [KEPT.into()])).await?;
        write.commit().await
    }

    /// The newest first.
    pub async fn changes(self, limit: u32) -> Result<Vec<PlacementChange>, StoreError> {
        let sql = "SELECT at_ms, worker, device, model, is_load, reason FROM placement_changes ORDER BY at_ms DESC, id DESC LIMIT $1";
        let rows = self.store.shared.query_all_raw(self.statement(sql, [i64::from(limit).into()])).await?;
        let read = |row: ChangeRow| {
            Some(PlacementChange {
                at: Timestamp::from_ms(row.at_ms),
                worker: row.worker.parse().ok()?,
                device: row.device,
                model: row.model,
                is_load: row.is_load,
                reason: row.reason,
            })
        };
        Ok(rows.iter().filter_map(|row| ChangeRow::from_query_result(row, "").ok()).filter_map(read).collect())
    }

    /// Loading a model took so long. What was measured before counts for three quarters.
    pub async fn note_load(self, (model, device): (&str, &str), load_ms: u64, memory_bytes: u64) -> Result<(), StoreError> {
        let sql = "INSERT INTO model_costs (model, device, load_ms, memory_bytes, loads) VALUES ($1, $2, $3, $4, 1) \
                   ON CONFLICT (model, device) DO UPDATE SET \
                   load_ms = (3 * COALESCE(model_costs.load_ms, excluded.load_ms) + excluded.load_ms) / 4, \
                   memory_bytes = excluded.memory_bytes, loads = model_costs.loads + 1";
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX / 8);
        self.execute(sql, [model.into(), device.into(), number(load_ms).into(), number(memory_bytes).into()]).await
    }

    /// Unloading a model took so long.
    pub async fn note_unload(self, (model, device): (&str, &str), unload_ms: u64) -> Result<(), StoreError> {
        let sql = "INSERT INTO model_costs (model, device, unload_ms, loads) VALUES ($1, $2, $3, 0) \
                   ON CONFLICT (model, device) DO UPDATE SET \
                   unload_ms = (3 * COALESCE(model_costs.unload_ms, excluded.unload_ms) + excluded.unload_ms) / 4";
        self.execute(sql, [model.into(), device.into(), i64::try_from(unload_ms).unwrap_or(i64::MAX / 8).into()]).await
    }

    /// What is known, by model and kind of device.
    pub async fn costs(self) -> Result<Vec<LoadCost>, StoreError> {
        let sql = "SELECT model, device, load_ms, unload_ms, memory_bytes, loads FROM model_costs ORDER BY model, device";
        let rows = self.store.shared.query_all_raw(self.statement(sql, [])).await?;
        let number = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        let read = |row: CostRow| LoadCost {
            model: row.model,
            device: row.device,
            load_ms: number(row.load_ms),
            unload_ms: number(row.unload_ms),
            memory_bytes: number(row.memory_bytes),
            loads: row.loads.try_into().unwrap_or_default(),
        };
        Ok(rows.iter().filter_map(|row| CostRow::from_query_result(row, "").ok()).map(read).collect())
    }

    /// Jobs that wait for a device of so many bytes of memory, 2,000 of them at most.
    pub async fn needs(self) -> Result<BTreeMap<JobId, u64>, StoreError> {
        let sql = "SELECT id, needs_memory_bytes FROM jobs WHERE needs_memory_bytes IS NOT NULL AND waits_for IS NOT NULL LIMIT 2000";
        let rows = self.store.db.query_all_raw(self.statement(sql, [])).await?;
        let mut needs = BTreeMap::new();
        for row in rows {
            let (id, bytes): (Uuid, i64) = (row.try_get("", "id")?, row.try_get("", "needs_memory_bytes")?);
            needs.insert(JobId::from_uuid(id), bytes.try_into().unwrap_or_default());
        }
        Ok(needs)
    }

    /// Of those models of which the operator has said something.
    pub async fn rules(self) -> Result<BTreeMap<String, ModelRule>, StoreError> {
        let sql = "SELECT model, pinned_workers, keep_warm_ms FROM model_rules";
        let rows = self.store.shared.query_all_raw(self.statement(sql, [])).await?;
        let mut rules = BTreeMap::new();
        for row in rows {
            let pinned: i32 = row.try_get("", "pinned_workers")?;
            let keep_warm: Option<i64> = row.try_get("", "keep_warm_ms")?;
            let keep_warm_ms = keep_warm.map(|ms| u64::try_from(ms).unwrap_or_default());
            rules.insert(row.try_get("", "model")?, ModelRule { pinned_workers: pinned.try_into().unwrap_or_default(), keep_warm_ms });
        }
        Ok(rules)
    }

    /// From now on this holds of a model; `told`: what the log says of it. `false`: there is no such model. `by`: `None` of the command line,
    /// which has no log.
    pub async fn set_rule(self, by: Option<Asked<'_>>, id: &str, rule: ModelRule, told: &str) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        if model::Entity::find_by_id(id.to_owned()).one(&write.tx).await?.is_none() {
            write.abandon().await?;
            return Ok(false);
        }
        let sql = "INSERT INTO model_rules (model, pinned_workers, keep_warm_ms) VALUES ($1, $2, $3) ON CONFLICT (model) DO UPDATE \
                   SET pinned_workers = excluded.pinned_workers, keep_warm_ms = excluded.keep_warm_ms";
        let pinned = i32::try_from(rule.pinned_workers).unwrap_or(i32::MAX);
        let keep_warm = rule.keep_warm_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
        write.tx.execute_raw(write.statement(sql, [id.into(), pinned.into(), keep_warm.into()])).await?;
        if let Some(by) = by {
            audit::insert(&write, &by.did(Act::ModelPlaced, told)).await?;
        }
        write.commit().await?;
        Ok(true)
    }

    /// Jobs that were submitted after this one, the oldest first; of `None` the newest ones.
    pub async fn submissions(self, after: Option<JobId>, limit: u64) -> Result<Vec<Submission>, StoreError> {
        let columns = [
            job::Column::Id,
            job::Column::TenantId,
            job::Column::Model,
            job::Column::Width,
            job::Column::Height,
            job::Column::DurationMs,
            job::Column::Steps,
            job::Column::CreatedAtMs,
        ];
        // By their ids, which are in the order of time.
        let jobs = job::Entity::find().select_only().columns(columns).limit(limit);
        let jobs = match after {
            Some(after) => jobs.filter(job::Column::Id.gt(after.uuid())).order_by_asc(job::Column::Id),
            None => jobs.order_by_desc(job::Column::Id),
        };
        let rows = self.store.db.query_all(&jobs.into_query()).await?;
        let mut found: Vec<_> = rows.iter().filter_map(|row| SubmissionRow::from_query_result(row, "").ok()).filter_map(read).collect();
        if after.is_none() {
            found.reverse();
        }
        Ok(found)
    }

    async fn execute<const N: usize>(self, sql: &str, values: [sea_orm::Value; N]) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        write.tx.execute_raw(write.statement(sql, values)).await?;
        write.commit().await
    }

    fn statement<const N: usize>(self, sql: &str, values: [sea_orm::Value; N]) -> Statement {
        Statement::from_sql_and_values(self.store.db.get_database_backend(), sql, values)
    }
}

/// `None`: it cannot be.
fn read(row: SubmissionRow) -> Option<Submission> {
    let size = Size { width: row.width.try_into().ok()?, height: row.height.try_into().ok()? };
    let shape = Shape { size, duration: VideoTime::from_ms(row.duration_ms.try_into().ok()?) };
    Some(Submission {
        id: JobId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        model: row.model,
        workload: Workload { shape, steps: row.steps.try_into().ok()?, words: Words::NONE },
        at: Timestamp::from_ms(row.created_at_ms),
    })
}
