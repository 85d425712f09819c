//! How the lines of batches and of their results are written: the API's matter, which this crate does not know.

use super::LineResult;
use domain::{BatchId, JobRequest, batch::LineFault, job::Deadlines};

/// What a line asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct LineRequest {
    pub request: JobRequest,
    /// It is to be made even where nothing of the prompt is understood.
    pub force: bool,
    pub deadlines: Deadlines,
    /// The model that makes it where its own cannot.
    pub fallback_model: Option<String>,
    /// A field that no request has: it changes nothing.
    pub unknown_field: Option<String>,
}

/// A line that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadLine {
    /// As far as it is known.
    pub custom_id: Option<String>,
    pub asked: Result<LineRequest, LineFault>,
}

pub trait LineFormat: Send + Sync {
    /// Reads a line that is to be sent to `endpoint`.
    fn read(&self, endpoint: &str, line: &[u8]) -> ReadLine;

    /// Writes what came of a line, with the end of the line.
    fn write(&self, batch: BatchId, result: &LineResult) -> Vec<u8>;
}
