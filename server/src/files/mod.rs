//! What is sent as a file: what jobs made, and tables to take away.

pub mod exports;
pub mod file_name;
pub mod media;
