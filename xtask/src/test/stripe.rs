//! The twin of Stripe, as Stripe's own clients find it: `end2end/stripe`.

use std::process::Command;

use anyhow::{Context, Result};

use crate::packages::{debian, npm, python};
use crate::process::command::{run, run_and_read};
use crate::project::{Profile, Project};
use crate::tally::Tally;

/// The twin's program, for the tests.
const PROGRAM: &str = "STRIPE_TWIN_BIN";

/// Walks through it by the Python client, and checks its answers against the types of the one for Node.
pub fn tests(project: &Project) -> Result<Tally> {
    let types = Tally::of(types(project).context("types of the twin's answers"));
    Ok([client(project)?, types].into_iter().sum())
}

fn client(project: &Project) -> Result<Tally> {
    let python = python::with(project, "venv-stripe", &project.end_to_end().join("stripe/requirements.txt"))?;
    let mut pytest = Command::new(python);
    pytest.args(["-m", "pytest", "--color=no", "-p", "no:cacheprovider", "stripe"]).current_dir(project.end_to_end());
    pytest.env("PYTHONDONTWRITEBYTECODE", "1").env(PROGRAM, project.binaries(Profile::Dev).join("stripe-twin"));
    let (status, text) = run_and_read(&mut pytest)?;
    Ok(Tally::of_pytest(&text).judged_by(status.success()))
}

/// The answers are written beside the packages, where the compiler finds the types.
fn types(project: &Project) -> Result<Tally> {
    debian::require(&[debian::NODE, debian::NPM])?;
    let programs = npm::programs(project)?;
    let answers = project.target.join("npm/stripe-answers.ts");
    let mut record = Command::new("node");
    record.arg(project.end_to_end().join("stripe/types/record.mjs"));
    run(record.arg(project.binaries(Profile::Dev).join("stripe-twin")).arg(&answers))?;
    let mut compiler = Command::new(programs.join("tsc"));
    compiler.args(["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node"]);
    run(compiler.arg("stripe-answers.ts").current_dir(project.target.join("npm"))).map(|()| Tally::PASSED)
}
