//! `replay`: models of the family `tiny` whose calls take times that were recorded of another model.
//!
//! It is for benchmarks and tests of many workers on one small machine: calls wait and use no processor, and all else is real. Each denoising
//! step and each decode takes the recorded time for its pixels; a step of several samples takes the sum of theirs, and calls that run at
//! once in one process share one device.

mod device;
mod times;

use std::sync::Arc;

use serde::Deserialize;

use crate::error::Result;
use crate::family::Family;
use crate::loading::{LoadError, Source};
use crate::media::{Clip, Frame};
use crate::request::Request;
use crate::sample::{self, Sample, states};
use crate::spec::Spec;
use crate::tiny;
use device::DEVICE;
#[cfg(feature = "testing")]
pub use times::Reference;
pub use times::ReplayTimes;

/// What `model_index.json` says beside what one of `tiny` says.
#[derive(Deserialize)]
struct Config {
    replay: ReplayTimes,
}

struct Replay {
    model: Arc<dyn Family>,
    times: ReplayTimes,
}

/// A sample of `tiny`, and what its times depend on.
struct State {
    sample: Sample,
    seed: u64,
    pixels: usize,
}

/// Opens a model for the registry.
pub(crate) fn open(source: &Source) -> std::result::Result<Arc<dyn Family>, LoadError> {
    let Config { replay: times } = source.json("model_index.json")?;
    times.check()?;
    Ok(Arc::new(Replay { model: tiny::open(source)?, times }))
}

impl Replay {
    fn sample(request: &Request, sample: Sample) -> Sample {
        Sample::new(State { sample, seed: request.seed, pixels: request.pixels() })
    }
}

impl Family for Replay {
    fn spec(&self) -> &Spec {
        self.model.spec()
    }

    fn check(&self, request: &Request) -> Result<()> {
        self.model.check(request)
    }

    fn start(&self, request: &Request) -> Result<Sample> {
        Ok(Self::sample(request, self.model.start(request)?))
    }

    fn resume(&self, request: &Request, checkpoint: &[u8]) -> Result<Sample> {
        Ok(Self::sample(request, self.model.resume(request, checkpoint)?))
    }

    fn step(&self, batch: &mut [&mut Sample]) -> Result<()> {
        let samples = states::<State>(batch)?;
        let work = samples.iter().map(|state| self.times.step(state.seed, state.sample.step_index(), state.pixels)).sum();
        let call = DEVICE.begin(work);
        let mut inner: Vec<_> = samples.into_iter().map(|state| &mut state.sample).collect();
        self.model.step(&mut inner)?;
        call.finish();
        Ok(())
    }

    fn preview(&self, sample: &Sample) -> Result<Option<Frame>> {
        self.model.preview(&sample.state::<State>()?.sample)
    }

    fn checkpoint(&self, sample: &Sample) -> Result<Vec<u8>> {
        self.model.checkpoint(&sample.state::<State>()?.sample)
    }

    fn latents(&self, sample: &Sample) -> Result<Vec<u8>> {
        self.model.latents(&sample.state::<State>()?.sample)
    }

    fn blank_latents(&self, request: &Request) -> Result<Vec<u8>> {
        self.model.blank_latents(request)
    }

    fn decode(&self, latents: &[u8]) -> Result<Clip> {
        let clip = self.model.decode(latents)?;
        DEVICE.begin(self.times.decode(latents, clip.width() * clip.height() * clip.frames())).finish();
        Ok(clip)
    }
}

impl sample::State for State {
    fn step_index(&self) -> usize {
        self.sample.step_index()
    }

    fn steps(&self) -> usize {
        self.sample.steps()
    }
}
