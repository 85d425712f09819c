//! Pixels to latents: convolutions that halve the size twice, and a linear path beside them.
//!
//! Shapes: b clips, g groups of 4 frames, c latent channels, h x w latent elements of 12 x 12 pixels.

use candle_core::{Result, Tensor};

use super::autoencoder::{Config, Residual, pair, through};
use crate::kernels::silu;
use crate::layers::{Conv, Linear, pixel_unshuffle};
use crate::loading::{LoadError, Weights};

pub(super) struct Encoder {
    conv_in: Conv,
    low: [Residual; 2],
    down1: Conv,
    mid: [Residual; 2],
    down2: Conv,
    high: [Residual; 2],
    conv_out: Conv,
    linear: Linear,
    config: Config,
}

impl Encoder {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        config.check()?;
        let [low, mid, high] = config.widths;
        Ok(Self {
            conv_in: weights.conv("conv_in", 3 * config.group * config.patch * config.patch, low, 1)?,
            low: pair(weights, "low", low)?,
            down1: weights.conv("down1", 4 * low, mid, 1)?,
            mid: pair(weights, "mid", mid)?,
            down2: weights.conv("down2", 4 * mid, high, 1)?,
            high: pair(weights, "high", high)?,
            conv_out: weights.conv("conv_out", high, config.channels, 1)?,
            linear: weights.linear("linear", config.patch_values(), config.channels)?,
            config: config.clone(),
        })
    }

    /// Frames `[b, 4 g, 3, 12 h, 12 w]` in `[-1, 1]` to raw latents `[b, g, c, h, w]`.
    pub fn forward(&self, frames: &Tensor) -> Result<Tensor> {
        let (b, t, _, height, width) = frames.dims5()?;
        let (p, group) = (self.config.reduction(), self.config.group);
        let (g, h, w) = (t / group, height / p, width / p);
        let images = frames.reshape((b * g, group * 3, height, width))?;
        let y = self.conv_in.forward(&pixel_unshuffle(&images, self.config.patch)?)?; // [b g, low, 4 h, 4 w]
        let y = self.down1.forward(&pixel_unshuffle(&through(&self.low, &y)?, 2)?)?; // [b g, mid, 2 h, 2 w]
        let y = self.down2.forward(&pixel_unshuffle(&through(&self.mid, &y)?, 2)?)?; // [b g, high, h, w]
        let y = self.conv_out.forward(&silu(&through(&self.high, &y)?)?)?; // [b g, c, h, w]
        let patches = images.reshape(&[b * g, group * 3, h, p, w, p])?.permute(vec![0, 2, 4, 1, 3, 5])?;
        let linear = self.linear.forward(&patches.reshape((b, g, h, w, self.config.patch_values()))?)?;
        linear.permute((0, 1, 4, 2, 3))? + y.reshape((b, g, self.config.channels, h, w))?
    }
}
