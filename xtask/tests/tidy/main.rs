//! Rules about the source that no compiler checks. Each message says what to do instead.
//!
//! `source` reads the files once, `graph` knows which crate may depend on which, `circles` keeps modules in one
//! direction, `effects` knows where the present and chance come from, `text` knows what may not be written where, `size` how big things may grow.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod circles;
mod effects;
mod graph;
mod size;
mod source;
mod text;
mod tokens;

/// Fails with every complaint at once, so that one run is enough to fix them all.
fn expect_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
