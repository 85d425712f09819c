//! The promise that scheduling rests on: company, position, interruption and threads never change a bit.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use common::{MODEL, alone, finish, latents, request, same_frames};
use diffusion::{Bound, Error, Family, LatentsError, Request, Size};

fn three() -> [Request; 3] {
    [
        request("northern lights over the mountains", 1, 6, 3.0),
        request("a campfire at night", 2, 4, 1.0),
        Request { negative_prompt: Some("rain".into()), ..request("a red ball over the sea", 3, 5, 4.5) },
    ]
}

#[test]
fn a_sample_is_the_same_alone_and_in_a_batch_of_mixed_steps_and_guidance() {
    let mut samples = three().map(|request| MODEL.start(&request).unwrap());
    while samples.iter().any(|sample| !sample.is_done()) {
        let mut batch: Vec<_> = samples.iter_mut().filter(|sample| !sample.is_done()).collect();
        MODEL.step(&mut batch).unwrap();
    }
    for (sample, request) in samples.iter().zip(three()) {
        assert!(MODEL.latents(sample).unwrap() == alone(&*MODEL, &request), "company changed {request:?}");
    }
}

#[test]
fn a_late_joiner_at_another_position_steps_as_if_it_were_alone() {
    let [first, _, joiner] = three();
    let (mut running, mut late) = (MODEL.start(&first).unwrap(), MODEL.start(&joiner).unwrap());
    MODEL.step(&mut [&mut running]).unwrap();
    MODEL.step(&mut [&mut running]).unwrap();
    MODEL.step(&mut [&mut late, &mut running]).unwrap();
    MODEL.step(&mut [&mut running, &mut late]).unwrap();
    assert_eq!((running.step_index(), late.step_index()), (4, 2));
    finish(&*MODEL, &mut late);
    finish(&*MODEL, &mut running);
    assert!(MODEL.latents(&running).unwrap() == alone(&*MODEL, &first) && MODEL.latents(&late).unwrap() == alone(&*MODEL, &joiner));
}

#[test]
fn a_resumed_sample_ends_as_if_it_had_never_stopped() {
    let [request, ..] = three();
    let mut before = MODEL.start(&request).unwrap();
    MODEL.step(&mut [&mut before]).unwrap();
    MODEL.step(&mut [&mut before]).unwrap();
    let stored = MODEL.checkpoint(&before).unwrap();
    drop(before);

    let mut after = MODEL.resume(&request, &stored).unwrap();
    assert_eq!((after.step_index(), after.steps()), (2, 6));
    finish(&*MODEL, &mut after);
    assert!(MODEL.latents(&after).unwrap() == alone(&*MODEL, &request));
}

#[test]
fn one_thread_and_many_give_the_same_bits() {
    let [request, ..] = three();
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| alone(&*MODEL, &request));
    assert!(on(1) == on(5));
}

#[test]
fn stored_latents_decode_to_the_same_pixels_every_time() {
    let mut sample = MODEL.start(&request("underwater", 4, 2, 1.0)).unwrap();
    finish(&*MODEL, &mut sample);
    let stored = MODEL.latents(&sample).unwrap();
    let (clip, again) = (MODEL.decode(&stored).unwrap(), MODEL.decode(&stored).unwrap());
    assert_eq!((clip.frames(), clip.fps(), clip.width()), (16, 8, 96));
    assert!(same_frames(&clip, &again));
}

#[test]
fn another_seed_is_another_clip_and_a_negative_prompt_changes_it() {
    let plain = request("the sea", 5, 2, 3.0);
    let other = Request { seed: 6, ..plain.clone() };
    let steered = Request { negative_prompt: Some("night".into()), ..plain.clone() };
    assert!(alone(&*MODEL, &plain) != alone(&*MODEL, &other) && alone(&*MODEL, &plain) != alone(&*MODEL, &steered));
}

#[test]
fn guidance_one_ignores_the_negative_prompt() {
    let plain = request("the sea", 5, 2, 1.0);
    let steered = Request { negative_prompt: Some("night".into()), ..plain.clone() };
    assert!(alone(&*MODEL, &plain) == alone(&*MODEL, &steered));
}

