//! Layers that the parts of the model share. Shapes: b samples, n tokens, d width.

use candle_core::{Result, Tensor};

use crate::kernels::{self, Activation};

/// `x W + b`; `weight` is `[in, out]`, transposed against PyTorch's.
pub(super) struct Linear {
    pub weight: Tensor,
    pub bias: Tensor,
}

impl Linear {
    /// `[b, .., in] -> [b, .., out]`
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        kernels::linear(x, &self.weight, &self.bias, Activation::None)
    }

    /// SiLU of the layer's answer.
    pub fn forward_silu(&self, x: &Tensor) -> Result<Tensor> {
        kernels::linear(x, &self.weight, &self.bias, Activation::Silu)
    }
}

/// Self-attention; text keys and values are appended where the layer has them.
pub(super) struct Attention {
    pub qkv: Linear,
    pub text_kv: Option<Linear>,
    pub out: Linear,
    /// Gains of the RMS norms of queries and keys, `[2, d / heads]`.
    pub norms: Tensor,
    pub heads: usize,
}

impl Attention {
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
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.fc2.forward(&self.fc1.forward_silu(x)?) // [b, n, d]
    }
}

/// A convolution that keeps the image's size.
pub(super) struct Conv {
    pub weight: Tensor,
    pub bias: Tensor,
}

impl Conv {
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        kernels::conv(x, &self.weight, &self.bias)
    }
}
