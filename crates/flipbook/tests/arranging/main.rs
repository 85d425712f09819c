//! Where things stand and how they move, and how much room the data takes.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod layout;
mod poses;
mod settling;
mod size;
