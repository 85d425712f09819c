//! Databases and a clock for tests: of this crate, and of whoever stands on it.
//!
//! A test runs on SQLite always, and on PostgreSQL when `REELMILL_TEST_POSTGRES` holds the address of a
//! server on which databases may be made. With `REELMILL_REQUIRE_POSTGRES=1` its absence is a failure.

use crate::{Store, StoreError};
use domain::{Clock, Timestamp};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, postgres::PgConnectOptions};
use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};
use tempfile::TempDir;
use uuid::Uuid;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// An empty database of its own, gone when this is dropped.
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
        let url = format!("sqlite://{}", folder.path().join("reelmill.db").display());
        Self { engine: Engine::Sqlite, url, _place: Place::Folder { _until_dropped: folder } }
    }

    async fn postgres() -> Option<Self> {
        let Ok(server_url) = env::var("REELMILL_TEST_POSTGRES") else {
            assert!(env::var("REELMILL_REQUIRE_POSTGRES").as_deref() != Ok("1"), "REELMILL_TEST_POSTGRES is not set");
            eprintln!("skipped on PostgreSQL: REELMILL_TEST_POSTGRES is not set");
            return None;
        };
        let server: PgConnectOptions = server_url.parse().expect("REELMILL_TEST_POSTGRES is an address");
        let name = format!("reelmill_test_{}", Uuid::new_v4().simple());
        run(&server, format!("CREATE DATABASE {name}")).await.expect("a database of one's own");
        let url = server.clone().database(&name).to_url_lossy().to_string();
        Some(Self {
            engine: Engine::Postgres,
            url,
            _place: Place::Server { _until_dropped: Box::new(TempServerDatabase { server, name }) },
        })
    }

    /// Another connection to it, by the clocks of production.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open(&self) -> Result<Store, StoreError> {
        let store = Store::open(&self.url).await?;
        store.migrate().await?;
        Ok(store)
    }

    /// Another connection to it, by `dial`.
    ///
    /// # Errors
    /// As [`Store::open_at`].
    pub async fn open_at(&self, dial: &Dial) -> Result<Store, StoreError> {
        let store = Store::open_at(&self.url, Arc::new(dial.clone())).await?;
        store.migrate().await?;
        Ok(store)
    }
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
