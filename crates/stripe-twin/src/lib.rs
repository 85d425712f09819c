//! A test program that behaves like Stripe, statefully and in memory: what our billing is developed and tested against.

#![recursion_limit = "256"]

mod answer;
mod calendar;
mod cards;
mod catalog;
mod checkout;
mod customers;
mod invoices;
mod lifecycle;
mod options;
mod pages;
mod payments;
mod portal;
mod request;
mod server;
mod standing;
mod subscriptions;
mod system;
mod twin;
mod webhooks;
mod world;

pub use options::{Options, Webhook};
pub use twin::Twin;
pub use webhooks::{Delivery, Faults, Status, sign};
pub use world::{AfterDunning, Settings};
