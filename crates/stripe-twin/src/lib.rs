//! A test program that behaves like Stripe, statefully and in memory: what our billing is developed and tested against.

#![recursion_limit = "256"]

mod account;
mod billing;
mod cards;
mod hosted;
mod lifecycle;
mod options;
mod server;
mod system;
mod twin;
mod webhooks;
mod wire;
mod world;

pub use options::{Options, Webhook};
pub use twin::Twin;
pub use webhooks::{Delivery, Faults, Status, sign};
pub use world::{AfterDunning, Settings};
