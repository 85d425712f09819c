//! Which models are in the memory of which worker: one server at a time plans, and workers converge to what it writes into their rows.
//!
//! The rules are [`domain::scheduling::fleet::plan`]'s. Workers whose memory is not limited keep all that they have and are left out; where
//! there are no others, nothing is read or written here but their rows.

mod arrivals;
mod broken;
mod foreseen;
mod registry;
mod rules;
mod served;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use foreseen::{cold_load_ms, foreseen};
pub use registry::{ModelPlace, RegisteredModel, Registry};
pub use rules::{KEEP_WARM_MAX_MINUTES, PINNED_MAX, PlaceModelError, minutes, rule_of};

use crate::{
    Services,
    scaling::{self, LastLook},
};
use arrivals::Arrivals;
use broken::Broken;
use clap::Args;
use domain::{
    Timestamp, WorkerId,
    scheduling::fleet::{PlacementInput, PlacementReason, WorkerPlan, plan},
};
use served::Served;
use std::{collections::BTreeSet, error::Error, time::Duration};
use store::{ALIVE_MS, DesiredModel, HeldModel, LiveWorker, PlacementChange, StoreError, chance, in_time, queue::QueueState, within};
use view::{Group, Known, View};

/// Of the reconciler.
pub(crate) const NAME: &str = "place models";
/// Who plans is told by this name.
const LEADER: &str = "placement of models";
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A look that takes longer has lost its connection.
const PLANNED_WITHIN: Duration = Duration::from_secs(30);
/// Of scaling, by which workers were started or drained, that are read to know which are on their way.
const DECISIONS_READ: u32 = 50;
/// Of a model that was to be loaded and was not yet.
const NOT_NEEDED: &str = "it was not loaded yet, and is not needed there any more";
/// Of one that was tried.
const COULD_NOT_BE_LOADED: &str = "could not be loaded: ";
/// Of a model that stays after all.
const STAYS: &str = "it stays after all: ";

/// How models are placed.
#[derive(Debug, Clone, Args)]
pub struct PlacementOptions {
    /// Seconds after which a model whose jobs wait is loaded, whatever it costs to make room for it
    #[arg(long, env = "REELMILL_MODEL_WAIT_MAX", default_value_t = Self::default().model_wait_max)]
    pub model_wait_max: u32,
}

impl PlacementOptions {
    pub(crate) fn wait_max_ms(&self) -> u64 {
        u64::from(self.model_wait_max) * 1000
    }
}

impl Default for PlacementOptions {
    fn default() -> Self {
        Self { model_wait_max: 120 }
    }
}

