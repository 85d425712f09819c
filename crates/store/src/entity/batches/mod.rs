//! Batches, their lines, and files.

pub mod batch;
pub mod batch_line;
pub mod file;
