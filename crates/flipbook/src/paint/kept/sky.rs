//! What stands still behind all, and clouds.

use crate::canvas::Canvas;

/// What of a clip's sky, or of its room, is painted once.
#[derive(Default)]
pub struct Sky {
    /// As large as the frame and some pixels more on each side; `None` where there is nothing to see of it.
    pub(in crate::paint) still: Option<Canvas>,
    pub(in crate::paint) clouds: Vec<Drift>,
}

/// A sheet of clouds.
pub(in crate::paint) struct Drift {
    pub canvas: Canvas,
    pub left: f32,
    pub top: f32,
    /// Pixels per second.
    pub speed: f32,
    pub parallax: f32,
}