/// Plans again and again while this server leads. Runs until dropped.
pub(crate) async fn place(services: Services) {
    let holder = chance::new_id().to_string();
    let mut leading: Option<Leading> = None;
    loop {
        match in_time(leads(&services, &holder)).await {
            Ok(true) => {
                let plan = Box::pin(within(PLANNED_WITHIN, leading.get_or_insert_default().plan(&services, &holder)));
                let planned = tokio::select! {
                    planned = plan => planned,
                    () = scaling::until_another_leads(&services, LEADER, &holder) => {
                        leading = None;
                        continue;
                    }
                };
                if let Err(error) = &planned {
                    tracing::warn!(error = error as &dyn Error, "models stay where they are; trying again");
                }
                services.metrics.note_run(NAME, planned.is_ok());
            }
            Ok(false) => leading = None,
            Err(error) => {
                services.metrics.note_run(NAME, false);
                tracing::warn!(error = &error as &dyn Error, "it is not known who places models");
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Whether this server plans: not where there is nothing to plan.
async fn leads(services: &Services, holder: &str) -> Result<bool, StoreError> {
    let live = services.store.workers().live(ALIVE_MS).await?;
    if !live.iter().any(is_placed) {
        return Ok(false);
    }
    services.store.leaders().hold(LEADER, holder, scaling::HELD_MS).await
}

/// Whether models come and go on a worker.
fn is_placed(worker: &LiveWorker) -> bool {
    worker.held.as_ref().is_some_and(|held| held.memory_max_bytes.is_some())
}

/// What a server knows while it leads.
#[derive(Default)]
struct Leading {
    arrivals: Arrivals,
    served: Served,
    broken: Broken,
    last_look: LastLook,
}

impl Leading {
    /// Notes what waits. Where the clock was put back since the last look, what was seen is as long ago as it was then: else no job would have
    /// waited for too long, and no model been broken for long, until the clock is there again.
    fn look(&mut self, state: &QueueState) {
        let ms = self.last_look.put_back_ms(state.now);
        self.arrivals.put_back(ms);
        self.served.put_back(ms);
        self.broken.put_back(ms);
        self.served.look(state);
    }

    /// Plans, and writes what is new down, while `holder` leads.
    async fn plan(&mut self, services: &Services, holder: &str) -> Result<(), StoreError> {
        let store = &services.store;
        services.costs.refresh(store).await?;
        let (state, catalog) = (store.queue().state_of_queue().await?, services.catalog().await?);
        self.look(&state);
        self.arrivals.refresh(store, state.now).await?;
        let (learned, rules, needs) =
            (store.placement().costs().await?, store.placement().rules().await?, store.placement().needs().await?);
        let (mut places, rules) = (BTreeSet::new(), rules::of_offered(rules, &catalog));
        let wait_max_ms = services.placement.wait_max_ms();
        let starting = scaling::starting(&store.scaling().changes(DECISIONS_READ).await?, &state.workers, state.now);
        let known = Known {
            state: &state,
            costs: &services.costs,
            catalog: &catalog,
            learned: &learned,
            rules: &rules,
            arrivals: &self.arrivals,
            needs: &needs,
            starting: &starting,
            wait_max_ms,
        };
        for group in Group::all(&state.workers) {
            let view = View::of(&known, &group, &mut self.served);
            let View { fleet, demand, costs, policy } = &view;
            let input = PlacementInput { fleet, demand, costs, policy, follow: self.arrivals.follow(), now: state.now };
            let plan = plan(input);
            for unmet in &plan.unmet {
                tracing::debug!(model.name = unmet.model, reason = %unmet.reason, "a model is not on as many workers as it should be");
            }
            for (worker, planned) in group.workers.iter().zip(plan.workers).filter(|(worker, _)| !worker.is_draining) {
                places.extend(planned.models.iter().map(|planned| (worker.id, planned.model.clone())));
                let Some(decision) = Decision::of(worker, &planned, state.now, |model| view.load_ms(model, &worker.device)) else {
                    continue;
                };
                if !store.placement().decide_as((LEADER, holder), worker.id, &decision.desired, &decision.changes).await? {
                    return Ok(());
                }
                decision.log(worker.id);
            }
        }
        let found = broken::unloadable(&state, &store.workers().known(broken::MAY_COME_BACK_MS).await?, &places);
        for broken in self.broken.for_long(found, wait_max_ms, state.now) {
            let failed = store.queue().fail_unloadable(&broken).await?;
            let (model, stage, problem) = (&broken.model, broken.stage, &broken.problem);
            tracing::warn!(model.name = model, %stage, jobs = failed, problem, "{failed} jobs failed whose model no worker can load");
        }
        Ok(())
    }
}

/// What is different for a worker from now on.
#[derive(Debug, PartialEq, Eq)]
struct Decision {
    desired: Vec<DesiredModel>,
    changes: Vec<PlacementChange>,
}

impl Decision {
    /// `None`: a worker should have what it was told before; where it was told nothing, what it has.
    fn of(worker: &LiveWorker, planned: &WorkerPlan, now: Timestamp, load_ms: impl Fn(&str) -> u64) -> Option<Self> {
        let present = worker.held.iter().flat_map(|held| &held.models).filter(|held| held.is_present()).map(|held| held.model.as_str());
        let present: BTreeSet<&str> = present.collect();
        let before: BTreeSet<&str> = match &worker.desired {
            Some(desired) => desired.iter().map(|desired| desired.model.as_str()).collect(),
            None => present.clone(),
        };
        let after: BTreeSet<&str> = planned.models.iter().map(|planned| planned.model.as_str()).collect();
        if before == after {
            return None;
        }
        let change = |model: &str, is_load: bool, reason: String| PlacementChange {
            at: now,
            worker: worker.id,
            device: worker.device.clone(),
            model: model.to_owned(),
            is_load,
            reason,
        };
        let added = planned.models.iter().filter(|planned| !before.contains(planned.model.as_str())).map(|planned| {
            let reason = match &planned.reason {
                PlacementReason::Load(reason) => reason.to_string(),
                stays => format!("{STAYS}{stays}"),
            };
            change(&planned.model, true, reason)
        });
        let removed = before.difference(&after).map(|model| {
            let unload = planned.unloads.iter().find(|unload| unload.model == *model);
            let problem = || worker.held.as_ref().and_then(|held| held.of(model)).and_then(HeldModel::problem);
            let not_loaded = || problem().map_or_else(|| NOT_NEEDED.to_owned(), |problem| format!("{COULD_NOT_BE_LOADED}{problem}"));
            change(model, false, unload.map_or_else(not_loaded, |unload| unload.reason.to_string()))
        });
        let desired = planned.models.iter().map(|planned| DesiredModel {
            model: planned.model.clone(),
            reason: planned.reason.to_string(),
            load_ms: load_ms(&planned.model),
        });
        Some(Self { changes: removed.chain(added).collect(), desired: desired.collect() })
    }

    fn log(&self, worker: WorkerId) {
        for change in &self.changes {
            let (what, model, reason) = (if change.is_load { "load" } else { "unload" }, &change.model, &change.reason);
            tracing::info!(worker.id = %worker, worker.device = change.device, model.name = model, placement.change = what, reason, "placement");
        }
    }
}
