//! What is measured once a film of how a thing stands out from the scenery.

use crate::canvas::Rgb;

/// What sets a thing apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// 0 where the thing stands out by itself, to 1 where it is as light as what is behind it.
    pub need: f32,
    pub edge: Rgb,
    pub glow: Rgb,
}
