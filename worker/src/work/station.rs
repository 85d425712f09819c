//! What every handler of this process needs, built once at its start.

use crate::{
    device::{
        health::DeviceHealth,
        sharing::{Meter, Sharing},
        watchdog::Watchdog,
    },
    engine::Engine,
    fault::Faults,
    residency::Residency,
    shutdown::Shutdown,
    work::{lease::Leases, progress::Reporter},
};
use domain::{JobSpec, Stage, WorkerId, scheduling::Words};
use service::Services;
use std::{sync::Arc, time::Duration};
use store::{StageTiming, in_time, queue::Slots};

pub struct Station {
    pub id: WorkerId,
    pub services: Services,
    pub engine: Arc<Engine>,
    pub residency: Residency,
    pub leases: Arc<Leases>,
    pub reporter: Reporter,
    /// What the operator calls the kind of device.
    pub device_name: String,
    pub slots: Slots,
    pub watchdog: Watchdog,
    pub sharing: Sharing,
    /// What loading models takes of the device while jobs run.
    pub loading: Meter,
    pub health: DeviceHealth,
    pub faults: Faults,
    pub objects_timeout: Duration,
    pub shutdown: Shutdown,
}

impl Station {
    /// Notes what a stage took; an estimate without it is a little older, nothing more.
    pub async fn record(&self, spec: &JobSpec, stage: Stage, device: Duration) {
        let timing = StageTiming {
            worker: self.id,
            device: self.device_name.clone(),
            model: spec.model.clone(),
            stage,
            shape: spec.shape(),
            steps: if stage == Stage::Sampling { spec.steps } else { 0 },
            words: Words::of(&spec.prompt),
            device_ms: device.as_millis() as u64,
        };
        if let Err(error) = in_time(self.services.store.timings().record(timing)).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "a stage's time was not noted");
        }
    }
}
