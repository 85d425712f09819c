//! Layers and foldings that families share. Shapes: b samples, n images, c channels, h x w elements.

use candle_core::{Result, Tensor};

use crate::kernels::{self, Activation};

/// `x W + b`; `weight` is `[in, out]`, transposed against PyTorch's.
pub(crate) struct Linear {
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

/// A convolution that keeps the image's size.
pub(crate) struct Conv {
    pub weight: Tensor,
    pub bias: Tensor,
}

impl Conv {
    /// `[n, in, h, w] -> [n, out, h, w]`
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        kernels::conv(x, &self.weight, &self.bias)
    }
}

/// `[n, c r r, h, w] -> [n, c, h r, w r]`
pub(crate) fn pixel_shuffle(x: &Tensor, r: usize) -> Result<Tensor> {
    let (n, c, h, w) = x.dims4()?;
    x.reshape(&[n, c / (r * r), r, r, h, w])?.permute(vec![0, 1, 4, 2, 5, 3])?.reshape((n, c / (r * r), h * r, w * r))
}

/// `[n, c, h r, w r] -> [n, c r r, h, w]`
pub(crate) fn pixel_unshuffle(x: &Tensor, r: usize) -> Result<Tensor> {
    let (n, c, h, w) = x.dims4()?;
    x.reshape(&[n, c, h / r, r, w / r, r])?.permute(vec![0, 1, 3, 5, 2, 4])?.reshape((n, c * r * r, h / r, w / r))
}