#[test]
fn guidance_beside_one_approaches_the_conditional_branch() {
    let close = |guidance| {
        let mut sample = MODEL.start(&request("the sea", 5, 2, guidance)).unwrap();
        finish(&*MODEL, &mut sample);
        latents(&*MODEL, &sample)
    };
    assert!(common::distance(&close(1.0), &close(1.0 + 1e-9)) < 1e-4);
    assert!(common::distance(&close(1.0), &close(3.0)) > 1e-2);
}

#[test]
fn previews_appear_with_the_first_step_and_end_as_the_clips_middle_frame() {
    let mut sample = MODEL.start(&request("campfire at night", 7, 3, 3.0)).unwrap();
    assert!(MODEL.preview(&sample).unwrap().is_none());
    finish(&*MODEL, &mut sample);
    let preview = MODEL.preview(&sample).unwrap().unwrap();
    let clip = MODEL.decode(&MODEL.latents(&sample).unwrap()).unwrap();
    let middle = clip.middle().unwrap();
    let error: u64 = preview.rgb.iter().zip(&middle.rgb).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    assert!(error / (middle.rgb.len() as u64) < 8, "mean error {}", error / middle.rgb.len() as u64);
}

#[test]
fn impossible_requests_are_refused_before_any_work() {
    for steps in [0, Request::MOST_STEPS + 1] {
        assert!(
            matches!(MODEL.start(&request("sea", 1, steps, 3.0)), Err(Error::OutOfBounds { field: "steps", given, .. }) if given == steps)
        );
    }
    assert!(matches!(MODEL.start(&request("sea", 1, 4, f64::NAN)), Err(Error::Guidance { .. })));
    let sea = request("sea", 1, 4, 3.0);
    let wide = Request { size: Size { width: 192, height: 96 }, ..sea.clone() };
    assert!(matches!(MODEL.start(&wide), Err(Error::OutOfBounds { field: "width", given: 192, bound: Bound::Exactly(96) })));
    let long = Request { frames: 17, ..sea };
    assert!(matches!(MODEL.start(&long), Err(Error::OutOfBounds { field: "frames", given: 17, bound: Bound::Exactly(16) })));
    assert_eq!(MODEL.size_for(wide.size), MODEL.spec().size);
}

#[test]
fn blank_latents_decode_to_a_clip_of_the_same_shape() {
    let request = request("", 0, 3, 1.0);
    let clip = MODEL.decode(&MODEL.blank_latents(&request).unwrap()).unwrap();
    assert_eq!((clip.frames(), clip.width(), clip.height()), (request.frames, request.size.width, request.size.height));
}

#[test]
fn unfinished_and_foreign_latents_are_refused() {
    let asked = request("sea", 1, 4, 1.0);
    let stored = MODEL.latents(&MODEL.start(&asked).unwrap()).unwrap();
    assert!(matches!(MODEL.decode(&stored), Err(Error::Unfinished { step: 0, steps: 4 })));
    let other = Request { steps: 5, ..asked };
    assert!(matches!(MODEL.resume(&other, &stored), Err(Error::OtherSteps { stored: 4, asked: 5 })));
    assert!(matches!(MODEL.decode(b"not latents"), Err(Error::Latents(LatentsError::Format(_)))));
}

#[test]
fn a_finished_sample_has_no_further_step() {
    let mut sample = MODEL.start(&request("sea", 1, 1, 1.0)).unwrap();
    finish(&*MODEL, &mut sample);
    assert!(matches!(MODEL.step(&mut [&mut sample]), Err(Error::Done { steps: 1 })));
}

#[test]
fn odd_prompts_are_prompts() {
    for prompt in ["", "    ", "日本の海 🌊", "\u{0}\u{7f}", &"sea ".repeat(10_000)] {
        let mut sample = MODEL.start(&request(prompt, 1, 1, 3.0)).unwrap();
        finish(&*MODEL, &mut sample);
        let values: Vec<f32> = latents(&*MODEL, &sample).flatten_all().unwrap().to_vec1().unwrap();
        assert!(values.iter().all(|value| value.is_finite()));
    }
}
