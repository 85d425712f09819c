//! The hourglass transformer that predicts the velocity of noisy latents, each sample at its own time.
//!
//! Shapes: b samples, g groups of frames, c latent channels, s latent side, d width, w = d / 2 outer width.
//! Outer blocks see one group each at s x s; inner blocks see all of space and time at s/2 x s/2.

use candle_core::{Result, Tensor};
use serde::Deserialize;

use super::layers::{Attention, Mlp};
use crate::kernels;
use crate::layers::Linear;
use crate::loading::{LoadError, Scope, Weights, ensure};

/// Added to the variance by the norms without weights.
const EPSILON: f32 = 1e-6;
/// Width of the time embedding.
const TIME: usize = 256;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    pub latent_channels: usize,
    pub dim: usize,
    pub depth: usize,
    pub heads: usize,
    pub outer_depth: usize,
    pub text_dim: usize,
    pub groups: usize,
    pub side: usize,
}

/// What the denoiser is asked about a batch.
///
/// | field     | shape             |                                  |
/// |-----------|-------------------|----------------------------------|
/// | `latents` | `[b, g, c, s, s]` | noisy, contiguous                |
/// | `times`   | `b`               | in `[0, 1]`, 1 is pure noise     |
/// | `text`    | `[b, l, e]`       |                                  |
/// | `pooled`  | `[b, e]`          |                                  |
pub(super) struct Question<'a> {
    pub latents: &'a Tensor,
    pub times: &'a [f64],
    pub text: &'a Tensor,
    pub pooled: &'a Tensor,
}

pub(super) struct Denoiser {
    /// Standard deviation of the data, one a channel.
    deviation: Vec<f32>,
    time: Mlp,
    text: Linear,
    modulate: Modulate,
    proj_in: Linear,
    proj_out: Linear,
    merge: Linear,
    split: Linear,
    outer_position: Tensor,
    inner_position: Tensor,
    down: Vec<Block>,
    inner: Vec<Block>,
    up: Vec<Block>,
    config: Config,
}

/// The linear layers from time and prompt to shifts, scales and gates.
struct Modulate {
    outer: Linear,
    inner: Linear,
    out: Linear,
}

impl Denoiser {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        let &Config { latent_channels: c, dim: d, heads, groups, side, text_dim, .. } = config;
        ensure(c > 0 && d > 0 && groups > 0 && side > 0 && text_dim > 0, "a denoiser without channels, width or places")?;
        ensure(side % 2 == 0 && d % 2 == 0, "an hourglass halves its side and its width")?;
        ensure(heads > 1 && heads % 2 == 0 && d % heads == 0, "the denoiser's heads do not divide its width")?;
        let w = d / 2;
        let blocks = |name: &str, count: usize, dim: usize, heads: usize| {
            let block = |i| Block::load(&weights.at(&format!("{name}.{i}")), dim, heads, text_dim);
            (0..count).map(block).collect::<std::result::Result<Vec<_>, _>>()
        };
        Ok(Self {
            deviation: weights.get("latent_std", &[c])?.to_vec1()?,
            time: Mlp { fc1: weights.linear("time_fc1", TIME, d)?, fc2: weights.linear("time_fc2", d, d)? },
            text: weights.linear("text_proj", text_dim, d)?,
            modulate: Modulate {
                outer: weights.linear("modulate_outer", d, 6 * w)?,
                inner: weights.linear("modulate_inner", d, 6 * d)?,
                out: weights.linear("modulate_out", d, 2 * w)?,
            },
            proj_in: weights.linear("proj_in", c, w)?,
            proj_out: weights.linear("proj_out", w, c)?,
            merge: weights.linear("merge", 4 * w, d)?,
            split: weights.linear("split", d, 4 * w)?,
            outer_position: position(weights, "outer", groups, side, w)?,
            inner_position: position(weights, "inner", groups, side / 2, d)?,
            down: blocks("down", config.outer_depth, w, heads / 2)?,
            inner: blocks("blocks", config.depth, d, heads)?,
            up: blocks("up", config.outer_depth, w, heads / 2)?,
            config: config.clone(),
        })
    }

    /// Velocity (noise - data) `[b, g, c, s, s]`, preconditioned by the data's deviation s_c of each channel.
    ///
    /// With `D = (1 - t)^2 s_c^2 + t^2`:
    /// `v = (t - (1 - t) s_c^2) / D x + s_c / sqrt(D) network(x / sqrt(D))`.
    pub fn velocity(&self, question: &Question) -> Result<Tensor> {
        let x = question.latents;
        let factor = |f: fn(f32, f32) -> f32| {
            let times = question.times.iter().map(|&t| t as f32);
            let values: Vec<f32> = times.flat_map(|t| self.deviation.iter().map(move |&s| f(t, s * s))).collect();
            Tensor::from_vec(values, (x.dim(0)?, 1, self.deviation.len(), 1, 1), x.device())
        };
        fn total(t: f32, variance: f32) -> f32 {
            (1.0 - t) * (1.0 - t) * variance + t * t
        }
        let shrink = factor(|t, variance| 1.0 / total(t, variance).sqrt())?; // [b, 1, c, 1, 1]
        let skip = factor(|t, variance| (t - (1.0 - t) * variance) / total(t, variance))?;
        let grow = factor(|t, variance| (variance / total(t, variance)).sqrt())?;
        let y = self.network(&Question { latents: &x.broadcast_mul(&shrink)?, ..*question })?;
        x.broadcast_mul(&skip)? + y.broadcast_mul(&grow)?
    }

    fn network(&self, question: &Question) -> Result<Tensor> {
        let (b, g, c, s, _) = question.latents.dims5()?;
        let (half, d, w, text) = (s / 2, self.config.dim, self.config.dim / 2, question.text);
        let time = self.time.forward(&self.time_embedding(question)?)?;
        let h = kernels::silu(&(time + self.text.forward(question.pooled)?)?)?; // [b, d]
        let outer = self.modulate.outer.forward(&h)?.reshape((b, 6, w))?;
        let inner = self.modulate.inner.forward(&h)?.reshape((b, 6, d))?;

        let x = question.latents.permute((0, 1, 3, 4, 2))?.reshape((b, g * s * s, c))?;
        let mut y = self.proj_in.forward(&x)?.broadcast_add(&self.outer_position)?; // [b, g s s, w]
        for block in &self.down {
            y = block.forward(&y, &outer, text, g)?;
        }

        let z = y.reshape((b * g, half, 2, half, 2 * w))?.transpose(2, 3)?; // [b g, half, half, 2, 2 w]
        let z = self.merge.forward(&z.reshape((b, g * half * half, 4 * w))?)?;
        let mut z = z.broadcast_add(&self.inner_position)?; // [b, g half half, d]
        for block in &self.inner {
            z = block.forward(&z, &inner, text, 1)?;
        }
        let z = self.split.forward(&z)?.reshape((b * g, half, half, 2, 2 * w))?.transpose(2, 3)?;

        let mut y = (y + z.reshape((b, g * s * s, w))?)?;
        for block in &self.up {
            y = block.forward(&y, &outer, text, g)?;
        }
        let out = self.modulate.out.forward(&h)?; // [b, 2 w]
        let (shift, scale) = (out.narrow(1, 0, w)?, out.narrow(1, w, w)?);
        let y = self.proj_out.forward(&kernels::norm(&y, &(scale + 1.0)?, &shift, EPSILON)?)?;
        y.reshape((b, g, s, s, c))?.permute((0, 1, 4, 2, 3))?.contiguous()
    }

    /// `[b, 256]`: cosines, then sines, of 1000 t at 128 frequencies `10000^(-i / 128)`.
    fn time_embedding(&self, question: &Question) -> Result<Tensor> {
        let half = TIME / 2;
        let mut values = Vec::with_capacity(question.times.len() * TIME);
        for &t in question.times {
            let frequency = |i: usize| (-(10_000f32.ln()) * i as f32 / half as f32).exp();
            let angles: Vec<f32> = (0..half).map(|i| 1000.0 * t as f32 * frequency(i)).collect();
            values.extend(angles.iter().map(|angle| angle.cos()));
            values.extend(angles.iter().map(|angle| angle.sin()));
        }
        Tensor::from_vec(values, (question.times.len(), TIME), question.latents.device())
    }
}

