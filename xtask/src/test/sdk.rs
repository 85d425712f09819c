//! The vendors' own Python clients against a running product: `end2end/sdk`.

use std::process::Command;

use anyhow::Result;

use crate::packages::{debian, python};
use crate::process::command::run_and_read;
use crate::product::instance::Instance;
use crate::project::{Profile, Project};
use crate::tally::Tally;

pub fn tests(project: &Project) -> Result<Tally> {
    let python = python::with(project, "venv", &project.end_to_end().join("requirements.txt"))?;
    debian::require(&[debian::OPENSSL])?;
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
