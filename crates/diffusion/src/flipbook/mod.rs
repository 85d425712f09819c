//! `flipbook`: animated flat pictures. A small diffusion transformer arranges the things of a scene; the decoder draws them.
//!
//! The text encoder is a grammar and the decoder a rasteriser, both in the crate `flipbook`; neither has weights. Latents are
//! scene tokens, a row of twelve numbers for the frame and one for each object, so a step costs the same at any size and
//! length. Rectified flow, Euler steps on an even grid.

#[cfg(feature = "testing")]
pub mod arranger;
mod config;
mod denoiser;
mod state;
mod story;

use std::sync::Arc;

use candle_core::{DType, Device, Tensor};
use flipbook::codes::Style;
use flipbook::layout::{conditions, settle_by};
use flipbook::paint::film::Film;
use flipbook::scene::{Layout, SLOTS, WIDTH};
use flipbook::words::understand_without;
use rayon::prelude::*;

use crate::error::{Bound, Error, LatentsError, Result};
use crate::family::{Family, ShotLayout};
use crate::guidance::guide;
use crate::latents::{self, LATENTS, Stored, Taken};
use crate::loading::{LoadError, Part, Source};
use crate::media::{Clip, Frame};
use crate::noise;
use crate::request::Request;
use crate::sample::{Sample, states};
use crate::spec::Spec;
use config::Config;
use denoiser::Denoiser;
use state::{Known, ShotState, State};
use story::{Script, Shot, digest, shots};

const SIDE_LEAST: usize = 64;
const SIDE_MOST: usize = 1920;
const SECONDS_MOST: usize = 12;
const TOKENS: usize = 1 + SLOTS;
/// The shorter side of a preview.
const PREVIEW: usize = 192;
/// From this share of the steps on, previews settle.
const SETTLED: f32 = 2.0 / 3.0;

/// A model of the family, in f32.
struct Flipbook {
    spec: Spec,
    device: Device,
    denoiser: Part<Denoiser>,
}

/// Layouts that can be settled and drawn, one a shot.
struct Finished {
    script: Script,
    shots: Vec<Shot>,
    style: Option<Style>,
    layouts: Vec<Layout>,
}

/// Opens a model for the registry.
pub(crate) fn open(source: &Source) -> std::result::Result<Arc<dyn Family>, LoadError> {
    let config: Config = source.json("model_index.json")?;
    let spec = config.spec()?;
    let denoiser = source.part("transformer/diffusion_pytorch_model.safetensors", &config, Denoiser::load);
    Ok(Arc::new(Flipbook { spec, device: source.device.clone(), denoiser }))
}

impl Flipbook {
    /// The shots of a request that was checked, their tokens out of `tokens` `[shots, 7, 12]`.
    fn state(&self, request: &Request, step: usize, tokens: impl Fn(usize) -> candle_core::Result<Tensor>) -> Result<State> {
        let denoiser = self.denoiser.get()?;
        let (shots, style) = self.story(request);
        let state = |(index, shot): (usize, Shot)| {
            let conditions = conditions(&shot.brief);
            let described = denoiser.describe(&conditions, request.guidance != 1.0)?;
            let tokens = tokens(index)?.narrow(0, 0, conditions.tokens)?.unsqueeze(0)?.to_device(&self.device)?; // [1, t, 12]
            let known = known(&denoiser, &shot, request.seed, index)?;
            Ok(ShotState { shot, described, tokens, known })
        };
        let shots = shots.into_iter().enumerate().map(state).collect::<Result<_>>()?;
        Ok(State::new(request, shots, style, step))
    }

    fn story(&self, request: &Request) -> (Vec<Shot>, Option<Style>) {
        let story = understand_without(&request.prompt, request.negative_prompt.as_deref().unwrap_or_default()).story;
        shots(story, &request.arrangement, request.size.width, request.size.height, request.frames, self.spec.fps)
    }

    /// Tokens of all shots, `[1, shots, 7, 12]`: rows that a shot does not use are 0.
    fn stacked(&self, state: &State, rows: impl Fn(&ShotState) -> candle_core::Result<Vec<f32>>) -> Result<Tensor> {
        let mut values = Vec::with_capacity(state.shots.len() * TOKENS * WIDTH);
        for shot in &state.shots {
            let start = values.len();
            values.extend(rows(shot)?);
            values.resize(start + TOKENS * WIDTH, 0.0);
        }
        Ok(Tensor::from_vec(values, (1, state.shots.len(), TOKENS, WIDTH), &Device::Cpu)?)
    }

