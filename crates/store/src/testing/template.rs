//! Databases with today's schema, made once in each program of tests: to copy one takes a fraction of the time that the steps of the
//! migration take.

use super::{run, sqlite_url};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database};
use sqlx::{ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};
use std::{fs, path::Path, process, sync::OnceLock, thread};
use tempfile::TempDir;
use tokio::{runtime, sync::OnceCell};

/// Followed by the id of the process that made it.
const PREFIX: &str = "reelmill_template_";

pub(super) fn sqlite() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let make = || {
            let folder = TempDir::new().expect("a temporary folder");
            let (working, copy) = (folder.path().join("working.db"), folder.path().join("copy.db"));
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let database = Database::connect(format!("{}?mode=rwc", sqlite_url(&working))).await.expect("a new database");
                Migrator::up(&database, None).await.expect("the migration goes through");
                // One file, whatever else lies beside the one that is worked on.
                let into = format!("VACUUM INTO '{}'", copy.display());
                database.execute_unprepared(&into).await.expect("a copy of the database");
            });
            fs::read(copy).expect("the copy")
        };
        // Whoever asks may be on a runtime, which cannot be waited on from within.
        thread::spawn(make).join().expect("a template")
    })
}

/// The template's name.
pub(super) async fn postgres(server: &PgConnectOptions) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    NAME.get_or_init(|| async {
        remove_those_left_behind(server).await.expect("old templates can be removed");
        let name = format!("{PREFIX}{}", process::id());
        run(server, format!("CREATE DATABASE {name}")).await.expect("a database for the template");
        let url = server.clone().database(&name).to_url_lossy().to_string();
        let database = Database::connect(url).await.expect("the template");
        Migrator::up(&database, None).await.expect("the migration goes through");
        database.close().await.expect("the connection is closed");
        name
    })
    .await
}

/// A program of tests has no end at which it could remove its own.
async fn remove_those_left_behind(server: &PgConnectOptions) -> Result<(), sqlx::Error> {
    let mut connection: PgConnection = server.connect().await?;
    let templates: Vec<String> = sqlx::query_scalar("SELECT datname::text FROM pg_database WHERE starts_with(datname, $1)")
        .bind(PREFIX)
        .fetch_all(&mut connection)
        .await?;
    connection.close().await?;
    for name in templates {
        let maker = name.trim_start_matches(PREFIX);
        if maker == process::id().to_string() || !Path::new("/proc").join(maker).exists() {
            run(server, format!("DROP DATABASE IF EXISTS {name}")).await?;
        }
    }
    Ok(())
}
