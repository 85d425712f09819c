//! What is owed, and when: subscriptions, their periods, and invoices.

pub mod calendar;
pub mod invoices;
pub mod standing;
pub mod subscriptions;
