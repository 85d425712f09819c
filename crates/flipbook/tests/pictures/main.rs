//! What is seen in a film: figures, what they do and where they are.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod canvas;
#[path = "../common/mod.rs"]
mod common;
mod courses;
mod drawn;
mod figures;
mod film;
mod hands;
mod nature;
mod sprites;
mod together;
