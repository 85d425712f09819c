//! Opens a model folder: configuration and tensors by name and shape, with an error for each way to be wrong.
//!
//! The folder is laid out as diffusers lays a pipeline out: one folder a part, a json beside its safetensors.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::layers::{Attention, Conv, Linear, Mlp};

/// Why a model folder could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error("cannot read {}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{} is not the json that was expected", path.display())]
    Json {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    #[error("{} is not a safetensors file", path.display())]
    Safetensors {
        path: PathBuf,
        #[source]
        source: candle_core::Error,
    },
    #[error("{} lacks the tensor `{name}`", path.display())]
    Missing { path: PathBuf, name: String },
    #[error("`{name}` in {} has the shape {found:?}, not {wanted:?}", path.display())]
    Shape { path: PathBuf, name: String, found: Vec<usize>, wanted: Vec<usize> },
    #[error("`{name}` in {} holds values that are no numbers", path.display())]
    NotFinite { path: PathBuf, name: String },
    #[error("the model's configuration cannot be: {problem}")]
    Configuration { problem: String },
    #[error("the device failed while loading")]
    Device(#[from] candle_core::Error),
}

/// A configuration that contradicts itself or the other parts.
pub(super) fn ensure(holds: bool, problem: &str) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::Configuration { problem: problem.to_owned() }) }
}

/// Reads one json file of the folder.
pub(super) fn json<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<T, LoadError> {
    let path = folder.join(file);
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(source) => return Err(LoadError::Unreadable { path, source }),
    };
    serde_json::from_slice(&text).map_err(|source| LoadError::Json { path, source })
}

/// The tensors of one file, in f32 on the model's device.
pub(super) struct Weights {
    path: PathBuf,
    tensors: HashMap<String, Tensor>,
    device: Device,
}

impl Weights {
    pub fn open(folder: &Path, file: &str, device: &Device) -> Result<Self, LoadError> {
        let path = folder.join(file);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(source) => return Err(LoadError::Unreadable { path, source }),
        };
        match candle_core::safetensors::load_buffer(&bytes, &Device::Cpu) {
            Ok(tensors) => Ok(Self { path, tensors, device: device.clone() }),
            Err(source) => Err(LoadError::Safetensors { path, source }),
        }
    }

    /// The tensors whose names begin with `name.`.
    pub fn at(&self, name: &str) -> Scope<'_> {
        Scope { weights: self, prefix: format!("{name}.") }
    }

    pub fn get(&self, name: &str, shape: &[usize]) -> Result<Tensor, LoadError> {
        let Some(tensor) = self.tensors.get(name) else {
            return Err(LoadError::Missing { path: self.path.clone(), name: name.to_owned() });
        };
        if tensor.dims() != shape {
            let (found, wanted) = (tensor.dims().to_vec(), shape.to_vec());
            return Err(LoadError::Shape { path: self.path.clone(), name: name.to_owned(), found, wanted });
        }
        let values = tensor.to_dtype(DType::F32)?;
        if !values.flatten_all()?.to_vec1::<f32>()?.iter().all(|value| value.is_finite()) {
            return Err(LoadError::NotFinite { path: self.path.clone(), name: name.to_owned() });
        }
        Ok(values.to_device(&self.device)?)
    }

    pub fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, LoadError> {
        self.at(name).as_linear(inputs, outputs)
    }

    pub fn conv(&self, name: &str, inputs: usize, outputs: usize, size: usize) -> Result<Conv, LoadError> {
        let own = self.at(name);
        Ok(Conv { weight: own.get("weight", &[outputs, inputs, size, size])?, bias: own.get("bias", &[outputs])? })
    }
}

/// The tensors under one prefix.
pub(super) struct Scope<'a> {
    weights: &'a Weights,
    prefix: String,
}

impl Scope<'_> {
    pub fn get(&self, name: &str, shape: &[usize]) -> Result<Tensor, LoadError> {
        self.weights.get(&format!("{}{name}", self.prefix), shape)
    }

    fn as_linear(&self, inputs: usize, outputs: usize) -> Result<Linear, LoadError> {
        let weight = self.get("weight", &[outputs, inputs])?.t()?.contiguous()?; // [in, out]
        Ok(Linear { weight, bias: self.get("bias", &[outputs])? })
    }

    pub fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, LoadError> {
        self.weights.linear(&format!("{}{name}", self.prefix), inputs, outputs)
    }

    /// Attention in `attn`, with keys and values for text of width `text` where given.
    pub fn attention(&self, dim: usize, heads: usize, text: Option<usize>) -> Result<Attention, LoadError> {
        let norms = ["attn.q_norm.weight", "attn.k_norm.weight"].map(|name| self.get(name, &[dim / heads]));
        let [q, k] = norms;
        Ok(Attention {
            qkv: self.linear("attn.qkv", dim, 3 * dim)?,
            text_kv: text.map(|text| self.linear("attn.text_kv", text, 2 * dim)).transpose()?,
            out: self.linear("attn.out", dim, dim)?,
            norms: Tensor::stack(&[q?, k?], 0)?,
            heads,
        })
    }

    /// The two layers of `mlp`.
    pub fn mlp(&self, dim: usize) -> Result<Mlp, LoadError> {
        Ok(Mlp { fc1: self.linear("mlp.fc1", dim, 4 * dim)?, fc2: self.linear("mlp.fc2", 4 * dim, dim)? })
    }
}
