//! For the operator alone; for everybody else there are no such pages.

mod failures;
mod latency;
pub mod mail;
pub mod models;
pub mod money;
pub mod overview;
pub mod plans;
mod queue;
mod requests;
mod section;
pub mod tenants;
mod times;
mod unreadable;
mod workers;
