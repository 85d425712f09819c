//! A real browser against a running product: `end2end/browser`, by Playwright.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::packages::debian;
use crate::packages::npm;
use crate::process::command::{find, run_and_read};
use crate::process::lanes::side_by_side;
use crate::product::instance::Instance;
use crate::project::{Profile, Project};
use crate::tally::Tally;

/// So many browsers, each with a product of its own and a part of the tests: they wait for much of their time.
const SHARDS: usize = 2;

pub fn tests(project: &Project) -> Result<Tally> {
    debian::require(&[debian::CHROMIUM_HEADLESS, debian::FFPROBE, debian::NODE, debian::NPM])?;
    let playwright = npm::programs(project)?.join("playwright");
    let shards = (1..=SHARDS).collect();
    let tally = |shard| Tally::of(tests_of(project, &playwright, shard).with_context(|| format!("part {shard}")));
    Ok(side_by_side(SHARDS, shards, tally).into_iter().sum())
}

fn tests_of(project: &Project, playwright: &Path, shard: usize) -> Result<Tally> {
    let artifacts = project.target.join(format!("playwright-{shard}"));
    let report = artifacts.with_extension("json");
    let instance = Instance::start_for_browsers(project, Profile::Dev)?;
    let mut command = Command::new(playwright);
    command.arg("test").arg(format!("--shard={shard}/{SHARDS}")).current_dir(project.end_to_end());
    command.env("REELMILL_REPORT", &report).env("NO_COLOR", "1").env("REELMILL_ARTIFACTS", artifacts);
    command.env("REELMILL_CHROMIUM", find("chromium-headless-shell").context("chromium-headless-shell is missing")?);
    instance.describe(&mut command);
    let tally = judge(&mut command, &report)?;
    if !tally.is_clean() {
        instance.show_log();
    }
    Ok(tally)
}

fn judge(command: &mut Command, report: &Path) -> Result<Tally> {
    if report.exists() {
        fs::remove_file(report)?;
    }
    let (status, _) = run_and_read(command)?;
    let text = fs::read(report).context("Playwright left no report")?;
    let report = serde_json::from_slice(&text).context("Playwright's report is not JSON")?;
    Ok(Tally::of_playwright(&report).judged_by(status.success()))
}
