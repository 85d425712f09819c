//! Replicate's API: predictions are jobs, models are `reelmill/NAME`.

pub mod account;
pub mod create;
pub mod models;
pub mod predictions;
mod wait;
pub mod webhook;
pub mod wire;
