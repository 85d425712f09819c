//! One small clip through the whole engine before the first customer's: weights are loaded, caches fill, and its time is
//! the first estimate.

use crate::{
    batch::guarded,
    device::watchdog::{Patience, Watchdog},
    engine::ServedModel,
    work::files::files,
    work::outcome::WorkError,
};
use diffusion::{Request, on_decoding_threads};
use domain::{JobSpec, Model, Seed, Stage};
use std::{error::Error, thread, time::Duration};
use store::clock::Instant;

/// The first step loads the denoiser, pays for cold caches, and is not counted.
const COUNTED_STEPS: u32 = 2;

/// For loading the weights of a model and for its first clip, from a slow disk too.
pub const LOAD_PATIENCE: Patience = Patience { stalled: Duration::from_secs(900), hung: Duration::from_secs(900) };

/// Between a load that failed and the second try.
const AGAIN_AFTER: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A model that was loaded.
pub struct Loaded {
    /// Of its first clip, which the times are measurements of.
    pub spec: JobSpec,
    pub times: Vec<(Stage, Duration)>,
    /// Until the first clip was made.
    pub took: Duration,
    /// Of its weights.
    pub memory_bytes: u64,
}

/// Loads a model by a clip that it makes, under the watchdog, as far as this worker's stages go.
///
/// # Errors
/// [`WorkError`] when the engine cannot do what it is there for.
pub fn load(model: &ServedModel, stages: &[Stage], watchdog: &Watchdog) -> Result<Loaded, WorkError> {
    let _watched = watchdog.call(LOAD_PATIENCE, Vec::new());
    let begun = Instant::now();
    let (spec, times) = warm_up(model, stages)?;
    Ok(Loaded { spec, times, took: begun.elapsed(), memory_bytes: model.memory.loaded_model_bytes() })
}

/// The same, and once more where it has failed of anything but memory: what failed twice in a row is held against the model.
/// Not where `is_closing`.
///
/// # Errors
/// As [`load`].
pub fn load_or_try_again(
    model: &ServedModel,
    stages: &[Stage],
    watchdog: &Watchdog,
    is_closing: impl Fn() -> bool,
) -> Result<Loaded, WorkError> {
    let error = match load(model, stages, watchdog) {
        Err(error) if !error.is_of_memory() => error,
        done => return done,
    };
    tracing::warn!(model.name = model.entry.id, error = &error as &dyn Error, "a model could not be loaded; trying once more");
    model.memory.unload_model();
    let failed_at = Instant::now();
    while failed_at.elapsed() < AGAIN_AFTER {
        if is_closing() {
            return Err(error);
        }
        thread::sleep(LOOK_EVERY);
    }
    load(model, stages, watchdog)
}

/// Makes a clip and measures it: weights that only other stages need are not loaded.
fn warm_up(model: &ServedModel, stages: &[Stage]) -> Result<(JobSpec, Vec<(Stage, Duration)>), WorkError> {
    let spec = spec(&model.entry);
    let request = Request { steps: 1 + COUNTED_STEPS as usize, ..model.request(&spec) };
    let mut times = Vec::new();
    let latents = if stages.contains(&Stage::Sampling) {
        let (latents, took) = guarded(|| sample(model, &request)).map_err(WorkError::Sampling)?;
        times.push((Stage::Sampling, took));
        latents
    } else {
        guarded(|| blank(model, &request)).map_err(WorkError::Decoding)?
    };
    if stages.contains(&Stage::Decoding) {
        let begun = Instant::now();
        let clip = guarded(|| on_decoding_threads(|| model.family.decode(&latents))).map_err(WorkError::Decoding)?;
        on_decoding_threads(|| files(&clip, &spec))?;
        model.decode_pace.note(begun.elapsed(), model.decode_units(&spec));
        times.push((Stage::Decoding, begun.elapsed()));
    }
    Ok((spec, times))
}

fn spec(entry: &Model) -> JobSpec {
    JobSpec {
        prompt: "a red ball over the sea".to_owned(),
        expanded_prompt: None,
        read_as: None,
        negative_prompt: None,
        model: entry.id.clone(),
        size: entry.size_default,
        // Who waits for a worker to come back waits for this as well.
        duration: entry.durations().iter().copied().min().unwrap_or_else(|| entry.duration_default()),
        steps: COUNTED_STEPS,
        guidance: entry.guidance.default,
        seed: Seed::ZERO,
        arrangement: None,
    }
}

/// Finished latents, and what the counted steps took. A preview is taken too, for which a sampler needs the decoder.
fn sample(model: &ServedModel, request: &Request) -> diffusion::Result<(Vec<u8>, Duration)> {
    let family = model.family.as_ref();
    let mut sample = family.start(request)?;
    family.step(&mut [&mut sample])?;
    let begun = Instant::now();
    while !sample.is_done() {
        family.step(&mut [&mut sample])?;
    }
    // Reading them back waits for a device that is still at work.
    let latents = family.latents(&sample)?;
    let took = begun.elapsed();
    model.step_pace.note(took / COUNTED_STEPS, request.pixels() as f64);
    family.preview(&sample)?;
    Ok((latents, took))
}

/// Latents that show nothing, decoded once: that loads the decoder, which is not counted.
fn blank(model: &ServedModel, request: &Request) -> diffusion::Result<Vec<u8>> {
    let latents = model.family.blank_latents(request)?;
    model.family.decode(&latents)?;
    Ok(latents)
}
