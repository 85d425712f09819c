//! The only speaker of SQL and of object storage.
//!
//! Rows of a tenant are reached through it (`store.tenant(id).jobs()`), so a query without an owner has no
//! spelling; the queue, the workers and the sign-in have doors of their own.

mod accounts;
mod connect;
mod entity;
mod error;
mod job;
pub mod objects;
pub mod queue;
mod rows;
mod sessions;
mod signals;
mod tenant;
#[cfg(feature = "testing")]
pub mod testing;
mod timings;
mod workers;
mod write;

pub use accounts::{Accounts, Credentials, NewAccount, SignInFailures};
pub use connect::SystemClock;
pub use error::{StoreError, SubmitError};
pub use job::{Artifact, ArtifactKind, Idempotency, Job, NewJob, Preview, StoredObject, Submitted};
pub use queue::{Claimed, LeaseError, LeaseToken, Queue};
pub use sessions::SessionRows;
pub use signals::{Change, Signals};
pub use tenant::{ApiKey, ApiKeys, JobPage, Jobs, KeyOwner, NewApiKey, Order, PageQuery, Tenant};
pub use timings::{StageTiming, Timings};
pub use workers::{WorkerRole, Workers};

use connect::{Connections, TimeSource};
use domain::{Clock, TenantId, Timestamp};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};
use std::sync::Arc;

/// The database, opened. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    /// For single reads.
    db: DatabaseConnection,
    /// For transactions that write; on SQLite a single connection, as there is one writer at a time.
    writer: DatabaseConnection,
    time: TimeSource,
    signals: Signals,
}

impl Store {
    /// Opens `sqlite:///path/file.db` (created when missing) or `postgres://..`. The present is the
    /// database server's, so that no lease depends on a worker's clock; on SQLite, which has no server, it
    /// is this machine's.
    ///
    /// # Errors
    /// [`StoreError`] when the address is not one of these or nothing answers there.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::connect(url, None).await
    }

    /// As [`Self::open`], with every moment taken from `clock`: for tests and simulations.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_at(url: &str, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        Self::connect(url, Some(clock)).await
    }

    async fn connect(url: &str, clock: Option<Arc<dyn Clock>>) -> Result<Self, StoreError> {
        let Connections { db, writer, signals } = connect::open(url).await?;
        let time = match clock {
            Some(clock) => TimeSource::Given(clock),
            None if db.get_database_backend() == DbBackend::Postgres => TimeSource::Database,
            None => TimeSource::Given(Arc::new(SystemClock)),
        };
        Ok(Self { db, writer, time, signals })
    }

    /// Brings the schema up to date. Safe to run from several processes at once.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer or refuses a step.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        connect::migrate(&self.writer).await
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        Ok(self.db.execute_unprepared("SELECT 1").await.map(drop)?)
    }

    /// The present, by the clock that all processes share: the database server's where there is one.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn now(&self) -> Result<Timestamp, StoreError> {
        self.time.now(&self.db).await
    }

    #[must_use]
    pub fn tenant(&self, id: TenantId) -> Tenant<'_> {
        Tenant::new(self, id)
    }

    #[must_use]
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts::new(self)
    }

    #[must_use]
    pub fn queue(&self) -> Queue<'_> {
        Queue::new(self)
    }

    #[must_use]
    pub fn workers(&self) -> Workers<'_> {
        Workers::new(self)
    }

    #[must_use]
    pub fn timings(&self) -> Timings<'_> {
        Timings::new(self)
    }

    #[must_use]
    pub fn sessions(&self) -> SessionRows {
        SessionRows::new(self.clone())
    }

    #[must_use]
    pub const fn signals(&self) -> &Signals {
        &self.signals
    }
}
