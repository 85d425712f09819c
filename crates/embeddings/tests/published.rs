//! all-MiniLM-L6-v2 itself, against the same model in PyTorch. The weights are not part of the repository:
//!
//! `cargo xtask models get minilm`, then `REELMILL_WORD_MODEL=target/models/minilm cargo test -p embeddings --test published`. Without
//! that variable there is nothing to compare.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use std::{env, path::PathBuf};

use embeddings::{Encoder, Nearest};

/// The first numbers of each vector, by torch 2 in f32.
const REFERENCE: [(&str, [f32; 6]); 3] = [
    ("schooner", [-0.012355, 0.037891, -0.006552, 0.084906, -0.011133, -0.024316]),
    ("a bonfire on a beach", [0.0309, 0.070306, 0.001813, -0.013021, 0.070513, -0.028478]),
    ("Poncho, café!", [0.060026, 0.025141, -0.018354, -0.005504, -0.087632, -0.035903]),
];
const TOLERANCE: f32 = 2e-6;

fn folder() -> Option<PathBuf> {
    let folder = env::var_os("REELMILL_WORD_MODEL").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("REELMILL_WORD_MODEL names no model: nothing is compared");
    }
    folder.map(|folder| {
        if folder.is_absolute() { folder } else { PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..").join(folder) }
    })
}

#[test]
fn vectors_are_those_of_the_reference() {
    let Some(folder) = folder() else { return };
    let vectors: Vec<Vec<f32>> = Encoder::open(&folder).unwrap().embed(&REFERENCE.map(|(text, _)| text)).unwrap().to_vec2().unwrap();
    let furthest =
        REFERENCE.iter().zip(&vectors).flat_map(|((_, first), vector)| first.iter().zip(vector)).map(|(one, other)| (one - other).abs());
    let furthest = furthest.fold(0.0, f32::max);
    eprintln!("furthest from the reference: {furthest:e}");
    assert!(furthest < TOLERANCE, "{furthest}");
}

#[test]
fn words_find_the_names_that_are_near_to_them() {
    let Some(folder) = folder() else { return };
    let names = ["sailboat", "snake", "flute", "goose", "strawberry", "pile of poo", "chair", "hamster", "comet"];
    let nearest = Nearest::new(Encoder::open(&folder).unwrap(), names.map(ToOwned::to_owned).to_vec()).unwrap();
    let found = |word| nearest.nearest(&[word]).unwrap()[0].map(|(name, _)| name);
    let expected = [("schooner", "sailboat"), ("viper", "snake"), ("oboe", "flute"), ("gooseberry", "strawberry"), ("recliner", "chair")];
    assert_eq!(expected.map(|(word, _)| (word, found(word).unwrap_or("nothing"))), expected);
    assert_eq!(["poncho", "ontologically", "xqzvth"].map(found), [None, None, None]);
    let cosine = nearest.nearest(&["schooner"]).unwrap()[0].unwrap().1;
    assert!((cosine - 0.785_498).abs() < 1e-5, "{cosine}");
}
