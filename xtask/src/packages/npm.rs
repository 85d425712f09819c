//! Packages from the npm registry, as `end2end/package.json` pins them.
//!
//! They lie in the build folder, so that a fresh clone finds them again; `end2end/node_modules` is
//! a link to them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::console::step;
use crate::process::command::{find, run};
use crate::project::Project;

const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];

/// The folder with the installed packages' programs.
///
/// # Errors
/// When npm is missing or cannot install.
pub fn programs(project: &Project) -> Result<PathBuf> {
    let folder = project.target.join("npm");
    if !installed(project, &folder)? {
        step("Installing the npm packages of end2end/", || install(project, &folder))?;
    }
    link(&folder.join("node_modules"), &project.end_to_end().join("node_modules"))?;
    Ok(folder.join("node_modules/.bin"))
}

/// A program that makes the result better but is not needed: absent where npm is, or cannot install it.
pub fn optional(project: &Project, program: &str) -> Option<PathBuf> {
    if find("npm").is_none() || find("node").is_none() {
        return None;
    }
    let programs = programs(project).inspect_err(|error| eprintln!("    going on without {program}: {error:#}"));
    Some(programs.ok()?.join(program))
}

fn installed(project: &Project, folder: &Path) -> Result<bool> {
    for name in MANIFESTS {
        let wanted = fs::read(project.end_to_end().join(name)).with_context(|| format!("cannot read end2end/{name}"))?;
        if fs::read(folder.join(name)).ok() != Some(wanted) {
            return Ok(false);
        }
    }
    Ok(folder.join("node_modules/.package-lock.json").exists())
}

fn install(project: &Project, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for name in MANIFESTS {
        fs::copy(project.end_to_end().join(name), folder.join(name))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder).stdout(std::io::stderr());
    run(&mut npm)
}

fn link(packages: &Path, place: &Path) -> Result<()> {
    if fs::read_link(place).is_ok_and(|existing| existing == packages) {
        return Ok(());
    }
    if place.is_symlink() {
        fs::remove_file(place)?;
    } else if place.is_dir() {
        fs::remove_dir_all(place)?;
    }
    std::os::unix::fs::symlink(packages, place).with_context(|| format!("cannot link {}", place.display()))
}
