//! Steps 61 to 70.

pub mod m0062_status;
pub mod m0063_late_forecasts;
pub mod m0064_alerts;
pub mod m0065_alert_history;
pub mod m0066_smaller_indexes;
pub mod m0068_job_callbacks;
pub mod m0069_retries_and_samplers;
