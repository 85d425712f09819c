//! The server as its clients see it: the whole router over a real database and a real object store.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod accounts;
mod batches;
mod browser;
mod catalog;
mod compatible;
mod deadline;
mod demo;
mod events;
mod forms;
mod harness;
mod input;
mod keys;
mod limits;
mod list;
mod matrix;
mod memory;
mod metrics;
mod operations;
mod process;
mod queue;
mod tenants;
mod videos;
mod webhooks;
