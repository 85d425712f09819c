//! The source files of the workspace, read once for all rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Folders that hold no source of ours.
const FOREIGN: [&str; 4] = ["node_modules", "target", "data", "weights"];

pub static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let manifest = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap());
    manifest.parent().expect("xtask lies in the workspace").to_path_buf()
});

pub static RUST: LazyLock<Vec<File>> = LazyLock::new(|| {
    let mut files = Vec::new();
    collect(&ROOT, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
});

pub struct File {
    /// Relative to the root of the checkout, with forward slashes.
    pub path: String,
    pub text: String,
}

impl File {
    /// Where the first line with `needle` is: `crates/domain/src/ids.rs:12`.
    pub fn line_with(&self, needle: &str) -> Option<String> {
        let at = self.text.lines().position(|line| line.contains(needle))?;
        Some(format!("{}:{}", self.path, at + 1))
    }

    pub fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(&format!("{folder}/")))
    }
}

fn collect(folder: &Path, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).expect("a folder of the checkout can be read").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().expect("the kind of a file is known");
        if kind.is_dir() && !name.starts_with('.') && !FOREIGN.contains(&&*name) {
            collect(&path, files);
        } else if kind.is_file() && name.ends_with(".rs") {
            let path_in_root = path.strip_prefix(&*ROOT).expect("it lies below the root");
            files.push(File {
                path: path_in_root.to_string_lossy().into_owned(),
                text: fs::read_to_string(&path).expect("source is UTF-8"),
            });
        }
    }
}
