//! Layer norm with a gain and an offset of each sample's own.

use candle_core::{CpuStorage, CustomOp3, D, Device, Layout, Result, Shape, Tensor};

use super::values;

/// Normalises each row to mean 0 and variance 1, then `row * gain + offset`.
///
/// | argument         | shape       |                                |
/// |------------------|-------------|--------------------------------|
/// | `x`              | `[b, n, d]` |                                |
/// | `gain`, `offset` | `[b, d]`    | one of each a sample           |
/// | `epsilon`        |             | added to the variance          |
pub(crate) fn norm(x: &Tensor, gain: &Tensor, offset: &Tensor, epsilon: f32) -> Result<Tensor> {
    match x.device() {
        Device::Cpu => x.contiguous()?.apply_op3_no_bwd(&gain.contiguous()?, &offset.contiguous()?, &Norm { epsilon }),
        _ => composed(x, gain, offset, epsilon),
    }
}

fn composed(x: &Tensor, gain: &Tensor, offset: &Tensor, epsilon: f32) -> Result<Tensor> {
    let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
    let deviation = (centred.sqr()?.mean_keepdim(D::Minus1)? + f64::from(epsilon))?.sqrt()?;
    centred.broadcast_div(&deviation)?.broadcast_mul(&gain.unsqueeze(1)?)?.broadcast_add(&offset.unsqueeze(1)?)
}

/// Sums `f(x)` in sixteen lanes, so that the compiler may use vectors without changing the result.
pub(super) fn sum(xs: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0f32; 16];
    let chunks = xs.chunks_exact(16);
    let rest: f32 = chunks.remainder().iter().map(|&x| f(x)).sum();
    for chunk in chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane += f(x);
        }
    }
    lanes.iter().sum::<f32>() + rest
}

struct Norm {
    epsilon: f32,
}

impl CustomOp3 for Norm {
    fn name(&self) -> &'static str {
        "norm"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_at: &Layout,
        gain: &CpuStorage,
        gain_at: &Layout,
        offset: &CpuStorage,
        offset_at: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (b, n, d) = x_at.shape().dims3()?;
        if gain_at.dims() != [b, d] || offset_at.dims() != [b, d] {
            candle_core::bail!("norm of {:?} with gain {:?}, offset {:?}", x_at.dims(), gain_at.dims(), offset_at.dims())
        }
        let (x, gain, offset) = (values(x, x_at)?, values(gain, gain_at)?, values(offset, offset_at)?);
        let mut y = Vec::with_capacity(x.len());
        for (row, x) in x.chunks_exact(d).enumerate() {
            let own = row / n * d..(row / n + 1) * d;
            let mean = sum(x, |x| x) / d as f32;
            let variance = sum(x, |x| (x - mean) * (x - mean)) / d as f32;
            let scale = 1.0 / (variance + self.epsilon).sqrt();
            let affine = gain[own.clone()].iter().zip(&offset[own]);
            y.extend(x.iter().zip(affine).map(|(x, (gain, offset))| (x - mean) * scale * gain + offset));
        }
        Ok((CpuStorage::F32(y), x_at.shape().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::{distance, random};

    #[test]
    fn the_kernel_computes_what_candles_operations_compose() {
        let (x, gain, offset) = (random(&[2, 3, 37], 1), random(&[2, 37], 2), random(&[2, 37], 3));
        let (fast, slow) = (norm(&x, &gain, &offset, 1e-6).unwrap(), composed(&x, &gain, &offset, 1e-6).unwrap());
        assert!(distance(&fast, &slow) < 1e-5);
        assert!(norm(&x, &x, &offset, 1e-6).is_err());
    }
}
