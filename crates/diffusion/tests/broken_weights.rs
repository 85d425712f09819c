//! A folder of weights that is incomplete, cut or contradictory is named as such; nothing panics.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod common;

use std::fs;
use std::path::Path;

use candle_core::Device;
use diffusion::vignette::Vignette;
use diffusion::{LoadError, Memory, Source};
use tempfile::TempDir;

/// A copy of the shipped weights to break.
fn copy() -> TempDir {
    fn copy_into(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            if from.is_dir() { copy_into(&from, &to) } else { fs::copy(from, to).map(|_| ()).unwrap() }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy_into(&common::weights(), folder.path());
    folder
}

fn load(folder: &TempDir) -> Result<(), LoadError> {
    Vignette::open(&Source { folder: folder.path(), device: &Device::Cpu, memory: &Memory::new(None) })?.load_all()
}

const SAFETENSORS: [&str; 4] = [
    "text_encoder/model.safetensors",
    "transformer/diffusion_pytorch_model.safetensors",
    "vae/encoder.safetensors",
    "vae/decoder.safetensors",
];

/// Replaces text in one file of the copy.
fn edit(folder: &TempDir, file: &str, from: &str, to: &str) {
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} does not contain {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn an_empty_folder_is_unreadable() {
    assert!(matches!(load(&tempfile::tempdir().unwrap()), Err(LoadError::Unreadable { .. })));
}

#[test]
fn every_missing_file_is_named() {
    let json = [
        "model_index.json",
        "tokenizer/vocab.json",
        "scheduler/scheduler_config.json",
        "text_encoder/config.json",
        "transformer/config.json",
        "vae/config.json",
    ];
    for file in json.iter().chain(&SAFETENSORS) {
        let folder = copy();
        fs::remove_file(folder.path().join(file)).unwrap();
        match load(&folder) {
            Err(LoadError::Unreadable { path, .. }) => assert!(path.ends_with(file)),
            other => panic!("without {file}: {:?}", other.err()),
        }
    }
}

#[test]
fn safetensors_that_are_cut_or_garbled_are_refused() {
    for file in SAFETENSORS {
        for bytes in [&b""[..], b"garbage", &[0xff; 64], &fs::read(common::weights().join(file)).unwrap()[..20_000]] {
            let folder = copy();
            fs::write(folder.path().join(file), bytes).unwrap();
            assert!(matches!(load(&folder), Err(LoadError::Safetensors { .. })), "{file}, {} bytes", bytes.len());
        }
    }
}

#[test]
fn a_part_in_anothers_place_lacks_tensors() {
    let folder = copy();
    fs::copy(folder.path().join(SAFETENSORS[0]), folder.path().join(SAFETENSORS[1])).unwrap();
    assert!(matches!(load(&folder), Err(LoadError::Missing { name, .. }) if name == "latent_std"));
}

#[test]
fn a_value_that_is_no_number_is_refused_with_its_tensors_name() {
    for file in SAFETENSORS {
        let folder = copy();
        let path = folder.path().join(file);
        let mut bytes = fs::read(&path).unwrap();
        let end = bytes.len();
        bytes[end - 2..].fill(0xff); // the last value becomes a NaN, as f32 as well as f16
        fs::write(path, bytes).unwrap();
        assert!(matches!(load(&folder), Err(LoadError::NotFinite { .. })), "{file}");
    }
}

#[test]
fn a_tensor_of_another_shape_is_named_with_both_shapes() {
    let folder = copy();
    edit(&folder, "text_encoder/config.json", "\"vocab_size\": 150", "\"vocab_size\": 151");
    match load(&folder) {
        Err(LoadError::Shape { name, found, wanted, .. }) => {
            assert_eq!((name.as_str(), found, wanted), ("token_embedding.weight", vec![150, 192], vec![151, 192]));
        }
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn contradictory_settings_are_refused() {
    let contradictions = [
        ("transformer/config.json", "\"heads\": 4", "\"heads\": 0"),
        ("transformer/config.json", "\"heads\": 4", "\"heads\": 6"),
        ("transformer/config.json", "\"side\": 8", "\"side\": 7"),
        ("transformer/config.json", "\"text_dim\": 192", "\"text_dim\": 191"),
        ("text_encoder/config.json", "\"heads\": 4", "\"heads\": 5"),
        ("text_encoder/config.json", "\"vocab_size\": 150", "\"vocab_size\": 100"),
        ("vae/config.json", "\"channels\": 64", "\"channels\": 63"),
        ("vae/config.json", "\"patch\": 3", "\"patch\": 0"),
        ("scheduler/scheduler_config.json", "\"steps\": 24", "\"steps\": 0"),
        ("scheduler/scheduler_config.json", "rectified_flow_euler", "ddim"),
        ("model_index.json", "\"width\": 96", "\"width\": 97"),
        ("model_index.json", "\"fps\": 8", "\"fps\": 0"),
    ];
    for (file, from, to) in contradictions {
        let folder = copy();
        edit(&folder, file, from, to);
        assert!(matches!(load(&folder), Err(LoadError::Configuration { .. })), "accepted {to} in {file}");
    }
}

#[test]
fn json_that_is_none_is_refused() {
    let folder = copy();
    edit(&folder, "model_index.json", "{", "");
    assert!(matches!(load(&folder), Err(LoadError::Json { .. })));
}
