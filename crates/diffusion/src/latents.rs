//! Latents as bytes: a safetensors file whose header names the model, the shape and the step.
//!
//! The tensor `latents` is f32, one sample, `[1, ..]`; a checkpoint has beside it what else its family's solver
//! remembers. The header's one entry `reelmill` is JSON: `model`, `shape` (of the latents, as in `4x64x8x8`), `step`,
//! `steps`, and a `note` where the family has one; several entries would stand in another order each time, and equal latents are to be equal bytes. Any
//! safetensors reader opens it.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};

use crate::error::{Error, LatentsError};
use crate::request::Request;

/// The tensor that every file has.
pub(crate) const LATENTS: &str = "latents";
const HEADER: &str = "reelmill";

#[derive(Serialize, Deserialize)]
struct Header {
    model: String,
    shape: String,
    step: usize,
    steps: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What a latents file says.
#[derive(Debug)]
pub(crate) struct Stored {
    /// By name, in f32 on the CPU.
    tensors: HashMap<String, Tensor>,
    pub step: usize,
    pub steps: usize,
    /// What the family has written beside the tensors.
    pub note: Option<String>,
}

/// How many steps latents have taken, and of how many.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub step: usize,
    pub steps: usize,
}

/// Writes latents of `model` `[1, ..]`, and beside them the tensors that go with them and a note of the family's own.
pub(crate) fn write(
    model: &str,
    taken: Taken,
    latents: &Tensor,
    others: &[(&str, &Tensor)],
    note: Option<String>,
) -> candle_core::Result<Vec<u8>> {
    let Taken { step, steps } = taken;
    let header = Header { model: model.to_owned(), shape: shape_name(&latents.dims()[1..]), step, steps, note };
    let header = serde_json::to_string(&header).map_err(candle_core::Error::wrap)?;
    let named = [(LATENTS, latents)].into_iter().chain(others.iter().copied());
    let values: Vec<_> = named.map(|(name, tensor)| Ok((name, tensor.dims(), bytes(tensor)?))).collect::<candle_core::Result<_>>()?;
    let mut views = Vec::with_capacity(values.len());
    for (name, shape, bytes) in &values {
        views.push((*name, TensorView::new(Dtype::F32, shape.to_vec(), bytes).map_err(candle_core::Error::wrap)?));
    }
    serialize(views, Some(HashMap::from([(HEADER.to_owned(), header)]))).map_err(candle_core::Error::wrap)
}

fn bytes(tensor: &Tensor) -> candle_core::Result<Vec<u8>> {
    let values: Vec<f32> = tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()?;
    Ok(values.into_iter().flat_map(f32::to_le_bytes).collect())
}

/// Reads latents of `model`.
pub(crate) fn read(model: &str, bytes: &[u8]) -> Result<Stored, LatentsError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(LatentsError::Format)?;
    let header = metadata.metadata().as_ref().and_then(|header| header.get(HEADER)).ok_or(LatentsError::Header)?;
    let Header { model: found, step, steps, note, shape: _ } = serde_json::from_str(header).map_err(|_| LatentsError::Header)?;
    if found != model {
        return Err(LatentsError::Model { found, wanted: model.to_owned() });
    }
    if step > steps {
        return Err(LatentsError::Header);
    }
    let file = SafeTensors::deserialize(bytes).map_err(LatentsError::Format)?;
    let tensors = file.iter().map(|(name, tensor)| Ok((name.to_owned(), to_tensor(&tensor)?))).collect::<Result<_, LatentsError>>()?;
    Ok(Stored { tensors, step, steps, note })
}

impl Stored {
    /// The tensor of that name, on the CPU.
    pub fn get(&self, name: &str) -> Result<&Tensor, LatentsError> {
        self.tensors.get(name).ok_or_else(|| LatentsError::Missing { name: name.to_owned() })
    }

    /// The tensor of that name, which must have that shape.
    pub fn shaped(&self, name: &str, shape: &[usize]) -> Result<&Tensor, LatentsError> {
        let tensor = self.get(name)?;
        if tensor.dims() == shape {
            return Ok(tensor);
        }
        Err(LatentsError::Shape { found: shape_name(tensor.dims()), wanted: shape_name(shape) })
    }

    /// # Errors
    /// [`Error::Unfinished`] when steps are missing.
    pub fn check_finished(&self) -> Result<(), Error> {
        if self.step == self.steps { Ok(()) } else { Err(Error::Unfinished { step: self.step, steps: self.steps }) }
    }

    /// # Errors
    /// [`Error::OtherSteps`] when the request asks for another number of steps, and so for another time grid.
    pub fn check_steps(&self, request: &Request) -> Result<(), Error> {
        let (stored, asked) = (self.steps, request.steps);
        if stored == asked { Ok(()) } else { Err(Error::OtherSteps { stored, asked }) }
    }
}

fn to_tensor(tensor: &TensorView) -> Result<Tensor, LatentsError> {
    let shape = tensor.shape();
    let wrong = || LatentsError::Shape {
        found: format!("{} {:?}", shape_name(shape), tensor.dtype()),
        wanted: format!("{} F32", shape_name(shape)),
    };
    if tensor.dtype() != Dtype::F32 {
        return Err(wrong());
    }
    let (words, _) = tensor.data().as_chunks::<4>();
    let values: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).map_err(|_| wrong())
}

/// As in `4x64x8x8`.
pub(crate) fn shape_name(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: [usize; 5] = [1, 1, 1, 2, 2];

    fn stored() -> Vec<u8> {
        let latents = Tensor::from_slice(&[1f32, -2.5, f32::MIN_POSITIVE, 4e9], &SHAPE[..], &Device::Cpu).unwrap();
        let before = Tensor::from_slice(&[0.5f32], (1, 1), &Device::Cpu).unwrap();
        write("toy", Taken { step: 3, steps: 4 }, &latents, &[("before", &before)], Some("said".to_owned())).unwrap()
    }

    fn values(tensor: &Tensor) -> Vec<f32> {
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    }

    #[test]
    fn tensors_come_back_bit_for_bit_with_their_step() {
        let back = read("toy", &stored()).unwrap();
        assert_eq!((back.step, back.steps, back.note.as_deref()), (3, 4, Some("said")));
        assert_eq!(values(back.shaped(LATENTS, &SHAPE).unwrap()), [1.0, -2.5, f32::MIN_POSITIVE, 4e9]);
        assert_eq!(values(back.get("before").unwrap()), [0.5]);
    }

    #[test]
    fn equal_latents_are_equal_bytes() {
        assert!((0..8).all(|_| stored() == stored()));
    }

    #[test]
    fn another_model_another_shape_and_a_missing_tensor_are_refused() {
        assert!(matches!(read("other", &stored()), Err(LatentsError::Model { .. })));
        let back = read("toy", &stored()).unwrap();
        assert!(matches!(back.shaped(LATENTS, &[1, 1, 1, 2, 3]), Err(LatentsError::Shape { .. })));
        assert!(matches!(back.get("velocity"), Err(LatentsError::Missing { .. })));
    }

    #[test]
    fn latents_with_steps_to_go_are_not_finished() {
        let back = read("toy", &stored()).unwrap();
        assert!(matches!(back.check_finished(), Err(Error::Unfinished { step: 3, steps: 4 })));
    }

    #[test]
    fn bytes_cut_anywhere_are_refused() {
        let whole = stored();
        for length in 0..whole.len() {
            assert!(read("toy", &whole[..length]).is_err(), "accepted {length} of {} bytes", whole.len());
        }
    }
}
