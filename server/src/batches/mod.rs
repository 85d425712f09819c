//! Batches in a browser: a file is sent to be quoted, and what came of a batch is taken away.

mod archive;
mod csv;
mod download;
mod upload;
mod zip;

pub use download::{errors, output};
pub use upload::upload;
pub use zip::videos;
