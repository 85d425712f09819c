//! How prompts are read, and that what is said of a word is what the film shows.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod any_prompt;
mod everyday;
mod expand;
#[path = "../common/everyday.rs"]
mod measure;
mod places;
mod prompts;
#[path = "../common/random_words.rs"]
mod random_words;
mod told;
mod words;