    /// What finished latents say.
    fn finished(&self, bytes: &[u8]) -> Result<Finished> {
        let stored = latents::read(&self.spec.id, bytes)?;
        stored.check_finished()?;
        let script = stored.note.as_deref().and_then(|note| serde_json::from_str::<Script>(note).ok()).ok_or(LatentsError::Header)?;
        let (shots, style) = script.shots(self.spec.fps).ok_or(LatentsError::OtherStory)?;
        let stacked = Self::check_layouts(&stored, shots.len())?;
        let layout = |(index, shot): (usize, &Shot)| {
            let values: Vec<f32> = stacked.get(index)?.flatten_all()?.to_vec1()?;
            let (rows, _) = values.as_chunks::<WIDTH>();
            Ok(Layout::of_rows(&rows[..shot.tokens()]))
        };
        let layouts = shots.iter().enumerate().map(layout).collect::<Result<_>>()?;
        Ok(Finished { script, shots, style, layouts })
    }

    fn check_layouts(stored: &Stored, shots: usize) -> Result<Tensor> {
        Ok(stored.shaped(LATENTS, &[1, shots, TOKENS, WIDTH])?.squeeze(0)?)
    }
}

/// The noise of a shot, `[7][12]` row by row.
fn noise_of(seed: u64, shot: usize) -> Vec<f32> {
    noise::normals(seed, (shot + 1) * TOKENS * WIDTH).split_off(shot * TOKENS * WIDTH)
}

/// The numbers of what is held: x, y and, where it is given, the size.
fn known(denoiser: &Denoiser, shot: &Shot, seed: u64, index: usize) -> Result<Vec<Known>> {
    let noise = if shot.held.is_empty() { Vec::new() } else { noise_of(seed, index) };
    let mut known = Vec::new();
    for held in &shot.held {
        let numbers = [Some(held.x), Some(held.y), held.size.map(f32::log2)];
        for (number, value) in numbers.into_iter().enumerate().filter_map(|(number, value)| Some((number, value?))) {
            let at = (1 + held.slot) * WIDTH + number;
            known.push(Known { at, target: denoiser.scaled(number, value)?, noise: noise[at] });
        }
    }
    Ok(known)
}

/// Where a step from time `from` to `to` leads a shot, `[1, t, 12]`.
fn follow(denoiser: &Denoiser, shot: &ShotState, guidance: f64, from: f64, to: f64) -> Result<Tensor> {
    let branches = denoiser.velocity(&shot.tokens, from, &shot.described)?;
    let velocity = match branches.dim(0)? {
        1 => branches,
        _ => guide(&branches.narrow(0, 0, 1)?, &branches.narrow(0, 1, 1)?, guidance)?,
    };
    Ok(shot.with_known((&shot.tokens + (velocity * (to - from))?)?, to)?)
}

impl Family for Flipbook {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn check(&self, request: &Request) -> Result<()> {
        for (field, side) in [("width", request.size.width), ("height", request.size.height)] {
            Bound::Between { least: SIDE_LEAST, most: SIDE_MOST }.check(field, side)?;
            Bound::MultipleOf(2).check(field, side)?;
        }
        Bound::Between { least: 1, most: SECONDS_MOST * self.spec.fps as usize }.check("frames", request.frames)?;
        request.check_arrangement()?;
        request.check_sampling()
    }

    fn start(&self, request: &Request) -> Result<Sample> {
        self.check(request)?;
        let shot = |index: usize| Tensor::from_vec(noise_of(request.seed, index), (TOKENS, WIDTH), &Device::Cpu);
        Ok(Sample::new(self.state(request, 0, shot)?))
    }

    fn resume(&self, request: &Request, checkpoint: &[u8]) -> Result<Sample> {
        self.check(request)?;
        let stored = latents::read(&self.spec.id, checkpoint)?;
        stored.check_steps(request)?;
        let (shots, style) = self.story(request);
        if stored.note != Some(digest(&shots, style).to_string()) {
            return Err(LatentsError::OtherStory.into());
        }
        let tokens = Self::check_layouts(&stored, shots.len())?;
        Ok(Sample::new(self.state(request, stored.step, |index| tokens.get(index))?))
    }

