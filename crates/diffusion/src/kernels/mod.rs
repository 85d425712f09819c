//! The few tensor operations that decide speed and reproducibility, one file each.
//!
//! On a CPU they are written here, over single-threaded matrix products whose shape never depends
//! on the batch: every sample is its own product, so it gets the same bits alone, in any batch and
//! at any position. Parallelism comes from outside (one sample a core). On other devices the same
//! operation is composed from candle's; `composed` beside each kernel is also its specification.

mod attention;
mod conv;
mod elementwise;
mod linear;
mod matmul;
mod norm;

pub(crate) use attention::attention;
pub(crate) use conv::conv;
pub(crate) use elementwise::{add_gated, silu};
pub(crate) use linear::{Activation, linear};
pub(crate) use norm::norm;

use candle_core::{CpuStorage, Error, Layout, Result};

/// The values of a contiguous f32 tensor on the CPU.
fn values<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let (start, end) = layout.contiguous_offsets().ok_or(Error::RequiresContiguous { op: "kernel" })?;
    Ok(&storage.as_slice::<f32>()?[start..end])
}

#[cfg(test)]
mod testing {
    //! What the kernels' tests share.

    use candle_core::{Device, Tensor};

    /// Values in `[-1, 1)` from a linear congruential generator.
    pub fn random(shape: &[usize], seed: u64) -> Tensor {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let values: Vec<f32> = (0..shape.iter().product()).map(|_| next()).collect();
        Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    /// The largest absolute difference between two tensors of one shape.
    pub fn distance(a: &Tensor, b: &Tensor) -> f32 {
        let difference = (a - b).unwrap().abs().unwrap().flatten_all().unwrap();
        difference.max(0).unwrap().to_scalar().unwrap()
    }
}
