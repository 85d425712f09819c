//! A model that replays times makes what one of `tiny` makes, and takes the times.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use candle_core::Device;
use common::{alone, finish, same_frames, tiny};
use diffusion::testing::{Reference, ReplayTimes, write_replay};
use diffusion::{Family, LoadError, Memory, Request, Size, Source};

const REFERENCE: Reference = Reference { width: 32, height: 32, frames: 5 };

fn times(step_ms: f64, decode_ms: f64) -> ReplayTimes {
    ReplayTimes { step_ms: vec![step_ms], decode_ms: vec![decode_ms], reference: REFERENCE, spread: 0.0 }
}

fn opened(folder: &Path) -> Result<Arc<dyn Family>, LoadError> {
    let family = diffusion::open(&Source { folder, device: &Device::Cpu, memory: &Memory::new(None) })?;
    // Loads every part, after which the folder may go.
    family.decode(&alone(family.as_ref(), &Request { steps: 1, ..request(family.as_ref(), 1) })).map(drop).expect("it makes videos");
    Ok(family)
}

fn replaying(step_ms: f64, decode_ms: f64) -> Arc<dyn Family> {
    let folder = tempfile::tempdir().unwrap();
    write_replay(folder.path(), "tiny-1", &times(step_ms, decode_ms));
    opened(folder.path()).unwrap()
}

fn request(family: &dyn Family, scale: usize) -> Request {
    let Reference { width, height, frames } = REFERENCE;
    Request { size: Size { width: width * scale, height }, frames, steps: 4, ..Request::new(family.spec(), "a red ball", 7) }
}

fn timed(act: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    act();
    begun.elapsed()
}

#[test]
fn what_is_made_is_what_tiny_makes() {
    let folder = tiny::folder("tiny-1");
    let (tiny, replay) = (tiny::open(&folder, &Memory::new(None)).unwrap(), replaying(0.0, 0.0));
    let request = request(replay.as_ref(), 2);
    let latents = alone(replay.as_ref(), &request);
    assert!(latents == alone(tiny.as_ref(), &request));
    assert!(same_frames(&replay.decode(&latents).unwrap(), &tiny.decode(&latents).unwrap()));

    let (mut half, mut whole) = (replay.start(&request).unwrap(), replay.start(&request).unwrap());
    replay.step(&mut [&mut half]).unwrap();
    let mut resumed = replay.resume(&request, &replay.checkpoint(&half).unwrap()).unwrap();
    finish(replay.as_ref(), &mut resumed);
    finish(replay.as_ref(), &mut whole);
    assert!(replay.latents(&resumed).unwrap() == replay.latents(&whole).unwrap());
    assert!(replay.preview(&whole).unwrap().is_some());
}

#[test]
fn a_step_of_several_takes_the_sum_of_theirs_and_a_decode_takes_its_own() {
    let family = replaying(20.0, 60.0);
    let (mut one, mut twice) = (family.start(&request(family.as_ref(), 1)).unwrap(), family.start(&request(family.as_ref(), 2)).unwrap());
    assert!(timed(|| family.step(&mut [&mut one, &mut twice]).unwrap()) >= Duration::from_millis(60));
    finish(family.as_ref(), &mut twice);
    let latents = family.latents(&twice).unwrap();
    assert!(timed(|| drop(family.decode(&latents).unwrap())) >= Duration::from_millis(120));
}

#[test]
fn models_of_one_process_share_one_device() {
    let (one, other) = (replaying(30.0, 0.0), replaying(30.0, 0.0));
    let mut samples = [&one, &other].map(|family| family.start(&request(family.as_ref(), 1)).unwrap());
    let both = timed(|| {
        thread::scope(|scope| {
            for (family, sample) in [&one, &other].into_iter().zip(&mut samples) {
                scope.spawn(|| finish(family.as_ref(), sample));
            }
        });
    });
    assert!(both >= Duration::from_millis(2 * 4 * 30));
}

#[test]
fn a_folder_without_times_is_refused() {
    let (tiny, folder) = (tiny::folder("tiny-1"), tempfile::tempdir().unwrap());
    let index = fs::read_to_string(tiny.path().join("model_index.json")).unwrap();
    fs::write(tiny.path().join("model_index.json"), index.replace(r#""family": "tiny""#, r#""family": "replay""#)).unwrap();
    assert!(matches!(opened(tiny.path()), Err(LoadError::Json { .. })));
    write_replay(folder.path(), "replay-1", &ReplayTimes { step_ms: vec![], ..times(1.0, 1.0) });
    assert!(matches!(opened(folder.path()), Err(LoadError::Configuration { .. })));
}
