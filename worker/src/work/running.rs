//! A job that this process holds: what its stages share.

use crate::{
    batch::Holder,
    device::sharing::{Meter, Sharing},
    residency::ModelUse,
    trace::JobTrace,
    work::{
        lease::{Held, Refusal},
        outcome::Stop,
    },
};
use futures::future::join_all;
use std::{
    future::Future,
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use store::{Claimed, LeaseError, objects::ObjectStore, queue::Permit};

/// Taking back is a courtesy: the garbage collection does it otherwise.
const TAKE_BACK_WITHIN: Duration = Duration::from_secs(2);

/// A job in this process.
pub struct Running {
    pub claimed: Claimed,
    pub held: Held,
    pub uploads: Uploads,
    /// The slot it runs in: free again when nothing works on it any more.
    pub permit: Arc<Permit>,
    /// Keeps its model in memory as long. `None`: that has gone since the job was claimed.
    pub model: Option<Arc<ModelUse>>,
    /// What the stage takes of the device.
    pub meter: Meter,
    pub trace: JobTrace,
}

/// Keys under which something may lie that nobody counts on yet.
#[derive(Default)]
pub struct Uploads {
    keys: Mutex<Vec<String>>,
}

impl Uploads {
    pub fn note(&self, keys: Vec<String>) {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).extend(keys);
    }

    pub fn take(&self) -> Vec<String> {
        mem::take(&mut self.keys.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Removes what lies there.
    pub async fn take_back(&self, objects: &dyn ObjectStore) {
        let keys = self.take();
        let deletions = join_all(keys.iter().map(|key| objects.delete(key)));
        let _ = tokio::time::timeout(TAKE_BACK_WITHIN, deletions).await;
    }
}

impl Running {
    /// What the stage has taken of the device so far, in milliseconds.
    pub fn device_ms(&self, device: &Sharing) -> u64 {
        device.settle();
        self.meter.taken_ms()
    }

    /// For whoever uses the device for it.
    pub fn holder(&self) -> Holder {
        Holder {
            hung: self.held.hung.clone(),
            slot: Some(Arc::clone(&self.permit)),
            model: self.model.clone(),
            meter: self.meter.clone(),
            trace: self.trace.clone(),
        }
    }

    /// The one write that makes the work count.
    ///
    /// As soon as it is tried, the uploads and so many milliseconds of the device may be the job's for good: they are taken back only when
    /// it is certain that they are not.
    pub async fn commit<F>(&self, device_ms: u64, write: impl Fn() -> F) -> Result<(), Stop>
    where
        F: Future<Output = Result<(), LeaseError>>,
    {
        let keys = self.uploads.take();
        let written = self.held.commit((&self.meter, device_ms), write).await;
        if matches!(written, Err(Refusal::Lost)) {
            self.uploads.note(keys);
        }
        Ok(written?)
    }
}
