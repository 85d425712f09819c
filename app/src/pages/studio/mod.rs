//! For those who make videos.

pub mod create;
pub mod library;
pub mod video;
