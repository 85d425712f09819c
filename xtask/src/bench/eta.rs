//! Whether jobs end when it was said that they would: a server, several workers that replay recorded times, and loads that come as they
//! like. What was told of each job as it was submitted is held against what it took.
//!
//! The run is also written down as a trace and simulated, to see whether simulated jobs wait as live ones do.

mod coverage;
mod demand;
mod drive;
mod ended;
mod fleet;
mod models;
mod replay;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;

use super::Choice;
use crate::console::step;
use crate::packages::debian::{self, SQLITE};
use crate::product::postgres::Postgres;
use crate::project::Project;
use crate::torture::support::deployment::Database;
use coverage::{Coverage, Outcome};
use demand::{Fleet, Plan};
use drive::Told;
use fleet::Live;

#[derive(Args)]
#[group(id = "eta")]
pub struct Options {
    /// Of `eta`: how long jobs come, on each database.
    #[arg(long, default_value_t = 12.0)]
    minutes: f64,
    /// Of `eta`: how many workers there are.
    #[arg(long, default_value_t = 4)]
    workers: usize,
    /// Of `eta`: where the traces go [default: `bench-eta` in the build folder].
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,
}

/// A part of the run: jobs that come for a share of its time, as a share of what the workers can do.
struct Phase {
    name: &'static str,
    load: f64,
    share: f64,
    is_counted: bool,
}

/// The first one only teaches the server how long jobs take.
const PHASES: [Phase; 4] = [
    Phase { name: "first jobs", load: 0.4, share: 0.1, is_counted: false },
    Phase { name: "load 0.5", load: 0.5, share: 0.3, is_counted: true },
    Phase { name: "load 0.8", load: 0.8, share: 0.3, is_counted: true },
    Phase { name: "load 0.95", load: 0.95, share: 0.3, is_counted: true },
];

/// Whether every bar was reached on every database.
pub fn measure(project: &Project, options: &Options, choice: &Choice) -> Result<bool> {
    let traces = options.traces.clone().unwrap_or_else(|| project.target.join("bench-eta"));
    fs::create_dir_all(&traces)?;
    models::build(project)?;
    let mut reached = true;
    if choice.includes(Database::Sqlite) {
        debian::require(&[SQLITE])?;
        let live = step("Starting the programs on SQLite", || Live::on_sqlite(project, options.workers))?;
        reached &= on("SQLite", project, options, choice.seed(), &live, &traces.join("sqlite.jsonl"))?;
    }
    if choice.includes(Database::Postgres) {
        let postgres = Postgres::start()?;
        let live = step("Starting the programs on PostgreSQL", || Live::on_postgres(project, options.workers, &postgres))?;
        reached &= on("PostgreSQL", project, options, choice.seed(), &live, &traces.join("postgres.jsonl"))?;
    }
    Ok(reached)
}

fn on(engine: &str, project: &Project, options: &Options, seed: u64, live: &Live, trace: &Path) -> Result<bool> {
    let fleet = Fleet { workers: options.workers };
    let accounts = drive::accounts(live, fleet)?;
    let mut told: Vec<(&Phase, Plan, Vec<Told>)> = Vec::new();
    for (phase, number) in PHASES.iter().zip(1..) {
        let ms = options.minutes * 60_000.0 * phase.share;
        let plan = Plan::new(fleet, phase.load, ms, seed.wrapping_mul(1000) + number);
        let what = format!("{engine}, {}: {} jobs in {:.0} s", phase.name, plan.jobs.len(), ms / 1000.0);
        let answers = step(&what, || {
            let answers = drive::send(&accounts, &plan)?;
            live.wait_until_idle()?;
            Ok(answers)
        })?;
        told.push((phase, plan, answers));
    }
    let ended = ended::read(live)?;
    let outcomes: Vec<(&Phase, Outcome)> = told
        .iter()
        .flat_map(|(phase, _, answers)| answers.iter().map(move |told| (*phase, told)))
        .map(|(phase, told)| Ok((phase, Outcome::new(told, ended::of(&ended, &told.id)?))))
        .collect::<Result<_>>()?;
    let reached = report(engine, &outcomes);
    let jobs: Vec<_> = told.iter().flat_map(|(_, plan, answers)| plan.jobs.iter().zip(answers)).collect();
    replay::write(trace, fleet, &jobs, &ended)?;
    let replayed = replay::simulate(project, trace, fleet, &jobs, &ended)?;
    ensure!(!outcomes.is_empty(), "there were no jobs");
    Ok(reached && replayed)
}

/// Prints what came of what was told; whether it was good enough.
fn report(engine: &str, outcomes: &[(&Phase, Outcome)]) -> bool {
    println!("\n| {engine} | jobs | with an ETA, % | ended by P90, % | ended by P50, % | (P90 - P50) / P50, median | not made |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for phase in &PHASES {
        let coverage: Coverage = outcomes.iter().filter(|(of, _)| of.name == phase.name).map(|(_, outcome)| outcome).collect();
        println!("| {}{} | {coverage} |", phase.name, if phase.is_counted { "" } else { ", not counted" });
    }
    let counted = || outcomes.iter().filter(|(phase, _)| phase.is_counted).map(|(_, outcome)| outcome);
    let mut kinds: BTreeMap<String, Coverage> = BTreeMap::new();
    for outcome in counted() {
        kinds.entry(format!("all loads, {}", outcome.lane)).or_default().add(outcome);
        if let Some(basis) = &outcome.basis {
            kinds.entry(format!("all loads, {}, mostly {basis}", outcome.lane)).or_default().add(outcome);
        }
    }
    for (kind, coverage) in &kinds {
        println!("| {kind} | {coverage} |");
    }
    let all: Coverage = counted().collect();
    println!("| **all loads** | {all} |");
    all.is_good()
}
