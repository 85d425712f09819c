//! The models as the operator sees them: where each is, what it costs, what waits for it, and what was decided last.

use super::rules::usual;
use crate::{AccessError, Services};
use domain::{Actor, Permission, Timestamp, WorkerId};
use std::collections::BTreeMap;
use store::{HeldModel, LoadCost, ModelRule, OfferedModel, PlacementChange};

/// Changes that are shown.
const CHANGES: u32 = 50;

/// All models and the last changes.
#[derive(Debug, Clone)]
pub struct Registry {
    pub now: Timestamp,
    pub models: Vec<RegisteredModel>,
    /// The newest first.
    pub changes: Vec<PlacementChange>,
}

/// What is known of a model.
#[derive(Debug, Clone)]
pub struct RegisteredModel {
    pub offered: OfferedModel,
    /// Workers that are alive and could take its jobs.
    pub places: Vec<ModelPlace>,
    /// By kind of device.
    pub loads: Vec<LoadCost>,
    /// Milliseconds of a device for a second of video, by kind of device.
    pub paces: Vec<(String, f64)>,
    /// Its jobs that wait for a worker.
    pub queued: u64,
    pub rule: ModelRule,
}

/// A worker and a model that it has or could load.
#[derive(Debug, Clone)]
pub struct ModelPlace {
    pub worker: WorkerId,
    /// What its kind of device is called.
    pub device: String,
    pub held: HeldModel,
    /// Why it should be there; `None`: nobody has decided that.
    pub reason: Option<String>,
}

impl Services {
    /// All models with where they are.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not look, or the database does not answer.
    pub async fn model_registry(&self, actor: Actor) -> Result<Registry, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        self.costs.refresh(&self.store).await?;
        let store = &self.store;
        let (models, state, placement) = (store.models().list().await?, store.queue().state_of_queue().await?, store.placement());
        let (costs, mut rules, changes) = (placement.costs().await?, placement.rules().await?, placement.changes(CHANGES).await?);
        // A line stands once for each kind of device.
        let lines: BTreeMap<(String, &str), u64> =
            self.queue_numbers().await?.lines.into_iter().map(|line| ((line.model, line.lane.as_str()), line.jobs)).collect();
        let models = models.into_iter().map(|offered| {
            let id = offered.model.id.clone();
            let places = state.workers.iter().filter_map(|worker| {
                let held = worker.held.as_ref()?.of(&id)?.clone();
                let desired = worker.desired.iter().flatten().find(|desired| desired.model == id);
                Some(ModelPlace {
                    worker: worker.id,
                    device: worker.device.clone(),
                    held,
                    reason: desired.map(|desired| desired.reason.clone()),
                })
            });
            RegisteredModel {
                places: places.collect(),
                loads: costs.iter().filter(|cost| cost.model == id).cloned().collect(),
                paces: self.costs.paces(&offered.model),
                queued: lines.iter().filter(|((model, _), _)| *model == id).map(|(_, jobs)| jobs).sum(),
                rule: rules.remove(&id).unwrap_or_else(usual),
                offered,
            }
        });
        Ok(Registry { now: state.now, models: models.collect(), changes })
    }
}
