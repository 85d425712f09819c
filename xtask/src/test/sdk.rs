//! The vendor's own Python client against a running product: `end2end/sdk`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::console::step;
use crate::packages::debian::{self, Tool};
use crate::process::command::{output, run, run_and_read};
use crate::product::instance::Instance;
use crate::project::{Profile, Project};
use crate::tally::Tally;

/// Debian keeps the part of Python that makes environments in a package of its own.
const VENV: Tool = Tool { present: || output(Command::new("python3").args(["-c", "import ensurepip"])).is_ok(), package: "python3-venv" };

pub fn tests(project: &Project) -> Result<Tally> {
    let python = python(project)?;
    let instance = Instance::start(project, Profile::Dev)?;
    let mut pytest = Command::new(python);
    pytest.args(["-m", "pytest", "--color=no", "-p", "no:cacheprovider", "sdk"]);
    pytest.current_dir(project.end_to_end()).env("PYTHONDONTWRITEBYTECODE", "1");
    instance.describe(&mut pytest);
    let (status, text) = run_and_read(&mut pytest)?;
    let tally = Tally::of_pytest(&text).judged_by(status.success());
    if !tally.is_clean() {
        instance.show_log();
    }
    Ok(tally)
}

/// A Python with the packages of `end2end/requirements.txt`.
fn python(project: &Project) -> Result<PathBuf> {
    let wanted = fs::read_to_string(project.end_to_end().join("requirements.txt")).context("cannot read end2end/requirements.txt")?;
    let folder = project.target.join("venv");
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        debian::require(&[debian::PYTHON, VENV])?;
        step("Installing the Python packages of end2end/", || install(project, &folder))?;
        fs::write(stamp, wanted)?;
    }
    Ok(folder.join("bin/python"))
}

fn install(project: &Project, folder: &Path) -> Result<()> {
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"]);
    run(pip.current_dir(project.end_to_end()).stdout(std::io::stderr()))
}
