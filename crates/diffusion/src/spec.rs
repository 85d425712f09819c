//! What a family generates natively.

/// What a family generates natively and what a request that says nothing gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Names weights and arithmetic, for instance `vignette-1`: latents of another id are refused.
    pub id: String,
    /// Pixels of a decoded frame.
    pub width: usize,
    pub height: usize,
    /// Frames of a clip and how many of them make a second.
    pub frames: usize,
    pub fps: u32,
    /// Steps and guidance of a request that does not choose them.
    pub steps: usize,
    pub guidance: f64,
    /// How far the time grid leans towards the noise, see [`crate::sampler::time_grid`].
    pub shift: f64,
    /// Shape of one sample's latents without the batch, `[groups, channels, height, width]`.
    pub latents: [usize; 4],
}
