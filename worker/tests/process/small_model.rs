//! The shipped model, cut down until a worker is warm in a moment, and beside it a model of images: what they draw is of no
//! account here.

use candle_core::{Device, Tensor, safetensors};
use diffusion::testing::{DECODER, DENOISER, TEXT_ENCODER, write_tiny};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process,
    sync::LazyLock,
};

/// Where workers find it.
pub fn models() -> &'static Path {
    static MODELS: LazyLock<PathBuf> = LazyLock::new(|| {
        let (shipped, small) = (
            Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../crates/diffusion/weights"),
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("small"),
        );
        cut_down(&shipped.join("vignette-1"), &small.join("vignette-1"));
        put_tiny(&small, "tiny-1");
        small
    });
    &MODELS
}

/// Three models of the same size that are warm in a moment: `tiny-a`, `tiny-b` and `tiny-c`.
pub fn three() -> &'static Path {
    static MODELS: LazyLock<PathBuf> = LazyLock::new(|| {
        let three = Path::new(env!("CARGO_TARGET_TMPDIR")).join("three");
        ["tiny-a", "tiny-b", "tiny-c"].iter().for_each(|id| put_tiny(&three, id));
        three
    });
    &MODELS
}

/// Where a worker finds its configuration and decoder, and no other weights.
pub fn decoder_alone() -> &'static Path {
    static MODELS: LazyLock<PathBuf> = LazyLock::new(|| {
        let (whole, alone) = (models().join("vignette-1"), Path::new(env!("CARGO_TARGET_TMPDIR")).join("decoder"));
        for file in [
            "manifest.json",
            "model_index.json",
            "scheduler/scheduler_config.json",
            "text_encoder/config.json",
            "tokenizer/vocab.json",
            "transformer/config.json",
            "vae/config.json",
            "vae/decoder.safetensors",
        ] {
            put(&alone.join("vignette-1").join(file), &fs::read(whole.join(file)).unwrap());
        }
        alone
    });
    &MODELS
}

fn cut_down(shipped: &Path, small: &Path) {
    for file in [
        "manifest.json",
        "model_index.json",
        "scheduler/scheduler_config.json",
        "text_encoder/config.json",
        "text_encoder/model.safetensors",
        "tokenizer/vocab.json",
    ] {
        put(&small.join(file), &fs::read(shipped.join(file)).unwrap());
    }
    let config = |file: &str, changes: &[(&str, &str)]| {
        let mut text = fs::read_to_string(shipped.join(file)).unwrap().split_whitespace().collect::<String>();
        for (before, after) in changes {
            assert!(text.contains(before), "{before} in {text}");
            text = text.replace(before, after);
        }
        put(&small.join(file), text.as_bytes());
    };
    config("transformer/config.json", &[("\"dim\":256", "\"dim\":128"), ("\"depth\":4", "\"depth\":1"), ("\"heads\":4", "\"heads\":2")]);
    config("vae/config.json", &[("[64,128,192]", "[16,32,48]")]);
    let weights = |file: &str, width: fn(&str, usize, usize) -> usize| {
        let whole = safetensors::load(shipped.join(file), &Device::Cpu).unwrap();
        let deeper = |name: &str| ["blocks.1", "blocks.2", "blocks.3"].iter().any(|block| name.starts_with(block));
        let kept = whole.into_iter().filter(|(name, _)| !deeper(name));
        let cut: HashMap<String, Tensor> = kept.map(|(name, tensor)| (name.clone(), corner(&name, tensor, width))).collect();
        let beside = small.join(format!("{file}.{}", process::id()));
        fs::create_dir_all(beside.parent().unwrap()).unwrap();
        safetensors::save(&cut, &beside).unwrap();
        fs::rename(beside, small.join(file)).unwrap();
    };
    // The sines of the time are as many as ever.
    let halved = |name: &str, axis: usize, size: usize| {
        if (name, axis) == ("time_fc1.weight", 1) || !size.is_multiple_of(128) { size } else { size / 2 }
    };
    weights("transformer/diffusion_pytorch_model.safetensors", halved);
    weights("vae/decoder.safetensors", |name, axis, size| cut_width(name, size, name == "conv_in.weight" && axis == 1));
    weights("vae/encoder.safetensors", |name, axis, size| cut_width(name, size, name.starts_with("conv_out") && axis == 0));
}

/// Widths are multiples of 64, and so are the channels of latents, which stay.
fn cut_width(name: &str, size: usize, is_latent: bool) -> usize {
    if name.starts_with("linear") || is_latent || !size.is_multiple_of(64) { size } else { size / 4 }
}

/// The part of a tensor next to its first element, of the size that `width` has for each axis.
fn corner(name: &str, tensor: Tensor, width: fn(&str, usize, usize) -> usize) -> Tensor {
    let sizes = tensor.dims().to_vec().into_iter().enumerate();
    sizes.fold(tensor, |tensor, (axis, size)| tensor.narrow(axis, 0, width(name, axis, size)).unwrap()).contiguous().unwrap()
}

pub fn put_tiny(models: &Path, id: &str) {
    let made = tempfile::tempdir().unwrap();
    write_tiny(made.path(), id);
    for file in ["manifest.json", "model_index.json", TEXT_ENCODER, DENOISER, DECODER] {
        put(&models.join(id).join(file), &fs::read(made.path().join(file)).unwrap());
    }
}

/// Whole or not at all: another run of the tests may read it.
fn put(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension(process::id().to_string());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&beside, bytes).unwrap();
    fs::rename(beside, path).unwrap();
}
