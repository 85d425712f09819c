//! The workers as they matter where an attempt fails: what their devices are, and who else could try.

use super::{memory_bytes, serves, takes};
use crate::{StoreError, entity::worker as table};
use domain::{
    Stage, Timestamp, WorkerId,
    job::{Device, OtherWorker},
};
use sea_orm::{ConnectionTrait, EntityTrait};

/// The workers that were seen within a day, as they matter where an attempt fails.
pub(crate) struct Crew {
    rows: Vec<table::Model>,
    now: Timestamp,
}

impl Crew {
    pub(crate) async fn read(db: &impl ConnectionTrait, now: Timestamp) -> Result<Self, StoreError> {
        Ok(Self { rows: table::Entity::find().all(db).await?, now })
    }

    /// What is known of the device of `worker`: nothing, where that is long gone.
    pub(crate) fn device(&self, worker: WorkerId) -> Device {
        self.rows.iter().find(|row| row.id == worker.uuid()).map(device).unwrap_or_default()
    }

    /// Those that take jobs of this stage and model, but for one.
    pub(crate) fn others(&self, stage: Stage, model: &str, than: WorkerId) -> Vec<OtherWorker> {
        let takes = |row: &&table::Model| row.id != than.uuid() && takes(row, stage, self.now) && serves(row)(model);
        self.rows.iter().filter(takes).map(|row| OtherWorker { worker: WorkerId::from_uuid(row.id), device: device(row) }).collect()
    }
}

fn device(row: &table::Model) -> Device {
    Device { kind: row.device.clone(), memory_bytes: memory_bytes(row) }
}
