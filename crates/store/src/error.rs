//! What can go wrong between us and the database.

use domain::{JobId, TenantId, scheduling::AdmissionError};
use sea_orm::{DbErr, RuntimeErr};
use std::time::Duration;

#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    #[error("the database did not answer")]
    Database(#[from] DbErr),
    #[error("`{url}` is not a database address: use sqlite:///path/file.db or postgres://user@host/name")]
    Address { url: String },
    /// A server of this version brings it up to date when it starts.
    #[error("the database's schema is older than this program")]
    NotMigrated,
    #[error("column {column} of {table} holds a value that cannot be: {value}")]
    Inconsistent { table: &'static str, column: &'static str, value: String },
    /// A guarded write matched no row although the row was locked: a defect, nothing was written.
    #[error("a row of {table} changed under its lock")]
    Raced { table: &'static str },
    #[error("that team is gone")]
    TenantGone(TenantId),
}

impl StoreError {
    pub(crate) fn inconsistent(table: &'static str, column: &'static str, value: impl ToString) -> Self {
        Self::Inconsistent { table, column, value: value.to_string() }
    }

    /// What was found in one row cannot be read; the database itself is well.
    pub(crate) fn is_of_row(&self) -> bool {
        use sqlx::Error::{ColumnDecode, ColumnNotFound, Decode};
        match self {
            Self::Inconsistent { .. } => true,
            Self::Database(DbErr::Type(_) | DbErr::Json(_) | DbErr::TryIntoErr { .. }) => true,
            Self::Database(DbErr::Query(RuntimeErr::SqlxError(cause))) => {
                matches!(**cause, ColumnDecode { .. } | ColumnNotFound(_) | Decode(_))
            }
            _ => false,
        }
    }

    /// Another process holds SQLite's write lock.
    pub(crate) fn is_busy(error: &DbErr) -> bool {
        // The primary code is in the low byte: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED.
        let code = code(error).and_then(|code| code.parse::<u32>().ok());
        code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
    }

    /// PostgreSQL has ended this transaction because it and another waited for each other.
    pub(crate) fn is_deadlock(&self) -> bool {
        matches!(self, Self::Database(error) if code(error).as_deref() == Some("40P01"))
    }
}

/// By which the database names what went wrong.
fn code(error: &DbErr) -> Option<String> {
    let (DbErr::Conn(RuntimeErr::SqlxError(cause))
    | DbErr::Exec(RuntimeErr::SqlxError(cause))
    | DbErr::Query(RuntimeErr::SqlxError(cause))) = error
    else {
        return None;
    };
    Some(cause.as_database_error()?.code()?.into_owned())
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(DbErr::Conn(RuntimeErr::SqlxError(error.into())))
    }
}

/// Longer than any statement may take: after it the connection is taken for dead.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// Gives up a call that gets no answer at all, as on a connection that broke without a word.
///
/// # Errors
/// That of `call`, or [`StoreError::Database`].
pub async fn in_time<T, E: From<StoreError>>(call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    within(ANSWER_WITHIN, call).await
}

/// Gives up a call that takes longer than `time`.
///
/// # Errors
/// That of `call`, or [`StoreError::Database`].
pub async fn within<T, E: From<StoreError>>(time: Duration, call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let late = |_| Err(StoreError::from(DbErr::Custom(format!("no answer within {} s", time.as_secs()))).into());
    tokio::time::timeout(time, call).await.unwrap_or_else(late)
}

/// Why a job was not taken in; unless it is said otherwise, nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    #[error(transparent)]
    NotAdmitted(#[from] AdmissionError),
    /// The idempotency key was used before, for another request.
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    /// The idempotency key stands for a job that was deleted since.
    #[error("{0} was submitted under this idempotency key, and deleted since")]
    Deleted(JobId),
    /// The database was asked to keep it and has not said whether it does.
    #[error("whether the job was taken in is not known")]
    Unknown,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DbErr> for SubmitError {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}