/// The learned places of all tokens, `[1, g s s, d]`: row + column + time.
fn position(weights: &Weights, name: &str, groups: usize, side: usize, d: usize) -> std::result::Result<Tensor, LoadError> {
    let part = |kind: &str, count: usize| weights.get(&format!("{name}_{kind}"), &[count, d]);
    let rows = part("row", side)?.reshape((1, side, 1, d))?;
    let columns = part("col", side)?.reshape((1, 1, side, d))?;
    let times = part("time", groups)?.reshape((groups, 1, 1, d))?;
    Ok(rows.broadcast_add(&columns)?.broadcast_add(&times)?.reshape((1, groups * side * side, d))?)
}

/// A transformer block whose norms and residuals are modulated by time and prompt.
struct Block {
    attention: Attention,
    mlp: Mlp,
    /// The block's own part, `[1, 6, d]`, added to the clip's.
    modulation: Tensor,
}

impl Block {
    fn load(weights: &Scope, dim: usize, heads: usize, text: usize) -> std::result::Result<Self, LoadError> {
        Ok(Self {
            attention: Attention::load(weights, dim, heads, Some(text))?,
            mlp: Mlp::load(weights, dim)?,
            modulation: weights.get("modulation", &[6, dim])?.unsqueeze(0)?,
        })
    }

    /// `x` `[b, n, d]` under `shared` `[b, 6, d]`: shift, scale and gate of the attention, then of the MLP.
    fn forward(&self, x: &Tensor, shared: &Tensor, text: &Tensor, frames: usize) -> Result<Tensor> {
        let modulation = shared.broadcast_add(&self.modulation)?;
        let part = |i: usize| modulation.narrow(1, i, 1)?.squeeze(1); // [b, d]
        let h = kernels::norm(x, &(part(1)? + 1.0)?, &part(0)?, EPSILON)?;
        let x = kernels::add_gated(x, &part(2)?, &self.attention.forward(&h, Some(text), frames)?)?;
        let h = kernels::norm(&x, &(part(4)? + 1.0)?, &part(3)?, EPSILON)?;
        kernels::add_gated(&x, &part(5)?, &self.mlp.forward(&h)?)
    }
}
