//! What the tests share: the shipped model, loaded once.
#![allow(dead_code)] // each test file uses its part

use std::path::PathBuf;
use std::sync::LazyLock;

use candle_core::{Device, Tensor};
use diffusion::{Family, Request, Sample, Vignette};

pub static MODEL: LazyLock<Vignette> = LazyLock::new(|| Vignette::load(&weights(), &Device::Cpu).unwrap());

/// The folder of the shipped weights.
pub fn weights() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/vignette-1"))
}

/// A request for a handful of steps.
pub fn request(prompt: &str, seed: u64, steps: usize, guidance: f64) -> Request {
    Request { prompt: prompt.to_owned(), negative_prompt: None, seed, steps, guidance }
}

/// The latents of `request`, sampled alone.
pub fn alone(request: &Request) -> Vec<u32> {
    let mut sample = MODEL.start(request).unwrap();
    finish(&mut sample);
    bits(&sample)
}

pub fn finish(sample: &mut Sample) {
    while !sample.is_done() {
        MODEL.step(&mut [&mut *sample]).unwrap();
    }
}

/// The latents' bits: what "the same" means here.
pub fn bits(sample: &Sample) -> Vec<u32> {
    let values: Vec<f32> = sample.latents().flatten_all().unwrap().to_vec1().unwrap();
    values.into_iter().map(f32::to_bits).collect()
}

/// The largest absolute difference between two tensors of one shape.
pub fn distance(a: &Tensor, b: &Tensor) -> f32 {
    let difference = (a - b).unwrap().abs().unwrap().flatten_all().unwrap();
    difference.max(0).unwrap().to_scalar().unwrap()
}
