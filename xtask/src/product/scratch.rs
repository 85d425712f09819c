//! Temporary folders in memory, for what tests make and remove a hundred thousand of: a file that is made on ext4 is looked up among all that
//! were removed in the last seconds.

use std::path::PathBuf;

use anyhow::{Context, Result};
use tempfile::TempDir;

/// What Linux keeps in memory.
const IN_MEMORY: &str = "/dev/shm";
/// In bytes; several times what all tests hold at once.
const FREE_LEAST: u64 = 4 << 30;

/// On the disk where there is no room in memory.
pub fn folder() -> Result<TempDir> {
    let place = if has_room() { PathBuf::from(IN_MEMORY) } else { std::env::temp_dir() };
    tempfile::tempdir_in(place).context("cannot make a temporary folder")
}

fn has_room() -> bool {
    rustix::fs::statvfs(IN_MEMORY).is_ok_and(|there| there.f_bavail.saturating_mul(there.f_frsize) >= FREE_LEAST)
}
