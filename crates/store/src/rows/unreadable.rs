//! Jobs whose rows this version cannot read: remembered, so that they keep nobody waiting.
//!
//! They stay as they are, because a newer version may know what they mean.

use super::jobs::{self, Lock};
use crate::{Job, Store, StoreError, entity::job as table, write::Write};
use domain::JobId;
use sea_orm::{ColumnTrait, QueryFilter, Select};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};
use uuid::Uuid;

/// More than this many are not remembered, so that a query never grows without bound.
const REMEMBERED: usize = 1000;

/// Shared by all clones of a store.
#[derive(Clone, Default)]
pub(crate) struct Unreadable {
    known: Arc<Mutex<HashSet<Uuid>>>,
}

impl Unreadable {
    /// `false`: there are too many to remember, so that it would be met again and again.
    pub(crate) fn remember(&self, id: Uuid) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&id) || (known.len() < REMEMBERED && known.insert(id))
    }

    pub(crate) fn ids(&self) -> Vec<Uuid> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

/// Those of some locked jobs that can be read.
pub(crate) struct Locked {
    pub(crate) jobs: Vec<Job>,
    unreadable: Vec<(JobId, StoreError)>,
}

impl Locked {
    /// Reads the jobs with `ids` one by one, so that one that cannot be read does not keep the others waiting.
    pub(crate) async fn read(store: &Store, write: &Write, rows: Select<table::Entity>, ids: Vec<Uuid>) -> Result<Self, StoreError> {
        let mut read = Self { jobs: Vec::with_capacity(ids.len()), unreadable: Vec::new() };
        for id in ids {
            match jobs::one(&write.tx, rows.clone().filter(table::Column::Id.eq(id)), Lock::No).await {
                Ok(job) => read.jobs.extend(job),
                Err(error) if error.is_of_row() && store.unreadable.remember(id) => {
                    read.unreadable.push((JobId::from_uuid(id), error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(read)
    }

    /// Writes the unreadable ones down for the operator, once the transaction has ended.
    pub(crate) async fn note_unreadable(self, store: &Store) -> Result<(), StoreError> {
        for (id, error) in self.unreadable {
            store.operator().note_unreadable(id, &error).await?;
        }
        Ok(())
    }
}
