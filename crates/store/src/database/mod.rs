//! The database behind the store: opened, migrated, and written to in transactions.

pub(crate) mod connect;
pub(crate) mod deadlock;
pub(crate) mod events;
pub(crate) mod group_commit;
pub(crate) mod transitions;
pub(crate) mod wall;
pub(crate) mod write;

use std::time::Duration;

/// How long a caller waits for a connection, or for SQLite's write lock, before it is told that the database
/// does not answer: as long as a request may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
