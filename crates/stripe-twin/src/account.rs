//! What an account holds before anything is billed: what is sold, to whom, and how it is paid.

pub mod catalog;
pub mod customers;
pub mod payments;
