//! What the seam promises of every family, held against one that differs from the shipped one in all it may: pictures
//! beside clips, several sizes, and a solver that remembers.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use std::sync::{Arc, LazyLock};

use common::{MODEL, alone, finish, tiny};
use diffusion::{Bound, Error, Family, LatentsError, Memory, Request, Sample, Size};

static TINY: LazyLock<Arc<dyn Family>> = LazyLock::new(|| {
    let folder = tiny::folder("tiny-1");
    let family = tiny::open(&folder, &Memory::new(None)).unwrap();
    // Loads every part, after which the folder may go.
    family.decode(&alone(family.as_ref(), &Request::new(family.spec(), "", 0))).unwrap();
    family
});

fn family() -> &'static dyn Family {
    &**TINY
}

fn request(width: usize, height: usize, frames: usize, steps: usize) -> Request {
    Request { size: Size { width, height }, frames, steps, ..Request::new(family().spec(), "a red ball over the sea", 7) }
}

/// Pictures and clips of several sizes, numbers of steps and kinds of guidance.
fn various() -> [Request; 4] {
    [
        request(32, 48, 5, 6),
        Request { guidance: 1.0, ..request(16, 16, 1, 3) },
        Request { negative_prompt: Some("rain".into()), seed: 8, ..request(64, 64, 17, 4) },
        Request { prompt: String::new(), ..request(32, 48, 5, 5) },
    ]
}

fn checkpoint_after(request: &Request, steps: usize) -> Vec<u8> {
    let mut sample = family().start(request).unwrap();
    for _ in 0..steps {
        family().step(&mut [&mut sample]).unwrap();
    }
    family().checkpoint(&sample).unwrap()
}

#[test]
fn pictures_and_clips_come_in_every_size_that_was_asked_for() {
    for (width, height, frames) in [(16, 16, 1), (64, 24, 1), (32, 48, 5), (64, 64, 17)] {
        let clip = family().decode(&alone(family(), &request(width, height, frames, 2))).unwrap();
        assert_eq!((clip.frames(), clip.fps(), clip.width(), clip.height()), (frames, 8, width, height));
        let first = clip.frame(0).unwrap();
        assert!(first.rgb.iter().any(|value| *value != first.rgb[0]), "a picture of one colour");
    }
}

#[test]
fn a_sample_is_the_same_alone_and_in_a_batch_of_mixed_sizes_frames_steps_and_guidance() {
    let mut samples = various().map(|request| family().start(&request).unwrap());
    while samples.iter().any(|sample| !sample.is_done()) {
        let mut batch: Vec<&mut Sample> = samples.iter_mut().filter(|sample| !sample.is_done()).collect();
        family().step(&mut batch).unwrap();
    }
    for (sample, request) in samples.iter().zip(various()) {
        assert!(family().latents(sample).unwrap() == alone(family(), &request), "company changed {request:?}");
    }
}

#[test]
fn a_late_joiner_steps_as_if_it_were_alone() {
    let [first, joiner, ..] = various();
    let (mut running, mut late) = (family().start(&first).unwrap(), family().start(&joiner).unwrap());
    family().step(&mut [&mut running]).unwrap();
    family().step(&mut [&mut late, &mut running]).unwrap();
    family().step(&mut [&mut running, &mut late]).unwrap();
    assert_eq!((running.step_index(), late.step_index()), (3, 2));
    finish(family(), &mut late);
    finish(family(), &mut running);
    assert!(family().latents(&running).unwrap() == alone(family(), &first));
    assert!(family().latents(&late).unwrap() == alone(family(), &joiner));
}

#[test]
fn a_sample_resumed_at_any_step_ends_as_if_it_had_never_stopped() {
    for request in various() {
        let whole = alone(family(), &request);
        for steps in 0..=request.steps {
            let mut sample = family().resume(&request, &checkpoint_after(&request, steps)).unwrap();
            assert_eq!((sample.step_index(), sample.steps()), (steps, request.steps));
            finish(family(), &mut sample);
            assert!(family().latents(&sample).unwrap() == whole, "resuming after {steps} steps changed {request:?}");
        }
    }
}

#[test]
fn a_checkpoint_of_a_resumed_sample_is_the_one_of_a_sample_that_never_stopped() {
    let [request, ..] = various();
    let mut sample = family().resume(&request, &checkpoint_after(&request, 2)).unwrap();
    family().step(&mut [&mut sample]).unwrap();
    assert!(family().checkpoint(&sample).unwrap() == checkpoint_after(&request, 3));
}

#[test]
fn latents_without_the_solvers_history_are_no_checkpoint() {
    let [request, ..] = various();
    let mut sample = family().start(&request).unwrap();
    family().step(&mut [&mut sample]).unwrap();
    let latents = family().latents(&sample).unwrap();
    let resumed = family().resume(&request, &latents);
    assert!(matches!(resumed, Err(Error::Latents(LatentsError::Missing { name })) if name == "velocity"));
}

