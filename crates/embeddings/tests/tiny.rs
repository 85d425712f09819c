//! A model of the same shape, made by chance: no weights are fetched for it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use std::{collections::HashMap, fs, path::Path};

use candle_core::{DType, Device, Tensor};
use embeddings::{EmbeddingError, Encoder, Nearest};
use serde_json::json;
use tempfile::TempDir;

const WORDS: &[&str] = &["[PAD]", "[UNK]", "[CLS]", "[SEP]", "boat", "ship", "cat", "##maran", "red", "a"];
const CHANNELS: usize = 8;

fn tiny() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, json: serde_json::Value| fs::write(folder.path().join(name), json.to_string()).unwrap();
    write(
        "config.json",
        json!({ "hidden_size": CHANNELS, "num_hidden_layers": 2, "num_attention_heads": 2, "layer_norm_eps": 1e-12, "max_position_embeddings": 16 }),
    );
    let vocab: HashMap<&str, usize> = WORDS.iter().enumerate().map(|(number, word)| (*word, number)).collect();
    let end = |id: &str, number: u32| json!({ "id": id, "ids": [number], "tokens": [id] });
    let special = |id: &str| json!({ "SpecialToken": { "id": id, "type_id": 0 } });
    let whole = json!([special("[CLS]"), { "Sequence": { "id": "A", "type_id": 0 } }, special("[SEP]")]);
    write(
        "tokenizer.json",
        json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
            "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true },
            "pre_tokenizer": { "type": "BertPreTokenizer" },
            "post_processor": { "type": "TemplateProcessing", "single": whole, "pair": whole, "special_tokens": { "[CLS]": end("[CLS]", 2), "[SEP]": end("[SEP]", 3) } },
            "decoder": null,
            "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab },
        }),
    );
    candle_core::safetensors::save(&weights(), folder.path().join("model.safetensors")).unwrap();
    folder
}

fn weights() -> HashMap<String, Tensor> {
    let random = |shape: &[usize]| Tensor::randn(0.0_f32, 1.0, shape, &Device::Cpu).unwrap();
    let d = CHANNELS;
    let mut weights = HashMap::new();
    weights.insert("embeddings.word_embeddings.weight".to_owned(), random(&[WORDS.len(), d]));
    weights.insert("embeddings.position_embeddings.weight".to_owned(), random(&[16, d]));
    weights.insert("embeddings.token_type_embeddings.weight".to_owned(), random(&[2, d]));
    let mut pair = |name: &str, weight: Tensor, width: usize| {
        weights.insert(format!("{name}.weight"), weight);
        weights.insert(format!("{name}.bias"), Tensor::zeros(width, DType::F32, &Device::Cpu).unwrap());
    };
    let ones = || Tensor::ones(d, DType::F32, &Device::Cpu).unwrap();
    pair("embeddings.LayerNorm", ones(), d);
    for layer in 0..2 {
        let at = |part: &str| format!("encoder.layer.{layer}.{part}");
        for part in ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"] {
            pair(&at(part), random(&[d, d]), d);
        }
        pair(&at("intermediate.dense"), random(&[4 * d, d]), 4 * d);
        pair(&at("output.dense"), random(&[d, 4 * d]), d);
        pair(&at("attention.output.LayerNorm"), ones(), d);
        pair(&at("output.LayerNorm"), ones(), d);
    }
    weights
}

fn tables(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("names-")).collect()
}

#[test]
fn a_text_has_the_same_vector_beside_longer_ones_and_its_length_is_one() {
    let folder = tiny();
    let encoder = Encoder::open(folder.path()).unwrap();
    let together: Vec<Vec<f32>> = encoder.embed(&["boat", "a red ship", "cat"]).unwrap().to_vec2().unwrap();
    let alone: Vec<Vec<f32>> = encoder.embed(&["boat"]).unwrap().to_vec2().unwrap();
    assert!(together[0].iter().zip(&alone[0]).all(|(one, other)| (one - other).abs() < 1e-5), "{together:?} {alone:?}");
    assert!(together.iter().all(|vector| (vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5));
    assert_ne!(together[0], together[2]);
}

#[test]
fn a_name_is_nearest_to_itself_and_a_word_in_parts_is_not_taken_for_one_of_them() {
    let folder = tiny();
    let names = ["cat", "ship", "boat"].map(ToOwned::to_owned).to_vec();
    let open = || Nearest::new(Encoder::open(folder.path()).unwrap(), names.clone()).unwrap();
    let nearest = open();
    let found = nearest.nearest(&["Ship", "catmaran"]).unwrap();
    assert_eq!(found[0].unwrap().0, "ship");
    assert!(found[1].is_none_or(|(name, _)| name != "cat"), "{found:?}");
    assert!(nearest.nearest(&[]).unwrap().is_empty());
    // What was computed is kept, and not taken for that of other names.
    let kept = tables(folder.path());
    assert_eq!((kept.len(), open().nearest(&["Ship", "catmaran"]).unwrap()), (1, found));
    assert_eq!(tables(folder.path()), kept);
    Nearest::new(Encoder::open(folder.path()).unwrap(), vec!["cat".to_owned()]).unwrap();
    assert_eq!(tables(folder.path()).len(), 2);
}

#[test]
fn a_folder_that_is_no_model_is_named() {
    let folder = tiny();
    fs::write(folder.path().join("config.json"), "{}").unwrap();
    assert!(matches!(Encoder::open(folder.path()), Err(EmbeddingError::Malformed { path, .. }) if path.ends_with("config.json")));
    fs::remove_file(folder.path().join("config.json")).unwrap();
    assert!(matches!(Encoder::open(folder.path()), Err(EmbeddingError::Unreadable { .. })));
}
