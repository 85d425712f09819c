//! How the installation as a whole fares: what anybody may see of it, and what its operator should mend.

pub mod incident;
pub mod readiness;
pub mod status;
