//! The Rust tests of the whole workspace, with a real PostgreSQL beside SQLite.

use anyhow::Result;

use super::tally::Tally;
use crate::postgres::Postgres;
use crate::process::command::{run, run_and_read};
use crate::project::Project;

/// Where tests find PostgreSQL; each makes a database of its own there.
const POSTGRES: &str = "REELMILL_TEST_POSTGRES";

pub fn tests(project: &Project) -> Result<Tally> {
    let postgres = Postgres::start()?;
    let mut cargo = project.cargo();
    cargo.args(["test", "--workspace", "--no-fail-fast"]).env(POSTGRES, postgres.url());
    let (status, output) = run_and_read(&mut cargo)?;
    Ok(Tally::of_cargo(&output).judged_by(status.success()))
}

/// The server, the worker and all tests, with the same features, so that nothing is compiled twice.
pub fn build(project: &Project) -> Result<Tally> {
    run(project.cargo().args(["build", "--workspace", "--bins", "--tests"])).map(|()| Tally::PASSED)
}
