//! What the queue and the workers look like from outside, for who reads the metrics of a server.
//!
//! It comes from answers that all requests of the process share, so it costs the database no more the more often it is
//! asked for; it may be some seconds old.

use super::gauges::{LedgerTotals, Line, Shared};
use crate::Services;
use std::{fmt, time::Duration};
use store::{ALIVE_MS, StoreError};
use tokio::time::timeout;

/// Whoever collects metrics wants those of this process also while the database does not answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// Lines of the queue that are told one by one; those with least are left out.
const LINES_MAX: usize = 200;

impl Services {
    /// All that this process has counted and timed, and how the queue and the workers stand.
    ///
    /// # Errors
    /// When a value cannot be written as text.
    pub async fn metrics_text(&self) -> Result<String, fmt::Error> {
        let (asked_open_work, asked_fleet) = (self.store.clone(), self.store.clone());
        let open_work = self.open_work.get((), || async move { asked_open_work.open_work().of_all().await });
        let fleet = self.fleet.get((), || async move { asked_fleet.workers().fleet(ALIVE_MS).await });
        let (now, stages, open_work, fleet, numbers, utilisation, ledger) = tokio::join!(
            known_soon(self.store.now()),
            known_soon(self.places.jobs_of_stages(&self.store)),
            known_soon(open_work),
            known_soon(fleet),
            Box::pin(known_soon(self.queue_numbers())),
            Box::pin(known_soon(self.live_utilisation())),
            known_soon(self.ledger_totals()),
        );
        let workers_wanted = match &self.scaling {
            Some(scaling) => {
                known_soon(self.store.scaling().wanted(&scaling.device)).await.flatten().map(|wanted| (scaling.device.clone(), wanted))
            }
            None => None,
        };
        let lines = numbers.zip(now).map(|(numbers, now)| {
            let lines = numbers.lines.into_iter().map(|line| Line {
                model: line.model,
                device: line.device,
                lane: line.lane.as_str(),
                billed: line.billed,
                longest_wait: Duration::from_millis(line.going_on_since.map_or(0, |since| now.ms_since(since))),
            });
            largest(lines.collect())
        });
        let utilisation = utilisation.flatten();
        let shared = Shared { stages, open_work, fleet, workers_wanted, lines, utilisation, ledger };
        self.metrics.text_with(|list| shared.register(list))
    }

    async fn ledger_totals(&self) -> Result<LedgerTotals, StoreError> {
        let (available, held) = self.credit_totals().await?;
        Ok(LedgerTotals { available, held })
    }
}

/// Those with most of it first, where there are very many.
fn largest(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by_key(|line| std::cmp::Reverse(line.billed));
    lines.truncate(LINES_MAX);
    lines
}

async fn known_soon<T>(asked: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
    timeout(PATIENCE, asked).await.ok()?.ok()
}
