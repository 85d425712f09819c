//! Every file below a folder but our own marker, with one folder of each depth open at a time, so that any number can be walked.

use super::{Listed, identity::MARKER};
use futures::{Stream, stream};
use std::{io, path::PathBuf};
use tokio::fs::{self, DirEntry, ReadDir};

/// What a file system keeps at its own root for its repairs. Nobody else may look into it.
pub(super) const LOST_AND_FOUND: &str = "lost+found";

/// What is removed meanwhile is passed over; links are not followed.
pub(super) fn walk(root: PathBuf) -> impl Stream<Item = io::Result<Listed>> + Send + 'static {
    stream::try_unfold((root, None::<Vec<ReadDir>>), |(root, open)| async move {
        let mut open = match open {
            Some(open) => open,
            None => vec![fs::read_dir(&root).await?],
        };
        while let Some(deepest) = open.last_mut() {
            let Some(entry) = deepest.next_entry().await? else {
                open.pop();
                continue;
            };
            match passing(look(&root, &entry).await)? {
                Some(Found::Folder(folder)) => open.push(folder),
                Some(Found::File(listed)) => return Ok(Some((listed, (root, Some(open))))),
                Some(Found::Other) | None => {}
            }
        }
        Ok(None)
    })
}

enum Found {
    Folder(ReadDir),
    File(Listed),
    Other,
}

async fn look(root: &PathBuf, entry: &DirEntry) -> io::Result<Found> {
    let kind = entry.file_type().await?;
    if kind.is_dir() && entry.path() == root.join(LOST_AND_FOUND) {
        return Ok(Found::Other);
    }
    if kind.is_dir() {
        return Ok(Found::Folder(fs::read_dir(entry.path()).await?));
    }
    if !kind.is_file() || entry.file_name() == MARKER {
        return Ok(Found::Other);
    }
    let (path, about) = (entry.path(), entry.metadata().await?);
    let key = path.strip_prefix(root).map_err(io::Error::other)?.to_string_lossy().into_owned();
    Ok(Found::File(Listed { key, bytes: about.len(), modified: about.modified()? }))
}

/// `None` for what is gone by now.
fn passing(looked: io::Result<Found>) -> io::Result<Option<Found>> {
    match looked {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        looked => looked.map(Some),
    }
}
