//! Packages of Python by name, in an environment of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::debian::{self, Tool};
use crate::console::step;
use crate::process::command::{output, run};
use crate::project::Project;

/// Debian keeps the part of Python that makes environments in a package of its own.
const VENV: Tool = Tool { present: || output(Command::new("python3").args(["-c", "import ensurepip"])).is_ok(), package: "python3-venv" };
const PIP: Tool = Tool { present: || output(Command::new("python3").args(["-c", "import pip"])).is_ok(), package: "python3-pip" };

/// A Python with the packages that the file `requirements` names. It lies in the build folder as `name`.
pub fn with(project: &Project, name: &str, requirements: &Path) -> Result<PathBuf> {
    let wanted = fs::read_to_string(requirements).with_context(|| format!("cannot read {}", requirements.display()))?;
    let folder = project.target.join(name);
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        debian::require(&[debian::PYTHON, VENV])?;
        step(&format!("Installing the Python packages of {}", requirements.display()), || install(&folder, requirements))?;
        fs::write(stamp, wanted)?;
    }
    Ok(folder.join("bin/python"))
}

/// The file of this package alone, as the registry has it, in `folder`.
pub fn download(package: &str, folder: &Path) -> Result<PathBuf> {
    debian::require(&[debian::PYTHON, PIP])?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"]).arg(folder).arg(package);
    run(pip.stdout(std::io::stderr()))?;
    let file = fs::read_dir(folder)?.next().context("pip downloaded nothing")?;
    Ok(file?.path())
}

/// Takes everything out of a ZIP file.
pub fn unzip(file: &Path, folder: &Path) -> Result<()> {
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).args([file, folder]))
}

fn install(folder: &Path, requirements: &Path) -> Result<()> {
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements);
    run(pip.stdout(std::io::stderr()))
}
