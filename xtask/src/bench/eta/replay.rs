//! The jobs of a run as a trace of the simulator, and how long they wait in it, beside how long they waited live.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::demand::{Fleet, Job, TENANTS};
use super::drive::Told;
use super::ended::{self, ById, Ended};
use crate::process::command::output;
use crate::project::Project;

/// The most that a simulated mean may differ from the live one, as a share of it.
const DIFFERENCE_MAX: f64 = 0.15;
/// As many slots as a worker has that is told nothing.
const SLOTS: &str = "4";

/// One line for each job that was made.
pub fn write(trace: &Path, fleet: Fleet, jobs: &[(&Job, &Told)], ended: &ById) -> Result<()> {
    let mut text = String::new();
    for (job, told) in jobs {
        let ended = ended::of(ended, &told.id)?;
        if let Some(line) = line(job, told, ended, fleet) {
            text.push_str(&line.to_string());
            text.push('\n');
        }
    }
    fs::write(trace, text).with_context(|| format!("cannot write {}", trace.display()))?;
    eprintln!("    the trace is {}", trace.display());
    Ok(())
}

fn line(job: &Job, told: &Told, ended: &Ended, fleet: Fleet) -> Option<Value> {
    let tenant = &TENANTS[job.tenant];
    let waited_ms = ended.started_ms.filter(|_| ended.succeeded)? - ended.created_ms;
    let mut line = json!({
        "arrives_ms": ended.created_ms, "tenant": tenant.email, "weight": tenant.weight, "lane": ended.lane, "model": job.model(),
        "steps": job.steps(), "billed_ms": ended.billed_ms, "sampling_ms": job.sampling_ms(), "decoding_ms": job.decoding_ms(),
        "waited_ms": waited_ms, "took_ms": ended.ended_ms - ended.created_ms, "told_ms": told.eta_ms, "basis": ended.basis,
        "forecast_ms": ended.forecast_ms, "forecast_late_ms": ended.forecast_late_ms,
    });
    if let Some(work_ms) = ended.work_ms {
        line["work_ms"] = work_ms.into();
    }
    if let Some(rate_ms) = tenant.release_rate_ms(fleet) {
        line["release_rate_ms"] = rate_ms.into();
    }
    Some(line)
}

/// Prints mean waits; whether they agree in each lane.
pub fn simulate(project: &Project, trace: &Path, fleet: Fleet, jobs: &[(&Job, &Told)], ended: &ById) -> Result<bool> {
    let (overhead_ms, claim_ms) = (overhead_ms(jobs, ended)?, claim_ms(jobs, ended)?);
    let mut simulate = project.cargo();
    simulate.args(["run", "--quiet", "--release", "--package", "simulation", "--bin", "simulate", "--", "--json", "--replay"]);
    simulate.arg(trace).args(["--gpus", &fleet.workers.to_string(), "--slots", SLOTS]);
    simulate.args(["--overhead-ms", &overhead_ms.to_string(), "--claim-ms", &claim_ms.to_string()]);
    let report: Value = serde_json::from_str(&output(&mut simulate)?).context("the simulator's report is not JSON")?;
    println!("\n| wait, means | jobs | live, ms | simulated, ms | difference, % |\n| --- | --- | --- | --- | --- |");
    let mut agree = true;
    for replayed in report["replayed"].as_array().context("nothing was replayed")? {
        let mean_ms = |of: &str| replayed[of]["mean_s"].as_f64().map_or(f64::NAN, |seconds| seconds * 1000.0);
        let (live, simulated) = (mean_ms("recorded"), mean_ms("simulated"));
        let difference = simulated / live - 1.0;
        let of = replayed["of"].as_str().unwrap_or_default();
        println!("| {of} | {} | {live:.0} | {simulated:.0} | {:+.1} |", replayed["jobs"], difference * 100.0);
        agree &= difference.abs() <= DIFFERENCE_MAX;
    }
    println!("\nOf each stage, {overhead_ms:.0} ms are without the device, and a claim takes {claim_ms:.0} ms.");
    Ok(agree)
}

/// How long a job has its slot in a stage and needs no device: what is left of the time of a stage that had its device for itself. Of ten
/// jobs one had it, at least.
fn overhead_ms(jobs: &[(&Job, &Told)], ended: &ById) -> Result<f64> {
    let (mut sampling, mut decoding) = (Vec::new(), Vec::new());
    for (job, told) in jobs {
        let ended = ended::of(ended, &told.id)?;
        sampling.extend(ended.sampling_ms.map(|ms| ms - job.sampling_ms()));
        decoding.extend(ended.decoding_ms.map(|ms| ms - job.decoding_ms()));
    }
    Ok(f64::midpoint(at(10, sampling), at(10, decoding)).max(0.0).round())
}

/// How long a claim takes where a slot is free: of ten jobs one found one, at least.
fn claim_ms(jobs: &[(&Job, &Told)], ended: &ById) -> Result<f64> {
    let mut waits = Vec::new();
    for (_, told) in jobs {
        let ended = ended::of(ended, &told.id)?;
        waits.extend(ended.started_ms.map(|started_ms| started_ms - ended.created_ms));
    }
    Ok(at(10, waits).max(0.0).round())
}

/// What one of so many is less than.
fn at(one_of: usize, mut ms: Vec<f64>) -> f64 {
    ms.sort_by(f64::total_cmp);
    ms.get(ms.len() / one_of).copied().unwrap_or_default()
}