    /// Each shot of each sample by itself: tokens are so few that a batch of them gains nothing, and the bits are the same whoever is in
    /// it. On a CPU one sample a core; on a GPU one after the other, where threads would only wait for each other's kernels.
    fn step(&self, batch: &mut [&mut Sample]) -> Result<()> {
        let denoiser = self.denoiser.get()?;
        let samples = states::<State>(batch)?;
        let one = |sample: &&mut State| {
            let ((from, to), guidance) = (sample.interval()?, sample.request.guidance);
            sample.shots.iter().map(|shot| follow(&denoiser, shot, guidance, from, to)).collect::<Result<Vec<_>>>()
        };
        let moves: Vec<_> = if self.device.is_cpu() {
            samples.par_iter().map(one).collect::<Result<_>>()?
        } else {
            samples.iter().map(one).collect::<Result<_>>()?
        };
        for (sample, tokens) in samples.into_iter().zip(moves) {
            sample.advance(tokens);
        }
        Ok(())
    }

    /// A frame in the middle of the middle shot, drawn small from the noisy layout: things drift into their places.
    fn preview(&self, sample: &Sample) -> Result<Option<Frame>> {
        let state = sample.state::<State>()?;
        let Some(ShotState { shot, tokens, .. }) = state.shots.get(state.shots.len() / 2) else { return Ok(None) };
        if sample.step_index() == 0 {
            return Ok(None);
        }
        let size = state.request.size;
        let shrunk = |side: usize| (side * PREVIEW).div_ceil(size.width.min(size.height)).max(1);
        let (width, height) = (shrunk(size.width), shrunk(size.height));
        let noisy = Layout::of_rows(&self.denoiser.get()?.rows(tokens)?);
        let share = sample.step_index() as f32 / sample.steps() as f32;
        let settled = settle_by(&shot.brief, noisy, &shot.held, ((share - SETTLED) / (1.0 - SETTLED)).clamp(0.0, 1.0));
        let (program, brief) = (shot.program.clone(), shot.brief.clone());
        let film = Film::new(program, brief, settled, width, height, self.spec.fps, state.request.seed).in_style(state.style);
        Ok(Some(Frame { width, height, rgb: film.frame(film.frames / 2) }))
    }

    /// Tokens as the network sees them: an Euler step remembers nothing else.
    fn checkpoint(&self, sample: &Sample) -> Result<Vec<u8>> {
        let state = sample.state::<State>()?;
        let tokens = self.stacked(state, |shot| shot.tokens.flatten_all()?.to_vec1())?;
        let story = digest(state.shots.iter().map(|shot| &shot.shot), state.style).to_string();
        Ok(latents::write(&self.spec.id, taken(sample), &tokens, &[], Some(story))?)
    }

    /// Layouts, in the units of a scene, and the script of the film: the decoder needs no weights.
    fn latents(&self, sample: &Sample) -> Result<Vec<u8>> {
        let (state, denoiser) = (sample.state::<State>()?, self.denoiser.get()?);
        let layouts = self.stacked(state, |shot| Ok(denoiser.rows(&shot.tokens)?.into_flattened()))?;
        let shots: Vec<&Shot> = state.shots.iter().map(|shot| &shot.shot).collect();
        write(&self.spec.id, taken(sample), &layouts, &Script::of(&state.request, &shots, state.style))
    }

    fn blank_latents(&self, request: &Request) -> Result<Vec<u8>> {
        self.check(request)?;
        let (shots, style) = self.story(request);
        let layouts = Tensor::zeros((1, shots.len(), TOKENS, WIDTH), DType::F32, &Device::Cpu)?;
        let script = Script::of(request, &shots.iter().collect::<Vec<_>>(), style);
        write(&self.spec.id, Taken { step: request.steps, steps: request.steps }, &layouts, &script)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Clip> {
        let Finished { script, shots, style, layouts } = self.finished(bytes)?;
        Ok(script.clip(self.spec.fps, shots, style, layouts)?)
    }

    fn layout(&self, bytes: &[u8]) -> Result<Option<Vec<ShotLayout>>> {
        let Finished { shots, layouts, .. } = self.finished(bytes)?;
        Ok(Some(shots.iter().zip(layouts).map(|(shot, layout)| shot.seen(layout, self.spec.fps)).collect()))
    }
}

fn write(model: &str, taken: Taken, layouts: &Tensor, script: &Script) -> Result<Vec<u8>> {
    let script = serde_json::to_string(script).map_err(|error| Error::Compute(candle_core::Error::wrap(error)))?;
    Ok(latents::write(model, taken, layouts, &[], Some(script))?)
}

fn taken(sample: &Sample) -> Taken {
    Taken { step: sample.step_index(), steps: sample.steps() }
}
