//! The waits of a fleet as the simulator has them: a bounded number of jobs at a few loads, one question after the other, and for no longer
//! than a moment.

use super::CapacityQuestion;
use domain::billing::Lane;
use serde::Serialize;
use simulation::{Steady, SteadyKind, SteadyWaits, SteadyWorkers};
use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};
use store::clock::Instant;
use tokio::{sync::Semaphore, task::spawn_blocking};

/// In hundredths of the workers' time.
pub(super) const LOADS: [u32; 5] = [50, 70, 80, 90, 95];
/// Jobs that come at each load.
pub const SIMULATED_JOBS: usize = 4000;
/// The simulator asks workers in turn, so larger fleets would take too long.
pub const SIMULATED_WORKERS_MAX: u32 = 200;
/// All loads together.
const WITHIN: Duration = Duration::from_secs(3);
/// One that waits longer for its turn is not simulated.
const TURN_WITHIN: Duration = Duration::from_secs(3);
const SEED: u64 = 1;
/// Within so many milliseconds jobs are to begin.
pub const BEGUN_WITHIN_MS: [u64; 4] = [10_000, 60_000, 5 * 60_000, 15 * 60_000];

/// Questions of this process are simulated one after the other.
static TURN: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(1)));

/// The waits at one load, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimulatedWaits {
    /// The part of the workers' time that is filled.
    pub utilisation: f64,
    /// That were counted.
    pub jobs: usize,
    pub mean_ms: f64,
    pub p50_ms: f64,
    pub p95_ms: f64,
    /// Of 1, the part of the jobs that began within each of [`BEGUN_WITHIN_MS`].
    pub begun_within: [f64; 4],
}

/// Why there is nothing simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSimulated {
    /// More than [`SIMULATED_WORKERS_MAX`].
    TooManyWorkers,
    /// Others are simulated.
    Busy,
    /// Not even one load was done in time.
    TooSlow,
}

/// The loads that were done in time, the lowest first.
pub(super) async fn simulate(question: &CapacityQuestion) -> Result<Vec<SimulatedWaits>, NotSimulated> {
    if question.fleet.iter().map(|kind| kind.workers).sum::<u32>() > SIMULATED_WORKERS_MAX {
        return Err(NotSimulated::TooManyWorkers);
    }
    let turn = tokio::time::timeout(TURN_WITHIN, Arc::clone(&TURN).acquire_owned()).await;
    let Ok(Ok(turn)) = turn else { return Err(NotSimulated::Busy) };
    let steady = steady(question);
    let simulated = spawn_blocking(move || {
        let begun = Instant::now();
        let waits = at_all_loads(&steady, &mut || begun.elapsed() < WITHIN);
        drop(turn);
        waits
    });
    let simulated = simulated.await.unwrap_or_default();
    if simulated.is_empty() { Err(NotSimulated::TooSlow) } else { Ok(simulated) }
}

fn at_all_loads(steady: &Steady, goes_on: &mut dyn FnMut() -> bool) -> Vec<SimulatedWaits> {
    let at = |percent: u32| {
        let utilisation = f64::from(percent) / 100.0;
        steady.waits(utilisation, goes_on).map(|waits| told(utilisation, &waits))
    };
    LOADS.into_iter().map_while(at).collect()
}

fn told(utilisation: f64, waits: &SteadyWaits) -> SimulatedWaits {
    SimulatedWaits {
        utilisation,
        jobs: waits.jobs(),
        mean_ms: waits.mean_ms(),
        p50_ms: waits.at_percent(50),
        p95_ms: waits.at_percent(95),
        begun_within: BEGUN_WITHIN_MS.map(|ms| waits.begun_within(ms as f64)),
    }
}

fn steady(question: &CapacityQuestion) -> Steady {
    let batch = question.batch_percent / 100.0;
    let kind = |(model, of): (usize, &super::ModelMix)| {
        let kind = |lane, part: f64| SteadyKind {
            model,
            lane,
            jobs: part * of.share / of.video_s,
            device_ms: of.device_s_per_video_minute * 1000.0 * of.video_s / 60.0,
            device_scv: of.device_scv,
            decoding: of.decoding,
        };
        [kind(Lane::Interactive, 1.0 - batch), kind(Lane::Batch, batch)]
    };
    Steady {
        workers: question.fleet.iter().map(|kind| SteadyWorkers { count: kind.workers, speed: kind.speed }).collect(),
        slots: question.slots as usize,
        kinds: question.mix.iter().enumerate().flat_map(kind).filter(|kind| kind.jobs > 0.0).collect(),
        batch_tenants: question.batch_tenants as usize,
        jobs: SIMULATED_JOBS,
        seed: SEED,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::question::tests::question, *};
    use domain::scheduling::fleet::plan_capacity;

    #[test]
    fn workers_that_take_one_job_at_once_keep_jobs_waiting_about_as_the_formula_says() {
        let mut asked = question();
        asked.fleet.truncate(1);
        asked.mix.truncate(1);
        asked.batch_percent = 0.0;
        // Where jobs are not alike, shares let short ones in front.
        (asked.mix[0].decoding, asked.mix[0].device_scv) = (0.0, 0.0);
        let plan = plan_capacity(&asked.input()).unwrap();
        // Few jobs scatter much where workers are full.
        let many = Steady { jobs: 100_000, ..steady(&asked) };
        for utilisation in [0.7, 0.8, 0.9] {
            let simulated = many.waits(utilisation, &mut || true).unwrap().mean_ms();
            let formula = plan.station.waits(utilisation).unwrap().mean_ms;
            assert!((simulated / formula - 1.0).abs() < 0.15, "{utilisation}: {simulated}, {formula}");
        }
        assert_eq!(at_all_loads(&steady(&asked), &mut || true).len(), LOADS.len());
    }

    #[test]
    fn the_part_of_the_devices_time_that_is_filled_does_not_depend_on_the_shares_unit() {
        let (one, same) = (steady(&question()), {
            let mut asked = question();
            asked.mix.iter_mut().for_each(|of| of.share *= 7.0);
            steady(&asked)
        });
        let mean = |of: &Steady| {
            let jobs: f64 = of.kinds.iter().map(|kind| kind.jobs).sum();
            of.kinds.iter().map(|kind| kind.jobs * kind.device_ms).sum::<f64>() / jobs
        };
        assert!((mean(&one) - mean(&same)).abs() < 1e-6);
        let plan = plan_capacity(&question().input()).unwrap();
        // The plan's workers are equal ones of the mean speed, 5/6.
        assert!((mean(&one) / (plan.station.service_ms * 5.0 / 6.0) - 1.0).abs() < 1e-9);
    }

    #[tokio::test]
    async fn a_fleet_that_is_too_large_is_not_simulated_and_time_that_is_up_ends_a_run() {
        let mut asked = question();
        asked.fleet[0].workers = SIMULATED_WORKERS_MAX;
        assert_eq!(simulate(&asked).await, Err(NotSimulated::TooManyWorkers));
        let mut left = 40;
        let done = at_all_loads(&steady(&question()), &mut || {
            left -= 1;
            left > 0
        });
        assert!(done.len() < LOADS.len(), "{}", done.len());
    }
}
