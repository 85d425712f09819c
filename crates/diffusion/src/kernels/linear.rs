//! `x W + b`, where each sample is its own matrix product.

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor};

use super::elementwise::silu_in_place;
use super::matmul::{Matrix, matmul};
use super::values;

/// What follows a linear layer inside the same pass over memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    None,
    Silu,
}

/// A linear layer over the last dimension.
///
/// | argument | shape            |                                         |
/// |----------|------------------|-----------------------------------------|
/// | `x`      | `[b, .., in]`    | the first dimension counts the samples  |
/// | `weight` | `[in, out]`      | transposed against PyTorch's            |
/// | `bias`   | `[out]`          |                                         |
/// | returns  | `[b, .., out]`   |                                         |
pub(crate) fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, activation: Activation) -> Result<Tensor> {
    match x.device() {
        Device::Cpu => x.contiguous()?.apply_op3_no_bwd(weight, bias, &Linear(activation)),
        _ => composed(x, weight, bias, activation),
    }
}

fn composed(x: &Tensor, weight: &Tensor, bias: &Tensor, activation: Activation) -> Result<Tensor> {
    let mut shape = x.dims().to_vec();
    let last = shape.len() - 1;
    let (b, i) = (shape[0], shape[last]);
    let y = x.reshape((b, (), i))?.broadcast_matmul(weight)?.broadcast_add(bias)?; // [b, n, out]
    let y = if activation == Activation::Silu { y.silu()? } else { y };
    shape[last] = weight.dim(1)?;
    y.reshape(shape)
}

struct Linear(Activation);

impl CustomOp3 for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_at: &Layout,
        weight: &CpuStorage,
        weight_at: &Layout,
        bias: &CpuStorage,
        bias_at: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (inputs, outputs) = weight_at.shape().dims2()?;
        let (x, weight, bias) = (values(x, x_at)?, values(weight, weight_at)?, values(bias, bias_at)?);
        let mut shape = x_at.dims().to_vec();
        let (samples, last) = (shape[0], shape.len() - 1);
        if shape[last] != inputs || bias.len() != outputs || x.is_empty() {
            candle_core::bail!("linear layer {inputs} -> {outputs} was given {shape:?}")
        }
        shape[last] = outputs;

        let rows = x.len() / inputs / samples;
        let mut y = bias.repeat(samples * rows); // the product is added to the bias
        for (y, x) in y.chunks_exact_mut(rows * outputs).zip(x.chunks_exact(rows * inputs)) {
            matmul(y, outputs, Matrix::new(x, rows, inputs), Matrix::new(weight, inputs, outputs), true);
            if self.0 == Activation::Silu {
                silu_in_place(y);
            }
        }
        Ok((CpuStorage::F32(y), shape.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::{distance, random};

    #[test]
    fn the_kernel_computes_what_candles_operations_compose() {
        let (x, w, b) = (random(&[2, 3, 5, 48], 1), random(&[48, 33], 2), random(&[33], 3));
        for activation in [Activation::None, Activation::Silu] {
            let (fast, slow) = (linear(&x, &w, &b, activation).unwrap(), composed(&x, &w, &b, activation).unwrap());
            assert_eq!(fast.dims(), [2, 3, 5, 33]);
            assert!(distance(&fast, &slow) < 1e-4);
        }
    }

    #[test]
    fn a_wrong_width_is_an_error() {
        let (x, w, b) = (random(&[2, 47], 1), random(&[48, 33], 2), random(&[33], 3));
        assert!(linear(&x, &w, &b, Activation::None).is_err());
    }
}
