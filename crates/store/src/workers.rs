//! Worker processes: which are alive and what they do.

mod crew;
mod live;
mod models;

pub(crate) use crew::Crew;
pub use live::LiveWorker;
pub(crate) use live::live;
pub use models::{DesiredModel, HeldModel, HeldModels, HeldState, ModelReport, ModelsReport};

use crate::{SpareTime, Store, StoreError, device_time, entity::worker as table};
use domain::{
    Stage, Timestamp, WorkerId,
    scheduling::{Colleague, Fleet, StageSlots},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, QueryFilter, Select,
    sea_query::{Expr, ExprTrait, OnConflict, SimpleExpr},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// A worker that was not seen for so long does not count as alive.
pub const ALIVE_MS: i64 = 15_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerRole {
    Sampler,
    Decoder,
    All,
}

impl WorkerRole {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sampler => "sampler",
            Self::Decoder => "decoder",
            Self::All => "all",
        }
    }

    const fn takes(self, stage: Stage) -> bool {
        match stage {
            Stage::Sampling => !matches!(self, Self::Decoder),
            Stage::Decoding => !matches!(self, Self::Sampler),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Sampler, Self::Decoder, Self::All].into_iter().find(|role| role.as_str() == text)
    }
}

/// What a worker says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    pub role: WorkerRole,
    pub device: &'a str,
    pub models: &'a [&'a str],
    pub slots: WorkerSlots,
    /// Of the device, where it is known.
    pub memory_bytes: Option<u64>,
}

impl<'a> Registration<'a> {
    /// With the usual slots.
    #[must_use]
    pub fn new(role: WorkerRole, device: &'a str, models: &'a [&'a str]) -> Self {
        Self { role, device, models, slots: WorkerSlots::default(), memory_bytes: None }
    }
}

/// How many jobs of each stage a worker runs at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerSlots {
    pub sampling: StageSlots,
    pub decoding: StageSlots,
}

impl WorkerSlots {
    #[must_use]
    pub const fn of(self, stage: Stage) -> StageSlots {
        match stage {
            Stage::Sampling => self.sampling,
            Stage::Decoding => self.decoding,
        }
    }
}

/// Of a worker that does not say.
impl Default for WorkerSlots {
    fn default() -> Self {
        Self { sampling: 4.into(), decoding: 1.into() }
    }
}

/// What a worker is told at a sign of life with its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub beat: Beat,
    /// What it should have. `None`: what it has.
    pub desired: Option<Vec<DesiredModel>>,
}

/// What a worker is told at a sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    GoOn,
    /// It is to take no more jobs, and to end when its own have.
    Drain,
    /// Its row is gone, nothing was noted, and it should register again.
    Unknown,
}

/// How a live worker fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerCondition {
    /// Takes jobs.
    Working,
    /// Its device has not come back from a call for longer than such a call takes.
    Stalled,
    /// Its device failed job after job: it takes no more and ends.
    Failing,
}

impl WorkerCondition {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Stalled => "stalled",
            Self::Failing => "failing",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Workers<'a> {
    store: &'a Store,
}

