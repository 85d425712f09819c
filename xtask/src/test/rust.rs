//! The Rust tests of the whole workspace, with a real PostgreSQL beside SQLite.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::packages::debian;
use crate::process::command::{output, run, run_and_read};
use crate::process::lanes::side_by_side;
use crate::product::postgres::Postgres;
use crate::product::scratch;
use crate::project::Project;
use crate::tally::Tally;

/// Where tests find PostgreSQL; each makes a database of its own there.
const POSTGRES: &str = "REELMILL_TEST_POSTGRES";
/// As whom they connect.
const TESTER: &str = "tester";
/// Programs of tests that take long, the longest first, and how many tests of each run side by side: they wait for most of their time, for
/// databases, leases, devices that hang and workers that start.
const LONG: [(&str, usize); 3] = [("process", 4), ("http", 6), ("suite", 6)];
/// How many programs of tests run side by side: they wait for much of their time.
const LANES: usize = 2;

/// All of them, each program in the first lane that is free.
pub fn tests(project: &Project) -> Result<Tally> {
    // Where it cannot be had, the tests that go through it pass over themselves.
    if debian::may_install() {
        debian::require(&[debian::PGBOUNCER])?;
    }
    let short = test_targets(project)?.into_iter().filter(|name| LONG.iter().all(|(long, _)| long != name));
    let program = |name: &str| ["--test", name].map(str::to_owned).to_vec();
    let mut selections: Vec<_> = LONG.iter().map(|(name, _)| program(name)).collect();
    selections.push(["--lib", "--bins"].map(str::to_owned).to_vec());
    selections.push(short.flat_map(|name| program(&name)).collect());
    selections.push(vec!["--doc".to_owned()]);
    let tally = |selection: Vec<String>| Tally::of(test(project, &selection).with_context(|| selection.join(" ")));
    Ok(side_by_side(LANES, selections, tally).into_iter().sum())
}

fn test(project: &Project, selection: &[String]) -> Result<Tally> {
    let (postgres, folder) = (Postgres::in_memory()?, scratch::folder()?);
    // Row-level security binds the tests as it binds a server: a superuser would pass it.
    postgres.execute(&postgres.url(), &format!("CREATE ROLE {TESTER} LOGIN CREATEDB"))?;
    let mut cargo = project.cargo();
    // Always of the whole workspace: for a part of it libraries would be compiled anew, with other features.
    cargo.args(["test", "--workspace", "--no-fail-fast"]).args(selection);
    cargo.env(POSTGRES, postgres.url_as(TESTER)).env("TMPDIR", folder.path());
    if let Some((_, at_once)) = LONG.iter().find(|(program, _)| selection.iter().any(|name| name == program)) {
        cargo.env("RUST_TEST_THREADS", at_once.to_string());
    }
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

/// The server, the worker, all tests and the examples that tests run, with the same features, so that nothing is compiled twice.
pub fn build(project: &Project) -> Result<Tally> {
    run(project.cargo().args(["build", "--workspace", "--bins", "--tests", "--examples"])).map(|()| Tally::PASSED)
}
