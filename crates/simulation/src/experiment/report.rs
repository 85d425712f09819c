//! What is told of a run: in JSON for programs, as a table for people.

use serde::Serialize;
use std::fmt;

/// In seconds; the value at the nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Percentiles {
    pub p50_s: f64,
    pub p95_s: f64,
    pub p99_s: f64,
}

impl Percentiles {
    fn of(ms: impl Iterator<Item = f64>) -> Self {
        let mut ms: Vec<f64> = ms.collect();
        ms.sort_unstable_by(f64::total_cmp);
        let at = |hundredths: usize| ms.get((ms.len() * hundredths).div_ceil(100).max(1) - 1).map_or(0.0, |ms| ms / 1000.0);
        Self { p50_s: at(50), p95_s: at(95), p99_s: at(99) }
    }
}

/// How long the jobs of some took that have ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Times {
    pub of: String,
    pub jobs: usize,
    /// From the arrival to the first claim; being throttled is waiting.
    pub wait: Percentiles,
    /// Of that, until the job was released, in seconds; at the 95th of a hundred.
    pub throttled_p95_s: f64,
    /// From the arrival to the end.
    pub turnaround: Percentiles,
}

impl Times {
    /// By how long each was throttled, waited and took.
    pub(super) fn of(name: &str, jobs: &[[f64; 3]]) -> Self {
        let of = |which: usize| Percentiles::of(jobs.iter().map(move |times| times[which]));
        Self { of: name.to_owned(), jobs: jobs.len(), wait: of(1), throttled_p95_s: of(0).p95_s, turnaround: of(2) }
    }
}

/// How evenly work was begun for their weights, of tenants of a lane that had jobs waiting all the time, in windows of ten minutes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LaneFairness {
    pub lane: String,
    /// In which two tenants at least had.
    pub windows: usize,
    /// The mean of their indexes, from 1/n to 1.
    pub jain: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DevicesReport {
    /// All that were ever there.
    pub workers_at_most: usize,
    /// Until the last arrival, of the time that workers were there.
    pub utilisation: f64,
    /// That workers were there, until the last job had ended.
    pub hours: f64,
}

/// Waits of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Recorded {
    pub mean_s: f64,
    pub p95_s: f64,
}

impl Recorded {
    pub(super) fn of(ms: Vec<f64>) -> Self {
        let mean_s = ms.iter().sum::<f64>() / ms.len().max(1) as f64 / 1000.0;
        Self { mean_s, p95_s: Percentiles::of(ms.into_iter()).p95_s }
    }
}

/// The waits of the same jobs, simulated and as they were.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replayed {
    /// A lane.
    pub of: String,
    pub jobs: usize,
    pub simulated: Recorded,
    pub recorded: Recorded,
}

/// Ends as they were foretold, and as they were.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EtaCoverage {
    pub jobs: usize,
    /// What a forecast is multiplied by, from its moment on, so that nine of ten jobs of the sample's first half ended before.
    pub factor: f64,
    /// Of the second half, how many ended before the forecast times that.
    pub covered: f64,
    /// The median of what a job took, as a share of its forecast.
    pub median_ratio: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub jobs: usize,
    pub ended: usize,
    pub last_arrival_ms: f64,
    pub last_end_ms: f64,
    pub times: Vec<Times>,
    pub fairness: Vec<LaneFairness>,
    pub devices: DevicesReport,
    pub eta: Option<EtaCoverage>,
    /// By lane.
    pub replayed: Vec<Replayed>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} jobs have ended in {:.2} hours.\n", self.ended, self.jobs, self.last_end_ms / 3_600_000.0)?;
        writeln!(
            f,
            "| seconds         |    jobs | wait P50 |      P95 |      P99 | throttled P95 | turnaround P50 |      P95 |      P99 |"
        )?;
        writeln!(
            f,
            "| --------------- | ------: | -------: | -------: | -------: | ------------: | -------------: | -------: | -------: |"
        )?;
        for Times { of, jobs, wait, throttled_p95_s, turnaround } in &self.times {
            write!(f, "| {of:<15} | {jobs:>7} | {:>8.1} | {:>8.1} | {:>8.1} ", wait.p50_s, wait.p95_s, wait.p99_s)?;
            write!(f, "| {throttled_p95_s:>13.1} ")?;
            writeln!(f, "| {:>14.1} | {:>8.1} | {:>8.1} |", turnaround.p50_s, turnaround.p95_s, turnaround.p99_s)?;
        }
        writeln!(f)?;
        for LaneFairness { lane, windows, jain } in &self.fairness {
            match jain {
                Some(jain) => writeln!(f, "Jain index of work for weight, {lane}: {jain:.4} over {windows} windows.")?,
                None => writeln!(f, "Jain index of work for weight, {lane}: no two tenants had jobs waiting for ten minutes.")?,
            }
        }
        let DevicesReport { workers_at_most, utilisation, hours } = self.devices;
        writeln!(f, "Devices: {workers_at_most} started, {:.1} % in use until the last arrival, {hours:.1} hours.", utilisation * 100.0)?;
        if let Some(EtaCoverage { jobs, factor, covered, median_ratio }) = self.eta {
            writeln!(
                f,
                "Forecasts of {jobs} jobs: the median took {median_ratio:.2} of its forecast; times {factor:.2}, which covers 90 % of the first half, {:.0} % of the second ended before.",
                covered * 100.0
            )?;
        }
        if !self.replayed.is_empty() {
            writeln!(f, "\n| wait, seconds   |    jobs | simulated, mean |      P95 | recorded, mean |      P95 |")?;
            writeln!(f, "| --------------- | ------: | --------------: | -------: | -------------: | -------: |")?;
        }
        for Replayed { of, jobs, simulated, recorded } in &self.replayed {
            write!(f, "| {of:<15} | {jobs:>7} | {:>15.2} | {:>8.2} ", simulated.mean_s, simulated.p95_s)?;
            writeln!(f, "| {:>14.2} | {:>8.2} |", recorded.mean_s, recorded.p95_s)?;
        }
        Ok(())
    }
}
