//! Layers of the transformers. Shapes: b samples, n tokens, d width.

use candle_core::{Result, Tensor};

use crate::kernels;
use crate::layers::Linear;
use crate::loading::{LoadError, Scope};

/// Self-attention; text keys and values are appended where the layer has them.
pub(super) struct Attention {
    qkv: Linear,
    text_kv: Option<Linear>,
    out: Linear,
    /// Gains of the RMS norms of queries and keys, `[2, d / heads]`.
    norms: Tensor,
    heads: usize,
}

impl Attention {
    /// The tensors of `attn`, with keys and values for text of width `text` where given.
    pub fn load(weights: &Scope, dim: usize, heads: usize, text: Option<usize>) -> std::result::Result<Self, LoadError> {
        let norms = ["attn.q_norm.weight", "attn.k_norm.weight"].map(|name| weights.get(name, &[dim / heads]));
        let [q, k] = norms;
        Ok(Self {
            qkv: weights.linear("attn.qkv", dim, 3 * dim)?,
            text_kv: text.map(|text| weights.linear("attn.text_kv", text, 2 * dim)).transpose()?,
            out: weights.linear("attn.out", dim, dim)?,
            norms: Tensor::stack(&[q?, k?], 0)?,
            heads,
        })
    }

    /// `x` `[b, n, d]`, cut into `frames` equal parts that attend only to themselves and to the `text` `[b, l, e]`.
    pub fn forward(&self, x: &Tensor, text: Option<&Tensor>, frames: usize) -> Result<Tensor> {
        let qkv = self.qkv.forward(x)?; // [b, n, 3 d]
        let text_kv = match (&self.text_kv, text) {
            (Some(layer), Some(text)) => Some(layer.forward(text)?), // [b, l, 2 d]
            _ => None,
        };
        self.out.forward(&kernels::attention(&qkv, &self.norms, text_kv.as_ref(), self.heads, frames)?)
    }
}

pub(super) struct Mlp {
    pub fc1: Linear,
    pub fc2: Linear,
}

impl Mlp {
    /// The two layers of `mlp`.
    pub fn load(weights: &Scope, dim: usize) -> std::result::Result<Self, LoadError> {
        Ok(Self { fc1: weights.linear("mlp.fc1", dim, 4 * dim)?, fc2: weights.linear("mlp.fc2", 4 * dim, dim)? })
    }

    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.fc2.forward(&self.fc1.forward_silu(x)?) // [b, n, d]
    }
}
