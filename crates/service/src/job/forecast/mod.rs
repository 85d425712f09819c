//! When jobs will have ended: a simulation of the live queue that all requests of this process share.
//!
//! It begins with what waits and runs, goes by the rules of the live queue, and knows the measured times of jobs. What comes later is as likely as
//! what came lately, and the next swap of models on each worker as the placement's rules have it; what goes wrong it does not know. What that does to its forecasts is learned from the jobs that have ended ([`Told`]).

mod likely;
mod names;
mod outlook;
mod simulated;
mod told;

pub(crate) use outlook::Outlook;
pub(crate) use simulated::{BatchAhead, Newcomer, Simulated};
pub(crate) use told::Told;

use crate::{costs::Costs, placement, recent::Recent};
use domain::{JobId, JobState, NoEta, Timestamp};
use simulated::Decodes;
use std::sync::{Arc, Mutex, PoisonError};
use store::{
    Job, Store, StoreError,
    queue::{HEAD, Limits, Throttled},
};
use uuid::Uuid;

/// It costs as much as the heads of all lines are long, so it is used the longer the longer it took.
pub(crate) struct Forecasts {
    simulated: Recent<(), Arc<Simulated>>,
    pub(crate) told: Told,
    decodes: Arc<Mutex<Decodes>>,
    /// After so long a model is loaded whatever that costs.
    model_wait_max_ms: u64,
}

impl Forecasts {
    pub(crate) fn new(model_wait_max_ms: u64) -> Self {
        Self { simulated: Recent::by_its_cost(), told: Told::default(), decodes: Arc::default(), model_wait_max_ms }
    }
}

/// What is foretold of a job, and why it has not entered the queue if it has not.
pub(crate) struct Foretold {
    pub(crate) outlook: Result<Outlook, NoEta>,
    pub(crate) throttled: Option<Throttled>,
    /// How far its model is loaded, in thousandths, where no worker has it warm and one is loading it.
    pub(crate) cold_load: Option<u32>,
}

impl Forecasts {
    /// The queue as it is simulated at the moment.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn simulated(&self, store: &Store, costs: &Costs) -> Result<Arc<Simulated>, StoreError> {
        costs.refresh(store).await?;
        let (store, costs, model_wait_max_ms) = (store.clone(), costs.clone(), self.model_wait_max_ms);
        let decodes = Arc::clone(&self.decodes);
        let ask = || async move {
            let state = store.queue().state().await?;
            let swaps = placement::foreseen(&store, &state, &costs, model_wait_max_ms).await?;
            let begun = decodes.lock().unwrap_or_else(PoisonError::into_inner).look(&state);
            let simulated = tokio::task::spawn_blocking(move || Simulated::of(state, &swaps, &begun, &costs)).await;
            simulated.ok().and_then(Result::ok).map(Arc::new).ok_or(StoreError::Raced { table: "jobs" })
        };
        self.simulated.get((), ask).await
    }

    /// What is foretold of a job that has not ended, and stands at `position` of its line, where 1 is next.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn of(
        &self,
        store: &Store,
        (job, position): (&Job, u64),
        costs: &Costs,
        now: Timestamp,
    ) -> Result<Foretold, StoreError> {
        let simulated = self.simulated(store, costs).await?;
        let throttled = match (&job.lifecycle.state, throttled(&simulated, job)) {
            (JobState::Throttled, None) => store.queue().throttle(job).await?,
            (_, known) => known,
        };
        let (line, _) = job.place();
        let cold_load = simulated.cold_load(&job.spec.model);
        if let Some(outlook) = simulated.of_known(job, costs, now) {
            return Ok(Foretold { outlook, throttled, cold_load });
        }
        let outlook = if let Some(Throttled::Until(enters_at)) = throttled {
            // There the line is as short as its tenants' rates make it.
            let enters_in_ms = enters_at.ms_since(now);
            let load_ms = simulated.load_ms(&job.spec.model, enters_in_ms) as f64;
            simulated.alone(job, costs).map(|outlook| outlook.loaded_in_ms(load_ms).after_ms(enters_in_ms as f64))
        } else if position > HEAD {
            simulated.behind_all(line, position, now)
        } else {
            match store.queue().limits_of(job.tenant).await? {
                Some(limits) if simulated.knows(job.id) => {
                    // It is there already, elsewhere.
                    let again = Newcomer { id: JobId::from_uuid(Uuid::max()), ..newcomer(job, limits, position, now) };
                    simulated.of_newcomer(&again, costs, false).await
                }
                Some(limits) => simulated.of_newcomer(&newcomer(job, limits, position, now), costs, true).await,
                None => Err(NoEta::NotAsked),
            }
        };
        Ok(Foretold { outlook, throttled, cold_load })
    }

    /// The same of jobs of one tenant, at these positions of their lines, without a question for each: nothing is told of the time of those that
    /// have come since the simulation. Those whose entrance was not simulated wait for what the first of them waits for, which alone is told when it ends.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn of_many(
        &self,
        store: &Store,
        jobs: &[(&Job, u64)],
        costs: &Costs,
        now: Timestamp,
    ) -> Result<Vec<Foretold>, StoreError> {
        let simulated = self.simulated(store, costs).await?;
        let (mut told, mut first_unknown) = (Vec::with_capacity(jobs.len()), None);
        for (job, position) in jobs {
            let mut throttled = throttled(&simulated, job);
            if throttled.is_none() && job.lifecycle.state == JobState::Throttled {
                throttled = match first_unknown {
                    Some(Some(Throttled::Until(_))) => Some(Throttled::Behind),
                    Some(known) => known,
                    None => *first_unknown.insert(store.queue().throttle(job).await?),
                };
            }
            let (line, _) = job.place();
            let outlook = match simulated.of_known(job, costs, now) {
                Some(outlook) => outlook,
                None if throttled.is_none() && *position > HEAD => simulated.behind_all(line, *position, now),
                None => Err(simulated.unknown(line.model)),
            };
            told.push(Foretold { outlook, throttled, cold_load: simulated.cold_load(&job.spec.model) });
        }
        Ok(told)
    }

    /// Has the next who wants to know look at the queue anew, where that is cheap.
    pub(crate) fn forget(&self) {
        self.simulated.forget_what_is_cheap(&());
    }
}

/// Why a job has not entered the queue, as far as that was simulated.
fn throttled(simulated: &Simulated, job: &Job) -> Option<Throttled> {
    match job.lifecycle.state {
        JobState::Throttled => simulated.at_once(job.tenant).or_else(|| simulated.enters_at(job.id).map(Throttled::Until)),
        _ => None,
    }
}

fn newcomer(job: &Job, limits: Limits, position: u64, at: Timestamp) -> Newcomer<'_> {
    let (line, _) = job.place();
    let has_entered = job.lifecycle.state != JobState::Throttled;
    Newcomer {
        id: job.id,
        limits,
        line,
        workload: crate::costs::workload(&job.spec),
        work: job.work,
        billed: job.held,
        has_entered,
        tag: has_entered.then_some(job.tag),
        position,
        at,
    }
}
