//! When jobs will begin and end, if all goes on as it is.

use crate::{Arrival, Engine, Event, Job, Observer};
use domain::{JobId, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// When a job is foretold to begin and to end, by the clock of the engine. A moment that lies before the forecast is left out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Foretold {
    pub released_ms: Option<f64>,
    pub sampling_ms: Option<f64>,
    pub decoding_ms: Option<f64>,
    /// `None`: no worker serves its model, or the forecast ended before.
    pub ended_ms: Option<f64>,
}

/// Which jobs a forecast is about.
#[derive(Debug, Clone)]
pub enum Wanted {
    All,
    /// The forecast ends with the last of them.
    These(BTreeSet<JobId>),
}

struct Notes {
    wanted: Wanted,
    /// Of those that are wanted, how many have not ended.
    left: usize,
    foretold: BTreeMap<JobId, Foretold>,
}

impl Observer for Notes {
    fn observe(&mut self, at_ms: f64, job: &Job, event: Event) {
        if let Wanted::These(these) = &self.wanted
            && !these.contains(&job.id)
        {
            return;
        }
        let foretold = self.foretold.entry(job.id).or_default();
        match event {
            Event::Released => foretold.released_ms = Some(at_ms),
            Event::Begun { stage: Stage::Sampling, .. } => foretold.sampling_ms = Some(at_ms),
            Event::Begun { stage: Stage::Decoding, .. } => foretold.decoding_ms = Some(at_ms),
            Event::Ended => {
                foretold.ended_ms = Some(at_ms);
                self.left = self.left.saturating_sub(1);
            }
            Event::Throttled | Event::Paused | Event::Resumed | Event::Sampled => {}
        }
    }
}

/// Lets `engine` go on until the wanted jobs have ended, with `newcomers` in the order of their times and nobody else.
/// Jobs of which nothing is foretold are left out.
#[must_use]
pub fn forecast(engine: Engine, newcomers: &[Arrival], wanted: Wanted) -> BTreeMap<JobId, Foretold> {
    forecast_within(engine, newcomers, wanted, &mut u64::MAX.clone())
}

/// The same, given up after so many things have happened, of which those are taken that did: of what has not ended by then, only what was
/// foretold so far.
#[must_use]
pub fn forecast_within(mut engine: Engine, newcomers: &[Arrival], wanted: Wanted, most: &mut u64) -> BTreeMap<JobId, Foretold> {
    let left = match &wanted {
        Wanted::All => usize::MAX,
        Wanted::These(these) => these.len(),
    };
    let mut notes = Notes { wanted, left, foretold: BTreeMap::new() };
    let mut newcomers = newcomers.iter().peekable();
    while notes.left > 0 && *most > 0 {
        *most -= 1;
        let comes_first = |next: f64| engine.next_ms().is_none_or(|happens| next < happens);
        match newcomers.next_if(|newcomer| comes_first(newcomer.at_ms)) {
            Some(newcomer) => {
                engine.advance(newcomer.at_ms, &mut notes);
                engine.submit(newcomer.job, &mut notes);
            }
            None if engine.step(&mut notes) => {}
            None => break,
        }
    }
    notes.foretold
}
