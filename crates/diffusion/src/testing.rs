//! Models of the families `tiny` and `replay` for tests and benchmarks: random numbers, the same for the same name; and the network of
//! `flipbook-1` by itself, for benchmarks.

#![allow(clippy::expect_used, reason = "tests say what they expect by panicking")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use candle_core::{Device, Tensor};

pub use crate::flipbook::arranger::{Arranger, Arranging};
use crate::noise;
pub use crate::replay::{Reference, ReplayTimes};

/// Channels of latents, inner channels, width of a token.
const CHANNELS: usize = 4;
const DIM: usize = 16;
const TEXT_DIM: usize = 8;

pub const TEXT_ENCODER: &str = "text_encoder/model.safetensors";
pub const DENOISER: &str = "transformer/diffusion_pytorch_model.safetensors";
pub const DECODER: &str = "vae/decoder.safetensors";

/// Bytes of each part in f32.
pub const TEXT_ENCODER_BYTES: u64 = 4 * (64 * 8 + 16 * 8 + 8 * 8 + 8);
pub const DENOISER_BYTES: u64 =
    4 * ((8 * 16 + 16) + (16 * 8 * 16 + 16) + (16 * 4 * 9 + 16) + (16 * 16 + 16) + (16 * 16 * 9 + 16) + (4 * 16 * 9 + 4));
pub const DECODER_BYTES: u64 = 4 * ((16 * 4 * 9 + 16) + (768 * 16 + 768));

/// Writes a model into a folder that is there: its configuration, its weights, and a manifest that offers images of two sizes.
///
/// # Panics
/// When the folder cannot be written.
pub fn write_tiny(folder: &Path, id: &str) {
    let index = format!(
        r#"{{"family": "tiny", "id": "{id}", "width": 32, "height": 16, "frames": 5, "fps": 8, "steps": 4, "guidance": 2.0,
            "channels": {CHANNELS}, "dim": {DIM}, "text_dim": {TEXT_DIM}}}"#
    );
    let manifest = format!(
        r#"{{"id": "{id}", "family": "tiny", "name": "Tiny 1", "description": "Draws nothing, in a moment.",
            "created": 1795219200, "order": 20, "output": {{"image": {{"billed_as_ms": 250}}}},
            "sizes": [{{"size": "32x32", "weight_permille": 1000}}, {{"size": "64x32", "weight_permille": 2000}}],
            "size_default": "32x32",
            "steps": {{"min": 1, "max": 50, "default": 4}}, "guidance": {{"min": 1.0, "max": 4.0, "default": 2.0}}}}"#
    );
    write(folder, &index, &manifest);
}

/// Writes a model into a folder that is there whose calls take these times, with a manifest that offers videos of three sizes and lengths.
///
/// # Panics
/// When the folder cannot be written.
pub fn write_replay(folder: &Path, id: &str, times: &ReplayTimes) {
    let times = serde_json::to_string(times).expect("times can be written");
    let index = format!(
        r#"{{"family": "replay", "id": "{id}", "width": 32, "height": 32, "frames": 9, "fps": 8, "steps": 8, "guidance": 1.0,
            "channels": {CHANNELS}, "dim": {DIM}, "text_dim": {TEXT_DIM}, "replay": {times}}}"#
    );
    let manifest = format!(
        r#"{{"id": "{id}", "family": "replay", "name": "Replay", "description": "Draws nothing, in the time that another model takes.",
            "created": 1795219200, "order": 30,
            "output": {{"video": {{"frames_per_second": 8, "durations_ms": [625, 1125, 2125], "duration_default_ms": 1125}}}},
            "sizes": [{{"size": "32x32", "weight_permille": 1000}}, {{"size": "64x32", "weight_permille": 2000}},
                      {{"size": "64x64", "weight_permille": 4000}}],
            "size_default": "32x32",
            "steps": {{"min": 1, "max": 200, "default": 8}}, "guidance": {{"min": 1.0, "max": 4.0, "default": 1.0}}}}"#
    );
    write(folder, &index, &manifest);
}

fn write(folder: &Path, index: &str, manifest: &str) {
    let path = |file: &str| folder.join(file);
    for part in ["text_encoder", "transformer", "vae"] {
        fs::create_dir(path(part)).expect("the folder can be written");
    }
    fs::write(path("model_index.json"), index).expect("the folder can be written");
    fs::write(path("manifest.json"), manifest).expect("the folder can be written");
    save(
        &path(TEXT_ENCODER),
        &[("token_embedding", &[64, TEXT_DIM]), ("position_embedding", &[16, TEXT_DIM])],
        &[("mix", &[TEXT_DIM, TEXT_DIM])],
    );
    let layers: [(&str, &[usize]); 6] = [
        ("time", &[DIM, 8]),
        ("text", &[DIM, 16 * TEXT_DIM]),
        ("conv_in", &[DIM, CHANNELS, 3, 3]),
        ("temporal", &[DIM, DIM, 1, 1]),
        ("conv_mid", &[DIM, DIM, 3, 3]),
        ("conv_out", &[CHANNELS, DIM, 3, 3]),
    ];
    save(&path(DENOISER), &[], &layers);
    save(&path(DECODER), &[], &[("conv_in", &[DIM, CHANNELS, 3, 3]), ("conv_out", &[768, DIM, 1, 1])]);
}

/// Tensors with these names, and layers with `.weight` and `.bias`.
fn save(path: &Path, tensors: &[(&str, &[usize])], layers: &[(&str, &[usize])]) {
    let mut named = HashMap::new();
    for (name, shape) in tensors {
        named.insert((*name).to_owned(), random(named.len(), shape));
    }
    for (name, shape) in layers {
        named.insert(format!("{name}.weight"), random(named.len(), shape));
        named.insert(format!("{name}.bias"), random(named.len(), &shape[..1]));
    }
    candle_core::safetensors::save(&named, path).expect("weights can be made and written");
}

/// Normals that keep the size of what they are multiplied with.
fn random(seed: usize, shape: &[usize]) -> Tensor {
    let inputs: usize = shape[1..].iter().product();
    let values = noise::normals(seed as u64, shape.iter().product());
    (Tensor::from_vec(values, shape, &Device::Cpu).expect("weights can be made and written") / (inputs as f64).sqrt())
        .expect("weights can be made and written")
}
