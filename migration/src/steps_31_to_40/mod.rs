//! Steps 31 to 40.

pub mod m0031_projects;
pub mod m0032_spending_limits;
pub mod m0033_signing_keys;
pub mod m0034_tenants_by_plan;
pub mod m0035_row_level_security;
pub mod m0036_payments;
pub mod m0037_identities;
pub mod m0038_ledger_desk;
pub mod m0039_device_time;
pub mod m0040_paid_for_plans;
