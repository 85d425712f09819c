//! Databases and a clock for tests: of this crate, and of whoever stands on it.
//!
//! A test runs on SQLite always, and on PostgreSQL when `REELMILL_TEST_POSTGRES` holds the address of a
//! server on which databases may be made. With `REELMILL_REQUIRE_POSTGRES=1` its absence is a failure.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod contents;
mod template;

use crate::{Store, StoreError, chance};
use domain::{Clock, JobId, Timestamp, catalog};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, SqliteConnection, postgres::PgConnectOptions};
use std::{
    env,
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tempfile::TempDir;

/// A clock that stands still until it is turned.
#[derive(Debug, Clone)]
pub struct Dial {
    ms: Arc<AtomicI64>,
}

impl Dial {
    #[must_use]
    pub fn at(ms: i64) -> Self {
        Self { ms: Arc::new(AtomicI64::new(ms)) }
    }

    pub fn advance_ms(&self, ms: i64) {
        self.ms.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Default for Dial {
    /// Some day in 2027.
    fn default() -> Self {
        Self::at(1_800_000_000_000)
    }
}

impl Clock for Dial {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.ms.load(Ordering::SeqCst))
    }
}

impl Store {
    /// Lets the lease of this job run out now, whoever holds it.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn end_lease(&self, job: JobId) -> Result<(), StoreError> {
        use crate::entity::job::{Column, Entity};
        use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
        let write = self.write().await?;
        let ended = Entity::update_many().col_expr(Column::LeaseExpiresAtMs, Expr::value(write.now.ms()));
        ended.filter(Column::Id.eq(job.uuid())).filter(Column::LeaseWorker.is_not_null()).exec(&write.tx).await?;
        write.commit().await
    }

    /// Has SQLite end a transaction by itself, as it does on a full disk: one of those that each have a flush of
    /// their own, and one of those that share it.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn end_transactions(&self) -> Result<(), StoreError> {
        use sea_orm::ConnectionTrait;
        self.write().await?.tx.execute_unprepared("ROLLBACK").await?;
        self.perform(|store| async move {
            store.write_in_group_of(domain::TenantId::from_uuid(chance::new_id())).await?.tx.execute_unprepared("ROLLBACK").await?;
            Ok(())
        })
        .await
    }

    /// Puts a number into a column of a job's row that means nothing there.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn spoil(&self, job: JobId, column: &'static str, number: i32) -> Result<(), StoreError> {
        use sea_orm::ConnectionTrait;
        let write = self.write().await?;
        let statement = write.statement(&format!("UPDATE jobs SET {column} = $1 WHERE id = $2"), [number.into(), job.uuid().into()]);
        write.tx.execute_raw(statement).await?;
        write.commit().await
    }
}

/// While it lives, random bytes and numbers on this thread are the same ones for the same seed. Ids are not.
pub struct SeededChance(());

impl SeededChance {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        chance::seeded::seed(Some(seed));
        Self(())
    }
}

impl Drop for SeededChance {
    fn drop(&mut self) {
        chance::seeded::seed(None);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A database of its own with today's schema, gone when this is dropped.
pub struct TempDatabase {
    pub engine: Engine,
    pub url: String,
    _place: Place,
}

enum Place {
    Folder { _until_dropped: TempDir },
    Server { _until_dropped: Box<TempServerDatabase> },
}

struct TempServerDatabase {
    server: PgConnectOptions,
    name: String,
}

impl TempDatabase {
    /// `None`: there is no such engine here, and that is fine.
    ///
    /// # Panics
    /// When the engine is here and refuses, or is missing and required.
    pub async fn new(engine: Engine) -> Option<Self> {
        match engine {
            Engine::Sqlite => Some(Self::sqlite()),
            Engine::Postgres => Self::postgres().await,
        }
    }

    /// # Panics
    /// When there is no place for temporary files.
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("reelmill.db");
        fs::write(&file, template::sqlite()).expect("a database file");
        fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("a file of one's own");
        Self { engine: Engine::Sqlite, url: sqlite_url(&file), _place: Place::Folder { _until_dropped: folder } }
    }

    /// Takes everything out of it, the schema too. Nobody may have it open.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn clear(&self) {
        match self.engine {
            Engine::Sqlite => fs::remove_file(self.url.trim_start_matches("sqlite://")).expect("the file can be removed"),
            Engine::Postgres => {
                let mut connection = PgConnection::connect(&self.url).await.expect("a connection");
                connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public").await.expect("the database is ours");
            }
        }
    }

    async fn postgres() -> Option<Self> {
        let Ok(server_url) = env::var("REELMILL_TEST_POSTGRES") else {
            assert!(env::var("REELMILL_REQUIRE_POSTGRES").as_deref() != Ok("1"), "REELMILL_TEST_POSTGRES is not set");
            eprintln!("skipped on PostgreSQL: REELMILL_TEST_POSTGRES is not set");
            return None;
        };
        let server: PgConnectOptions = server_url.parse().expect("REELMILL_TEST_POSTGRES is an address");
        let name = format!("reelmill_test_{}", chance::new_name().simple());
        let template = template::postgres(&server).await;
        run(&server, format!("CREATE DATABASE {name} TEMPLATE {template}")).await.expect("a database of one's own");
        let url = server.clone().database(&name).to_url_lossy().to_string();
        Some(Self {
            engine: Engine::Postgres,
            url,
            _place: Place::Server { _until_dropped: Box::new(TempServerDatabase { server, name }) },
        })
    }

