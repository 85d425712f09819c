//! The models of this process, and the seam to `diffusion`: nothing else here knows how they are loaded.

use crate::{
    batch::{Batcher, Watch},
    device::{pace::Pace, watchdog::Watchdog},
    fault::Faults,
    options::{DeviceName, Options},
};
use candle_core::Device;
use diffusion::{Family, LoadError, Request, Vignette};
use domain::{JobSpec, Model, catalog};
use std::{io, path::Path, path::PathBuf, sync::Arc};

/// A model that is ready for work.
pub struct LoadedModel {
    pub entry: &'static Model,
    pub family: Arc<dyn Family>,
    pub batcher: Batcher,
    /// Of a denoising step, per sample.
    pub step_pace: Arc<Pace>,
    /// Of a decode, per pixel of the finished video's width and height.
    pub decode_pace: Arc<Pace>,
}

pub struct Engine {
    models: Vec<LoadedModel>,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the device {device} cannot be used")]
    Device {
        device: DeviceName,
        #[source]
        cause: Box<candle_core::Error>,
    },
    #[error("no model lies in {folder}: expected a folder of weights named like one of {expected}")]
    NoModels { folder: PathBuf, expected: String },
    #[error("the model {model} cannot be loaded from {folder}")]
    Load {
        model: &'static str,
        folder: PathBuf,
        #[source]
        cause: Box<LoadError>,
    },
    #[error("the weights in {folder} call themselves {found}")]
    OtherModel { folder: PathBuf, found: String },
    /// Prices and durations come from the catalog.
    #[error("the weights in {folder} make {frames} frames at {fps} a second, which is not what the catalog sells")]
    OtherLength { folder: PathBuf, frames: usize, fps: u32 },
    #[error("no thread could be started")]
    Thread(#[from] io::Error),
}

impl Engine {
    /// Loads every model of the catalog that has a folder among the models.
    ///
    /// # Errors
    /// [`EngineError`] says what to mend; a worker without a model is of no use.
    pub fn load(options: &Options, faults: &Faults, watchdog: &Watchdog) -> Result<Self, EngineError> {
        let on = open_device(options.device)?;
        let mut models = Vec::new();
        for entry in catalog::models() {
            let weights = options.models.join(entry.id);
            if weights.is_dir() {
                let family = load_family(entry, &weights, &on)?;
                let pace = || Arc::new(Pace::new(options.device_timeout()));
                let (step_pace, decode_pace) = (pace(), pace());
                let watch = Watch { watchdog: watchdog.clone(), pace: Arc::clone(&step_pace) };
                let batcher = Batcher::start(Arc::clone(&family), options.batch, faults.clone(), watch)?;
                models.push(LoadedModel { entry, family, batcher, step_pace, decode_pace });
            }
        }
        if models.is_empty() {
            let expected = catalog::models().iter().map(|model| model.id).collect::<Vec<_>>().join(", ");
            return Err(EngineError::NoModels { folder: options.models.clone(), expected });
        }
        Ok(Self { models })
    }

    pub fn models(&self) -> &[LoadedModel] {
        &self.models
    }

    pub fn model(&self, id: &str) -> Option<&LoadedModel> {
        self.models.iter().find(|model| model.entry.id == id)
    }
}

/// The size of a decode, as [`LoadedModel::decode_pace`] counts it.
pub fn decode_units(spec: &JobSpec) -> f64 {
    f64::from(spec.size.width) * f64::from(spec.size.height)
}

/// A job in the engine's words.
pub fn request(spec: &JobSpec) -> Request {
    Request {
        prompt: spec.prompt.clone(),
        negative_prompt: spec.negative_prompt.clone(),
        seed: spec.seed.value(),
        steps: spec.steps as usize,
        guidance: spec.guidance,
    }
}

fn open_device(device: DeviceName) -> Result<Device, EngineError> {
    match device {
        DeviceName::Cpu => Ok(Device::Cpu),
        DeviceName::Cuda(ordinal) => Device::new_cuda(ordinal).map_err(|cause| EngineError::Device { device, cause: Box::new(cause) }),
    }
}

fn load_family(entry: &'static Model, folder: &Path, device: &Device) -> Result<Arc<dyn Family>, EngineError> {
    let unusable = |cause| EngineError::Load { model: entry.id, folder: folder.to_owned(), cause: Box::new(cause) };
    let family = Vignette::load(folder, device).map_err(unusable)?;
    let spec = family.spec();
    if spec.id != entry.id {
        return Err(EngineError::OtherModel { folder: folder.to_owned(), found: spec.id.clone() });
    }
    let sold = (entry.frames(entry.duration_default) as usize, entry.frames_per_second);
    if (spec.frames, spec.fps) != sold {
        return Err(EngineError::OtherLength { folder: folder.to_owned(), frames: spec.frames, fps: spec.fps });
    }
    Ok(Arc::new(family))
}
