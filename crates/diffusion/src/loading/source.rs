//! What a family opens a model from.

use std::path::{Path, PathBuf};

use candle_core::Device;
use serde::de::DeserializeOwned;

use super::memory::{Memory, Part};
use super::weights::{LoadError, Weights, bytes_in_f32, json};

/// A folder of weights, the device to compute on, and the memory that the loaded parts share with other models.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub folder: &'a Path,
    pub device: &'a Device,
    pub memory: &'a Memory,
}

impl Source<'_> {
    /// Reads one json file of the folder.
    pub(crate) fn json<T: DeserializeOwned>(&self, file: &str) -> Result<T, LoadError> {
        json(self.folder, file)
    }

    /// A part whose tensors lie in one file of the folder, kept in f32.
    pub(crate) fn part<C, T>(&self, file: &str, config: &C, load: fn(&C, &Weights) -> Result<T, LoadError>) -> Part<T>
    where
        C: Clone + Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        let (path, device, config): (PathBuf, Device, C) = (self.folder.join(file), self.device.clone(), config.clone());
        let measured = path.clone();
        Part::new(self.memory, move || bytes_in_f32(&measured), move || load(&config, &Weights::open(&path, &device)?))
    }
}
