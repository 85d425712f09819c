//! Checkout sessions: what a page of Stripe's asks a person to pay, and what comes of it.

mod complete;
mod document;
mod sessions;

pub use complete::{Entered, pay};
pub use sessions::{create, expire, expire_due, included, line_items, list, retrieve, update};
