//! One run of a load over some workers, and what is told of it.

mod coverage;
mod report;
mod tally;

pub use report::{DevicesReport, EtaCoverage, LaneFairness, Percentiles, Recorded, Replayed, Report, Times};

use crate::{Engine, Load, Policy, Scaler, State, StateError, Worker};
use coverage::Sample;
use tally::Tally;

/// What is to be run.
#[derive(Debug, Clone)]
pub struct Experiment {
    pub policy: Policy,
    /// Those that are there from the beginning.
    pub workers: Vec<Worker>,
    /// Adds others, and removes them.
    pub scaler: Option<Scaler>,
    /// Of how many jobs the end is foretold as they come.
    pub eta_sample: usize,
    pub seed: u64,
}

/// Runs `load` until all of its jobs have ended that can.
///
/// # Errors
/// [`StateError`] when the workers serve models that the load does not know.
pub fn run(experiment: &Experiment, load: &Load) -> Result<Report, StateError> {
    let Experiment { policy, workers, scaler, eta_sample, seed } = experiment.clone();
    let (models, tenants) = (load.models.len(), load.tenants.clone());
    let mut engine = Engine::new(policy, State { models, tenants, workers, ..State::default() })?;
    let (mut tally, mut scaler) = (Tally::new(load), scaler);
    let mut sample = Sample::new(load, eta_sample, seed);
    for (number, arrival) in load.arrivals.iter().enumerate() {
        advance(&mut engine, scaler.as_mut(), arrival.at_ms, &mut tally)?;
        tally.arrived(arrival);
        engine.submit(arrival.job, &mut tally);
        sample.arrived(number, &engine, arrival);
    }
    let last_ms = engine.now_ms();
    let used_until_last: Vec<_> = engine.device_use().collect();
    while engine.open() > 0 {
        match scaler.as_mut() {
            Some(scaler) => {
                let until = scaler.next_look_ms();
                // Where nothing happens and nobody is added, nothing ever will.
                let is_stuck = engine.next_ms().is_none();
                advance(&mut engine, Some(scaler), until, &mut tally)?;
                if is_stuck && engine.next_ms().is_none() {
                    break;
                }
            }
            None if engine.next_ms().is_some() => engine.drain(&mut tally),
            None => break,
        }
    }
    let eta = sample.judge(&tally);
    Ok(tally.report(load, &engine, (last_ms, &used_until_last), eta))
}

/// Until then, with a look whenever it is time for one.
fn advance(engine: &mut Engine, scaler: Option<&mut Scaler>, until_ms: f64, tally: &mut Tally) -> Result<(), StateError> {
    if let Some(scaler) = scaler {
        while scaler.next_look_ms() <= until_ms {
            engine.advance(scaler.next_look_ms(), tally);
            scaler.look(engine)?;
        }
    }
    engine.advance(until_ms, tally);
    Ok(())
}
