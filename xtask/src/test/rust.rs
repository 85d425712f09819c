//! The Rust tests of the whole workspace, with a real PostgreSQL beside SQLite.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::Value;

use super::tally::Tally;
use crate::postgres::Postgres;
use crate::process::command::{output, run, run_and_read};
use crate::project::Project;

/// Where tests find PostgreSQL; each makes a database of its own there.
const POSTGRES: &str = "REELMILL_TEST_POSTGRES";
/// Programs of tests that take about half of the time: of worker processes, the store, its check and its garbage.
const SECOND_HALF: [&str; 4] = ["process", "suite", "check", "garbage"];
/// More than there are cores: tests wait for much of their time.
const THREADS: &str = "4";

/// All but the second half.
pub fn first_half(project: &Project) -> Result<Tally> {
    let targets = test_targets(project)?.into_iter().filter(|name| !SECOND_HALF.contains(&&**name));
    let mut selection: Vec<_> = ["--lib", "--bins"].map(str::to_owned).into();
    selection.extend(programs(targets));
    let mut tally = test(project, &selection)?;
    tally += test(project, &["--doc".to_owned()])?;
    Ok(tally)
}

pub fn second_half(project: &Project) -> Result<Tally> {
    test(project, &programs(SECOND_HALF.map(str::to_owned)))
}

fn programs(names: impl IntoIterator<Item = String>) -> Vec<String> {
    names.into_iter().flat_map(|name| ["--test".to_owned(), name]).collect()
}

fn test(project: &Project, selection: &[String]) -> Result<Tally> {
    let postgres = Postgres::start()?;
    let mut cargo = project.cargo();
    // Always of the whole workspace: for a part of it libraries would be compiled anew, with other features.
    cargo.args(["test", "--workspace", "--no-fail-fast"]).args(selection);
    cargo.env(POSTGRES, postgres.url()).env("RUST_TEST_THREADS", THREADS);
    let (status, output) = run_and_read(&mut cargo)?;
    Ok(Tally::of_cargo(&output).judged_by(status.success()))
}

/// The names of all programs of integration tests.
fn test_targets(project: &Project) -> Result<BTreeSet<String>> {
    let text = output(project.cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo's metadata is not JSON")?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests = targets.filter(|target| target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "test")));
    Ok(tests.filter_map(|target| target["name"].as_str().map(str::to_owned)).collect())
}

/// The server, the worker and all tests, with the same features, so that nothing is compiled twice.
pub fn build(project: &Project) -> Result<Tally> {
    run(project.cargo().args(["build", "--workspace", "--bins", "--tests"])).map(|()| Tally::PASSED)
}
