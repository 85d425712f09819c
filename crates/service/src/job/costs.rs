//! What the stages of a job cost by what was measured.

use crate::recent::Recent;
use domain::{
    JobSpec, Stage, VideoTime,
    catalog::Model,
    scheduling::{CostModel, Measurement, StageCosts, Workload},
};
use std::sync::{Arc, PoisonError, RwLock};
use store::{Store, StoreError, TimingPlace};

/// Measurements learned in one look at the database.
const AT_ONCE: u64 = 2000;

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
                    let workload = Workload { shape: timing.shape, steps: timing.steps };
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

    /// By which shares of the queue count a job that is billed so much.
    pub(crate) fn work(&self, model: &Model, workload: Workload, billed: VideoTime) -> VideoTime {
        self.learned.read().unwrap_or_else(PoisonError::into_inner).model.work(model, workload, billed)
    }
}

pub(super) fn workload(spec: &JobSpec) -> Workload {
    Workload { shape: spec.shape(), steps: spec.steps }
}
