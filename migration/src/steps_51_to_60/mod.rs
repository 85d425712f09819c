//! Steps 51 to 60.

pub mod m0051_deadlines;
pub mod m0052_needed_memory;
pub mod m0053_files;
pub mod m0054_batches;
pub mod m0055_webhook_endpoints;
pub mod m0056_webhook_deliveries;
pub mod m0057_metrics;
pub mod m0058_gauges;
pub mod m0059_fallback;
