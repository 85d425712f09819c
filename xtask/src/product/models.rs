//! The models of an instance that is tested or measured: those that ship, `vignette-1` first and taking any prompt.
//!
//! It is small and takes its time, so that there is something to watch, to break off and to kill.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::project::Project;

const MANIFEST: &str = "manifest.json";
const FIRST: &str = "vignette-1";

/// Lays the models out in a folder below `place`; what is heavy are links.
pub fn lay_out(project: &Project, place: &Path) -> Result<PathBuf> {
    let models = place.join("models");
    fs::create_dir_all(&models)?;
    for shipped in fs::read_dir(project.models())? {
        let (shipped, name) = shipped.map(|entry| (entry.path(), entry.file_name()))?;
        if name == FIRST { first(&shipped, &models.join(name))? } else { symlink(shipped, models.join(name))? }
    }
    Ok(models)
}

fn first(shipped: &Path, own: &Path) -> Result<()> {
    fs::create_dir(own)?;
    for part in fs::read_dir(shipped)? {
        let part = part?;
        if part.file_name() != MANIFEST {
            symlink(part.path(), own.join(part.file_name()))?;
        }
    }
    let mut manifest: Value = serde_json::from_slice(&fs::read(shipped.join(MANIFEST))?)?;
    let entries = manifest.as_object_mut().context("a manifest is no object")?;
    entries.remove("understands");
    entries.insert("order".to_owned(), 0.into());
    fs::write(own.join(MANIFEST), manifest.to_string())?;
    Ok(())
}
