//! The twin over real HTTP, as those find it who build on it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod async_stripe;
mod dunning;
mod idempotency;
mod meters;
mod proration;
mod support;
mod time;
mod webhooks;
