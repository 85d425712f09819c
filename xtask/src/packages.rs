//! What is installed where it is missing.

pub mod debian;
pub mod models;
pub mod npm;
pub mod python;
