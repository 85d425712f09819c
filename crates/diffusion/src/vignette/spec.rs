//! What the folder says the family is natively: `model_index.json` and the scheduler's settings, held against the parts.

use std::path::Path;

use serde::Deserialize;

use super::weights::{LoadError, ensure, json};
use super::{autoencoder, denoiser};
use crate::request::Request;
use crate::spec::Spec;

#[derive(Deserialize)]
struct ModelIndex {
    family: String,
    id: String,
    width: usize,
    height: usize,
    frames: usize,
    fps: u32,
}

#[derive(Deserialize)]
struct Scheduler {
    kind: String,
    steps: usize,
    guidance: f64,
    shift: f64,
}

/// Reads what the family is natively, and refuses parts that do not fit each other.
pub(super) fn read(folder: &Path, net: &denoiser::Config, vae: &autoencoder::Config) -> Result<Spec, LoadError> {
    let index: ModelIndex = json(folder, "model_index.json")?;
    let scheduler: Scheduler = json(folder, "scheduler/scheduler_config.json")?;
    ensure(index.family == "vignette", "the model is of another family")?;
    ensure(index.fps > 0, "a clip needs frames a second")?;
    ensure(scheduler.kind == "rectified_flow_euler", "the scheduler is of another kind")?;
    ensure((1..=Request::MOST_STEPS).contains(&scheduler.steps), "the scheduler's number of steps is impossible")?;
    ensure(scheduler.shift > 0.0 && scheduler.guidance.is_finite(), "the scheduler's shift or guidance is impossible")?;
    ensure(net.latent_channels == vae.channels, "denoiser and autoencoder differ in latent channels")?;
    let side = net.side * vae.reduction();
    let fits = index.width == side && index.height == side && index.frames == net.groups * vae.group;
    ensure(fits, "the latents do not decode to the clip's size")?;
    Ok(Spec {
        id: index.id,
        width: index.width,
        height: index.height,
        frames: index.frames,
        fps: index.fps,
        steps: scheduler.steps,
        guidance: scheduler.guidance,
        shift: scheduler.shift,
        latents: [net.groups, net.latent_channels, net.side, net.side],
    })
}
