//! What the operator is shown of the whole installation.

use crate::{AccessError, Services};
use domain::{Actor, Permission};
use store::{UnreadableRow, WorkerSeen};

/// What may need a person.
#[derive(Debug, Clone)]
pub struct Attention {
    /// Rows that are passed over because they cannot be read; those seen last first.
    pub unreadable_rows: Vec<UnreadableRow>,
    /// Those seen last first.
    pub workers: Vec<WorkerSeen>,
}

impl Services {
    /// # Errors
    /// [`AccessError`] when `actor` may not look, or the database does not answer.
    pub async fn attention(&self, actor: Actor) -> Result<Attention, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let operator = self.store.operator();
        Ok(Attention { unreadable_rows: operator.unreadable_rows().await?, workers: operator.workers().await? })
    }
}
