//! Opening the database, bringing its schema up to date, and where the present comes from.
//!
//! SQLite runs in WAL mode with one writing connection per process and a few that read: readers never wait,
//! and writers queue here, first come first served, instead of fighting for the file's lock.

use crate::{Signals, StoreError};
use domain::{Clock, Timestamp};
use migration::MigratorTrait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};
use sqlx::{
    ConnectOptions, Connection,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{sync::Arc, time::Duration};

const READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 10;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a caller waits for a connection before it is told that the database does not answer.
const POSTGRES_PATIENCE: Duration = Duration::from_secs(10);
/// The same for SQLite, where all writers of a process stand in one line.
const SQLITE_PATIENCE: Duration = Duration::from_secs(60);
const SLOW: Duration = Duration::from_secs(1);
/// Names the advisory lock under which the schema is changed.
const MIGRATION_LOCK: i64 = 0x5265_656c_0001;

pub(crate) struct Connections {
    pub db: DatabaseConnection,
    pub writer: DatabaseConnection,
    pub signals: Signals,
}

pub(crate) async fn open(url: &str) -> Result<Connections, StoreError> {
    let wrong = || StoreError::Address { url: without_secrets(url) };
    if url.starts_with("sqlite:") && !url.contains(":memory:") {
        sqlite(url.parse().map_err(|_| wrong())?).await
    } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        postgres(url.parse().map_err(|_| wrong())?).await
    } else {
        Err(wrong())
    }
}

async fn sqlite(options: SqliteConnectOptions) -> Result<Connections, StoreError> {
    let options = options
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .synchronous(SqliteSynchronous::Normal)
        .log_statements(log_level())
        .log_slow_statements(log::LevelFilter::Warn, SLOW);
    // The file remembers its journal mode. Only the first to open it changes it, and must be alone for that.
    let wal = options.clone().journal_mode(SqliteJournalMode::Wal);
    until_not_busy(|| async { Ok(wal.connect().await?.close().await?) }).await?;
    let pool = |connections| {
        SqlitePoolOptions::new().max_connections(connections).acquire_timeout(SQLITE_PATIENCE).idle_timeout(None).max_lifetime(None)
    };
    // What was acknowledged outlives a power cut.
    let writer = pool(1).connect_with(options.clone().synchronous(SqliteSynchronous::Full)).await?;
    let db = pool(READERS).connect_with(options.clone()).await?;
    Ok(Connections {
        db: db.into(),
        writer: writer.into(),
        signals: Signals::of_sqlite(options.read_only(true).create_if_missing(false)).await?,
    })
}

async fn postgres(options: PgConnectOptions) -> Result<Connections, StoreError> {
    let options = options.application_name("reelmill").log_statements(log_level()).log_slow_statements(log::LevelFilter::Warn, SLOW);
    let pool =
        PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(POSTGRES_PATIENCE).connect_with(options.clone()).await?;
    let db = DatabaseConnection::from(pool);
    Ok(Connections { writer: db.clone(), db, signals: Signals::of_postgres(options).await? })
}

const fn log_level() -> log::LevelFilter {
    log::LevelFilter::Trace
}

/// One transaction for the whole way up, under a lock that other processes wait for.
pub(crate) async fn migrate(writer: &DatabaseConnection) -> Result<(), StoreError> {
    let transaction = begin(writer).await?;
    if writer.get_database_backend() == DbBackend::Postgres {
        lock(&transaction, MIGRATION_LOCK).await?;
    }
    migration::Migrator::up(&transaction, None).await?;
    Ok(transaction.commit().await?)
}

/// Waits for the advisory lock `key` and holds it until the transaction ends.
pub(crate) async fn lock(transaction: &impl ConnectionTrait, key: i64) -> Result<(), DbErr> {
    let sql = Statement::from_sql_and_values(DbBackend::Postgres, "SELECT pg_advisory_xact_lock($1)", [key.into()]);
    transaction.query_one_raw(sql).await.map(drop)
}

/// Begins a transaction that will write. On SQLite it takes the write lock at once: a transaction that
/// asks for it later, having read, is refused when another has written meanwhile.
pub(crate) async fn begin(writer: &DatabaseConnection) -> Result<sea_orm::DatabaseTransaction, StoreError> {
    use sea_orm::{SqliteTransactionMode, TransactionOptions, TransactionTrait};
    let options =
        || TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate), ..TransactionOptions::default() };
    match writer.get_database_backend() {
        DbBackend::Sqlite => until_not_busy(|| async { Ok(writer.begin_with_options(options()).await?) }).await,
        _ => Ok(writer.begin().await?),
    }
}

/// Tries again while another process holds SQLite's lock; nothing has been done by then, so that is safe.
async fn until_not_busy<T, F>(attempt: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut pause = Duration::from_millis(5);
    loop {
        match attempt().await {
            Err(StoreError::Database(error)) if StoreError::is_busy(&error) => tokio::time::sleep(pause).await,
            other => return other,
        }
        pause = (pause * 2).min(Duration::from_millis(200));
    }
}

/// The address without what stands before an `@`, for messages.
fn without_secrets(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 <= at => format!("{}…{}", &url[..scheme + 3], &url[at..]),
        _ => url.to_owned(),
    }
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Whose clock counts.
#[derive(Clone)]
pub(crate) enum TimeSource {
    /// The database server's.
    Database,
    Given(Arc<dyn Clock>),
}

impl TimeSource {
    pub(crate) async fn now(&self, db: &impl ConnectionTrait) -> Result<Timestamp, StoreError> {
        match self {
            Self::Given(clock) => Ok(clock.now()),
            Self::Database => {
                let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms";
                let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
                let row = row.ok_or_else(|| DbErr::RecordNotFound("the clock".to_owned()))?;
                Ok(Timestamp::from_ms(row.try_get("", "now_ms")?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_does_not_get_into_a_message() {
        assert_eq!(without_secrets("mysql://root:secret@host/db"), "mysql://…@host/db");
        assert_eq!(without_secrets("nonsense"), "nonsense");
    }
}
