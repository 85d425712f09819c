//! `tiny`: a family that draws nothing, in a moment. Its weights are random numbers that tests write.
//!
//! It is what the seam is held against, so it differs from `vignette` in all that a family may choose: pictures and
//! clips of several sizes, latents `[1, c, t, h, w]` of which the first stands for one frame and each other for four, a
//! time grid and a solver with history of its own, prompts of sixteen hashed words, and samples that are evaluated one
//! after the other.

mod config;
mod decoder;
mod denoiser;
mod solver;
mod text_encoder;

use std::sync::Arc;

use candle_core::{DType, Device, Tensor};

use crate::error::{Bound, Error, LatentsError, Result};
use crate::family::Family;
use crate::guidance::guide;
use crate::latents::{self, LATENTS, Stored, Taken, shape_name};
use crate::loading::{LoadError, Part, Source};
use crate::media::{Clip, Frame};
use crate::noise;
use crate::pictures::pictures;
use crate::request::Request;
use crate::sample::{Sample, State as _, states};
use crate::spec::Spec;
use config::{Config, FRAMES, PIXELS};
use decoder::Decoder;
use denoiser::Denoiser;
use solver::State;
use text_encoder::TextEncoder;

/// Pixels along a side of a frame.
const SIDE_LEAST: usize = 16;
const SIDE_MOST: usize = 64;
const FRAMES_MOST: usize = 17;
/// The velocity of the step before, in a checkpoint.
const VELOCITY: &str = "velocity";

/// A model of the family, on one device, in f32.
struct Tiny {
    spec: Spec,
    /// Channels of the latents.
    channels: usize,
    device: Device,
    text_encoder: Part<TextEncoder>,
    denoiser: Part<Denoiser>,
    decoder: Part<Decoder>,
}

/// Opens a model for the registry.
pub(crate) fn open(source: &Source) -> std::result::Result<Arc<dyn Family>, LoadError> {
    let config: Config = source.json("model_index.json")?;
    let spec = config.spec()?;
    Ok(Arc::new(Tiny {
        text_encoder: source.part("text_encoder/model.safetensors", &config, TextEncoder::load),
        denoiser: source.part("transformer/diffusion_pytorch_model.safetensors", &config, Denoiser::load),
        decoder: source.part("vae/decoder.safetensors", &config, Decoder::load),
        channels: config.channels,
        device: source.device.clone(),
        spec,
    }))
}

impl Tiny {
    /// Shape of the latents of a request that was checked, `[1, c, t, h, w]`.
    fn latents_shape(&self, request: &Request) -> [usize; 5] {
        let (t, size) = (request.frames.div_ceil(FRAMES), request.size);
        [1, self.channels, t, size.height / PIXELS, size.width / PIXELS]
    }

    /// A sample before its first step, from noise `[1, c, t, h, w]`.
    fn state(&self, request: &Request, noise: Tensor) -> Result<State> {
        let text_encoder = self.text_encoder.get()?;
        let prompt = text_encoder.forward(&request.prompt)?;
        let guided = request.guidance != 1.0;
        let null = guided.then(|| text_encoder.forward(request.negative_prompt.as_deref().unwrap_or_default())).transpose()?;
        Ok(State::new(request, noise, prompt, null))
    }

    fn decode_latents(&self, latents: &Tensor) -> Result<Vec<Frame>> {
        Ok(pictures(&self.decoder.get()?.forward(latents)?)?)
    }

    /// The latents of a file, if they are of a size that the family makes.
    fn any_size(&self, stored: &Stored) -> Result<Tensor> {
        let latents = stored.get(LATENTS)?;
        let (sides, times) = (SIDE_LEAST / PIXELS..=SIDE_MOST / PIXELS, 1..=FRAMES_MOST.div_ceil(FRAMES));
        match latents.dims() {
            [1, c, t, h, w] if *c == self.channels && times.contains(t) && sides.contains(h) && sides.contains(w) => {
                Ok(latents.to_device(&self.device)?)
            }
            shape => {
                let wanted = format!("1x{}xTxHxW with T up to {}, H and W up to {}", self.channels, times.end(), sides.end());
                Err(LatentsError::Shape { found: shape_name(shape), wanted }.into())
            }
        }
    }
}

