//! Checks that read the source without running it. (The tidy rules are a Rust test of xtask's.)

use anyhow::Result;

use crate::process::command::run;
use crate::project::Project;
use crate::tally::Tally;

pub fn formatting(project: &Project) -> Result<Tally> {
    run(project.cargo().args(["fmt", "--all", "--check"])).map(|()| Tally::PASSED)
}

pub fn clippy(project: &Project) -> Result<Tally> {
    let mut clippy = project.cargo();
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    run(&mut clippy).map(|()| Tally::PASSED)
}
