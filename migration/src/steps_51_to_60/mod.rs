//! Steps 51 to 60.

pub mod m0051_deadlines;
pub mod m0052_needed_memory;
pub mod m0057_metrics;
pub mod m0058_gauges;
