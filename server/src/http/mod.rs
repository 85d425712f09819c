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
