//! For the operator alone; for everybody else there are no such pages.

mod failures;
mod latency;
pub mod mail;
mod models;
pub mod overview;
mod queue;
mod requests;
mod section;
mod unreadable;
mod workers;
