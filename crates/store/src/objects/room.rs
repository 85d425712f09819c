//! How much room there is where objects lie.

use std::{io, path::Path};

/// Of a disk, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// For this program, which may be less than nobody has.
    pub free: u64,
    pub all: u64,
}

pub(super) fn of_folder(folder: &Path) -> io::Result<Room> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Room { free: disk.f_bavail.saturating_mul(disk.f_frsize), all: disk.f_blocks.saturating_mul(disk.f_frsize) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lies_on_a_disk_and_one_that_is_not_there_on_none() {
        let folder = tempfile::tempdir().unwrap();
        let room = of_folder(folder.path()).unwrap();
        assert!(room.all > 0 && room.free <= room.all, "{room:?}");
        assert!(of_folder(&folder.path().join("nowhere")).is_err());
    }
}
