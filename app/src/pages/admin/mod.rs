//! For the operator alone; for everybody else there are no such pages.

pub mod alerts;
mod failures;
pub mod fleet;
mod latency;
pub mod mail;
pub mod models;
pub mod money;
pub mod numbers;
pub mod operations;
pub mod overview;
pub mod plans;
mod queue;
pub mod queue_control;
mod requests;
mod section;
pub mod tenants;
mod times;
mod unreadable;
mod which_tenant;
mod workers;
