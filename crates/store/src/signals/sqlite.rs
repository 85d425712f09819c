//! Changes to a SQLite file, whichever process made them.

use super::Change;
use sqlx::{ConnectOptions, SqliteConnection, sqlite::SqliteConnectOptions};
use std::time::Duration;
use tokio::sync::broadcast;

/// Where nothing happens, what does is seen soon.
const INTERVAL: Duration = Duration::from_millis(10);
/// Where much happens, sleepers are not woken more often than this.
const INTERVAL_AFTER_CHANGE: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_secs(1);

/// A connection that never writes, and the version of the file it saw last.
pub(super) struct Watcher {
    connection: SqliteConnection,
    version: i64,
}

impl Watcher {
    pub(super) async fn connect(options: &SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let mut connection = options.connect().await?;
        let version = version(&mut connection).await?;
        Ok(Self { connection, version })
    }

    /// Whether any other connection has committed since the last call.
    async fn changed(&mut self) -> Result<bool, sqlx::Error> {
        let version = version(&mut self.connection).await?;
        Ok(std::mem::replace(&mut self.version, version) != version)
    }
}

/// Differs from the last answer on the same connection when another connection has committed since.
async fn version(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("PRAGMA data_version").fetch_one(connection).await
}

/// Tells of changes for ever.
pub(super) async fn watch(mut watcher: Watcher, options: SqliteConnectOptions, sender: broadcast::Sender<Change>) {
    let mut interval = INTERVAL;
    loop {
        tokio::time::sleep(interval).await;
        interval = INTERVAL;
        match watcher.changed().await {
            Ok(false) => {}
            Ok(true) => {
                interval = INTERVAL_AFTER_CHANGE;
                drop(sender.send(Change::Any));
            }
            Err(error) => {
                tracing::warn!(error = %error, "cannot watch the database file; trying again");
                tokio::time::sleep(PAUSE).await;
                if let Ok(fresh) = Watcher::connect(&options).await {
                    watcher = fresh;
                    let _ = sender.send(Change::Any);
                }
            }
        }
    }
}
