//! What was claimed, so that a job which two have is noticed.

use anyhow::{Result, anyhow, ensure};
use std::{collections::HashSet, fmt::Debug, hash::Hash, sync::Mutex};

pub struct Taken<T>(Mutex<HashSet<T>>);

impl<T: Hash + Eq + Debug + Copy> Taken<T> {
    pub fn new() -> Self {
        Self(Mutex::default())
    }

    /// # Errors
    /// When it was claimed before.
    pub fn add(&self, claimed: T) -> Result<()> {
        let is_new = self.0.lock().map_err(|_| anyhow!("a claimer failed"))?.insert(claimed);
        ensure!(is_new, "{claimed:?} was claimed twice");
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.0.lock().map_or(0, |taken| taken.len())
    }
}
