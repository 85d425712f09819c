//! What encoder and decoder share: residual convolutions without norms.
//!
//! A group of 4 frames is one image whose channels are the frames' colours. No norm means that any
//! batch and any tile gives the same pixels.

use candle_core::{Result, Tensor};
use serde::Deserialize;

use crate::kernels::silu;
use crate::layers::Conv;
use crate::loading::{LoadError, Weights, ensure};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    pub channels: usize,
    /// Pixels folded into channels before the first convolution; two halvings follow.
    pub patch: usize,
    /// Frames in a group.
    pub group: usize,
    pub widths: [usize; 3],
    pub latent_scale: f64,
    pub latent_shift: Vec<f32>,
}

impl Config {
    /// Pixels along one side of a latent element.
    pub fn reduction(&self) -> usize {
        4 * self.patch
    }

    /// Values of a group's patch of pixels under one latent element.
    pub fn patch_values(&self) -> usize {
        3 * self.group * self.reduction() * self.reduction()
    }

    pub fn check(&self) -> std::result::Result<(), LoadError> {
        let positive = self.channels > 0 && self.patch > 0 && self.group > 0 && self.widths.iter().all(|&w| w > 0);
        ensure(positive, "an autoencoder without channels, pixels or frames")?;
        ensure(self.latent_shift.len() == self.channels, "latent_shift needs one number a channel")?;
        ensure(self.latent_scale.is_finite() && self.latent_scale != 0.0, "latent_scale must be a number other than 0")
    }
}

pub(super) struct Residual {
    conv1: Conv,
    conv2: Conv,
}

impl Residual {
    fn load(weights: &Weights, name: &str, width: usize) -> std::result::Result<Self, LoadError> {
        let conv = |i: usize| weights.conv(&format!("{name}.conv{i}"), width, width, 3);
        Ok(Self { conv1: conv(1)?, conv2: conv(2)? })
    }

    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x + self.conv2.forward(&silu(&self.conv1.forward(&silu(x)?)?)?)?
    }
}

/// The two residual blocks of one resolution.
pub(super) fn pair(weights: &Weights, name: &str, width: usize) -> std::result::Result<[Residual; 2], LoadError> {
    Ok([Residual::load(weights, &format!("{name}.0"), width)?, Residual::load(weights, &format!("{name}.1"), width)?])
}

pub(super) fn through(blocks: &[Residual; 2], x: &Tensor) -> Result<Tensor> {
    blocks[1].forward(&blocks[0].forward(x)?)
}
