//! What can go wrong between us and the database.

use domain::scheduling::AdmissionError;
use sea_orm::{DbErr, RuntimeErr};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database did not answer")]
    Database(#[from] DbErr),
    #[error("`{url}` is not a database address: use sqlite:///path/file.db or postgres://user@host/name")]
    Address { url: String },
    #[error("column {column} of {table} holds a value that cannot be: {value}")]
    Inconsistent { table: &'static str, column: &'static str, value: String },
    /// A guarded write matched no row although the row was locked: a defect, nothing was written.
    #[error("a row of {table} changed under its lock")]
    Raced { table: &'static str },
}

impl StoreError {
    pub(crate) fn inconsistent(table: &'static str, column: &'static str, value: impl ToString) -> Self {
        Self::Inconsistent { table, column, value: value.to_string() }
    }

    /// Another process holds SQLite's write lock.
    pub(crate) fn is_busy(error: &DbErr) -> bool {
        let (DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Exec(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause))) = error
        else {
            return false;
        };
        // The primary code is in the low byte: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED.
        let code = cause.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse::<u32>().ok());
        code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(DbErr::Conn(RuntimeErr::SqlxError(error.into())))
    }
}

/// Why a job was not taken in; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    #[error(transparent)]
    NotAdmitted(#[from] AdmissionError),
    /// The idempotency key was used before, for another request.
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DbErr> for SubmitError {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}