impl<'a> Workers<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Announces a worker that is ready for work of these models, and drops the rows of those silent for more than a day.
    pub async fn register(self, id: WorkerId, registration: Registration<'_>) -> Result<(), StoreError> {
        let Registration { role, device, models, slots, memory_bytes } = registration;
        let count = |slots: usize| Set(i32::try_from(slots).ok());
        let write = self.store.write().await?;
        let row = table::ActiveModel {
            id: Set(id.uuid()),
            role: Set(role.as_str().to_owned()),
            device: Set(device.to_owned()),
            started_at_ms: Set(write.now.ms()),
            seen_at_ms: Set(write.now.ms()),
            condition: Set(WorkerCondition::Working.as_str().to_owned()),
            draining_since_ms: Set(None),
            models: Set(Some(serde_json::Value::from(models).to_string())),
            sampling_slots: count(slots.sampling.all()),
            interactive_slots: count(slots.sampling.reserved()),
            decoding_slots: count(slots.decoding.all()),
            memory_bytes: Set(memory_bytes.and_then(|bytes| i64::try_from(bytes).ok())),
            held_models: Set(None),
            desired_models: Set(None),
        };
        let announced = [
            table::Column::Role,
            table::Column::Device,
            table::Column::SeenAtMs,
            table::Column::Condition,
            table::Column::Models,
            table::Column::SamplingSlots,
            table::Column::InteractiveSlots,
            table::Column::DecodingSlots,
            table::Column::MemoryBytes,
        ];
        let again = OnConflict::column(table::Column::Id).update_columns(announced).to_owned();
        let day_ago_ms = write.now.plus_ms(-DAY_MS).ms();
        table::Entity::delete_many().filter(table::Column::SeenAtMs.lt(day_ago_ms)).exec(&write.tx).await?;
        table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
        write.commit().await
    }

    /// A sign of life, with what the device did since the one before.
    pub async fn beat(self, id: WorkerId, condition: WorkerCondition, spare: SpareTime) -> Result<Beat, StoreError> {
        Ok(self.beat_with(id, condition, spare, None).await?.beat)
    }

    /// The same, with what the worker has of its models; it is told what it should have.
    pub async fn report(
        self,
        id: WorkerId,
        condition: WorkerCondition,
        spare: SpareTime,
        models: &ModelsReport,
    ) -> Result<Told, StoreError> {
        self.beat_with(id, condition, spare, Some(models)).await
    }

    async fn beat_with(
        self,
        id: WorkerId,
        condition: WorkerCondition,
        spare: SpareTime,
        models: Option<&ModelsReport>,
    ) -> Result<Told, StoreError> {
        let write = self.store.write().await?;
        let Some(row) = table::Entity::find_by_id(id.uuid()).one(&write.tx).await? else {
            write.abandon().await?;
            return Ok(Told { beat: Beat::Unknown, desired: None });
        };
        let mut update = table::Entity::update_many()
            .col_expr(table::Column::SeenAtMs, Expr::value(write.now.ms()))
            .col_expr(table::Column::Condition, Expr::value(condition.as_str()));
        if let Some(held) = models.and_then(|models| serde_json::to_string(&models.at(write.now)).ok()) {
            update = update.col_expr(table::Column::HeldModels, Expr::value(held));
        }
        update.filter(table::Column::Id.eq(id.uuid())).exec(&write.tx).await?;
        device_time::add_spare(&write.tx, write.now, (&row.device, Timestamp::from_ms(row.seen_at_ms)), spare).await?;
        write.commit().await?;
        let beat = if row.draining_since_ms.is_some() { Beat::Drain } else { Beat::GoOn };
        Ok(Told { beat, desired: parsed(row.desired_models.as_deref()) })
    }

    /// These take no more jobs and end when theirs have; says how many that is news to.
    pub async fn drain(self, ids: &[WorkerId]) -> Result<u64, StoreError> {
        let write = self.store.write().await?;
        let drained = table::Entity::update_many()
            .col_expr(table::Column::DrainingSinceMs, Expr::value(write.now.ms()))
            .filter(table::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .filter(table::Column::DrainingSinceMs.is_null())
            .exec(&write.tx)
            .await?;
        write.commit().await?;
        Ok(drained.rows_affected)
    }

    /// Leaves in good order.
    pub async fn retire(self, id: WorkerId) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        table::Entity::delete_by_id(id.uuid()).exec(&write.tx).await?;
        write.commit().await
    }

    /// Workers that have jobs and were seen within `alive_ms`, also those that take no more.
    pub async fn live(self, alive_ms: i64) -> Result<Vec<LiveWorker>, StoreError> {
        live(self.store, alive_ms).await
    }

    /// Workers that were seen within `seen_ms` and have not left in good order, however they fare.
    pub async fn known(self, seen_ms: i64) -> Result<Vec<LiveWorker>, StoreError> {
        live::known(self.store, seen_ms).await
    }

    /// Whether the device of a worker that was seen within `seen_ms` stalls or fails.
    pub async fn any_failing(self, seen_ms: i64) -> Result<bool, StoreError> {
        live::any_failing(self.store, seen_ms).await
    }

    /// Whether a worker of a kind of device that is to stay counts as alive no more and has not left in good order within a day.
    pub async fn any_silent(self, device: &str) -> Result<bool, StoreError> {
        live::any_silent(self.store, device).await
    }

    /// Workers that take jobs and were seen within `alive_ms`, by role. One of a role that is not known is passed over.
    pub async fn fleet(self, alive_ms: i64) -> Result<Fleet, StoreError> {
        let at_work = at_work(self.store.now().await?, alive_ms).filter(table::Column::DrainingSinceMs.is_null());
        let alive = at_work.all(&self.store.shared).await?;
        let mut fleet = Fleet::default();
        for row in alive {
            let Some(role) = WorkerRole::parse(&row.role) else {
                self.store.operator().note_unreadable(row.id, &StoreError::inconsistent("workers", "role", &row.role)).await?;
                continue;
            };
            fleet.samplers += u64::from(role.takes(Stage::Sampling));
            fleet.decoders += u64::from(role.takes(Stage::Decoding));
        }
        Ok(fleet)
    }
}

