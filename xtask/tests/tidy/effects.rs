//! The present and chance come in by one module each, `crates/store/src/system/`: what hangs on them is found there,
//! and a test that wants to turn them has one place to do it. Tests may take both from where they like.

use super::expect_none;
use super::source::{File, RUST};
use super::tokens::tokens;

/// What only that module may name, and what the others call instead.
const SOURCES: [(&str, &str); 6] = [
    ("Uuid::now_v7", "store::chance::new_id"),
    ("Uuid::new_v4", "store::chance::new_name"),
    ("getrandom::", "store::chance::random_bytes or random_number"),
    ("rand::", "store::chance::random_bytes or random_number"),
    ("SystemTime::now", "the store's clock, or store::clock::system_time for times of files"),
    ("OffsetDateTime::now_utc", "the store's clock"),
];

/// The module itself, its like in the twin of Stripe, and the developers' tool: these two may use no crate of ours.
const ALLOWED: [&str; 3] = ["crates/store/src/system", "crates/stripe-twin/src/system", "xtask"];

/// Where moments to measure by come from: one that is not imported from there is not turned by tests.
const MOMENTS: [&str; 2] = ["clock", "deadline"];
/// Beside them, what no test turns: pages in a browser, a model on its own, and how long a simulation took.
const UNTURNED: [&str; 6] =
    ["crates/store/src/system", "crates/diffusion", "crates/flipbook/examples", "crates/simulation/src/bin", "app", "xtask"];

#[test]
fn moments_to_measure_by_come_from_a_clock_that_tests_turn() {
    let mut complaints = Vec::new();
    for file in RUST.iter().filter(|file| !file.is_in(&UNTURNED) && !is_of_tests(file)) {
        let end = file.text.find("#[cfg(test)]\nmod tests {").unwrap_or(file.text.len());
        let tokens = tokens(&file.text[..end]);
        if tokens.iter().any(|token| token == "Instant") && !is_imported(&tokens) {
            complaints.push(format!("{}: import `Instant` from store::clock", file.path));
        }
    }
    expect_none(complaints);
}

/// As `clock::Instant`, or in braces behind the module.
fn is_imported(tokens: &[String]) -> bool {
    tokens.iter().enumerate().filter(|(_, token)| MOMENTS.contains(&token.as_str())).any(|(at, _)| {
        let behind = tokens[at + 1..].iter().skip_while(|token| *token == ":" || *token == "::" || *token == "{");
        behind.take_while(|token| *token != ";" && *token != "}").any(|token| token == "Instant")
    })
}

#[test]
fn an_imported_moment_is_told_from_another() {
    let is = |text: &str| is_imported(&tokens(text));
    assert!(is("use store::clock::Instant;") && is("use service::deadline::{Instant, share};") && is("use store::{clock::Instant, X};"));
    assert!(!is("use std::time::Instant;") && !is("use store::clock; use std::time::{Duration, Instant};"));
}

#[test]
fn the_present_and_chance_come_from_one_module_each() {
    let mut complaints = Vec::new();
    for file in RUST.iter().filter(|file| !file.is_in(&ALLOWED) && !is_of_tests(file)) {
        let end = file.text.find("#[cfg(test)]\nmod tests {").unwrap_or(file.text.len());
        let tokens = tokens(&file.text[..end]);
        let found = SOURCES.iter().filter(|(source, _)| names(&tokens, source));
        complaints.extend(found.map(|(source, instead)| format!("{}: `{source}` does not belong here; call {instead}", file.path)));
    }
    expect_none(complaints);
}

fn is_of_tests(file: &File) -> bool {
    file.path.contains("/tests/") || file.path.ends_with("/tests.rs")
}

fn names(tokens: &[String], source: &str) -> bool {
    let wanted = super::tokens::tokens(source);
    tokens.windows(wanted.len()).any(|some| some == wanted)
}

#[test]
fn a_source_is_seen_in_code_only() {
    let all = tokens("// Uuid::now_v7()\nlet id = Uuid :: now_v7(); let text = \"SystemTime::now\"; operand::next();");
    let seen: Vec<_> = SOURCES.iter().map(|(source, _)| *source).filter(|source| names(&all, source)).collect();
    assert_eq!(seen, ["Uuid::now_v7"]);
}
