//! What the stages of a job cost by what was measured of late, and what was known last where that cannot be asked.

use crate::recent::Recent;
use domain::{Shape, scheduling::StageCosts};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use store::{Store, StoreError};

/// More than the models, sizes and lengths on offer; jobs of models that were withdrawn may add to those.
const REMEMBERED: usize = 2000;

/// A model, and what it makes.
type Work = (String, Shape);

pub(crate) struct Costs {
    recent: Recent<Work, Option<StageCosts>>,
    last: Mutex<HashMap<Work, StageCosts>>,
}

impl Default for Costs {
    fn default() -> Self {
        Self { recent: Recent::for_a_second(), last: Mutex::default() }
    }
}

impl Costs {
    /// `None` until both stages of `model` were measured.
    pub(crate) async fn get(&self, store: &Store, model: &str, shape: Shape) -> Result<Option<StageCosts>, StoreError> {
        let (store, work) = (store.clone(), (model.to_owned(), shape));
        let asked = work.clone();
        let costs = self.recent.get(work.clone(), || async move { store.timings().costs(&asked.0, asked.1).await }).await?;
        if let Some(costs) = costs {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.len() >= REMEMBERED {
                last.clear();
            }
            last.insert(work, costs);
        }
        Ok(costs)
    }

    /// What was answered last, however long ago.
    pub(crate) fn last(&self, model: &str, shape: Shape) -> Option<StageCosts> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).get(&(model.to_owned(), shape)).copied()
    }
}
