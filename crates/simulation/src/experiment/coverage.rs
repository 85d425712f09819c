//! How well ends are foretold: for some jobs, as they come, by a clone that knows what is there, the mean times of each kind of job, and nothing
//! of those that come later.

use super::{report::EtaCoverage, tally::Tally};
use crate::{Arrival, Engine, Load, MeanTimes, Wanted, forecast};
use fastrand::Rng;
use std::collections::VecDeque;

/// Of a hundred jobs so many are to end before it was said.
const TARGET: f64 = 0.9;

/// Jobs of which the end is foretold.
pub(super) struct Sample {
    wanted: VecDeque<usize>,
    means: MeanTimes,
    /// The number of each, and how long it is foretold to take.
    foretold: Vec<(usize, f64)>,
}

impl Sample {
    pub fn new(load: &Load, size: usize, seed: u64) -> Self {
        let jobs = load.arrivals.len();
        let mut wanted = Rng::with_seed(seed).choose_multiple(0..jobs, size.min(jobs));
        wanted.sort_unstable();
        let means = if wanted.is_empty() { MeanTimes::default() } else { MeanTimes::of(load) };
        Self { wanted: wanted.into(), means, foretold: Vec::new() }
    }

    /// A job has come.
    pub fn arrived(&mut self, number: usize, engine: &Engine, arrival: &Arrival) {
        if self.wanted.front() != Some(&number) {
            return;
        }
        self.wanted.pop_front();
        let mut engine = engine.clone();
        engine.retime(|job| self.means.of_job(job));
        let foretold = forecast(engine, &[], Wanted::These([arrival.job.id].into()));
        let ended_ms = foretold.get(&arrival.job.id).and_then(|foretold| foretold.ended_ms);
        self.foretold.extend(ended_ms.map(|ended_ms| (number, ended_ms - arrival.at_ms)));
    }

    /// `None`: too few to learn from.
    pub fn judge(&self, tally: &Tally) -> Option<EtaCoverage> {
        let ratio = |(job, foretold_ms): &(usize, f64)| tally.turnaround_ms(*job).map(|took_ms| took_ms / foretold_ms.max(1.0));
        let ratios: Vec<f64> = self.foretold.iter().filter_map(ratio).collect();
        let (first, second) = ratios.split_at(ratios.len() / 2);
        let factor = quantile(first, TARGET)?;
        let covered = second.iter().filter(|ratio| **ratio <= factor).count() as f64 / second.len() as f64;
        Some(EtaCoverage { jobs: ratios.len(), factor, covered, median_ratio: quantile(&ratios, 0.5)? })
    }
}

/// The least value that so large a share of them does not pass.
fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}
