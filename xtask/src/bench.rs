//! `cargo xtask bench`: how long the shipped model takes to make one clip on this machine.

use anyhow::Result;

use crate::process::command::run;
use crate::project::Project;

pub fn bench(project: &Project) -> Result<()> {
    run(project.cargo().args(["run", "--release", "-p", "diffusion", "--example", "clip"]))
}
