//! A plan for tests.

#![allow(clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use super::Plan;

/// Pro: an hour a month, and ten minutes more to be paid afterwards.
///
/// # Panics
/// Never: the text is a plan.
#[must_use]
pub fn plan() -> Plan {
    let json = r#"{"id":"pro","name":"Pro","description":"","is_listed":true,"order":30,"currency":"usd","monthly_minor":2900,
        "included":{"monthly_ms":3600000},"credit_minor_per_minute":40,"overage":{"minor_per_minute":50,"limit_ms":600000},
        "lane":"interactive","weight":4,"open_work_max_ms":1800000,"keys_max":20}"#;
    serde_json::from_str(json).unwrap()
}
