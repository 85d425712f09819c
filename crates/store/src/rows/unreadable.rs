//! Jobs whose rows this version cannot read: remembered for a while, so that they keep nobody waiting.
//!
//! They stay as they are, because a newer version may know what they mean.

use super::jobs::{self, Lock};
use crate::{Job, Store, StoreError, database::write::Write, entity::job as table};
use domain::{JobId, Timestamp};
use sea_orm::{ColumnTrait, QueryFilter, Select};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// More than this many are not remembered, so that a query never grows without bound.
const REMEMBERED_MAX: usize = 1000;
/// A row that was mended is found after this.
const REMEMBERED_MS: i64 = 60_000;

/// When each of them was met. Shared by all clones of a store.
#[derive(Clone, Default)]
pub(crate) struct Unreadable {
    met: Arc<Mutex<HashMap<Uuid, Timestamp>>>,
}

impl Unreadable {
    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Timestamp>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// The rows that were met within the minute.
    pub(crate) fn unreadable(&self) -> Vec<Uuid> {
        let (mut met, now) = (self.unreadable.lock(), self.time.local_now());
        met.retain(|_, at| !at.plus_ms(REMEMBERED_MS).has_come(now, REMEMBERED_MS));
        met.keys().copied().collect()
    }

    /// Unless there are too many to remember.
    pub(crate) fn remember_unreadable(&self, id: Uuid) {
        let mut met = self.unreadable.lock();
        if met.len() < REMEMBERED_MAX || met.contains_key(&id) {
            met.insert(id, self.time.local_now());
        }
    }
}

/// Those of some locked jobs that can be read.
pub(crate) struct Locked {
    pub(crate) jobs: Vec<Job>,
    unreadable: Vec<(JobId, StoreError)>,
}

impl Locked {
    /// Reads the jobs with `ids` one by one, so that one that cannot be read does not keep the others waiting.
    pub(crate) async fn read(write: &Write, rows: Select<table::Entity>, ids: Vec<Uuid>) -> Result<Self, StoreError> {
        let mut read = Self { jobs: Vec::with_capacity(ids.len()), unreadable: Vec::new() };
        for id in ids {
            match jobs::one(&write.tx, rows.clone().filter(table::Column::Id.eq(id)), Lock::No).await {
                Ok(job) => read.jobs.extend(job),
                Err(error) => read.pass_over(JobId::from_uuid(id), error)?,
            }
        }
        Ok(read)
    }

    /// # Errors
    /// `error`, when it is not about the row.
    pub(crate) fn pass_over(&mut self, job: JobId, error: StoreError) -> Result<(), StoreError> {
        if !error.is_of_row() {
            return Err(error);
        }
        self.unreadable.push((job, error));
        Ok(())
    }

    /// Remembers what was passed over and writes it down for the operator, once the transaction has ended.
    pub(crate) async fn note_unreadable(self, store: &Store) {
        for (job, _) in &self.unreadable {
            store.remember_unreadable(job.uuid());
        }
        store.operator().note_in_passing(&self.unreadable).await;
    }
}
