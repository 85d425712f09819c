//! Jobs whose rows this version cannot read: remembered, so that they keep nobody waiting.
//!
//! They stay as they are, because a newer version may know what they mean.

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
