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

/// Loads a model by a clip that it makes, under the watchdog, as far as this worker's stages go. `taken`: what this has taken of the device so
/// far, which jobs may use meanwhile.
///
/// # Errors
/// [`WorkError`] when the engine cannot do what it is there for.
pub fn load(model: &ServedModel, stages: &[Stage], watchdog: &Watchdog, taken: &dyn Fn() -> Duration) -> Result<Loaded, WorkError> {
    let _watched = watchdog.call(LOAD_PATIENCE, Vec::new());
    let begun = Instant::now();
    let (spec, times) = warm_up(model, stages, taken)?;
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
    taken: &dyn Fn() -> Duration,
    is_closing: impl Fn() -> bool,
) -> Result<Loaded, WorkError> {
    let error = match load(model, stages, watchdog, taken) {
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
    load(model, stages, watchdog, taken)
}

/// Makes a clip and measures it: weights that only other stages need are not loaded.
fn warm_up(model: &ServedModel, stages: &[Stage], taken: &dyn Fn() -> Duration) -> Result<(JobSpec, Vec<(Stage, Duration)>), WorkError> {
    let spec = spec(&model.entry);
    let request = Request { steps: 1 + COUNTED_STEPS as usize, ..model.request(&spec) };
    let mut times = Vec::new();
    let latents = if stages.contains(&Stage::Sampling) {
        let (latents, took) = guarded(|| sample(model, &request, taken)).map_err(WorkError::Sampling)?;
        times.push((Stage::Sampling, took));
        latents
    } else {
        guarded(|| blank(model, &request)).map_err(WorkError::Decoding)?
    };
    if stages.contains(&Stage::Decoding) {
        let (begun, before) = (Instant::now(), taken());
        let clip = guarded(|| on_decoding_threads(|| model.family.decode(&latents))).map_err(WorkError::Decoding)?;
        on_decoding_threads(|| files(&clip, &spec))?;
        model.decode_pace.note(begun.elapsed(), model.decode_units(&spec));
        times.push((Stage::Decoding, taken().saturating_sub(before)));
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

/// Finished latents, and what the counted steps took of the device. A preview is taken too, for which a sampler needs the decoder.
fn sample(model: &ServedModel, request: &Request, taken: &dyn Fn() -> Duration) -> diffusion::Result<(Vec<u8>, Duration)> {
    let family = model.family.as_ref();
    let mut sample = family.start(request)?;
    family.step(&mut [&mut sample])?;
    let (begun, before) = (Instant::now(), taken());
    while !sample.is_done() {
        family.step(&mut [&mut sample])?;
    }
    // Reading them back waits for a device that is still at work.
    let latents = family.latents(&sample)?;
    let took = taken().saturating_sub(before);
    model.step_pace.note(begun.elapsed() / COUNTED_STEPS, request.pixels() as f64);
    family.preview(&sample)?;
    Ok((latents, took))
}

/// Latents that show nothing, decoded once: that loads the decoder, which is not counted.
fn blank(model: &ServedModel, request: &Request) -> diffusion::Result<Vec<u8>> {
    let latents = model.family.blank_latents(request)?;
    model.family.decode(&latents)?;
    Ok(latents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{device::sharing::Sharing, engine::Engine, fault::Faults, options::Options};
    use clap::Parser;
    use diffusion::testing::{Reference, ReplayTimes, write_replay};
    use std::{
        fs,
        sync::atomic::{AtomicU64, Ordering},
    };

    #[test]
    fn a_first_clip_is_measured_by_its_share_of_the_device_and_watched_by_the_time_that_passed() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("replay-1");
        fs::create_dir(&folder).unwrap();
        let reference = Reference { width: 32, height: 32, frames: 9 };
        write_replay(&folder, "replay-1", &ReplayTimes { step_ms: vec![20.0], decode_ms: vec![30.0], reference, spread: 0.0 });
        let options = Options::parse_from(["reelmill-worker", "--models", &place.path().display().to_string()]);
        let watchdog = Watchdog::idle();
        let engine = Engine::open(&options, &Faults::default(), &watchdog, &Sharing::start()).unwrap();
        // Of the device a millisecond passes between two looks, whatever the clock says.
        let ms = AtomicU64::new(0);
        let taken = || Duration::from_millis(ms.fetch_add(1, Ordering::Relaxed));
        let loaded = load(&engine.models()[0], &[Stage::Sampling, Stage::Decoding], &watchdog, &taken).unwrap();
        let one = Duration::from_millis(1);
        assert_eq!(loaded.times, [(Stage::Sampling, one), (Stage::Decoding, one)]);
        assert!(loaded.took >= Duration::from_millis(20), "{:?}", loaded.took);
    }
}
