//! The models of an instance that is tested or measured: those that ship, `vignette-1` first and taking any prompt.
//!
//! It is small and takes its time, so that there is something to watch, to break off and to kill.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::process::command::run;
use crate::project::{Profile, Project};

const MANIFEST: &str = "manifest.json";
const FIRST: &str = "vignette-1";
/// The model that takes no time.
pub const INSTANT: &str = "instant-1";

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

/// Builds what writes models of the family `replay`.
pub fn build_replay(project: &Project, profile: Profile) -> Result<()> {
    let mut cargo = project.cargo();
    match profile {
        // As the tests build it, so that nothing is compiled twice.
        Profile::Dev => cargo.args(["build", "--workspace", "--bins", "--examples"]),
        profile => cargo.args(["build", "--profile", profile.name(), "-p", "diffusion", "--example", "replay_model"]),
    };
    run(&mut cargo)
}

/// Writes a model that takes these times instead of computing, into a folder that is called like it. What writes it has been built.
pub fn write_replay(project: &Project, profile: Profile, folder: &Path, times: &Value) -> Result<()> {
    let mut write = Command::new(project.binaries(profile).join("examples/replay_model"));
    run(write.arg(folder).arg(times.to_string())).with_context(|| format!("no model {}", folder.display()))
}

/// A folder below `place` with one model of the name [`INSTANT`], which is done with anything at once.
pub fn lay_out_instant(project: &Project, profile: Profile, place: &Path) -> Result<PathBuf> {
    let models = place.join("instant");
    let times = json!({ "step_ms": [0.0], "decode_ms": [0.0], "reference": { "width": 32, "height": 32, "frames": 9 } });
    write_replay(project, profile, &models.join(INSTANT), &times)?;
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
