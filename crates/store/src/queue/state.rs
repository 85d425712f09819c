//! What waits next, what runs and who works, as a forecast needs to know it.

use super::{
    order::{in_order, waits_in_line},
    release,
};
use crate::{
    ALIVE_MS, Store, StoreError, billing,
    entity::{job as table, model, tenant},
    rows::readable_tuples,
    sql::in_steps,
    workers::{self, LiveWorker},
};
use domain::{
    JobId, Shape, Size, Stage, TenantId, Timestamp, VideoTime, WorkerId,
    billing::Lane,
    scheduling::{LineOf, Pauses, ReleaseGate, Tag, VirtualTime, Words, Workload},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use uuid::Uuid;

/// Jobs at the head of each line, and of each tenant's that have not entered the queue.
pub const HEAD: u64 = 2000;
/// Tenants whose jobs have not entered, of which those that may enter next are looked at.
const TENANTS: u64 = 200;
const RUNNING: u64 = 20_000;
/// Of all jobs the newest ones.
const RECENT: u64 = 400;

const STAGES: [Stage; 2] = [Stage::Sampling, Stage::Decoding];
const LANES: [Lane; 2] = [Lane::Interactive, Lane::Batch];

/// The queue at one moment: the head of each line, and all that runs.
#[derive(Debug, Clone)]
pub struct QueueState {
    pub now: Timestamp,
    pub jobs: Vec<OpenJob>,
    /// Jobs that have not entered and are in quarantine: they enter as the others, and then no worker takes them.
    pub held: Vec<OpenJob>,
    /// Jobs that came lately, wherever they are by now, the newest first.
    pub recent: Vec<OpenJob>,
    pub workers: Vec<LiveWorker>,
    /// Of the tenants of these jobs.
    pub tenants: Vec<Limits>,
    /// What is not begun: jobs that wait so are left out.
    pub pauses: Arc<Pauses>,
}

/// A job of the queue.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenJob {
    pub id: JobId,
    pub tenant: TenantId,
    pub lane: Lane,
    pub model: String,
    pub shape: Shape,
    pub steps: u32,
    /// By which shares of the queue count it.
    pub work: VideoTime,
    /// By which release rates count it.
    pub billed: VideoTime,
    pub tag: Tag,
    pub created_at: Timestamp,
    pub phase: OpenPhase,
}

impl OpenJob {
    #[must_use]
    pub fn line(&self) -> LineOf<'_> {
        LineOf { lane: self.lane, model: &self.model }
    }

    /// Its prompt is not read: there may be many thousands.
    #[must_use]
    pub const fn workload(&self) -> Workload {
        Workload { shape: self.shape, steps: self.steps, words: Words::NONE }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenPhase {
    /// It has not entered the queue.
    Throttled,
    Waiting(Stage),
    Running {
        stage: Stage,
        worker: WorkerId,
        /// Of the stage, in thousandths.
        done_permille: u32,
    },
}

/// What a tenant's plan says of its jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub tenant: TenantId,
    pub weight: u32,
    pub gate: Option<ReleaseGate>,
    /// From when on the release rate lets another job enter.
    pub free_at: Timestamp,
}

/// What a state has besides what is in the queue and with workers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Besides {
    Nothing,
    /// Jobs that have not entered, and those that came lately.
    All,
}

