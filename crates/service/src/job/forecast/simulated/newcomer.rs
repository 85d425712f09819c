//! A job that the simulation does not know yet, as it is laid beside those that it knows.

use domain::{
    JobId, Timestamp, VideoTime,
    scheduling::{LineOf, Tag, Workload},
};
use store::queue::Limits;

/// A job that is there since the simulation, or would be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Newcomer<'a> {
    pub(crate) id: JobId,
    pub(crate) limits: Limits,
    pub(crate) line: LineOf<'a>,
    pub(crate) workload: Workload,
    pub(crate) work: VideoTime,
    pub(crate) billed: VideoTime,
    /// It is in the queue: the limits of its tenant are behind it.
    pub(crate) has_entered: bool,
    /// Its own tag, where it has one. `None`: it stands behind those of its tenant.
    pub(crate) tag: Option<Tag>,
    /// Where it stands in its line, where 1 is next.
    pub(crate) position: u64,
    /// By the clock of the database.
    pub(crate) at: Timestamp,
}
