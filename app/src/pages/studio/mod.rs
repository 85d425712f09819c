//! For those who make videos.

pub mod arrange;
pub mod batches;
pub mod create;
pub mod library;
pub mod queue;
pub mod video;
