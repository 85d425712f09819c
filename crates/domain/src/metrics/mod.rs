//! Numbers that are kept over time: what is counted of jobs that have ended, over which spans, and how distributions are stored.

mod phase;
mod sketch;
mod span;
mod tally;
mod timeline;
mod worth;

pub use phase::{Count, Dimension, Gauge, Phase};
pub use sketch::{Sketch, WHOLE};
pub use span::{Range, Span};
pub use tally::{EndedJob, HowEnded, PhaseTimes, Tally};
pub use timeline::{Stretch, StretchOf, Timeline};
pub use worth::{Worth, margin};
