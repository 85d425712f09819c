//! Which texts are object keys: relative, no empty, `.` or `..` parts, a small alphabet.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an object key")]
pub struct KeyError;

/// # Errors
/// [`KeyError`] for anything that could leave its prefix on some file system or gateway.
pub fn checked_key(key: &str) -> Result<&str, KeyError> {
    todo!()
}
