//! What `reference.py` of `vignette` answers for three prompts, in f32 on a CPU.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use candle_core::{Device, Tensor};

use super::distance;

static GOLDEN: LazyLock<HashMap<String, Tensor>> = LazyLock::new(|| {
    let path = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/golden/golden.safetensors");
    candle_core::safetensors::load(path, &Device::Cpu).unwrap()
});

/// The prompts of golden.json.
pub const PROMPTS: [&str; 3] =
    ["a red ball bouncing over the sea at sunset", "a big blue fish swimming to the left underwater", "fireworks over the city"];

/// The part of golden tensor `name` that belongs to prompt `i`, as a batch of one.
pub fn golden(name: &str, i: usize) -> Tensor {
    GOLDEN[name].narrow(0, i, 1).unwrap()
}

/// The time at which each prompt's velocity was asked.
pub fn times() -> Vec<f32> {
    GOLDEN["times"].to_vec1().unwrap()
}

/// `found` is golden tensor `name` of prompt `i`, but for `tolerance`.
pub fn assert_close(name: &str, i: usize, found: &Tensor, tolerance: f32) {
    let distance = distance(found, &golden(name, i));
    println!("{name:9} prompt {i} max |difference| {distance:.2e}");
    assert!(distance <= tolerance, "{name} of prompt {i} is off by {distance:e}");
}
