//! What the stages of a job cost by what was measured.

use crate::recent::Recent;
use domain::{
    JobSpec, Stage, VideoTime,
    catalog::{Catalog, Model},
    scheduling::{CostModel, ErrorSize, Measurement, StageCosts, StageError, Words, Workload},
};
use std::{
    collections::BTreeSet,
    sync::{Arc, PoisonError, RwLock},
};
use store::{Store, StoreError, TimingPlace};

/// What a stage of a model takes on a kind of device, and how well that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct StageTime {
    pub model: String,
    /// What the kind of device is called.
    pub device: String,
    pub stage: Stage,
    pub measurements: u64,
    /// Milliseconds of the device for a second of video of the usual shape; `None` of a model that is not on offer.
    pub ms_per_video_second: Option<f64>,
    /// How far predictions were off; `None` where there was none.
    pub error: Option<ErrorSize>,
}

/// Measurements learned in one look at the database.
const AT_ONCE: u64 = 500;

#[derive(Clone)]
pub(crate) struct Costs {
    learned: Arc<RwLock<Learned>>,
    recent: Arc<Recent<(), ()>>,
}

#[derive(Default)]
struct Learned {
    model: CostModel,
    last: Option<TimingPlace>,
}

impl Default for Costs {
    fn default() -> Self {
        Self { learned: Arc::default(), recent: Arc::new(Recent::for_a_second()) }
    }
}

impl Costs {
    /// Learns what was measured since, once a second.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer; what was learned before stays.
    pub(crate) async fn refresh(&self, store: &Store) -> Result<(), StoreError> {
        let (learned, store) = (Arc::clone(&self.learned), store.clone());
        let ask = || async move {
            loop {
                let last = learned.read().unwrap_or_else(PoisonError::into_inner).last;
                let measured = store.timings().after(last, AT_ONCE).await?;
                let mut learned = learned.write().unwrap_or_else(PoisonError::into_inner);
                for (place, timing) in &measured {
                    let workload = Workload { shape: timing.shape, steps: timing.steps, words: timing.words };
                    let (model, device, stage, device_ms) = (&*timing.model, &*timing.device, timing.stage, timing.device_ms);
                    learned.model.observe(&Measurement { model, device, stage, workload, device_ms });
                    learned.last = Some(*place);
                }
                if (measured.len() as u64) < AT_ONCE {
                    return Ok(());
                }
            }
        };
        self.recent.get((), ask).await
    }

    /// What is known by now; `None` until both stages of the model were measured.
    pub(crate) fn of_stages(&self, model: &str, device: Option<&str>, workload: Workload) -> Option<StageCosts> {
        let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        let ms = |stage| learned.model.predict(model, device, stage, workload).map(|predicted| predicted.p50_ms);
        Some(StageCosts { sampling_ms: ms(Stage::Sampling)?, decoding_ms: ms(Stage::Decoding)? })
    }

    /// The same of a job, on whatever device.
    pub(crate) fn of(&self, spec: &JobSpec) -> Option<StageCosts> {
        self.of_stages(&spec.model, None, workload(spec))
    }

    /// Model by model, what is known of each stage.
    pub(crate) fn stage_times(&self, catalog: Option<&Catalog>) -> Vec<StageTime> {
        let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        let of = |StageError { model, device, stage, measurements, error }: StageError<'_>| {
            let offered = catalog.and_then(|catalog| catalog.by_id(model));
            let ms_per_video_second = offered.and_then(|model| learned.model.ms_per_video_second(model, Some(device), stage));
            StageTime { model: model.to_owned(), device: device.to_owned(), stage, measurements, ms_per_video_second, error }
        };
        learned.model.errors().map(of).collect()
    }

    /// Milliseconds of a kind of device for a second of video of the usual shape; `None` until both stages were measured.
    pub(crate) fn pace(&self, model: &Model, device: &str) -> Option<f64> {
        let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        let of = |stage| learned.model.ms_per_video_second(model, Some(device), stage);
        Some(of(Stage::Sampling)? + of(Stage::Decoding)?)
    }

    /// Whether both stages were measured on this kind of device itself.
    pub(crate) fn pace_is_measured(&self, model: &Model, device: &str) -> bool {
        let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        let measured: BTreeSet<Stage> = learned
            .model
            .errors()
            .filter(|series| series.model == model.id && series.device == device)
            .map(|series| series.stage)
            .collect();
        measured.len() == 2
    }

    /// The same of each kind of device on which the model was measured, by name.
    pub(crate) fn paces(&self, model: &Model) -> Vec<(String, f64)> {
        let devices: BTreeSet<String> = {
            let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
            learned.model.errors().filter(|series| series.model == model.id).map(|series| series.device.to_owned()).collect()
        };
        devices.into_iter().filter_map(|device| Some((self.pace(model, &device)?, device))).map(|(pace, device)| (device, pace)).collect()
    }

    /// By which shares of the queue count a job that is billed so much.
    pub(crate) fn work(&self, model: &Model, workload: Workload, billed: VideoTime) -> VideoTime {
        self.learned.read().unwrap_or_else(PoisonError::into_inner).model.work(model, workload, billed)
    }
}

pub(crate) fn workload(spec: &JobSpec) -> Workload {
    Workload { shape: spec.shape(), steps: spec.steps, words: Words::of(&spec.prompt) }
}

#[cfg(test)]
impl Costs {
    /// Of a model whose stages took so many milliseconds in ten steps of 64 by 64 pixels for two seconds.
    pub(crate) fn measured(model: &str, sampling_ms: u64, decoding_ms: u64) -> Self {
        use domain::{Shape, Size};
        let shape = Shape { size: Size { width: 64, height: 64 }, duration: VideoTime::from_ms(2000) };
        let of = |stage, device_ms| Measurement {
            model,
            device: "cpu",
            stage,
            workload: Workload { shape, steps: 10, words: Words::NONE },
            device_ms,
        };
        let measured = [of(Stage::Sampling, sampling_ms), of(Stage::Decoding, decoding_ms)];
        let costs = Self::default();
        costs.learned.write().unwrap_or_else(PoisonError::into_inner).model = CostModel::of(measured.repeat(20));
        costs
    }
}
