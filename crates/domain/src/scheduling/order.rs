//! The order of a line: what finishes earlier in its virtual time is next.
//!
//! Claims take in this order and places are counted in it; `store` has the same order for its queries.

use super::VirtualTime;
use crate::{JobId, billing::Lane};

/// The jobs of one lane and one model: those that stand in one order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineOf<'a> {
    pub lane: Lane,
    pub model: &'a str,
}

/// A job's place in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub finish: VirtualTime,
    pub job: JobId,
}
