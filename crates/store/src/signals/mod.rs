//! Wake-ups: who waits for work or watches a job sleeps until something changed.
//!
//! PostgreSQL tells by `LISTEN`/`NOTIFY`; on SQLite one connection asks `PRAGMA data_version`, which costs
//! no I/O. Both may lose a wake-up when a connection breaks, so every sleeper keeps a slow timer beside it.

mod postgres;
mod sqlite;

use crate::StoreError;
use domain::{JobId, Stage};
use sqlx::{postgres::PgConnectOptions, sqlite::SqliteConnectOptions};
use std::sync::Arc;
use tokio::{sync::broadcast, task::AbortHandle};

/// A sleeper that lags behind by more than this is told so, and looks at everything.
const BACKLOG: usize = 1024;

/// The channel of PostgreSQL's notifications.
pub(crate) const CHANNEL: &str = "reelmill";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A job may be claimable for this stage.
    Queue(Stage),
    /// This job's row changed.
    Job(JobId),
    /// Something changed, it is not known what.
    Any,
}

/// The stream of changes made by any process.
#[derive(Clone)]
pub struct Signals {
    sender: broadcast::Sender<Change>,
    /// Listens until the last clone of the store is gone.
    _listener: Arc<Listener>,
}

struct Listener(AbortHandle);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Signals {
    /// Changes from now on. A receiver that lags behind should treat that as [`Change::Any`].
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.sender.subscribe()
    }

    pub(crate) fn send(&self, change: Change) {
        // Fails when nobody is subscribed, which is nobody's loss.
        let _ = self.sender.send(change);
    }

    pub(crate) async fn of_postgres(options: PgConnectOptions) -> Result<Self, StoreError> {
        let listener = postgres::connect(&options).await?;
        Ok(Self::fed_by(|sender| postgres::listen(listener, options, sender)))
    }

    pub(crate) async fn of_sqlite(options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let watcher = sqlite::Watcher::connect(&options).await?;
        Ok(Self::fed_by(|sender| sqlite::watch(watcher, options, sender)))
    }

    fn fed_by<F: Future<Output = ()> + Send + 'static>(source: impl FnOnce(broadcast::Sender<Change>) -> F) -> Self {
        let (sender, _) = broadcast::channel(BACKLOG);
        let task = tokio::spawn(source(sender.clone()));
        Self { sender, _listener: Arc::new(Listener(task.abort_handle())) }
    }
}

/// In one notification, which PostgreSQL keeps below 8,000 bytes.
const TOLD_TOGETHER: usize = 100;

/// Changes as the texts of notifications: those of a transaction in as few as can be, as each is told to every process.
pub(crate) fn payloads(changes: &[Change]) -> Vec<String> {
    changes.chunks(TOLD_TOGETHER).map(|some| some.iter().map(|change| payload(*change)).collect::<Vec<_>>().join(" ")).collect()
}

fn payload(change: Change) -> String {
    match change {
        Change::Queue(stage) => format!("queue:{stage}"),
        Change::Job(id) => id.to_string(),
        Change::Any => "any".to_owned(),
    }
}

/// The inverse of [`payloads`]; what a newer version might send is [`Change::Any`].
fn parse(payload: &str) -> Vec<Change> {
    let change = |text: &str| match text {
        "queue:sampling" => Change::Queue(Stage::Sampling),
        "queue:decoding" => Change::Queue(Stage::Decoding),
        other => other.parse().map_or(Change::Any, Change::Job),
    };
    payload.split(' ').map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn changes_survive_the_notification() {
        let job = |n| Change::Job(JobId::from_uuid(Uuid::from_u128(n)));
        let changes = [Change::Queue(Stage::Sampling), Change::Queue(Stage::Decoding), Change::Any, job(7)];
        assert_eq!(payloads(&changes).iter().map(|payload| parse(payload)).collect::<Vec<_>>(), [changes]);
        assert_eq!(parse("from-a-later-version"), [Change::Any]);
        let many: Vec<_> = (0..250).map(job).collect();
        let told = payloads(&many);
        assert!(told.len() == 3 && told.iter().all(|payload| payload.len() < 8000));
        assert_eq!(told.iter().flat_map(|payload| parse(payload)).collect::<Vec<_>>(), many);
    }
}
