//! Stripe as we use it: each call by its purpose, answered in the terms of `domain::billing`. The hidden decision: which of Stripe's objects
//! stand for what of ours.
//!
//! * A tenant is a **customer**, made when it first pays.
//! * A plan is a **product** of the id `reelmill_` and the plan's, with a price for each amount that it ever cost: prices never change, and who
//!   subscribed at one keeps it until they change their plan.
//! * What is used beyond what a plan includes is a metered price on [`METER`], in video-milliseconds.
//! * Credit is a payment of a **checkout session**, which says in its metadata how much was bought.
//!
//! Whoever asks for the same change again sends the same idempotency key, so it is made once.

mod catalog;
mod checkout;
mod client;
mod customers;
mod events;
mod invoices;
mod portal;
mod signature;
mod subscriptions;
mod usage;

pub use catalog::PlanPrices;
pub use checkout::{CreditPurchase, Pages};
pub use client::{PaymentError, Stripe};
pub use events::{EventError, StripeEvent};
pub use signature::{SignatureError, TOLERANCE_S, verify};
pub use subscriptions::{PaidNow, PlanChange};
pub use usage::{METER, Reported};
