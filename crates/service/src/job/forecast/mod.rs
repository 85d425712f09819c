//! When jobs will have ended: a simulation of the live queue that all requests of this process share.
//!
//! It begins with what waits and runs, goes by the same rules as the live queue, and knows the measured times of jobs, but none of what comes later
//! and of what goes wrong. What that makes of its forecasts is learned from the jobs that have ended ([`told`]).

mod outlook;
mod simulated;
mod told;

pub(crate) use outlook::Outlook;
pub(crate) use simulated::{Newcomer, Simulated};
pub(crate) use told::Told;

use super::{Costs, Places};
use crate::recent::Recent;
use domain::{JobState, NoEta, scheduling::Place};
use std::sync::Arc;
use store::{Job, Store, StoreError, queue::Throttled};

#[derive(Clone)]
pub(crate) struct Forecasts {
    recent: Arc<Recent<(), Arc<Simulated>>>,
}

impl Forecasts {
    pub(crate) fn new() -> Self {
        Self { recent: Arc::new(Recent::by_its_cost()) }
    }

    /// The queue as it is simulated at the moment.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn simulated(&self, store: &Store, places: &Places, costs: &Costs) -> Result<Arc<Simulated>, StoreError> {
        costs.refresh(store).await?;
        let (store, places, costs) = (store.clone(), places.clone(), costs.clone());
        let ask = || async move {
            let lines = places.lines(&store).await?;
            let lines: Vec<_> = lines.iter().map(|(stage, line)| (*stage, line.as_line())).collect();
            let state = store.queue().state(&lines).await?;
            let simulate = tokio::task::spawn_blocking(move || Simulated::of(state, &costs));
            Ok(Arc::new(simulate.await.map_err(|_| StoreError::inconsistent("jobs", "state", "a queue that cannot be simulated"))?))
        };
        self.recent.get((), ask).await
    }
}

/// What is foretold of a job, and why it has not entered the queue if it has not.
pub(crate) struct Foretold {
    pub(crate) outlook: Result<Outlook, NoEta>,
    pub(crate) throttled: Option<Throttled>,
}

impl Simulated {
    /// What is foretold of `job`, which stands at `position` of its line, where 1 is next.
    pub(crate) fn foretold(&self, job: &Job, newcomer: Option<Newcomer<'_>>, (position, costs): (u64, &Costs)) -> Foretold {
        let known = self.known(job.id);
        let is_throttled = job.lifecycle.state == JobState::Throttled;
        let throttled = if is_throttled { self.throttled(job, known) } else { None };
        let outlook = match (known, newcomer) {
            (Some(known), _) => self.told(&job.spec.model, known),
            (None, Some(newcomer)) => self.of_newcomer(newcomer, costs),
            (None, None) => self.behind_all(job.place(), position),
        };
        Foretold { outlook, throttled }
    }
}
