//! The port against the definition: what `reference.py` answers for three prompts, in f32 on a CPU.
//!
//! Tolerances allow for another order of summation and nothing else.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use candle_core::Tensor;
use common::golden::{PROMPTS, assert_close, golden, times};
use common::{MODEL, finish, latents, request};
use diffusion::Family;
use diffusion::vignette::Row;

#[test]
fn prompts_are_encoded_as_the_reference_does() {
    for (i, prompt) in PROMPTS.iter().enumerate() {
        let found = MODEL.encode_prompt(prompt).unwrap();
        assert_close("text", i, &found.tokens, 2e-4);
        assert_close("pooled", i, &found.pooled, 2e-4);
    }
}

#[test]
fn velocities_are_the_references_at_each_samples_own_time() {
    let prompts = PROMPTS.map(|prompt| MODEL.encode_prompt(prompt).unwrap());
    let noisy: Vec<Tensor> = (0..3).map(|i| golden("noisy", i)).collect();
    let row = |i: usize| Row { latents: &noisy[i], time: times()[i].into(), prompt: &prompts[i] };
    let found = MODEL.velocities(&[row(0), row(1), row(2)]).unwrap();
    for (i, found) in found.iter().enumerate() {
        assert_close("velocity", i, found, 2e-4);
    }
}

#[test]
fn all_steps_lead_to_the_references_latents() {
    let spec = MODEL.spec();
    assert_eq!((spec.steps, spec.guidance), (24, 3.0));
    for (i, prompt) in PROMPTS.iter().enumerate() {
        let request = request(prompt, 0, spec.steps, spec.guidance);
        let mut sample = MODEL.start_from(&request, golden("noise", i)).unwrap();
        finish(&*MODEL, &mut sample);
        assert_close("latents", i, &latents(&*MODEL, &sample), 5e-3);
    }
}

#[test]
fn latents_decode_to_the_references_frames() {
    for i in 0..3 {
        assert_close("frames", i, &MODEL.decode_latents(&golden("latents", i)).unwrap(), 2e-3);
    }
}

#[test]
fn frames_encode_to_the_references_latents() {
    for i in 0..3 {
        assert_close("encoded", i, &MODEL.encode_frames(&golden("frames", i)).unwrap(), 1e-3);
    }
}
