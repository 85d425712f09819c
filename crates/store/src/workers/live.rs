//! Workers as whoever plans and forecasts reads them: what each does, serves and has.

use super::{
    ALIVE_MS, DAY_MS, DesiredModel, HeldModels, HeldState, WorkerCondition, WorkerRole, WorkerSlots, at_work, memory_bytes, models, parsed,
    seen_within, slots,
};
use crate::{Store, StoreError, entity::worker as table};
use domain::{Timestamp, WorkerId};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::ExprTrait};
use uuid::Uuid;

/// A worker that is at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveWorker {
    pub id: WorkerId,
    pub device: String,
    /// None of a stage that it does not do.
    pub slots: WorkerSlots,
    /// Of its device, where it is known.
    pub memory_bytes: Option<u64>,
    /// What it can load. `None`: all.
    pub models: Option<Vec<String>>,
    /// `None`: it says nothing of them, and has them all warm.
    pub held: Option<HeldModels>,
    /// What it should have. `None`: what it has.
    pub desired: Option<Vec<DesiredModel>>,
    pub started_at: Timestamp,
    /// It takes no more jobs.
    pub is_draining: bool,
}

impl LiveWorker {
    /// Whether it takes jobs of a model now. One that says nothing of its models has them all warm.
    #[must_use]
    pub fn has_warm(&self, model: &str) -> bool {
        match &self.held {
            Some(held) => held.of(model).is_some_and(|held| held.state == HeldState::Warm),
            None => self.serves(model),
        }
    }

    /// How much of a model is loaded that is being loaded here, in thousandths.
    #[must_use]
    pub fn loading_permille(&self, model: &str) -> Option<u32> {
        match self.held.as_ref()?.of(model)?.state {
            HeldState::Loading { permille } => Some(Ord::min(permille, 1000)),
            _ => None,
        }
    }

    /// What is left of loading a model here, in milliseconds; 0 where it is warm, or nothing is known of it.
    #[must_use]
    pub fn load_left_ms(&self, model: &str) -> u64 {
        if self.has_warm(model) {
            return 0;
        }
        let desired = self.desired.iter().flatten().find(|desired| desired.model == model).map(|desired| desired.load_ms);
        let held = self.held.as_ref().and_then(|held| held.of(model)).and_then(|held| held.load_ms);
        let permille = self.loading_permille(model).unwrap_or(0);
        desired.or(held).unwrap_or(0).saturating_mul(u64::from(1000 - permille)) / 1000
    }
}

impl LiveWorker {
    #[must_use]
    pub fn serves(&self, model: &str) -> bool {
        self.models.as_ref().is_none_or(|models| models.iter().any(|served| served == model))
    }
}

/// Workers that have jobs and were seen within `alive_ms`, also those that take no more; those of a role that is not known are left out.
pub(crate) async fn live(store: &Store, alive_ms: i64) -> Result<Vec<LiveWorker>, StoreError> {
    let rows = at_work(store.now().await?, alive_ms).order_by_asc(table::Column::Id).all(&store.shared).await?;
    Ok(rows.into_iter().filter_map(live_worker).collect())
}

/// Workers that were seen within `seen_ms`, however they fare; those of a role that is not known are left out.
pub(super) async fn known(store: &Store, seen_ms: i64) -> Result<Vec<LiveWorker>, StoreError> {
    let seen = table::Entity::find().filter(seen_within(store.now().await?, seen_ms));
    Ok(seen.all(&store.shared).await?.into_iter().filter_map(live_worker).collect())
}

/// Whether the device of one that was seen within `seen_ms` stalls or fails.
pub(super) async fn any_failing(store: &Store, seen_ms: i64) -> Result<bool, StoreError> {
    let failing = table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(seen_within(store.now().await?, seen_ms))
        .filter(table::Column::Condition.ne(WorkerCondition::Working.as_str()));
    Ok(failing.limit(1).into_tuple::<Uuid>().one(&store.shared).await?.is_some())
}

/// Whether one that was not told to drain was seen within a day, or before the clock was put back, and not lately.
pub(super) async fn any_silent(store: &Store, device: &str) -> Result<bool, StoreError> {
    let now = store.now().await?;
    let silent = table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(table::Column::Device.eq(device))
        .filter(table::Column::DrainingSinceMs.is_null())
        .filter(table::Column::SeenAtMs.gt(now.plus_ms(-DAY_MS).ms()))
        .filter(seen_within(now, ALIVE_MS).not());
    Ok(silent.limit(1).into_tuple::<Uuid>().one(&store.shared).await?.is_some())
}

/// `None`: its role is not known.
fn live_worker(row: table::Model) -> Option<LiveWorker> {
    WorkerRole::parse(&row.role)?;
    Some(LiveWorker {
        id: WorkerId::from_uuid(row.id),
        slots: slots(&row),
        memory_bytes: memory_bytes(&row),
        models: models(&row),
        device: row.device,
        held: parsed(row.held_models.as_deref()),
        desired: parsed(row.desired_models.as_deref()),
        started_at: Timestamp::from_ms(row.started_at_ms),
        is_draining: row.draining_since_ms.is_some(),
    })
}
