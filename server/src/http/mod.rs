//! What every request passes, whichever route it takes: headers, limits, sessions, origin checks.

pub mod answers;
pub mod body;
pub mod compression;
pub mod csrf;
pub mod headers;
pub mod health;
pub mod in_flight;
pub mod metrics;
pub mod pages;
pub mod panics;
mod refusal;
pub mod sessions;
pub mod target;
pub mod visitor;

pub use refusal::{Audience, in_words};

/// Below which the APIs of other services lie.
pub const REPLICATE_PATH: &str = "/replicate/";
pub const FAL_PATH: &str = "/fal/";

/// Whether nobody looks at this path but programs.
pub fn is_of_programs(path: &str) -> bool {
    ["/v1/", REPLICATE_PATH, FAL_PATH].iter().any(|start| path.starts_with(start))
}
