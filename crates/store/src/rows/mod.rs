//! Rows that more than one door opens to: how they are parsed, and the only places that write them.

pub mod artifacts;
pub mod idempotency;
pub mod jobs;
mod parse;
pub mod previews;
pub mod texts;
pub mod unreadable;

pub(crate) use parse::{signed, unsigned};
