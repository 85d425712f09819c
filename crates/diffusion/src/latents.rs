//! Latents as bytes: a safetensors file whose header names the model, the shape and the step.
//!
//! The one tensor `latents` is f32, `[1, g, c, s, s]`. The header's one entry `reelmill` is JSON: `model`,
//! `shape` (`4x64x8x8`), `step` and `steps`; several entries would stand in another order each time, and
//! equal latents are to be equal bytes. Any safetensors reader opens it.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};

use crate::error::LatentsError;
use crate::sample::Sample;
use crate::spec::Spec;

const TENSOR: &str = "latents";
const HEADER: &str = "reelmill";

#[derive(Serialize, Deserialize)]
struct Header {
    model: String,
    shape: String,
    step: usize,
    steps: usize,
}

/// What a latents file says.
#[derive(Debug)]
pub(crate) struct Stored {
    /// `[1, g, c, s, s]`, on the CPU.
    pub latents: Tensor,
    pub step: usize,
    pub steps: usize,
}

/// Writes a sample's latents.
pub(crate) fn write(spec: &Spec, sample: &Sample) -> candle_core::Result<Vec<u8>> {
    let values: Vec<f32> = sample.latents.to_dtype(DType::F32)?.flatten_all()?.to_vec1()?;
    let bytes: Vec<u8> = values.into_iter().flat_map(f32::to_le_bytes).collect();
    let tensor = TensorView::new(Dtype::F32, sample.latents.dims().to_vec(), &bytes).map_err(candle_core::Error::wrap)?;
    let (model, shape) = (spec.id.clone(), shape_name(&spec.latents));
    let header = Header { model, shape, step: sample.step_index(), steps: sample.steps() };
    let header = serde_json::to_string(&header).map_err(candle_core::Error::wrap)?;
    serialize([(TENSOR, tensor)], Some(HashMap::from([(HEADER.to_owned(), header)]))).map_err(candle_core::Error::wrap)
}

/// Reads latents of the model that `spec` describes.
pub(crate) fn read(spec: &Spec, bytes: &[u8]) -> Result<Stored, LatentsError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(LatentsError::Format)?;
    let header = metadata.metadata().as_ref().and_then(|header| header.get(HEADER)).ok_or(LatentsError::Header)?;
    let Header { model, step, steps, shape: _ } = serde_json::from_str(header).map_err(|_| LatentsError::Header)?;
    if model != spec.id {
        return Err(LatentsError::Model { found: model, wanted: spec.id.clone() });
    }
    if step > steps {
        return Err(LatentsError::Header);
    }
    let file = SafeTensors::deserialize(bytes).map_err(LatentsError::Format)?;
    let tensor = file.tensor(TENSOR).map_err(LatentsError::Format)?;
    Ok(Stored { latents: to_tensor(spec, &tensor)?, step, steps })
}

fn to_tensor(spec: &Spec, tensor: &TensorView) -> Result<Tensor, LatentsError> {
    let [g, c, h, w] = spec.latents;
    let wrong = || LatentsError::Shape {
        found: format!("{} {:?}", shape_name(tensor.shape()), tensor.dtype()),
        wanted: format!("1x{} F32", shape_name(&spec.latents)),
    };
    if tensor.shape() != [1, g, c, h, w] || tensor.dtype() != Dtype::F32 {
        return Err(wrong());
    }
    let (words, _) = tensor.data().as_chunks::<4>();
    let values: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
    Tensor::from_vec(values, (1, g, c, h, w), &Device::Cpu).map_err(|_| wrong())
}

fn shape_name(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;
    use crate::sample::Conditioning;

    fn spec() -> Spec {
        Spec { id: "toy".into(), width: 2, height: 2, frames: 1, fps: 8, steps: 4, guidance: 1.0, shift: 1.0, latents: [1, 1, 2, 2] }
    }

    fn stored() -> Vec<u8> {
        let latents = Tensor::from_slice(&[1f32, -2.5, f32::MIN_POSITIVE, 4e9], (1, 1, 1, 2, 2), &Device::Cpu).unwrap();
        let prompt = Conditioning { tokens: latents.clone(), pooled: latents.clone() };
        let request = Request::new(&spec(), "", 0);
        let sample = Sample::new(&request, 1.0, latents.clone(), prompt.clone(), || prompt).at_step(3, latents);
        write(&spec(), &sample).unwrap()
    }

    #[test]
    fn latents_come_back_bit_for_bit_with_their_step() {
        let back = read(&spec(), &stored()).unwrap();
        assert_eq!((back.step, back.steps), (3, 4));
        let values: Vec<f32> = back.latents.flatten_all().unwrap().to_vec1().unwrap();
        assert_eq!(values, [1.0, -2.5, f32::MIN_POSITIVE, 4e9]);
    }

    #[test]
    fn equal_latents_are_equal_bytes() {
        assert!((0..8).all(|_| stored() == stored()));
    }

    #[test]
    fn another_model_and_another_shape_are_refused() {
        let other = Spec { id: "other".into(), ..spec() };
        assert!(matches!(read(&other, &stored()), Err(LatentsError::Model { .. })));
        let larger = Spec { latents: [1, 1, 2, 3], ..spec() };
        assert!(matches!(read(&larger, &stored()), Err(LatentsError::Shape { .. })));
    }

    #[test]
    fn bytes_cut_anywhere_are_refused() {
        let whole = stored();
        for length in 0..whole.len() {
            assert!(read(&spec(), &whole[..length]).is_err(), "accepted {length} of {} bytes", whole.len());
        }
    }
}
