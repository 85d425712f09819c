//! What the tests share: the shipped model, opened once, and what is done with models of any family.
#![allow(dead_code)] // each test file uses its part

pub mod golden;
pub mod tiny;

use std::path::PathBuf;
use std::sync::LazyLock;

use candle_core::{Device, Tensor};
use diffusion::media::Clip;
use diffusion::vignette::Vignette;
use diffusion::{Family, Memory, Request, Sample, Source};

pub static MODEL: LazyLock<Vignette> =
    LazyLock::new(|| Vignette::open(&Source { folder: &weights(), device: &Device::Cpu, memory: &Memory::new(None) }).unwrap());

/// The folder of the shipped weights.
pub fn weights() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("weights/vignette-1")
}

/// A request to the shipped model for a handful of steps.
pub fn request(prompt: &str, seed: u64, steps: usize, guidance: f64) -> Request {
    Request { steps, guidance, ..Request::new(MODEL.spec(), prompt, seed) }
}

/// The latents of `request`, sampled alone.
pub fn alone(family: &dyn Family, request: &Request) -> Vec<u8> {
    let mut sample = family.start(request).unwrap();
    finish(family, &mut sample);
    family.latents(&sample).unwrap()
}

pub fn finish(family: &dyn Family, sample: &mut Sample) {
    while !sample.is_done() {
        family.step(&mut [&mut *sample]).unwrap();
    }
}

/// The latents of a sample, whose bits are what "the same" means here.
pub fn latents(family: &dyn Family, sample: &Sample) -> Tensor {
    let bytes = family.latents(sample).unwrap();
    candle_core::safetensors::load_buffer(&bytes, &Device::Cpu).unwrap().remove("latents").unwrap()
}

/// The largest absolute difference between two tensors of one shape.
pub fn distance(a: &Tensor, b: &Tensor) -> f32 {
    let difference = (a - b).unwrap().abs().unwrap().flatten_all().unwrap();
    difference.max(0).unwrap().to_scalar().unwrap()
}

/// Whether two clips show the same in every frame.
pub fn same_frames(a: &Clip, b: &Clip) -> bool {
    a.frames() == b.frames() && (0..a.frames()).all(|index| a.frame(index).unwrap() == b.frame(index).unwrap())
}
