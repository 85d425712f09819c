//! The models of this process, and the seam to `diffusion`: nothing else here knows how they are opened.

use crate::{
    batch::{Batcher, StepCounts, Watch},
    device::{pace::Pace, sharing::Sharing, watchdog::Watchdog},
    fault::Faults,
    options::{DeviceName, Options},
};
use candle_core::Device;
use diffusion::{Family, LoadError, Memory, Pin, Request, Source};
use domain::{
    JobSpec, Model, Size, VideoTime, catalog,
    catalog::{Arrangement, Output},
};
use service::{OfferError, models::read_manifests};
use std::{io, path::Path, path::PathBuf, sync::Arc};

/// A model that this worker takes jobs of. Its weights are loaded when a stage first needs them.
pub struct ServedModel {
    pub entry: Model,
    pub family: Arc<dyn Family>,
    /// Of its parts.
    pub memory: Memory,
    pub batcher: Batcher,
    /// Of a denoising step, per pixel of all frames that are sampled.
    pub step_pace: Arc<Pace>,
    /// Of a decode, per pixel of all frames of the finished video.
    pub decode_pace: Arc<Pace>,
    pub counts: Arc<StepCounts>,
}

pub struct Engine {
    models: Vec<ServedModel>,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the device {device} cannot be used")]
    Device {
        device: DeviceName,
        #[source]
        cause: Box<candle_core::Error>,
    },
    #[error("{device} needs a worker with CUDA: build it with `cargo build --release -p worker --features cuda`, or choose cpu")]
    BuiltWithoutCuda { device: DeviceName },
    #[error("no model lies in {folder}: expected folders of weights with a manifest.json")]
    NoModels { folder: PathBuf },
    #[error("no models can be read")]
    Manifests(#[from] OfferError),
    #[error("the model {model} cannot be opened from {folder}")]
    Open {
        model: String,
        folder: PathBuf,
        #[source]
        cause: Box<LoadError>,
    },
    #[error("the weights in {folder} call themselves {found}")]
    OtherModel { folder: PathBuf, found: String },
    #[error("the weights in {folder} are of the family {found}, which is not what its manifest says")]
    OtherFamily { folder: PathBuf, found: String },
    /// Prices and durations come from the manifest.
    #[error("the weights in {folder} make {fps} frames a second, which is not what its manifest says")]
    OtherRate { folder: PathBuf, fps: u32 },
    #[error("the weights in {folder} cannot make {size} for {duration} s, which its manifest offers")]
    CannotMake {
        folder: PathBuf,
        size: Size,
        duration: VideoTime,
        #[source]
        cause: Box<diffusion::Error>,
    },
    #[error("videos of the size {size}, which the manifest in {folder} offers, cannot be written")]
    CannotEncode {
        folder: PathBuf,
        size: Size,
        #[source]
        cause: Box<diffusion::media::MediaError>,
    },
    #[error("no thread could be started")]
    Thread(#[from] io::Error),
}

impl Engine {
    /// Opens every model that has a folder with a manifest among the models.
    ///
    /// # Errors
    /// [`EngineError`] says what to mend; a worker without a model is of no use.
    pub fn open(options: &Options, faults: &Faults, watchdog: &Watchdog, sharing: &Sharing) -> Result<Self, EngineError> {
        let (on, memory) = (open_device(options.device)?, Memory::new(options.memory_budget));
        let mut models = Vec::new();
        let place = &options.folder.models;
        for entry in read_manifests(place)? {
            let folder = place.join(&entry.id);
            let memory = memory.of_new_model();
            let family = open_model(&entry, &Source { folder: &folder, device: &on, memory: &memory })?;
            let pace = || Arc::new(Pace::new(options.device_timeout(), options.loading()));
            let (step_pace, decode_pace) = (pace(), pace());
            let counts = Arc::<StepCounts>::default();
            let watch =
                Watch { watchdog: watchdog.clone(), sharing: sharing.clone(), pace: Arc::clone(&step_pace), counts: Arc::clone(&counts) };
            let batcher = Batcher::start(Arc::clone(&family), options.batch, faults.clone(), watch)?;
            models.push(ServedModel { entry, family, memory, batcher, step_pace, decode_pace, counts });
        }
        if models.is_empty() {
            return Err(EngineError::NoModels { folder: place.clone() });
        }
        Ok(Self { models })
    }

    pub fn models(&self) -> &[ServedModel] {
        &self.models
    }

    /// The names of all, those first that are offered first.
    pub fn in_order(&self) -> Vec<String> {
        let mut models: Vec<&Model> = self.models.iter().map(|model| &model.entry).collect();
        models.sort_by(|a, b| a.place().cmp(&b.place()));
        models.into_iter().map(|model| model.id.clone()).collect()
    }

    pub fn model(&self, id: &str) -> Option<&ServedModel> {
        self.models.iter().find(|model| model.entry.id == id)
    }
}

impl ServedModel {
    /// A job in the engine's words.
    pub fn request(&self, spec: &JobSpec) -> Request {
        Request {
            prompt: spec.model_prompt().to_owned(),
            negative_prompt: spec.negative_prompt.clone(),
            seed: spec.seed.value(),
            steps: spec.steps as usize,
            guidance: spec.guidance,
            arrangement: spec.arrangement.iter().flat_map(Arrangement::pins).map(pin).collect(),
            ..shape(self.family.as_ref(), spec.size, spec.duration)
        }
    }

    /// The size of a decode, as [`ServedModel::decode_pace`] counts it.
    pub fn decode_units(&self, spec: &JobSpec) -> f64 {
        f64::from(spec.size.width) * f64::from(spec.size.height) * frames(self.family.as_ref(), spec.duration) as f64
    }
}

fn pin(pin: catalog::Pin) -> Pin {
    let catalog::Pin { shot, slot, x, y, size } = pin;
    Pin { shot: shot as usize, slot: slot as usize, x, y, size }
}

/// A request for something of this size and length, and else what the model chooses.
fn shape(family: &dyn Family, size: Size, duration: VideoTime) -> Request {
    let shown = diffusion::Size { width: size.width as usize, height: size.height as usize };
    Request { size: family.size_for(shown), frames: frames(family, duration), ..Request::new(family.spec(), "", 0) }
}

/// As many as the weights make in this time, whatever a manifest has said since the job was taken in; one of an image.
fn frames(family: &dyn Family, duration: VideoTime) -> usize {
    ((duration.ms() * u64::from(family.spec().fps) / 1000) as usize).max(1)
}

fn open_device(device: DeviceName) -> Result<Device, EngineError> {
    match device {
        DeviceName::Cpu => Ok(Device::Cpu),
        DeviceName::Cuda(_) if !cfg!(feature = "cuda") => Err(EngineError::BuiltWithoutCuda { device }),
        DeviceName::Cuda(ordinal) => Device::new_cuda(ordinal).map_err(|cause| EngineError::Device { device, cause: Box::new(cause) }),
    }
}

fn open_model(entry: &Model, source: &Source) -> Result<Arc<dyn Family>, EngineError> {
    let folder = source.folder.to_owned();
    let (name, family) = match diffusion::family_name(source).and_then(|name| Ok((name, diffusion::open(source)?))) {
        Ok(opened) => opened,
        Err(cause) => return Err(EngineError::Open { model: entry.id.clone(), folder, cause: Box::new(cause) }),
    };
    if name != entry.family {
        return Err(EngineError::OtherFamily { folder, found: name });
    }
    check_offer(entry, family.as_ref(), &folder)?;
    Ok(family)
}

/// That the model is the manifest's, and makes all that this offers.
fn check_offer(entry: &Model, family: &dyn Family, folder: &Path) -> Result<(), EngineError> {
    let (spec, folder) = (family.spec(), folder.to_owned());
    if spec.id != entry.id {
        return Err(EngineError::OtherModel { folder, found: spec.id.clone() });
    }
    if matches!(entry.output, Output::Video { frames_per_second, .. } if frames_per_second != spec.fps) {
        return Err(EngineError::OtherRate { folder, fps: spec.fps });
    }
    // An image has no length, and one all the same to be looked at.
    let durations = if entry.makes_images() { vec![entry.duration_default()] } else { entry.durations().to_vec() };
    for size in entry.sizes.iter().map(|option| option.size) {
        if !entry.makes_images()
            && let Err(cause) = diffusion::media::check_video_size(size.width as usize, size.height as usize)
        {
            return Err(EngineError::CannotEncode { folder, size, cause: Box::new(cause) });
        }
        for duration in durations.iter().copied() {
            if let Err(cause) = family.check(&shape(family, size, duration)) {
                return Err(EngineError::CannotMake { folder, size, duration, cause: Box::new(cause) });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod offers {
    use super::*;
    use diffusion::testing::write_tiny;
    use domain::catalog::{
        SizeOption,
        testing::{image_model, video_model},
    };

    fn checked(entry: &Model, family: &str) -> Result<(), EngineError> {
        let place = tempfile::tempdir().unwrap();
        let shipped = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../crates/diffusion/weights/vignette-1");
        let folder = if family == "tiny" { place.path() } else { &shipped };
        if family == "tiny" {
            write_tiny(folder, "tiny-1");
        }
        open_model(entry, &Source { folder, device: &Device::Cpu, memory: &Memory::new(None) }).map(drop)
    }

    #[test]
    fn weights_make_what_their_manifest_offers() {
        checked(&video_model(), "vignette").unwrap();
        checked(&image_model(), "tiny").unwrap();
    }

    #[test]
    fn a_manifest_that_offers_what_cannot_be_made_or_written_is_refused() {
        let with_size = |model: Model, width, height| {
            let size = Size { width, height };
            Model { sizes: vec![SizeOption { size, weight_permille: 1000 }], size_default: size, ..model }
        };
        assert!(matches!(checked(&with_size(video_model(), 95, 95), "vignette"), Err(EngineError::CannotEncode { .. })));
        assert!(matches!(checked(&with_size(image_model(), 33, 32), "tiny"), Err(EngineError::CannotMake { .. })));
        let other_family = Model { family: "tiny".into(), ..video_model() };
        assert!(matches!(checked(&other_family, "vignette"), Err(EngineError::OtherFamily { .. })));
        let faster =
            Output::Video { frames_per_second: 9, durations: vec![VideoTime::from_ms(2000)], duration_default: VideoTime::from_ms(2000) };
        assert!(matches!(checked(&Model { output: faster, ..video_model() }, "vignette"), Err(EngineError::OtherRate { .. })));
    }

    #[test]
    fn what_was_asked_for_says_how_many_frames_it_has() {
        let place = tempfile::tempdir().unwrap();
        write_tiny(place.path(), "tiny-1");
        let family = diffusion::open(&Source { folder: place.path(), device: &Device::Cpu, memory: &Memory::new(None) }).unwrap();
        let frames = [0, 125, 2125].map(|ms| frames(family.as_ref(), VideoTime::from_ms(ms)));
        assert_eq!(frames, [1, 1, 17]);
    }
}

#[cfg(all(test, not(feature = "cuda")))]
mod tests {
    use super::*;

    #[test]
    fn a_worker_without_cuda_says_how_to_build_one_with_it() {
        let refused = open_device(DeviceName::Cuda(1)).unwrap_err().to_string();
        assert!(refused.contains("cuda:1") && refused.contains("--features cuda"), "{refused}");
    }
}
