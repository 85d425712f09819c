//! Worker processes: which are alive and what they do.

use crate::{SpareTime, Store, StoreError, device_time, entity::worker as table};
use domain::{
    Stage, Timestamp, WorkerId,
    scheduling::{Colleague, Fleet},
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
    pub async fn register(self, id: WorkerId, role: WorkerRole, device: &str, models: &[&str]) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let row = table::ActiveModel {
            id: Set(id.uuid()),
            role: Set(role.as_str().to_owned()),
            device: Set(device.to_owned()),
            started_at_ms: Set(write.now.ms()),
            seen_at_ms: Set(write.now.ms()),
            condition: Set(WorkerCondition::Working.as_str().to_owned()),
            models: Set(Some(serde_json::Value::from(models).to_string())),
        };
        let announced =
            [table::Column::Role, table::Column::Device, table::Column::SeenAtMs, table::Column::Condition, table::Column::Models];
        let again = OnConflict::column(table::Column::Id).update_columns(announced).to_owned();
        let day_ago_ms = write.now.plus_ms(-DAY_MS).ms();
        table::Entity::delete_many().filter(table::Column::SeenAtMs.lt(day_ago_ms)).exec(&write.tx).await?;
        table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
        write.commit().await
    }

    /// A sign of life, with what the device did since the one before; `false` when the row is gone, nothing was noted, and the worker should
    /// register again.
    pub async fn beat(self, id: WorkerId, condition: WorkerCondition, spare: SpareTime) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let Some(row) = table::Entity::find_by_id(id.uuid()).one(&write.tx).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        table::Entity::update_many()
            .col_expr(table::Column::SeenAtMs, Expr::value(write.now.ms()))
            .col_expr(table::Column::Condition, Expr::value(condition.as_str()))
            .filter(table::Column::Id.eq(id.uuid()))
            .exec(&write.tx)
            .await?;
        device_time::add_spare(&write, &row.device, Timestamp::from_ms(row.seen_at_ms), spare).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Leaves in good order.
    pub async fn retire(self, id: WorkerId) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        table::Entity::delete_by_id(id.uuid()).exec(&write.tx).await?;
        write.commit().await
    }

    /// Workers that take jobs and were seen within `alive_ms`, by role. One of a role that is not known is passed over.
    pub async fn fleet(self, alive_ms: i64) -> Result<Fleet, StoreError> {
        self.fleet_with(alive_ms, |_| true).await
    }

    /// Those of [`Workers::fleet`] that have this model.
    pub async fn fleet_of(self, model: &str, alive_ms: i64) -> Result<Fleet, StoreError> {
        self.fleet_with(alive_ms, |row| serves(row)(model)).await
    }

    async fn fleet_with(self, alive_ms: i64, counts: impl Fn(&table::Model) -> bool) -> Result<Fleet, StoreError> {
        let alive = at_work(self.store.now().await?, alive_ms).all(&self.store.shared).await?;
        let mut fleet = Fleet::default();
        for row in alive.into_iter().filter(counts) {
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

/// Whether a worker has a model. A list that cannot be read counts as one of all.
fn serves(row: &table::Model) -> impl Fn(&str) -> bool + use<> {
    let models: Option<Vec<String>> = row.models.as_deref().and_then(|text| serde_json::from_str(text).ok());
    move |model| models.as_ref().is_none_or(|models| models.iter().any(|served| served == model))
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
        let alive = (now.plus_ms(-ALIVE_MS).ms()..=now.plus_ms(ALIVE_MS).ms()).contains(&row.seen_at_ms);
        let takes_stage = WorkerRole::parse(&row.role).is_some_and(|role| role.takes(stage));
        let takes_jobs = alive && takes_stage && row.condition == WorkerCondition::Working.as_str();
        let serves = serves(&row);
        Colleague {
            worker: WorkerId::from_uuid(row.id),
            started_at: Timestamp::from_ms(row.started_at_ms),
            alive,
            takes: (0..models.len()).filter(|&model| takes_jobs && serves(models[model])).collect(),
        }
    };
    Ok(known.all(&store.shared).await?.into_iter().map(colleague).collect())
}
