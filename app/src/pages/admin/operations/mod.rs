//! How the installation as a whole fares: whether it is fit to rely on, and what everybody is told.

pub mod readiness;
pub mod status;
