//! What a backup asks of a database: a whole copy of it, and whether a new one holds nothing yet.

use crate::{Store, StoreError};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sqlx::sqlite::SqliteConnectOptions;
use std::path::{Path, PathBuf};

/// The file of a SQLite database. `None`: the address is of another kind.
#[must_use]
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options: SqliteConnectOptions = url.strip_prefix("sqlite:").and_then(|_| url.parse().ok())?;
    Some(options.get_filename().to_owned())
}

impl Store {
    /// Writes the whole SQLite database, as it is at one moment, into a file that is not there yet. Nobody who writes waits for it.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the file cannot be written, or this is PostgreSQL.
    pub async fn copy_into(&self, file: &Path) -> Result<(), StoreError> {
        let file = file.display().to_string();
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [file.into()]);
        self.shared.execute_raw(copy).await?;
        Ok(())
    }

    /// Whether the database has never held anything of ours.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn is_blank(&self) -> Result<bool, StoreError> {
        let sql = match self.shared.get_database_backend() {
            DbBackend::Postgres => "SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() LIMIT 1",
            _ => "SELECT 1 AS one FROM sqlite_master LIMIT 1",
        };
        let row = self.shared.query_one_raw(Statement::from_string(self.shared.get_database_backend(), sql)).await?;
        Ok(row.is_none())
    }
}
