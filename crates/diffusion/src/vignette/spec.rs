//! What the folder says the model makes: `model_index.json` and the scheduler's settings, held against the parts.

use serde::Deserialize;

use super::{autoencoder, denoiser};
use crate::loading::{LoadError, Source, ensure};
use crate::request::Request;
use crate::spec::{Size, Spec};

#[derive(Deserialize)]
struct ModelIndex {
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

/// Reads what the model makes and how far its time grid leans towards the noise (see [`super::time_grid`]), and refuses
/// parts that do not fit each other.
pub(super) fn read(source: &Source, net: &denoiser::Config, vae: &autoencoder::Config) -> Result<(Spec, f64), LoadError> {
    let index: ModelIndex = source.json("model_index.json")?;
    let scheduler: Scheduler = source.json("scheduler/scheduler_config.json")?;
    ensure(index.fps > 0, "a clip needs frames a second")?;
    ensure(scheduler.kind == "rectified_flow_euler", "the scheduler is of another kind")?;
    ensure((1..=Request::MOST_STEPS).contains(&scheduler.steps), "the scheduler's number of steps is impossible")?;
    ensure(scheduler.shift > 0.0 && scheduler.guidance.is_finite(), "the scheduler's shift or guidance is impossible")?;
    ensure(net.latent_channels == vae.channels, "denoiser and autoencoder differ in latent channels")?;
    let side = net.side * vae.reduction();
    let fits = index.width == side && index.height == side && index.frames == net.groups * vae.group;
    ensure(fits, "the latents do not decode to the clip's size")?;
    let spec = Spec {
        id: index.id,
        size: Size { width: side, height: side },
        frames: index.frames,
        fps: index.fps,
        steps: scheduler.steps,
        guidance: scheduler.guidance,
    };
    Ok((spec, scheduler.shift))
}
