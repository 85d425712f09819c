//! Steps 61 to 70.

pub mod m0063_late_forecasts;
