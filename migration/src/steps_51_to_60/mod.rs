//! Steps 51 to 60.

pub mod m0051_deadlines;
pub mod m0052_needed_memory;
pub mod m0059_fallback;
pub mod m0053_files;
pub mod m0054_batches;
