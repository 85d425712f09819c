//! Latents to pixels: each latent element is 8 x 8 pixels of four frames, of the first latent frame only the last of them.

use candle_core::{Result, Tensor};

use super::config::{Config, FRAMES, PIXELS};
use crate::kernels::silu;
use crate::layers::{Conv, pixel_shuffle};
use crate::loading::{LoadError, Weights};

pub(super) struct Decoder {
    conv_in: Conv,
    conv_out: Conv,
}

impl Decoder {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        Ok(Self {
            conv_in: weights.conv("conv_in", config.channels, config.dim, 3)?,
            conv_out: weights.conv("conv_out", config.dim, 3 * FRAMES * PIXELS * PIXELS, 1)?,
        })
    }

    /// Latents `[1, c, t, h, w]` to frames `[1, 4 t - 3, 3, 8 h, 8 w]` in `[-1, 1]`.
    pub fn forward(&self, latents: &Tensor) -> Result<Tensor> {
        let (_, c, t, h, w) = latents.dims5()?;
        let x = latents.permute((0, 2, 1, 3, 4))?.reshape((t, c, h, w))?;
        let y = self.conv_out.forward(&silu(&self.conv_in.forward(&x)?)?)?; // [t, 4 * 3 * 8 * 8, h, w]
        let y = pixel_shuffle(&y, PIXELS)?.reshape((t * FRAMES, 3, h * PIXELS, w * PIXELS))?;
        y.narrow(0, FRAMES - 1, (t - 1) * FRAMES + 1)?.unsqueeze(0)?.tanh()
    }
}
