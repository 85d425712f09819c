//! Invoices, from their lines to the money.

mod actions;
pub mod api;
pub mod collect;
mod credit_notes;
mod document;
mod finalize;
pub mod items;
pub mod lines;
pub mod payments;
mod totals;

pub use actions::{delete, mark_uncollectible, pay, send, void};
pub use credit_notes::{create as create_credit_note, list as list_credit_notes, retrieve as retrieve_credit_note};
pub use document::{Draft, compose, issue};
pub use finalize::finalize;
