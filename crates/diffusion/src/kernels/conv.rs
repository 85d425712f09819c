//! Convolutions of 1 x 1 and 3 x 3, same size, one image a core.

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::matmul::{Matrix, matmul};
use super::values;

/// Convolution with zeros around the image, stride 1.
///
/// | argument | shape            |                 |
/// |----------|------------------|-----------------|
/// | `x`      | `[n, i, h, w]`   |                 |
/// | `weight` | `[o, i, k, k]`   | k is 1 or 3     |
/// | `bias`   | `[o]`            |                 |
/// | returns  | `[n, o, h, w]`   |                 |
pub(crate) fn conv(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    match x.device() {
        Device::Cpu => x.contiguous()?.apply_op3_no_bwd(weight, bias, &Conv),
        _ => composed(x, weight, bias),
    }
}

fn composed(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    x.conv2d(weight, weight.dim(3)? / 2, 1, 1, 1)?.broadcast_add(&bias.reshape((1, (), 1, 1))?)
}

struct Conv;

impl CustomOp3 for Conv {
    fn name(&self) -> &'static str {
        "conv"
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
        let ((n, i, h, w), (o, inputs, k, _)) = (x_at.shape().dims4()?, weight_at.shape().dims4()?);
        let (x, weight, bias) = (values(x, x_at)?, values(weight, weight_at)?, values(bias, bias_at)?);
        if inputs != i || bias.len() != o || (k != 1 && k != 3) || x.is_empty() {
            candle_core::bail!("convolution {:?} was given {:?}", weight_at.dims(), x_at.dims())
        }
        let (size, taps) = (h * w, i * k * k);
        let mut y = vec![0f32; n * o * size];
        y.par_chunks_exact_mut(o * size).zip(x.par_chunks_exact(i * size)).for_each(|(y, x)| {
            for (y, bias) in y.chunks_exact_mut(size).zip(bias) {
                y.fill(*bias);
            }
            let unfolded = if k == 3 { unfold(x, h, w) } else { Vec::new() };
            let x = if k == 3 { &unfolded } else { x };
            matmul(y, size, Matrix::new(weight, o, taps), Matrix::new(x, taps, size), true);
        });
        Ok((CpuStorage::F32(y), Shape::from((n, o, h, w))))
    }
}

/// One image `[i, h, w]` as `[i 3 3, h w]`: for each tap, the image shifted by it, zeros moving in.
fn unfold(x: &[f32], h: usize, w: usize) -> Vec<f32> {
    let mut unfolded = vec![0f32; x.len() * 9];
    for (tap, out) in unfolded.chunks_exact_mut(h * w).enumerate() {
        let (channel, down, right) = (tap / 9, tap % 9 / 3, tap % 3);
        let x = &x[channel * h * w..][..h * w];
        let (from, to) = (1usize.saturating_sub(right), w.min(w + 1 - right)); // columns that stay inside
        for row in 1usize.saturating_sub(down)..h.min(h + 1 - down) {
            let source = (row + down - 1) * w;
            out[row * w + from..row * w + to].copy_from_slice(&x[source + from + right - 1..source + to + right - 1]);
        }
    }
    unfolded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::{distance, random};

    #[test]
    fn the_kernel_computes_what_candles_operations_compose() {
        for k in [1, 3] {
            let (x, w, b) = (random(&[2, 5, 4, 6], 1), random(&[7, 5, k, k], 2), random(&[7], 3));
            let (fast, slow) = (conv(&x, &w, &b).unwrap(), composed(&x, &w, &b).unwrap());
            assert_eq!(fast.dims(), [2, 7, 4, 6]);
            assert!(distance(&fast, &slow) < 1e-4);
        }
    }
}
