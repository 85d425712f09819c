//! Of which sources a file was made, by what they say.
//!
//! Cargo goes by where sources lie and when they were written, so it would make the same file again in each new clone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::files;

/// What cargo reads beside sources and the manifests of their packages.
const ALWAYS: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

/// The record of one file that was made.
pub struct Sources<'a> {
    /// The checkout.
    pub root: &'a Path,
    /// All else that the file depends on: the compiler, its options.
    pub settings: &'a str,
    /// Where the record is kept.
    pub record: PathBuf,
}

impl Sources<'_> {
    /// Whether all of them say what they said when the file was made.
    pub fn are_unchanged(&self) -> bool {
        let Ok(noted) = fs::read_to_string(&self.record) else { return false };
        let paths: Vec<_> = noted.lines().skip(1).filter_map(|line| line.split_once(' ')).map(|(_, path)| PathBuf::from(path)).collect();
        self.describe(&paths).is_ok_and(|now| now == noted)
    }

    /// What is noted no longer holds.
    pub fn forget(&self) -> Result<()> {
        if self.record.exists() {
            fs::remove_file(&self.record)?;
        }
        Ok(())
    }

    /// Notes what the compiler says it has read; nothing when some of it was written while the compiler was at work, as it may have
    /// read what stood there before.
    ///
    /// # Arguments
    /// `dependencies`: the file that cargo leaves beside each result, a line as of a Makefile.
    /// `began`: when the compiler was started.
    pub fn note(&self, dependencies: &Path, began: SystemTime) -> Result<()> {
        let line = fs::read_to_string(dependencies).with_context(|| format!("cannot read {}", dependencies.display()))?;
        let sources = listed(&line).into_iter().map(|path| path.strip_prefix(self.root).map(Path::to_path_buf).unwrap_or(path));
        let mut paths: BTreeSet<PathBuf> = sources.collect();
        let manifests: Vec<_> = paths.iter().filter_map(|source| self.manifest(source)).collect();
        paths.extend(manifests);
        paths.extend(ALWAYS.map(PathBuf::from).into_iter().filter(|path| self.root.join(path).exists()));
        let described = self.describe(&paths)?;
        for path in paths {
            if fs::metadata(self.root.join(path))?.modified()? >= began {
                return Ok(());
            }
        }
        fs::write(&self.record, described).context("cannot note the sources")
    }

    fn manifest(&self, source: &Path) -> Option<PathBuf> {
        source.ancestors().skip(1).map(|folder| folder.join("Cargo.toml")).find(|manifest| self.root.join(manifest).exists())
    }

    fn describe<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<String> {
        let mut text = files::fingerprint([self.settings.as_bytes()]) + "\n";
        for path in paths {
            let content = fs::read(self.root.join(path)).with_context(|| format!("cannot read {}", path.display()))?;
            text.push_str(&format!("{} {}\n", files::fingerprint([&*content]), path.display()));
        }
        Ok(text)
    }
}

/// The files right of the colon; a space within a name is written as `\ `.
fn listed(line: &str) -> Vec<PathBuf> {
    let line = line.lines().next().unwrap_or_default().replace("\\ ", "\0");
    let (_, sources) = line.split_once(": ").unwrap_or_default();
    sources.split_whitespace().map(|path| path.replace('\0', " ").into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A checkout with one package, below a folder with a space in its name.
    fn checkout() -> TempDir {
        let folder = tempfile::Builder::new().prefix("a clone").tempdir().unwrap();
        for (path, content) in
            [("Cargo.toml", "workspace"), ("Cargo.lock", ""), ("app/Cargo.toml", "app"), ("app/src/lib.rs", "mod a;"), ("app/src/a.rs", "")]
        {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        let root = folder.path().display().to_string().replace(' ', "\\ ");
        fs::write(folder.path().join("app.d"), format!("{root}/app.wasm: {root}/app/src/a.rs {root}/app/src/lib.rs\n")).unwrap();
        folder
    }

    #[test]
    fn the_same_sources_elsewhere_are_the_same_and_any_other_content_is_not() {
        let (first, second, shelf) = (checkout(), checkout(), tempfile::tempdir().unwrap());
        let of = |root, settings| Sources { root, settings, record: shelf.path().join("record") };
        assert!(!of(first.path(), "z").are_unchanged(), "nothing is noted");
        of(first.path(), "z").note(&first.path().join("app.d"), SystemTime::UNIX_EPOCH).unwrap();
        assert!(!of(first.path(), "z").are_unchanged(), "all was written after the compiler began");
        of(first.path(), "z").note(&first.path().join("app.d"), SystemTime::now()).unwrap();
        assert!(of(first.path(), "z").are_unchanged() && of(second.path(), "z").are_unchanged());
        assert!(!of(second.path(), "another compiler").are_unchanged());
        for path in ["Cargo.toml", "Cargo.lock", "app/Cargo.toml", "app/src/lib.rs", "app/src/a.rs"] {
            let file = second.path().join(path);
            let before = fs::read(&file).unwrap();
            fs::write(&file, "other").unwrap();
            assert!(!of(second.path(), "z").are_unchanged(), "{path}");
            fs::remove_file(&file).unwrap();
            assert!(!of(second.path(), "z").are_unchanged(), "{path} is gone");
            fs::write(&file, before).unwrap();
        }
        assert!(of(second.path(), "z").are_unchanged());
        of(second.path(), "z").forget().unwrap();
        assert!(!of(second.path(), "z").are_unchanged());
    }
}
