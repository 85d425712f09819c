//! Temporary files that a broken upload left behind.
//!
//! The search goes a bounded number of entries at a time and remembers where it was, so a folder with a million
//! files costs each look as little as one with a hundred.

use crate::chance;
use std::{
    fs::{self, DirEntry, ReadDir},
    io,
    path::Path,
    time::{Duration, SystemTime},
};
use uuid::Uuid;

/// No upload takes so long.
const OLD: Duration = Duration::from_secs(60 * 60);
const ENTRIES_AT_ONCE: usize = 2000;

/// A new name for a temporary file: a dot and a UUID, which is no part of any key.
pub(super) fn temporary_name() -> String {
    format!(".{}", chance::new_name().simple())
}

fn is_temporary(name: &str) -> bool {
    name.strip_prefix('.').is_some_and(|id| id.len() == 32 && Uuid::try_parse(id).is_ok())
}

/// Where the search is: the folders from the root down to the present one, each at its next entry.
#[derive(Default)]
pub(super) struct Search {
    folders: Vec<ReadDir>,
}

impl Search {
    /// Looks at the next entries, starting over at `root` after the last one. Returns how many files were removed.
    pub(super) fn go_on(&mut self, root: &Path, now: SystemTime) -> io::Result<u64> {
        if self.folders.is_empty() {
            self.folders.push(fs::read_dir(root)?);
        }
        let mut removed = 0;
        for _ in 0..ENTRIES_AT_ONCE {
            let Some(folder) = self.folders.last_mut() else { break };
            match folder.next() {
                Some(Ok(entry)) => removed += u64::from(self.visit(&entry, now)),
                _ => drop(self.folders.pop()),
            }
        }
        Ok(removed)
    }

    /// What cannot be looked at is gone, or the next search's.
    fn visit(&mut self, entry: &DirEntry, now: SystemTime) -> bool {
        let Ok(kind) = entry.file_type() else { return false };
        if kind.is_dir() {
            self.folders.extend(fs::read_dir(entry.path()));
            return false;
        }
        let modified = || entry.metadata().and_then(|data| data.modified()).unwrap_or(now);
        let is_leftover = kind.is_file()
            && entry.file_name().to_str().is_some_and(is_temporary)
            && now.duration_since(modified()).is_ok_and(|age| age > OLD);
        is_leftover && fs::remove_file(entry.path()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leftover_is_found_in_several_short_looks() {
        let root = tempfile::tempdir().unwrap();
        for folder in 0..50 {
            let folder = root.path().join(format!("tenants/{folder}/jobs"));
            fs::create_dir_all(&folder).unwrap();
            for _ in 0..100 {
                fs::write(folder.join(temporary_name()), "half").unwrap();
            }
            fs::write(folder.join("video.mp4"), "whole").unwrap();
            fs::write(folder.join(".hidden"), "not ours").unwrap();
        }
        let (mut search, later) = (Search::default(), SystemTime::now() + 2 * OLD);
        assert_eq!(Search::default().go_on(root.path(), SystemTime::now()).unwrap(), 0, "they may still be written");
        let looks: Vec<_> = (0..4).map(|_| search.go_on(root.path(), later).unwrap()).collect();
        assert_eq!(looks.iter().sum::<u64>(), 5000);
        assert!(looks[0] > 0 && looks[0] < 2000 && looks[1] > 0, "{looks:?}");
        assert!(root.path().join("tenants/7/jobs/video.mp4").exists() && root.path().join("tenants/7/jobs/.hidden").exists());
    }
}
