//! Databases with today's schema, made once in each program of tests: to copy one takes a fraction of the time that the steps of the
//! migration take.

use super::{run, sqlite_url};
use crate::chance;
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database};
use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};
use std::{
    fs,
    sync::{Mutex, OnceLock},
    thread,
};
use tempfile::TempDir;
use tokio::{runtime, sync::OnceCell};

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
    static TEMPLATE: OnceCell<(String, Mutex<PgConnection>)> = OnceCell::const_new();
    let make = || async {
        let mut session = server.connect().await.expect("a connection");
        let name = format!("{PREFIX}{}", chance::new_name().simple());
        sqlx::query("SELECT pg_advisory_lock(hashtext($1))").bind(&name).execute(&mut session).await.expect("a lock");
        if let Err(error) = remove_those_left_behind(server, &mut session).await {
            eprintln!("templates are left behind: {error}");
        }
        run(server, format!("CREATE DATABASE {name}")).await.expect("a database for the template");
        let url = server.clone().database(&name).to_url_lossy().to_string();
        let database = Database::connect(url).await.expect("the template");
        Migrator::up(&database, None).await.expect("the migration goes through");
        database.close().await.expect("the connection is closed");
        // As long as this program runs, its session says that the template is in use.
        (name, Mutex::new(session))
    };
    &TEMPLATE.get_or_init(make).await.0
}

/// A program of tests has no end at which it could remove its own.
async fn remove_those_left_behind(server: &PgConnectOptions, session: &mut PgConnection) -> Result<(), sqlx::Error> {
    let all = "SELECT datname::text FROM pg_database WHERE starts_with(datname, $1)";
    let templates: Vec<String> = sqlx::query_scalar(all).bind(PREFIX).fetch_all(&mut *session).await?;
    for name in templates {
        // Its maker is gone; whoever else removes it just now is let do so.
        let is_ours: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock(hashtext($1))").bind(&name).fetch_one(&mut *session).await?;
        if is_ours {
            run(server, format!("DROP DATABASE IF EXISTS {name}")).await?;
            sqlx::query("SELECT pg_advisory_unlock(hashtext($1))").bind(&name).execute(&mut *session).await?;
        }
    }
    Ok(())
}
