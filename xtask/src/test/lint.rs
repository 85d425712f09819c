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

/// Of `app` as browsers run it, by the compiler for this machine, which may know no other. It has a build folder of its own: the
/// libraries that `app` uses there have other features.
pub fn clippy_of_browser_half(project: &Project) -> Result<Tally> {
    let mut clippy = project.cargo();
    clippy.args(["clippy", "--package", "app", "--features", "hydrate", "--target-dir"]).arg(project.target.join("front-check"));
    clippy.args(["--", "-D", "warnings"]);
    run(&mut clippy).map(|()| Tally::PASSED)
}