pub(super) async fn read(store: &Store, besides: Besides) -> Result<QueueState, StoreError> {
    let (now, pauses) = (store.now().await?, store.pauses().await?);
    let paused: Vec<_> = pauses.tenants().map(TenantId::uuid).collect();
    let mut jobs = Vec::new();
    for model in waiting_models(store).await? {
        for (stage, lane) in STAGES.into_iter().flat_map(|stage| LANES.map(|lane| (stage, lane))) {
            if pauses.hold_line(LineOf { lane, model: &model }) {
                continue;
            }
            let head = table::Entity::find()
                .filter(table::Column::TenantId.is_not_in(paused.iter().copied()))
                .filter(waits_in_line(stage))
                .filter(table::Column::Model.eq(&*model))
                .filter(table::Column::Lane.eq(lane.as_str()));
            jobs.extend(open(store, in_order(head).limit(HEAD), |_| Some(OpenPhase::Waiting(stage))).await?);
        }
    }
    let running = table::Entity::find()
        .filter(table::Column::State.is_in(STAGES.map(Stage::as_str)))
        .filter(table::Column::EndedAtMs.is_null())
        .order_by_asc(table::Column::Id)
        .limit(RUNNING);
    jobs.extend(open(store, running, Row::running).await?);
    let (mut held, mut recent) = (Vec::new(), Vec::new());
    if besides == Besides::All {
        let entering;
        (entering, held) = throttled(store).await?;
        jobs.extend(entering);
        recent = open(store, table::Entity::find().order_by_desc(table::Column::Id).limit(RECENT), |_| Some(OpenPhase::Throttled)).await?;
    }
    // One that moved on between two of these looks is in both.
    let mut known = BTreeSet::new();
    jobs.retain(|job| known.insert(job.id));
    let is_paused = |job: &OpenJob| pauses.of(job.line(), job.tenant).is_some();
    jobs.retain(|job| job.phase != OpenPhase::Throttled || !is_paused(job));
    for others in [&mut held, &mut recent] {
        others.retain(|job| !is_paused(job));
    }
    let tenants = limits(store, jobs.iter().chain(&held).chain(&recent), now).await?;
    Ok(QueueState { now, jobs, held, recent, workers: workers::live(store, ALIVE_MS).await?, tenants, pauses })
}

/// Jobs that have not entered, of the tenants whose next may enter soonest; by themselves, those in quarantine.
async fn throttled(store: &Store) -> Result<(Vec<OpenJob>, Vec<OpenJob>), StoreError> {
    let throttling = tenant::Entity::find()
        .select_only()
        .column(tenant::Column::Id)
        .filter(tenant::Column::NextReleaseMs.is_not_null())
        .order_by_asc(tenant::Column::NextReleaseMs)
        .limit(TENANTS);
    let (mut jobs, mut held) = (Vec::new(), Vec::new());
    for (tenant,) in readable_tuples::<(Uuid,)>(&store.db, throttling).await? {
        for row in rows(store, release::next_first(release::throttled(tenant)).limit(HEAD)).await? {
            let list = if row.quarantined_since_ms.is_some() { &mut held } else { &mut jobs };
            list.extend(row.job(OpenPhase::Throttled));
        }
    }
    Ok((jobs, held))
}

/// A look at the head of each model's lines, however long they are.
async fn waiting_models(store: &Store) -> Result<Vec<String>, StoreError> {
    let waiting = table::Entity::find()
        .select_only()
        .expr(Expr::val(1))
        .filter(table::Column::WaitsFor.is_in(STAGES.map(Stage::as_str)))
        .filter(Expr::col((table::Entity, table::Column::Model)).equals((model::Entity, model::Column::Id)));
    let models = model::Entity::find().select_only().column(model::Column::Id).filter(Expr::exists(waiting.into_query()));
    let models: Vec<(String,)> = readable_tuples(&store.db, models).await?;
    Ok(models.into_iter().map(|(model,)| model).collect())
}

/// What the plans of these tenants say; one whose plan cannot be read has the least weight.
pub(super) async fn limits_of(store: &Store, ids: impl IntoIterator<Item = TenantId>, now: Timestamp) -> Result<Vec<Limits>, StoreError> {
    let rows = tenants(ids).all(&store.db).await?;
    let mut plans = BTreeMap::new();
    let mut limits = Vec::with_capacity(rows.len());
    for row in rows {
        if !plans.contains_key(&row.plan) {
            plans.insert(row.plan.clone(), billing::current_plan(&store.db, &row.plan).await.ok());
        }
        let plan = plans.get(&row.plan).and_then(Option::as_ref);
        let gate = plan.and_then(ReleaseGate::of);
        let free_at = gate.map_or(now, |gate| release::free_at(&row, gate, now));
        limits.push(Limits { tenant: TenantId::from_uuid(row.id), weight: plan.map_or(1, |plan| plan.weight), gate, free_at });
    }
    Ok(limits)
}

fn tenants(ids: impl IntoIterator<Item = TenantId>) -> Select<tenant::Entity> {
    tenant::Entity::find().filter(tenant::Column::Id.is_in(in_steps(ids.into_iter().map(TenantId::uuid).collect())))
}

