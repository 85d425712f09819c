//! The order of the queue: oldest first.
//!
//! Claims take in this order and places are counted in it; `store` has the same order for its queries.

use crate::{JobId, Timestamp};

/// A job's place in the order of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub created_at: Timestamp,
    pub job: JobId,
}
