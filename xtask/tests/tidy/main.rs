//! Rules about the source that no compiler checks. Each message says what to do instead.
//!
//! `source` reads the files once, `graph` knows who may depend on whom, `text` what may not be
//! written where, `size` how big things may grow.

mod graph;
mod size;
mod source;
mod text;

/// Fails with every complaint at once, so that one run is enough to fix them all.
fn expect_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
