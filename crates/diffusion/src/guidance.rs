//! Classifier-free guidance: beyond what the prompt predicts, away from what its absence does.
//!
//! Source: Ho and Salimans 2022 (arXiv:2207.12598).

use candle_core::Tensor;

/// The velocity `guidance` times as far from the null prediction as the conditional one; 1 is the conditional. All of one
/// shape.
pub(crate) fn guide(conditional: &Tensor, null: &Tensor, guidance: f64) -> candle_core::Result<Tensor> {
    null + ((conditional - null)? * guidance)?
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn guidance_one_is_the_conditional_prediction_and_zero_the_null_one() {
        let tensor = |values: [f32; 4]| Tensor::new(&values, &Device::Cpu).unwrap();
        let (conditional, null) = ([1.0, 2.0, 3.0, 4.0], [0.5, 0.25, 1.0, -1.0]);
        let guided = |guidance| guide(&tensor(conditional), &tensor(null), guidance).unwrap().to_vec1::<f32>().unwrap();
        assert_eq!((guided(1.0), guided(0.0)), (conditional.to_vec(), null.to_vec()));
    }
}
