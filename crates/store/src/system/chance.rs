//! New ids and random numbers.

pub use getrandom::Error as NoRandomness;
use uuid::Uuid;

/// A new id. Those that one process makes sort in the order in which they were made.
#[must_use]
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}

/// A name that no other has, and that tells nothing.
#[must_use]
pub fn new_name() -> Uuid {
    Uuid::new_v4()
}

/// # Errors
/// When the system has no randomness to give.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Any number, each as likely as the others.
///
/// # Errors
/// When the system has no randomness to give.
pub fn random_number() -> Result<u32, NoRandomness> {
    getrandom::u32()
}
