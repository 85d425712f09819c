//! The prompt's transformer: pre-norm, without a mask, always at full length.

use candle_core::{Device, Result, Tensor};
use serde::Deserialize;

use super::layers::{Attention, Mlp};
use super::state::Conditioning;
use crate::kernels;
use crate::loading::{LoadError, Scope, Weights, ensure};

/// Added to the variance by PyTorch's layer norm.
const EPSILON: f32 = 1e-5;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    pub vocab_size: usize,
    pub dim: usize,
    pub layers: usize,
    pub heads: usize,
    /// Tokens of every prompt.
    pub length: usize,
}

/// Layer norm with weights, `[1, d]` each.
struct Norm {
    gain: Tensor,
    offset: Tensor,
}

impl Norm {
    fn load(weights: &Scope, name: &str, dim: usize) -> std::result::Result<Self, LoadError> {
        let get = |kind: &str| weights.get(&format!("{name}{kind}"), &[dim]);
        Ok(Self { gain: get("weight")?.unsqueeze(0)?, offset: get("bias")?.unsqueeze(0)? })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        kernels::norm(x, &self.gain, &self.offset, EPSILON)
    }
}

struct Layer {
    norm1: Norm,
    attention: Attention,
    norm2: Norm,
    mlp: Mlp,
}

pub(super) struct TextEncoder {
    tokens: Tensor,
    positions: Tensor,
    layers: Vec<Layer>,
    norm: Norm,
    device: Device,
}

impl TextEncoder {
    pub fn load(config: &Config, weights: &Weights) -> std::result::Result<Self, LoadError> {
        let &Config { vocab_size, dim, heads, length, .. } = config;
        ensure(vocab_size > 2 && dim > 0 && length > 0, "a text encoder without words, width or length")?;
        ensure(heads > 0 && dim.is_multiple_of(heads), "the text encoder's heads do not divide its width")?;
        let layer = |i: usize| {
            let own = weights.at(&format!("layers.{i}"));
            Ok(Layer {
                norm1: Norm::load(&own, "norm1.", dim)?,
                attention: Attention::load(&own, dim, heads, None)?,
                norm2: Norm::load(&own, "norm2.", dim)?,
                mlp: Mlp::load(&own, dim)?,
            })
        };
        Ok(Self {
            tokens: weights.get("token_embedding.weight", &[vocab_size, dim])?,
            positions: weights.get("position_embedding", &[length, dim])?,
            layers: (0..config.layers).map(layer).collect::<std::result::Result<_, LoadError>>()?,
            norm: Norm::load(&weights.at("norm"), "", dim)?,
            device: weights.device().clone(),
        })
    }

    /// `ids` of one prompt, `length` of them, as tokens `[1, l, d]` and their mean over the words `[1, d]`.
    pub fn forward(&self, ids: &[u32]) -> Result<Conditioning> {
        let at = Tensor::new(ids, &self.device)?;
        let mut x = (self.tokens.index_select(&at, 0)? + &self.positions)?.unsqueeze(0)?; // [1, l, d]
        for layer in &self.layers {
            x = (&x + layer.attention.forward(&layer.norm1.forward(&x)?, None, 1)?)?;
            x = (&x + layer.mlp.forward(&layer.norm2.forward(&x)?)?)?;
        }
        let tokens = self.norm.forward(&x)?;
        let words = ids.iter().filter(|&&id| id > 0).count();
        let real: Vec<f32> = ids.iter().map(|&id| if id > 0 { 1.0 } else { 0.0 }).collect();
        let real = Tensor::from_vec(real, (1, ids.len(), 1), &self.device)?;
        let pooled = (tokens.broadcast_mul(&real)?.sum(1)? / words.max(1) as f64)?; // [1, d]
        Ok(Conditioning { tokens, pooled })
    }
}
