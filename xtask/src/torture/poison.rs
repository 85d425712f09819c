//! Jobs that end the process they run in, or hang in it: begun three times, failed with a reason, and the jobs
//! beside them lose nothing.

use std::collections::BTreeSet;

use anyhow::Result;
use clap::Args;

use super::support::api::Wanted;
use super::support::deployment::Deployment;
use super::support::events::BEGUN;
use super::support::report::Report;
use super::support::verify::{ATTEMPTS_MAX, verify, wait_until_ended};
use super::{Form, Setting, hang};

const POISON: &str = "poison";
const NEIGHBOURS: [&str; 5] = ["sea", "sky", "rain", "snow", "fire"];

#[derive(Args)]
pub struct Options {
    /// What the job does to its process; all of them unless one is named.
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(KINDS))]
    kind: Vec<String>,
    /// Length of a lease in milliseconds.
    #[arg(long, default_value_t = 2000)]
    lease_ms: u32,
    /// How long a call into the device may take, in milliseconds.
    #[arg(long, default_value_t = 3000)]
    device_timeout_ms: u32,
}

const KINDS: [&str; 4] = ["abort:sampling", "abort:decoding", "hang:sampling", "hang:decoding"];

impl Options {
    pub fn of(form: Form) -> Self {
        let kinds: &[&str] = match form {
            Form::Short => &KINDS,
            Form::Test => &["abort:sampling", "hang:decoding"],
        };
        let (lease_ms, device_timeout_ms) = match form {
            Form::Short => (2000, 3000),
            Form::Test => (4000, 6000),
        };
        Self { kind: kinds.iter().map(|kind| (*kind).to_owned()).collect(), lease_ms, device_timeout_ms }
    }

    fn arguments(&self, kind: &str) -> String {
        let faults = match kind.split_once(':') {
            Some(("hang", stage)) => hang::arguments(stage, POISON, self.device_timeout_ms),
            _ => format!("--fault {kind}:{POISON},slow:20"),
        };
        format!("--batch 3 --lease-ms {} {faults}", self.lease_ms)
    }
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let kinds: Vec<&str> = if options.kind.is_empty() { KINDS.to_vec() } else { options.kind.iter().map(String::as_str).collect() };
    for kind in kinds {
        poisoned(setting, kind, &options.arguments(kind), report)?;
    }
    Ok(())
}

fn poisoned(setting: &Setting, kind: &str, arguments: &str, report: &mut Report) -> Result<()> {
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.start_server()?;
    deployment.start_worker(arguments)?;
    deployment.wait_for_workers()?;
    let api = deployment.api();
    let mut acknowledged = vec![api.submit(&Wanted::new(NEIGHBOURS[0], 6, 0))?];
    let poison = api.submit(&Wanted::new(POISON, 6, 1))?;
    acknowledged.push(poison.clone());
    for (seed, neighbour) in NEIGHBOURS[1..].iter().enumerate() {
        acknowledged.push(api.submit(&Wanted::new(neighbour, 6, seed as u64))?);
    }
    let mut deaths = 0;
    wait_until_ended(&mut deployment, |deployment| {
        deaths += deployment.replace_ended(|worker| worker.arguments.clone())?;
        Ok(())
    })?;
    let events = deployment.events();
    let begun = events.iter().filter(|event| event.is(BEGUN) && event.job.as_ref() == Some(&poison));
    let attempts: BTreeSet<u64> = begun.map(|event| event.attempt).collect();
    report.note(format!("{kind}: processes that ended"), deaths);
    report.expect_count(format!("{kind}: times the job was begun"), attempts.len(), ATTEMPTS_MAX as usize);
    let videos = verify(&deployment, &acknowledged, report)?;
    let failed: Vec<_> = videos.iter().filter(|video| video.id == poison).filter_map(|video| video.error.clone()).collect();
    report.expect(format!("{kind}: why it failed"), failed.join(", "), "worker_lost", failed == ["worker_lost"]);
    let neighbours = || videos.iter().filter(|video| video.id != poison);
    report.expect_none(format!("{kind}: neighbours that failed"), neighbours().filter(|video| !video.is_completed()).count());
    report.expect_none(format!("{kind}: neighbours begun more than once again"), neighbours().filter(|video| video.attempts > 2).count());
    Ok(())
}
