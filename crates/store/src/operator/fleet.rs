//! The workers one by one: what each is, what it has, and that it is to take no more.

use super::{Operator, WorkerSeen, load};
use crate::{
    ActOfOperator, StoreError, WorkerSlots,
    entity::{job, worker},
    workers,
};
use domain::{Act, JobId, Stage, Timestamp, WorkerId, billing::Lane};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use std::collections::HashMap;
use uuid::Uuid;

/// Workers that are listed, those seen last.
pub const FLEET_WORKERS_MAX: u64 = 200;
/// Jobs that are shown one by one, of all workers together.
pub const FLEET_JOBS_MAX: u64 = 1000;

/// One start of a worker process, and what it has.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetWorker {
    pub seen: WorkerSeen,
    /// None of a stage that it does not do.
    pub slots: WorkerSlots,
    /// `None`: all.
    pub models: Option<Vec<String>>,
    /// Of its device, where it is known.
    pub memory_bytes: Option<u64>,
    /// It takes no more jobs since then.
    pub draining_since: Option<Timestamp>,
    /// Those that it has, as far as they are among the first [`FLEET_JOBS_MAX`] of all.
    pub jobs: Vec<FleetJob>,
}

/// A job that a worker has: what it is of, and how far. Nothing of what somebody wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetJob {
    pub job: JobId,
    pub stage: Stage,
    pub lane: Lane,
    pub model: String,
    pub step: u32,
    pub steps: u32,
    /// Of its decoding, in thousandths.
    pub decoded_permille: u32,
}

/// What became of asking a worker to take no more jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drained {
    Now,
    /// It was asked before.
    Before,
    /// There is no such worker any more.
    Gone,
}

#[derive(FromQueryResult)]
struct JobRow {
    id: Uuid,
    lease_worker: Uuid,
    state: String,
    lane: Option<String>,
    model: String,
    step: i32,
    steps: i32,
    decoded_permille: Option<i32>,
}

impl Operator<'_> {
    /// Workers with all that they have, those seen last first, [`FLEET_WORKERS_MAX`] of them at most.
    pub async fn fleet(self) -> Result<Vec<FleetWorker>, StoreError> {
        let rows = worker::Entity::find().order_by_desc(worker::Column::SeenAtMs).limit(FLEET_WORKERS_MAX).all(&self.store.db).await?;
        let held = load::held(self.store).await?;
        let mut jobs = self.jobs_of_workers().await?;
        let of = |row: worker::Model| FleetWorker {
            slots: workers::slots(&row),
            models: workers::models(&row),
            memory_bytes: workers::memory_bytes(&row),
            draining_since: row.draining_since_ms.map(Timestamp::from_ms),
            jobs: jobs.remove(&row.id).unwrap_or_default(),
            seen: super::seen(row, &held),
        };
        Ok(rows.into_iter().map(of).collect())
    }

    /// This worker takes no more jobs and ends when its own have.
    pub async fn drain(self, id: WorkerId, act: ActOfOperator<'_>) -> Result<Drained, StoreError> {
        let write = self.store.write().await?;
        let Some(row) = worker::Entity::find_by_id(id.uuid()).one(&write.tx).await? else {
            write.abandon().await?;
            return Ok(Drained::Gone);
        };
        let asked = worker::Entity::update_many()
            .col_expr(worker::Column::DrainingSinceMs, Expr::value(write.now.ms()))
            .filter(worker::Column::Id.eq(id.uuid()))
            .filter(worker::Column::DrainingSinceMs.is_null())
            .exec(&write.tx)
            .await?;
        if asked.rows_affected == 0 {
            write.abandon().await?;
            return Ok(Drained::Before);
        }
        act.note(&write, None, Act::WorkerDrained, format!("{id} ({})", row.device)).await?;
        write.commit().await?;
        Ok(Drained::Now)
    }

    async fn jobs_of_workers(self) -> Result<HashMap<Uuid, Vec<FleetJob>>, StoreError> {
        let held = job::Entity::find()
            .select_only()
            .columns([
                job::Column::Id,
                job::Column::LeaseWorker,
                job::Column::State,
                job::Column::Lane,
                job::Column::Model,
                job::Column::Step,
                job::Column::Steps,
                job::Column::DecodedPermille,
            ])
            .filter(job::Column::State.is_in([Stage::Sampling, Stage::Decoding].map(Stage::as_str)))
            .filter(Expr::col((job::Entity, job::Column::LeaseWorker)).is_not_null())
            .limit(FLEET_JOBS_MAX);
        let mut jobs: HashMap<Uuid, Vec<FleetJob>> = HashMap::new();
        for row in held.into_model::<JobRow>().all(&self.store.db).await? {
            let count = |count: i32| u32::try_from(count).unwrap_or_default();
            let is_sampling = row.state == Stage::Sampling.as_str();
            let held = FleetJob {
                job: JobId::from_uuid(row.id),
                stage: if is_sampling { Stage::Sampling } else { Stage::Decoding },
                lane: row.lane.as_deref().and_then(Lane::named).unwrap_or(Lane::Interactive),
                model: row.model,
                step: count(row.step),
                steps: count(row.steps),
                decoded_permille: row.decoded_permille.map(count).unwrap_or_default(),
            };
            jobs.entry(row.lease_worker).or_default().push(held);
        }
        jobs.values_mut().for_each(|jobs| jobs.sort_by_key(|job| job.job));
        Ok(jobs)
    }
}
