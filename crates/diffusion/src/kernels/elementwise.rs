//! Element by element: SiLU, the gated residual, and an exponential that vectorises.

use candle_core::{CpuStorage, CustomOp1, CustomOp3, Device, Layout, Result, Shape, Tensor};

use super::values;

/// `x * sigmoid(x)`.
pub(crate) fn silu(x: &Tensor) -> Result<Tensor> {
    match x.device() {
        Device::Cpu => x.contiguous()?.apply_op1_no_bwd(&Silu),
        _ => x.silu(),
    }
}

/// `x + gate * y` with one gate a channel and sample.
///
/// | argument | shape       |
/// |----------|-------------|
/// | `x`, `y` | `[b, n, d]` |
/// | `gate`   | `[b, d]`    |
pub(crate) fn add_gated(x: &Tensor, gate: &Tensor, y: &Tensor) -> Result<Tensor> {
    match x.device() {
        Device::Cpu => x.contiguous()?.apply_op3_no_bwd(&gate.contiguous()?, &y.contiguous()?, &AddGated),
        _ => x + gate.unsqueeze(1)?.broadcast_mul(y)?,
    }
}

/// e^x by 2^n and a polynomial, relative error below 3e-7 on [-87, 88] and clamped beyond: no branch, no call.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23: adding it rounds to an integer, kept in the low bits
    let t = x.clamp(-87.0, 88.0) * std::f32::consts::LOG2_E;
    let shifted = t + ROUND;
    let f = t - (shifted - ROUND); // [-0.5, 0.5]
    let p = 1.540_353e-4 * f + 1.333_355_8e-3;
    let p = p * f + 9.618_129e-3;
    let p = p * f + 5.550_411e-2;
    let p = p * f + 0.240_226_5;
    let p = p * f + std::f32::consts::LN_2;
    let p = p * f + 1.0;
    f32::from_bits(p.to_bits().wrapping_add(shifted.to_bits() << 23))
}

pub(super) fn silu_in_place(values: &mut [f32]) {
    for x in values {
        *x /= 1.0 + exp(-*x);
    }
}

struct Silu;

impl CustomOp1 for Silu {
    fn name(&self) -> &'static str {
        "silu"
    }

    fn cpu_fwd(&self, x: &CpuStorage, at: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut y = values(x, at)?.to_vec();
        silu_in_place(&mut y);
        Ok((CpuStorage::F32(y), at.shape().clone()))
    }
}

struct AddGated;

impl CustomOp3 for AddGated {
    fn name(&self) -> &'static str {
        "add_gated"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_at: &Layout,
        gate: &CpuStorage,
        gate_at: &Layout,
        y: &CpuStorage,
        y_at: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (b, n, d) = x_at.shape().dims3()?;
        if gate_at.dims() != [b, d] || y_at.shape() != x_at.shape() {
            candle_core::bail!("gate {:?} and branch {:?} do not fit {:?}", gate_at.dims(), y_at.dims(), x_at.dims())
        }
        let (x, gate, y) = (values(x, x_at)?, values(gate, gate_at)?, values(y, y_at)?);
        let mut sum = Vec::with_capacity(x.len());
        for (row, (x, y)) in x.chunks_exact(d).zip(y.chunks_exact(d)).enumerate() {
            let gate = &gate[row / n * d..][..d];
            sum.extend(x.iter().zip(y).zip(gate).map(|((x, y), gate)| x + gate * y));
        }
        Ok((CpuStorage::F32(sum), x_at.shape().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::{distance, random};

    #[test]
    fn the_exponential_is_right_to_seven_digits() {
        for i in -8_700..8_800 {
            let x = i as f32 / 100.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact) / exact;
            assert!(error.abs() < 3e-7 + 1e-7 * f64::from(x.abs()), "exp({x}) is off by {error:e}");
        }
        assert!(exp(-1000.0) < 2e-38 && exp(1000.0).is_finite());
    }

    #[test]
    fn silu_is_candles() {
        let x = (random(&[1000], 4) * 20.0).unwrap();
        assert!(distance(&silu(&x).unwrap(), &x.silu().unwrap()) < 1e-5);
    }

    #[test]
    fn a_gate_scales_its_own_sample_and_channel() {
        let (x, gate, y) = (random(&[2, 3, 4], 1), random(&[2, 4], 2), random(&[2, 3, 4], 3));
        let composed = (&x + gate.unsqueeze(1).unwrap().broadcast_mul(&y).unwrap()).unwrap();
        assert!(distance(&add_gated(&x, &gate, &y).unwrap(), &composed) < 1e-6);
        assert!(add_gated(&x, &x, &y).is_err());
    }
}
