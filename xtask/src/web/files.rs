//! Small help with folders of files: listing, copying and naming them by content.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// Every file below the folder in name order, relative to it; none if the folder is missing.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop().filter(|next| next.exists()) {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder)?.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Copies every file below `from` to the same place below `to`.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    for file in list(from)? {
        let target = to.join(&file);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from.join(&file), &target).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    Ok(())
}

/// A name for this content: the same bytes always get the same one.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex::encode(&hash.finalize()[..8])
}

/// Puts a finished folder in the place of an older one; a reader meets one or the other.
pub fn replace(old: &Path, new: &Path) -> Result<()> {
    let aside = old.with_extension("old");
    if aside.exists() {
        fs::remove_dir_all(&aside)?;
    }
    if old.exists() {
        fs::rename(old, &aside)?;
    }
    fs::rename(new, old).with_context(|| format!("cannot replace {}", old.display()))?;
    if aside.exists() {
        fs::remove_dir_all(&aside)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_part_ends_matters_to_the_fingerprint() {
        let split = |a: &[u8], b: &[u8]| fingerprint([a, b].iter().map(|part| &**part).collect::<Vec<_>>());
        assert_ne!(split(b"ab", b"c"), split(b"a", b"bc"));
        assert_eq!(split(b"ab", b"c").len(), 16);
    }

    #[test]
    fn folders_are_listed_and_copied_with_what_is_below_them() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        fs::create_dir_all(from.join("icons")).unwrap();
        fs::write(from.join("icons/play.svg"), "<svg/>").unwrap();
        fs::write(from.join("favicon.ico"), "").unwrap();
        let to = folder.path().join("to");
        copy(&from, &to).unwrap();
        assert_eq!(list(&to).unwrap(), [Path::new("favicon.ico"), Path::new("icons/play.svg")]);
    }

    #[test]
    fn a_replaced_folder_holds_only_the_new_files() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["site", "draft"].map(|name| folder.path().join(name));
        for (place, file) in [(&old, "a"), (&new, "b")] {
            fs::create_dir(place).unwrap();
            fs::write(place.join(file), "").unwrap();
        }
        replace(&old, &new).unwrap();
        assert_eq!(list(&old).unwrap(), [Path::new("b")]);
        assert_eq!(list(folder.path()).unwrap(), [Path::new("site/b")]);
    }
}
