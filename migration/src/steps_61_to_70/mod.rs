//! Steps 61 to 70.

pub mod m0062_status;
pub mod m0063_late_forecasts;
pub mod m0064_alerts;
pub mod m0065_alert_history;