#[test]
fn a_checkpoint_of_another_size_or_another_number_of_steps_is_refused() {
    let [request, ..] = various();
    let stored = checkpoint_after(&request, 2);
    let larger = Request { size: Size { width: 64, height: 48 }, ..request.clone() };
    assert!(matches!(family().resume(&larger, &stored), Err(Error::Latents(LatentsError::Shape { .. }))));
    let longer = Request { steps: 7, ..request };
    assert!(matches!(family().resume(&longer, &stored), Err(Error::OtherSteps { stored: 6, asked: 7 })));
}

#[test]
fn what_the_model_cannot_make_is_refused_by_field_and_bound() {
    let refused = |request: &Request, field: &str, given: usize, bound: Bound| {
        let answer = family().check(request).unwrap_err();
        assert!(matches!(answer, Error::OutOfBounds { field: f, given: g, bound: b } if (f, g, b) == (field, given, bound)), "{answer}");
        assert!(family().start(request).is_err() && family().blank_latents(request).is_err(), "{request:?}");
    };
    let (sides, frames) = (Bound::Between { least: 16, most: 64 }, Bound::Between { least: 1, most: 17 });
    refused(&request(8, 16, 1, 2), "width", 8, sides);
    refused(&request(16, 72, 1, 2), "height", 72, sides);
    refused(&request(20, 16, 1, 2), "width", 20, Bound::MultipleOf(8));
    refused(&request(16, 16, 0, 2), "frames", 0, frames);
    refused(&request(16, 16, 21, 2), "frames", 21, frames);
    refused(&request(16, 16, 4, 2), "frames", 4, Bound::OneMoreThanMultipleOf(4));
    refused(&request(16, 16, 1, 0), "steps", 0, Bound::Between { least: 1, most: Request::MOST_STEPS });
    let guided = Request { guidance: f64::INFINITY, ..request(16, 16, 1, 2) };
    assert!(matches!(family().check(&guided), Err(Error::Guidance { .. })));
}

#[test]
fn a_sample_of_another_family_is_refused_and_nobody_moves() {
    let mut own = family().start(&request(16, 16, 1, 2)).unwrap();
    let mut other = MODEL.start(&common::request("sea", 1, 2, 1.0)).unwrap();
    assert!(matches!(family().step(&mut [&mut own, &mut other]), Err(Error::OtherFamily)));
    assert!(matches!(MODEL.step(&mut [&mut other, &mut own]), Err(Error::OtherFamily)));
    assert!(matches!(family().preview(&other), Err(Error::OtherFamily)));
    assert!(matches!(MODEL.checkpoint(&own), Err(Error::OtherFamily)));
    assert_eq!((own.step_index(), other.step_index()), (0, 0));
}

#[test]
fn a_finished_sample_stops_the_batch_before_anyone_moves() {
    let (mut short, mut long) = (family().start(&request(16, 16, 1, 1)).unwrap(), family().start(&request(16, 16, 1, 2)).unwrap());
    family().step(&mut [&mut long, &mut short]).unwrap();
    assert!(matches!(family().step(&mut [&mut long, &mut short]), Err(Error::Done { steps: 1 })));
    assert_eq!(long.step_index(), 1);
}

#[test]
fn previews_appear_with_the_first_step_in_the_size_asked_for() {
    let mut sample = family().start(&request(32, 24, 9, 2)).unwrap();
    assert!(family().preview(&sample).unwrap().is_none());
    family().step(&mut [&mut sample]).unwrap();
    let frame = family().preview(&sample).unwrap().unwrap();
    assert_eq!((frame.width, frame.height), (32, 24));
}

#[test]
fn seed_prompt_negative_prompt_guidance_and_size_all_matter() {
    let plain = request(16, 16, 1, 3);
    let rain = || Some("rain".to_owned());
    let others = [
        Request { seed: 9, ..plain.clone() },
        Request { prompt: "a blue ball over the sea".into(), ..plain.clone() },
        Request { prompt: "a ball red over the sea".into(), ..plain.clone() },
        Request { negative_prompt: rain(), ..plain.clone() },
        Request { guidance: 3.0, ..plain.clone() },
        request(24, 16, 1, 3),
    ];
    let latents = alone(family(), &plain);
    assert!(others.iter().all(|other| alone(family(), other) != latents));
    let unguided = Request { guidance: 1.0, ..plain };
    assert!(alone(family(), &unguided) == alone(family(), &Request { negative_prompt: rain(), ..unguided }));
}

#[test]
fn unfinished_latents_and_those_of_another_model_are_refused() {
    let request = request(16, 16, 1, 2);
    let unfinished = family().latents(&family().start(&request).unwrap()).unwrap();
    assert!(matches!(family().decode(&unfinished), Err(Error::Unfinished { step: 0, steps: 2 })));
    let foreign = MODEL.blank_latents(&common::request("sea", 1, 2, 1.0)).unwrap();
    assert!(matches!(family().decode(&foreign), Err(Error::Latents(LatentsError::Model { .. }))));
}
