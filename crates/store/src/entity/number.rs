//! Numbers between their types here and their columns. A value that does not fit is a defect of the row,
//! reported and never a panic.

use crate::StoreError;

/// A column's number as the unsigned type it means.
pub(crate) fn unsigned<T: TryFrom<i64>>(table: &'static str, column: &'static str, value: impl Into<i64>) -> Result<T, StoreError> {
    let value = value.into();
    T::try_from(value).map_err(|_| StoreError::inconsistent(table, column, value))
}

/// As [`unsigned`], of a column that may be null.
pub(crate) fn optional<T: TryFrom<i64>>(
    table: &'static str,
    column: &'static str,
    value: Option<impl Into<i64>>,
) -> Result<Option<T>, StoreError> {
    value.map(|value| unsigned(table, column, value)).transpose()
}

/// A number as its column's type.
pub(crate) fn signed<F: Copy + ToString, T: TryFrom<F>>(table: &'static str, column: &'static str, value: F) -> Result<T, StoreError> {
    T::try_from(value).map_err(|_| StoreError::inconsistent(table, column, value))
}
