//! Steps 61 to 70.

pub mod m0062_status;
pub mod m0063_late_forecasts;
pub mod m0066_smaller_indexes;
