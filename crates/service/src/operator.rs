//! What the operator is shown of the whole installation.

use crate::Services;
use store::{StoreError, UnreadableRow, WorkerSeen};

/// What may need a person.
#[derive(Debug, Clone)]
pub struct Attention {
    /// Rows that are passed over because they cannot be read; those seen last first.
    pub unreadable_rows: Vec<UnreadableRow>,
    /// Those seen last first.
    pub workers: Vec<WorkerSeen>,
}

impl Services {
    /// Only for the eyes of an operator; the caller has to look at `User::is_operator`.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn attention(&self) -> Result<Attention, StoreError> {
        let operator = self.store.operator();
        Ok(Attention { unreadable_rows: operator.unreadable_rows().await?, workers: operator.workers().await? })
    }
}