async fn limits(store: &Store, jobs: impl Iterator<Item = &OpenJob>, now: Timestamp) -> Result<Vec<Limits>, StoreError> {
    let mut ids: Vec<_> = jobs.map(|job| job.tenant).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut limits = Vec::with_capacity(ids.len());
    for some in ids.chunks(500) {
        limits.extend(limits_of(store, some.iter().copied(), now).await?);
    }
    Ok(limits)
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    tenant_id: Uuid,
    lane: Option<String>,
    model: String,
    width: i32,
    height: i32,
    duration_ms: i64,
    steps: i32,
    billed_ms: i64,
    work_ms: Option<i64>,
    start_tag: i64,
    finish_tag: i64,
    created_at_ms: i64,
    state: String,
    lease_worker: Option<Uuid>,
    step: i32,
    decoded_permille: Option<i32>,
    quarantined_since_ms: Option<i64>,
}

impl Row {
    /// `None`: it does not run.
    fn running(&self) -> Option<OpenPhase> {
        let stage = STAGES.into_iter().find(|stage| stage.as_str() == self.state)?;
        let done_permille = match stage {
            Stage::Sampling => i64::from(self.step) * 1000 / Ord::max(i64::from(self.steps), 1),
            Stage::Decoding => self.decoded_permille.unwrap_or_default().into(),
        };
        Some(OpenPhase::Running {
            stage,
            worker: WorkerId::from_uuid(self.lease_worker?),
            done_permille: done_permille.clamp(0, 1000).try_into().unwrap_or_default(),
        })
    }

    /// `None`: it cannot be.
    fn job(self, phase: OpenPhase) -> Option<OpenJob> {
        let size = Size { width: self.width.try_into().ok()?, height: self.height.try_into().ok()? };
        let time = |ms: i64| u64::try_from(ms).map(VideoTime::from_ms).ok();
        Some(OpenJob {
            id: JobId::from_uuid(self.id),
            tenant: TenantId::from_uuid(self.tenant_id),
            lane: self.lane.as_deref().map_or(Some(Lane::Interactive), Lane::named)?,
            model: self.model,
            shape: Shape { size, duration: time(self.duration_ms)? },
            steps: self.steps.try_into().ok()?,
            work: time(self.work_ms.unwrap_or(self.billed_ms))?,
            billed: time(self.billed_ms)?,
            tag: Tag { start: VirtualTime::new(self.start_tag), finish: VirtualTime::new(self.finish_tag) },
            created_at: Timestamp::from_ms(self.created_at_ms),
            phase,
        })
    }
}

/// Those of them that can be read.
async fn open(store: &Store, jobs: Select<table::Entity>, phase: impl Fn(&Row) -> Option<OpenPhase>) -> Result<Vec<OpenJob>, StoreError> {
    let rows = rows(store, jobs).await?;
    Ok(rows.into_iter().filter_map(|row| phase(&row).and_then(|phase| row.job(phase))).collect())
}

async fn rows(store: &Store, jobs: Select<table::Entity>) -> Result<Vec<Row>, StoreError> {
    let columns = [
        table::Column::Id,
        table::Column::TenantId,
        table::Column::Lane,
        table::Column::Model,
        table::Column::Width,
        table::Column::Height,
        table::Column::DurationMs,
        table::Column::Steps,
        table::Column::BilledMs,
        table::Column::WorkMs,
        table::Column::StartTag,
        table::Column::FinishTag,
        table::Column::CreatedAtMs,
        table::Column::State,
        table::Column::LeaseWorker,
        table::Column::Step,
        table::Column::DecodedPermille,
        table::Column::QuarantinedSinceMs,
    ];
    let rows = store.db.query_all(&jobs.select_only().columns(columns).into_query()).await?;
    Ok(rows.iter().filter_map(|row| Row::from_query_result(row, "").ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;
    use sea_orm::DbBackend;

    #[test]
    fn three_tenants_are_read_by_the_statement_that_reads_four() {
        let sql = |count: usize| tenants((0..count).map(|_| TenantId::from_uuid(chance::new_id()))).build(DbBackend::Sqlite).sql;
        assert_eq!(sql(3), sql(4));
        assert_ne!(sql(4), sql(5));
    }
}
