//! Convolutions that answer a velocity. Shapes: c latent channels, t latent frames, h x w elements, d inner channels.

use candle_core::{Result, Tensor};

use super::config::Config;
use super::text_encoder::LENGTH;
use crate::kernels::silu;
use crate::layers::{Conv, Linear};
use crate::loading::{LoadError, Weights};

/// Cosines and sines of the time.
const WAVES: usize = 4;

pub(super) struct Denoiser {
    time: Linear,
    text: Linear,
    conv_in: Conv,
    temporal: Conv,
    conv_mid: Conv,
    conv_out: Conv,
}

impl Denoiser {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        let &Config { channels: c, dim: d, text_dim, .. } = config;
        Ok(Self {
            time: weights.linear("time", 2 * WAVES, d)?,
            text: weights.linear("text", LENGTH * text_dim, d)?,
            conv_in: weights.conv("conv_in", c, d, 3)?,
            temporal: weights.conv("temporal", d, d, 1)?,
            conv_mid: weights.conv("conv_mid", d, d, 3)?,
            conv_out: weights.conv("conv_out", d, c, 3)?,
        })
    }

    /// The velocity (noise - data) `[1, c, t, h, w]` of noisy latents of that shape.
    ///
    /// | argument  | shape             |                              |
    /// |-----------|-------------------|------------------------------|
    /// | `latents` | `[1, c, t, h, w]` |                              |
    /// | `time`    |                   | in `[0, 1]`, 1 is pure noise |
    /// | `text`    | `[1, 16, e]`      |                              |
    pub fn velocity(&self, latents: &Tensor, time: f64, text: &Tensor) -> Result<Tensor> {
        let (_, c, t, h, w) = latents.dims5()?;
        let x = latents.permute((0, 2, 1, 3, 4))?.reshape((t, c, h, w))?;
        let condition = (self.time.forward(&waves(time, latents)?)? + self.text.forward(&text.reshape((1, ()))?)?)?; // [1, d]
        let condition = silu(&condition)?.unsqueeze(2)?.unsqueeze(3)?; // [1, d, 1, 1]
        let y = self.conv_in.forward(&x)?.broadcast_add(&condition)?; // [t, d, h, w]
        let around = self.temporal.forward(&y.mean_keepdim(0)?)?; // [1, d, h, w]
        let y = silu(&y.broadcast_add(&around)?)?;
        let y = self.conv_out.forward(&silu(&self.conv_mid.forward(&y)?)?)?; // [t, c, h, w]
        y.unsqueeze(0)?.permute((0, 2, 1, 3, 4))?.contiguous()
    }
}

/// `[1, 8]` on the device of `like`.
fn waves(time: f64, like: &Tensor) -> Result<Tensor> {
    let angles = (0..WAVES).map(|wave| time * f64::from(1i32 << wave));
    let values: Vec<f32> = angles.flat_map(|angle| [angle.cos() as f32, angle.sin() as f32]).collect();
    Tensor::from_vec(values, (1, 2 * WAVES), like.device())
}
