//! The files of a model: configuration and tensors by name and shape, with an error for each way to be wrong.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use safetensors::tensor::Metadata;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::layers::{Conv, Linear};

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
    #[error("{} asks for the family `{family}`; there are: {known}", path.display())]
    UnknownFamily { path: PathBuf, family: String, known: String },
    #[error("the model's configuration cannot be: {problem}")]
    Configuration { problem: String },
    #[error("the device failed while loading")]
    Device(#[from] candle_core::Error),
}

/// A configuration that contradicts itself or the other parts.
pub(crate) fn ensure(holds: bool, problem: &str) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::Configuration { problem: problem.to_owned() }) }
}

/// Reads one json file of the folder.
pub(crate) fn json<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<T, LoadError> {
    let path = folder.join(file);
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(source) => return Err(LoadError::Unreadable { path, source }),
    };
    serde_json::from_slice(&text).map_err(|source| LoadError::Json { path, source })
}

/// Bytes of a file's tensors in f32, from its header alone. A file that cannot be read counts nothing: loading it says
/// what is wrong with it.
pub(super) fn bytes_in_f32(path: &Path) -> u64 {
    let elements = |path: &Path| -> Option<u64> {
        let (mut file, mut length, mut header) = (File::open(path).ok()?, [0; 8], Vec::new());
        file.read_exact(&mut length).ok()?;
        file.take(u64::from_le_bytes(length)).read_to_end(&mut header).ok()?;
        let metadata: Metadata = serde_json::from_slice(&header).ok()?;
        Some(metadata.tensors().values().map(|tensor| tensor.shape.iter().product::<usize>() as u64).sum())
    };
    4 * elements(path).unwrap_or(0)
}

/// The tensors of one file, in f32 on the model's device.
pub(crate) struct Weights {
    path: PathBuf,
    tensors: HashMap<String, Tensor>,
    device: Device,
}

impl Weights {
    pub fn open(path: &Path, device: &Device) -> Result<Self, LoadError> {
        let path = path.to_owned();
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(source) => return Err(LoadError::Unreadable { path, source }),
        };
        match candle_core::safetensors::load_buffer(&bytes, &Device::Cpu) {
            Ok(tensors) => Ok(Self { path, tensors, device: device.clone() }),
            Err(source) => Err(LoadError::Safetensors { path, source }),
        }
    }

    pub fn device(&self) -> &Device {
        &self.device
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
pub(crate) struct Scope<'a> {
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
}