/// None of a stage that its role does not do; the usual ones where it does not say.
pub(crate) fn slots(row: &table::Model) -> WorkerSlots {
    let role = WorkerRole::parse(&row.role);
    let usual = WorkerSlots::default();
    let count = |slots: Option<i32>, usual: usize| slots.and_then(|slots| usize::try_from(slots).ok()).unwrap_or(usual);
    let all = |stage: Stage, slots: usize| if role.is_some_and(|role| role.takes(stage)) { slots } else { 0 };
    let sampling = all(Stage::Sampling, count(row.sampling_slots, usual.sampling.all()));
    let reserved = count(row.interactive_slots, usual.sampling.reserved());
    let decoding = all(Stage::Decoding, count(row.decoding_slots, usual.decoding.all()));
    WorkerSlots { sampling: StageSlots::new(sampling, reserved), decoding: decoding.into() }
}

/// `None`: as if it had them all; also of a list that cannot be read.
pub(crate) fn models(row: &table::Model) -> Option<Vec<String>> {
    parsed(row.models.as_deref())
}

/// From JSON; `None` also of what another version wrote.
fn parsed<T: serde::de::DeserializeOwned>(text: Option<&str>) -> Option<T> {
    text.and_then(|text| serde_json::from_str(text).ok())
}

/// Whether a worker has a model or could load it, and has not failed to. A list that cannot be read counts as one of all.
fn serves(row: &table::Model) -> impl Fn(&str) -> bool + use<> {
    let (models, held): (Option<Vec<String>>, Option<HeldModels>) = (parsed(row.models.as_deref()), parsed(row.held_models.as_deref()));
    move |model| {
        let is_broken = held.as_ref().and_then(|held| held.of(model)).is_some_and(HeldModel::is_broken);
        !is_broken && models.as_ref().is_none_or(|models| models.iter().any(|served| served == model))
    }
}

/// Whether a worker takes jobs of a model now: of those that are warm, where it says so.
fn has_warm(row: &table::Model) -> impl Fn(&str) -> bool + use<> {
    let (held, serves): (Option<HeldModels>, _) = (parsed(row.held_models.as_deref()), serves(row));
    move |model| match &held {
        Some(held) => held.of(model).is_some_and(|held| held.state == HeldState::Warm),
        None => serves(model),
    }
}

/// Workers that take jobs and were seen within `alive_ms`.
fn at_work(now: Timestamp, alive_ms: i64) -> Select<table::Entity> {
    let working = table::Column::Condition.eq(WorkerCondition::Working.as_str());
    table::Entity::find().filter(seen_within(now, alive_ms)).filter(working)
}

/// One that was seen far ahead was seen before the clock was put back: whether it lives shows at its next sign of life.
fn seen_within(now: Timestamp, alive_ms: i64) -> SimpleExpr {
    Expr::col((table::Entity, table::Column::SeenAtMs)).between(now.plus_ms(-alive_ms).ms(), now.plus_ms(ALIVE_MS).ms())
}

/// The workers that are alive, and `me`, as those see them that look for a job of `stage` and of `models`.
pub(crate) async fn colleagues(
    store: &Store,
    stage: Stage,
    models: &[&str],
    me: WorkerId,
    now: Timestamp,
) -> Result<Vec<Colleague>, StoreError> {
    let known = table::Entity::find().filter(Condition::any().add(seen_within(now, ALIVE_MS)).add(table::Column::Id.eq(me.uuid())));
    let colleague = |row: table::Model| {
        let takes_jobs = takes(&row, stage, now);
        let (has_warm, serves) = (has_warm(&row), serves(&row));
        let of = |takes: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..models.len()).filter(|&model| takes_jobs && takes(models[model])).collect()
        };
        Colleague {
            worker: WorkerId::from_uuid(row.id),
            started_at: Timestamp::from_ms(row.started_at_ms),
            alive: is_alive(&row, now),
            memory_bytes: memory_bytes(&row),
            takes: of(&has_warm),
            serves: of(&serves),
        }
    };
    Ok(known.all(&store.shared).await?.into_iter().map(colleague).collect())
}

fn is_alive(row: &table::Model, now: Timestamp) -> bool {
    (now.plus_ms(-ALIVE_MS).ms()..=now.plus_ms(ALIVE_MS).ms()).contains(&row.seen_at_ms)
}

/// Whether a worker takes jobs of this stage.
fn takes(row: &table::Model, stage: Stage, now: Timestamp) -> bool {
    let takes_stage = WorkerRole::parse(&row.role).is_some_and(|role| role.takes(stage));
    is_alive(row, now) && takes_stage && row.draining_since_ms.is_none() && row.condition == WorkerCondition::Working.as_str()
}

pub(crate) fn memory_bytes(row: &table::Model) -> Option<u64> {
    row.memory_bytes.and_then(|bytes| bytes.try_into().ok())
}
