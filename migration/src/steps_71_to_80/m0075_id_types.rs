//! On SQLite every column of ids has the type `uuid_text`, which sea-query writes for a UUID.
//!
//! Steps in plain SQL declared `UUID`. SQLite takes that for a number's type and the other for a text's, and looks along no index of texts
//! for what is compared with a number. What is stored are 16 bytes in either, which SQLite turns into nothing else. So the declarations are
//! changed where they stand, and no row is written: <https://sqlite.org/lang_altertable.html>, section 7.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{DbBackend, Statement},
};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// All columns of the type are declared in one of these two ways, and nothing else in the declaration of a table reads like them.
const RETYPE: &str = "UPDATE sqlite_schema SET \
     sql = REPLACE(REPLACE(sql, ' UUID NOT NULL', ' uuid_text NOT NULL'), ' UUID NULL', ' uuid_text NULL') \
     WHERE type = 'table' AND sql LIKE '% UUID N%'";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() != DbBackend::Sqlite {
            return Ok(());
        }
        let db = manager.get_connection();
        db.execute_unprepared("PRAGMA writable_schema = ON").await?;
        let retyped = retype(manager).await;
        // Also after a failure: nobody else who has this connection is to write there. And it reads the schema anew.
        db.execute_unprepared("PRAGMA writable_schema = RESET").await?;
        retyped
    }

    /// Also where whoever brings the schema up to date has begun none: all of it is for one connection.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

async fn retype(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let db = manager.get_connection();
    let version = db.query_one_raw(Statement::from_string(DbBackend::Sqlite, "PRAGMA schema_version")).await?;
    let version: i64 = version.ok_or_else(|| DbErr::RecordNotFound("the version of the schema".to_owned()))?.try_get_by_index(0)?;
    db.execute_unprepared(RETYPE).await?;
    // By this every other connection sees that what it knows of the schema is old.
    db.execute_unprepared(&format!("PRAGMA schema_version = {}", version + 1)).await.map(drop)
}
