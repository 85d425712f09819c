//! What the time depends on that pictures take to be made.

use super::{Model, Size};
use crate::VideoTime;

/// What a job's pictures are, as far as the time depends on it that they take to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    pub size: Size,
    /// Zero of an image.
    pub duration: VideoTime,
}

impl Shape {
    /// Pixels times milliseconds. An image counts as a frame of a video.
    #[must_use]
    pub fn volume(self) -> f64 {
        const FRAME_MS: u64 = 40;
        f64::from(self.size.width) * f64::from(self.size.height) * self.duration.ms().max(FRAME_MS) as f64
    }
}

impl Model {
    /// Of what a request gets that names neither size nor length.
    #[must_use]
    pub const fn shape_default(&self) -> Shape {
        Shape { size: self.size_default, duration: self.duration_default() }
    }
}
