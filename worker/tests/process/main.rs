//! What a worker promises about its life and death, held against the real program, the real engine and a
//! real database: it is killed, stopped, woken up and told to go at named points of a job.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod away;
mod device_time;
mod failures;
mod hang;
mod killed;
mod ordinary;
mod paused;
mod placement;
mod plant;
mod poison;
mod scaling;
mod small_model;
mod telemetry;
mod versions;
