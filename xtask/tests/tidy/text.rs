//! What may not be written, and where.

use super::expect_none;
use super::source::{File, RUST};

/// Marks of unfinished work.
const UNFINISHED: [(&str, &str); 4] = [
    ("todo!(", "finish it, or leave it out"),
    ("unimplemented!(", "return an error that says what is not supported"),
    ("dbg!(", "use tracing, or remove it"),
    ("#[ignore", "make the test run everywhere, or remove it"),
];

/// What rules may not touch: they are handed times and values, and return decisions.
const EFFECTS: [&str; 5] = ["SystemTime", "Instant::now", "std::fs", "std::net", "tokio"];

const SQL: [&str; 3] = ["sea_orm::", "sqlx::", "sea_orm_migration::"];
const TENSORS: [&str; 2] = ["candle_core::", "candle_nn::"];

/// This file has to name what it forbids.
const OURSELVES: &str = "xtask/tests/tidy/";

#[test]
fn every_file_opens_by_saying_what_it_is_for() {
    let silent = RUST.iter().filter(|file| !file.text.starts_with("//!"));
    expect_none(silent.map(|file| format!("{}: open with a `//!` paragraph that says what the file is for", file.path)).collect());
}

#[test]
fn nothing_unfinished_is_left_behind() {
    let mut complaints = Vec::new();
    for (mark, instead) in UNFINISHED {
        complaints.extend(find(everywhere(), mark, instead));
    }
    expect_none(complaints);
}

/// Cargo does not build a program again whose checkout has another name, so it would read the files of the other checkout.
#[test]
fn a_program_that_is_tested_does_not_remember_the_checkout_it_was_built_in() {
    let instead = "ask for the variable when the program runs: `std::env::var(\"CARGO_MANIFEST_DIR\")`";
    let ours = RUST.iter().filter(|file| !file.path.contains("/examples/") && file.path != "xtask/src/project.rs");
    let ours = ours.filter(|file| !file.path.starts_with(OURSELVES));
    expect_none(find(ours.collect(), "env!(\"CARGO_MANIFEST_DIR\")", instead));
}

#[test]
fn rules_have_no_effects_and_no_clock() {
    let instead = "rules take times and values as arguments; effects belong to `service` or `store`";
    let mut complaints = Vec::new();
    for effect in EFFECTS {
        complaints.extend(find(inside(&["crates/domain/src"]), effect, instead));
    }
    expect_none(complaints);
}

#[test]
fn only_the_store_speaks_sql() {
    let mut complaints = Vec::new();
    for library in SQL {
        complaints.extend(find(outside(&["crates/store", "migration"]), library, "call a repository in `store`"));
    }
    expect_none(complaints);
}

#[test]
fn only_the_engine_and_the_worker_hold_tensors() {
    let mut complaints = Vec::new();
    for library in TENSORS {
        complaints.extend(find(
            outside(&["crates/diffusion", "crates/embeddings", "worker"]),
            library,
            "ask `diffusion` or `embeddings` for what the tensors are needed for",
        ));
    }
    expect_none(complaints);
}

fn everywhere() -> Vec<&'static File> {
    outside(&[])
}

fn inside(folders: &[&str]) -> Vec<&'static File> {
    RUST.iter().filter(|file| file.is_in(folders)).collect()
}

fn outside(folders: &[&str]) -> Vec<&'static File> {
    RUST.iter().filter(|file| !file.is_in(folders) && !file.path.starts_with(OURSELVES)).collect()
}

fn find(files: Vec<&File>, needle: &str, instead: &str) -> Vec<String> {
    let places = files.into_iter().filter_map(|file| file.line_with(needle));
    places.map(|place| format!("{place}: `{needle}` does not belong here; {instead}")).collect()
}