impl Family for Tiny {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn check(&self, request: &Request) -> Result<()> {
        for (field, side) in [("width", request.size.width), ("height", request.size.height)] {
            Bound::Between { least: SIDE_LEAST, most: SIDE_MOST }.check(field, side)?;
            Bound::MultipleOf(PIXELS).check(field, side)?;
        }
        Bound::Between { least: 1, most: FRAMES_MOST }.check("frames", request.frames)?;
        Bound::OneMoreThanMultipleOf(FRAMES).check("frames", request.frames)?;
        request.check_unarranged()?;
        request.check_sampling()
    }

    fn start(&self, request: &Request) -> Result<Sample> {
        self.check(request)?;
        let shape = self.latents_shape(request);
        let noise = Tensor::from_vec(noise::normals(request.seed, shape.iter().product()), &shape, &self.device)?;
        Ok(Sample::new(self.state(request, noise)?))
    }

    fn resume(&self, request: &Request, checkpoint: &[u8]) -> Result<Sample> {
        self.check(request)?;
        let stored = latents::read(&self.spec.id, checkpoint)?;
        stored.check_steps(request)?;
        let tensor = |name: &str| Ok::<_, Error>(stored.shaped(name, &self.latents_shape(request))?.to_device(&self.device)?);
        let velocity = if stored.step == 0 { None } else { Some(tensor(VELOCITY)?) };
        Ok(Sample::new(self.state(request, tensor(LATENTS)?)?.at_step(stored.step, velocity)))
    }

    fn step(&self, batch: &mut [&mut Sample]) -> Result<()> {
        let denoiser = self.denoiser.get()?;
        let samples = states::<State>(batch)?;
        let next = |sample: &&mut State| sample.follow(velocity(&denoiser, sample)?);
        let moves: Vec<_> = samples.iter().map(next).collect::<Result<_>>()?;
        for (sample, next) in samples.into_iter().zip(moves) {
            sample.advance(next);
        }
        Ok(())
    }

    /// Decodes the latents in the middle alone, as a picture.
    fn preview(&self, sample: &Sample) -> Result<Option<Frame>> {
        let Some(predicted) = &sample.state::<State>()?.predicted else { return Ok(None) };
        let middle = predicted.narrow(2, predicted.dim(2)? / 2, 1)?;
        Ok(self.decode_latents(&middle)?.into_iter().next())
    }

    fn checkpoint(&self, sample: &Sample) -> Result<Vec<u8>> {
        let state = sample.state::<State>()?;
        let velocity: Vec<_> = state.velocity.iter().map(|velocity| (VELOCITY, velocity)).collect();
        Ok(latents::write(&self.spec.id, taken(sample), &state.latents, &velocity, None)?)
    }

    fn latents(&self, sample: &Sample) -> Result<Vec<u8>> {
        Ok(latents::write(&self.spec.id, taken(sample), &sample.state::<State>()?.latents, &[], None)?)
    }

    fn blank_latents(&self, request: &Request) -> Result<Vec<u8>> {
        self.check(request)?;
        let latents = Tensor::zeros(&self.latents_shape(request), DType::F32, &Device::Cpu)?;
        Ok(latents::write(&self.spec.id, Taken { step: request.steps, steps: request.steps }, &latents, &[], None)?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Clip> {
        let stored = latents::read(&self.spec.id, bytes)?;
        stored.check_finished()?;
        Ok(Clip::new(self.decode_latents(&self.any_size(&stored)?)?, self.spec.fps)?)
    }
}

/// The velocity at a sample's own time, `[1, c, t, h, w]`.
fn velocity(denoiser: &Denoiser, sample: &State) -> Result<Tensor> {
    let time = sample.time().ok_or(Error::Done { steps: sample.steps() })?;
    let conditional = denoiser.velocity(&sample.latents, time, &sample.prompt)?;
    match &sample.null {
        Some(null) => Ok(guide(&conditional, &denoiser.velocity(&sample.latents, time, null)?, sample.guidance)?),
        None => Ok(conditional),
    }
}

fn taken(sample: &Sample) -> Taken {
    Taken { step: sample.step_index(), steps: sample.steps() }
}
