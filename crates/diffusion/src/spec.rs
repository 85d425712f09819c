//! What a model generates when a request leaves the choice to it.

/// Width and height of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub width: usize,
    pub height: usize,
}

/// What a model is called, and what a request gets that says nothing.
///
/// What else a request may ask for is known to the family alone, see [`crate::Family::check`].
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Names weights and arithmetic, for instance `vignette-1`: latents of another id are refused.
    pub id: String,
    pub size: Size,
    /// Frames of a clip; 1 is a picture.
    pub frames: usize,
    /// How many frames make a second, whatever the number of frames.
    pub fps: u32,
    pub steps: usize,
    pub guidance: f64,
}
