//! What the stages really took: the numbers behind every estimate.

use crate::{Store, StoreError};
use domain::{Size, Stage, WorkerId, scheduling::StageCosts};

/// One stage of one clip, in device time: a step of a batch of four counts a quarter for each.
#[derive(Debug, Clone)]
pub struct StageTiming {
    pub worker: WorkerId,
    pub model: String,
    pub stage: Stage,
    pub size: Size,
    /// Denoising steps done; 0 for decoding.
    pub steps: u32,
    pub device_ms: u64,
}

#[derive(Clone, Copy)]
pub struct Timings<'a> {
    store: &'a Store,
}

impl<'a> Timings<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub async fn record(self, timing: StageTiming) -> Result<(), StoreError> {
        todo!()
    }

    /// Median and 90th percentile over the newest 64 measurements of each stage of `model`; decoding at
    /// `size` where there are any, else at the nearest size measured. `None` until both were measured.
    pub async fn costs(self, model: &str, size: Size) -> Result<Option<StageCosts>, StoreError> {
        todo!()
    }

    /// Drops all but the newest 1,000 rows of each model and stage.
    pub async fn trim(self) -> Result<(), StoreError> {
        todo!()
    }
}