    /// Its address for statements of a test's own, which see the rows of all tenants.
    #[must_use]
    pub fn url_of_all(&self) -> String {
        match self.engine {
            Engine::Sqlite => self.url.clone(),
            Engine::Postgres => {
                let separator = if self.url.contains('?') { '&' } else { '?' };
                format!("{}{separator}options[reelmill.system]=on", self.url)
            }
        }
    }

    /// Another connection to it, by the clocks of production.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open(&self) -> Result<Store, StoreError> {
        ready(Store::open(&self.url, None).await?).await
    }

    /// Changes rows behind everybody's back, as damage does.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn damage(&self, sql: &str) {
        use sea_orm::ConnectionTrait;
        let database = sea_orm::Database::connect(self.url_of_all()).await.expect("the database is there");
        let done = database.execute_unprepared(sql).await.expect("the statement is sound");
        assert!(done.rows_affected() > 0, "nothing is damaged by {sql}");
        database.close().await.expect("the connection is closed");
    }

    /// Another connection to it, by `dial`.
    ///
    /// # Errors
    /// As [`Store::open_at`].
    pub async fn open_at(&self, dial: &Dial) -> Result<Store, StoreError> {
        ready(Store::open_at(&self.url, Arc::new(dial.clone())).await?).await
    }
}

/// Brought up to date, and with what ships on offer, unless something is on offer already.
async fn ready(store: Store) -> Result<Store, StoreError> {
    store.migrate().await?;
    if store.models().list().await?.is_empty() {
        store.models().offer(catalog::testing::catalog().models()).await?;
    }
    Ok(store.patient())
}

impl Store {
    /// For tests that are not about time: jobs are taken in, however busy the machine is.
    #[must_use]
    pub const fn patient(mut self) -> Self {
        self.take_in_within = Duration::from_secs(120);
        self
    }
}

/// A connection that keeps what it holds until it is dropped.
pub struct Hold {
    _until_dropped: Box<dyn Send>,
}

/// Processes of the database server that do nothing until this is dropped.
pub struct Stopped(Vec<i32>);

impl Drop for Stopped {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

fn signal(name: &str, processes: &[i32]) {
    let done = Command::new("kill").arg(name).args(processes.iter().map(ToString::to_string)).status();
    assert!(done.is_ok_and(|status| status.success()), "the test should be allowed to send signals to the database");
}

impl TempDatabase {
    /// Carries out the statement for this engine in a transaction that stays open, on a connection of its own;
    /// on SQLite it begins the transaction itself.
    ///
    /// # Panics
    /// When the database refuses it.
    pub async fn hold(&self, sqlite: &'static str, postgres: &'static str) -> Hold {
        let connected: Box<dyn Send> = match self.engine {
            Engine::Sqlite => {
                let mut connection = SqliteConnection::connect(&self.url).await.expect("a connection");
                connection.execute(sqlite).await.expect("a lock");
                Box::new(connection)
            }
            Engine::Postgres => {
                let mut connection = PgConnection::connect(&self.url_of_all()).await.expect("a connection");
                connection.execute("BEGIN").await.expect("a transaction");
                connection.execute(postgres).await.expect("a lock");
                Box::new(connection)
            }
        };
        Hold { _until_dropped: connected }
    }

    /// Stops the PostgreSQL processes that serve this database, on this machine.
    ///
    /// # Panics
    /// When there are none that this process may stop.
    pub async fn stop_processes(&self) -> Stopped {
        let mut connection = PgConnection::connect(&self.url).await.expect("a connection");
        let others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let processes: Vec<i32> = sqlx::query_scalar(others).fetch_all(&mut connection).await.expect("its processes");
        signal("-STOP", &processes);
        Stopped(processes)
    }
}

fn sqlite_url(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}

async fn run(server: &PgConnectOptions, sql: String) -> Result<(), sqlx::Error> {
    let mut connection = server.connect().await?;
    connection.execute(AssertSqlSafe(sql)).await?;
    connection.close().await
}

impl Drop for TempServerDatabase {
    fn drop(&mut self) {
        let (server, sql) = (self.server.clone(), format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        // A drop cannot wait on the runtime it runs on.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(run(&server, sql)).map_err(std::io::Error::other)
        });
        if !matches!(dropping.join(), Ok(Ok(()))) {
            eprintln!("the database {} is left behind", self.name);
        }
    }
}

/// Makes each `async fn name(database: TempDatabase)` into two tests, `name::sqlite` and `name::postgres`.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($database:ident: TempDatabase) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn test($database: $crate::testing::TempDatabase) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                test($crate::testing::TempDatabase::sqlite()).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(database) = $crate::testing::TempDatabase::new($crate::testing::Engine::Postgres).await {
                    test(database).await;
                }
            }
        }
    )*};
}
