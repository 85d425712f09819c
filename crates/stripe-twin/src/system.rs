//! What comes from the machine: the present, and chance that a seed repeats.

mod chance;
mod clock;

pub use chance::{Chance, draw};
pub use clock::{present_ms, present_s};
