//! Latents to pixels: convolutions that double the size twice, and a linear path beside them.
//!
//! Only one 1 x 1 convolution looks at the neighbouring groups of frames.
//! Shapes: b clips, g groups of 4 frames, c latent channels, h x w latent elements of 12 x 12 pixels.

use candle_core::{Result, Tensor};

use super::autoencoder::{Config, Residual, pair, through};
use crate::kernels::silu;
use crate::layers::{Conv, Linear, pixel_shuffle};
use crate::loading::{LoadError, Weights};

pub(super) struct Decoder {
    conv_in: Conv,
    high: [Residual; 2],
    temporal: Conv,
    up2: Conv,
    mid: [Residual; 2],
    up1: Conv,
    low: [Residual; 2],
    conv_out: Conv,
    linear: Linear,
    config: Config,
}

impl Decoder {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        config.check()?;
        let [low, mid, high] = config.widths;
        Ok(Self {
            conv_in: weights.conv("conv_in", config.channels, high, 1)?,
            high: pair(weights, "high", high)?,
            temporal: weights.conv("temporal.conv", 3 * high, high, 1)?,
            up2: weights.conv("up2", high, 4 * mid, 1)?,
            mid: pair(weights, "mid", mid)?,
            up1: weights.conv("up1", mid, 4 * low, 1)?,
            low: pair(weights, "low", low)?,
            conv_out: weights.conv("conv_out", low, 3 * config.group * config.patch * config.patch, 3)?,
            linear: weights.linear("linear", config.channels, config.patch_values())?,
            config: config.clone(),
        })
    }

    /// Raw latents `[b, g, c, h, w]` to frames `[b, 4 g, 3, 12 h, 12 w]`, nominally in `[-1, 1]`, not clamped.
    pub fn forward(&self, latents: &Tensor) -> Result<Tensor> {
        let (b, g, c, h, w) = latents.dims5()?;
        let y = self.conv_in.forward(&latents.reshape((b * g, c, h, w))?)?; // [b g, high, h, w]
        let y = self.high[1].forward(&self.mix(&self.high[0].forward(&y)?, g)?)?;
        let y = through(&self.mid, &pixel_shuffle(&self.up2.forward(&y)?, 2)?)?; // [b g, mid, 2 h, 2 w]
        let y = through(&self.low, &pixel_shuffle(&self.up1.forward(&y)?, 2)?)?; // [b g, low, 4 h, 4 w]
        let y = pixel_shuffle(&self.conv_out.forward(&silu(&y)?)?, self.config.patch)?; // [b g, 4 * 3, 12 h, 12 w]
        let linear = self.linear(latents)?;
        y.reshape(linear.shape())? + linear
    }

    /// The linear path alone: patches of 12 x 12 pixels, four frames each.
    fn linear(&self, latents: &Tensor) -> Result<Tensor> {
        let (b, g, _, h, w) = latents.dims5()?;
        let (p, group) = (self.config.reduction(), self.config.group);
        let y = self.linear.forward(&latents.permute((0, 1, 3, 4, 2))?)?; // [b, g, h, w, 4 * 3 * p * p]
        let y = y.reshape(&[b * g, h, w, group * 3, p, p])?.permute(vec![0, 3, 1, 4, 2, 5])?;
        y.reshape((b, g * group, 3, h * p, w * p))
    }

    /// Adds to each group what a 1 x 1 convolution makes of the previous, this and the next; the ends repeat themselves.
    fn mix(&self, x: &Tensor, g: usize) -> Result<Tensor> {
        let (n, c, h, w) = x.dims4()?;
        let y = silu(x)?.reshape((n / g, g, c, h, w))?;
        let neighbours = |of: &dyn Fn(usize) -> usize| {
            let at: Vec<u32> = (0..g).map(|i| of(i) as u32).collect();
            y.index_select(&Tensor::new(at, x.device())?, 1)
        };
        let (before, after) = (neighbours(&|i| i.saturating_sub(1))?, neighbours(&|i| (i + 1).min(g - 1))?);
        let around = Tensor::cat(&[&before, &y, &after], 2)?.reshape((n, 3 * c, h, w))?;
        x + self.temporal.forward(&around)?
    }
}
