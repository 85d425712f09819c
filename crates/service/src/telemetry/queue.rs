//! What the queue and the workers look like from outside, for who reads the metrics of a server.
//!
//! It comes from answers that all requests of the process share, so it costs the database no more the more often it is
//! asked for; it may be some seconds old.

use super::metrics::Shared;
use crate::Services;
use std::{fmt, time::Duration};
use store::{ALIVE_MS, StoreError};
use tokio::time::timeout;

/// Whoever collects metrics wants those of this process also while the database does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

impl Services {
    /// All that this process has counted and timed, and how the queue and the workers stand.
    ///
    /// # Errors
    /// When a value cannot be written as text.
    pub async fn metrics_text(&self) -> Result<String, fmt::Error> {
        let (asked_open_work, asked_fleet) = (self.store.clone(), self.store.clone());
        let open_work = self.open_work.get((), || async move { asked_open_work.open_work().of_all().await });
        let fleet = self.fleet.get((), || async move { asked_fleet.workers().fleet(ALIVE_MS).await });
        let (stages, open_work, fleet) =
            tokio::join!(known_soon(self.places.jobs_of_stages(&self.store)), known_soon(open_work), known_soon(fleet));
        let workers_wanted = match &self.scaling {
            Some(scaling) => {
                known_soon(self.store.scaling().wanted(&scaling.device)).await.flatten().map(|wanted| (scaling.device.clone(), wanted))
            }
            None => None,
        };
        self.metrics.text_with(&Shared { stages, open_work, fleet, workers_wanted })
    }
}

async fn known_soon<T>(asked: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
    timeout(PATIENCE, asked).await.ok()?.ok()
}
