//! Worker processes: which are alive and what they do.

use crate::{Store, StoreError};
use domain::{WorkerId, scheduling::Fleet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerRole {
    Sampler,
    Decoder,
    All,
}

#[derive(Clone, Copy)]
pub struct Workers<'a> {
    store: &'a Store,
}

impl<'a> Workers<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Announces a worker that is ready for work.
    pub async fn register(self, id: WorkerId, role: WorkerRole, device: &str) -> Result<(), StoreError> {
        todo!()
    }

    /// A sign of life; `false` when the row is gone and the worker should register again.
    pub async fn beat(self, id: WorkerId) -> Result<bool, StoreError> {
        todo!()
    }

    /// Leaves in good order.
    pub async fn retire(self, id: WorkerId) -> Result<(), StoreError> {
        todo!()
    }

    /// Workers seen within `alive_ms`, by role; drops rows silent for more than a day.
    pub async fn fleet(self, alive_ms: i64) -> Result<Fleet, StoreError> {
        todo!()
    }
}
