//! Customers, what they owe or are owed, and their tax ids.

pub mod balance;
mod store;
pub mod tax_ids;

pub use store::{create, delete, list, retrieve, update};
