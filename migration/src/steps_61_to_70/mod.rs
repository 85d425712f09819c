//! Steps 61 to 70.

pub mod m0062_status;
pub mod m0063_late_forecasts;
