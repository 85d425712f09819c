//! A call into the device that never returns: its process is replaced, its job is made by the next one, and
//! meanwhile the product does not say that it is ready.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;

use super::support::api::{Video, Wanted};
use super::support::deployment::Deployment;
use super::support::events::BEGUN;
use super::support::report::Report;
use super::support::verify::{verify, wait_until_ended};
use super::{Form, Setting};
use crate::process::interrupt;

const STUCK: &str = "stuck";
const RED_WITHIN: Duration = Duration::from_secs(15);
const REPLACED_AFTER_TIMEOUT: Duration = Duration::from_secs(10);
const COMPLETED_WITHIN: Duration = Duration::from_secs(90);
const GLANCE: Duration = Duration::from_millis(100);

#[derive(Args)]
pub struct Options {
    /// How long a call into the device may take, in milliseconds.
    #[arg(long, default_value_t = 30_000)]
    device_timeout_ms: u32,
}

impl Options {
    pub fn of(form: Form) -> Self {
        let device_timeout_ms = match form {
            Form::Short => 20_000,
            Form::Test => 16_000,
        };
        Self { device_timeout_ms }
    }
}

/// A worker whose device never returns from the given stage of a job that says `text`, and that ends itself
/// when this takes longer than the timeout.
pub fn arguments(stage: &str, text: &str, device_timeout_ms: u32) -> String {
    format!("--fault hang:{stage}:{text},slow:20 --device-timeout-ms {device_timeout_ms}")
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.start_server()?;
    deployment.start_worker(&format!("--batch 3 {}", arguments("sampling", STUCK, options.device_timeout_ms)))?;
    deployment.wait_for_workers()?;
    deployment.wait_until("the product is ready", |deployment| Ok(deployment.product.is_ready()))?;
    let api = deployment.api();
    let mut acknowledged = Vec::new();
    for (seed, prompt) in ["sea", STUCK, "sky", "rain", "snow"].into_iter().enumerate() {
        acknowledged.push(api.submit(&Wanted::new(prompt, 6, seed as u64))?);
    }
    let stuck = acknowledged[1].clone();
    deployment.wait_until("the job is begun", |deployment| {
        Ok(deployment.events().iter().any(|event| event.is(BEGUN) && event.job.as_ref() == Some(&stuck)))
    })?;

    let (begun, timeout) = (Instant::now(), Duration::from_millis(options.device_timeout_ms.into()));
    let (mut red, mut replaced) = (None, None);
    while begun.elapsed() < Report::patience(timeout + REPLACED_AFTER_TIMEOUT) && replaced.is_none() {
        interrupt::check()?;
        if red.is_none() && !deployment.product.is_ready() {
            red = Some(begun.elapsed());
        }
        if deployment.replace_ended(|_| "--batch 3".to_owned())? > 0 {
            replaced = Some(begun.elapsed());
        }
        thread::sleep(GLANCE);
    }
    report.expect_within("hanging to not ready", red, RED_WITHIN);
    report.expect_within("hanging to the end of the process", replaced, timeout + REPLACED_AFTER_TIMEOUT);
    if replaced.is_none() {
        // So that what it holds is made all the same.
        deployment.kill_and_restart(0, "--batch 3")?;
    }
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    report.expect_within("hanging to completed elsewhere", Some(begun.elapsed()), COMPLETED_WITHIN);
    let videos = verify(&deployment, &acknowledged, report)?;
    report.expect_none("jobs that failed", videos.iter().filter(|video| !video.is_completed()).count());
    let extra = |video: &&Video| video.id != stuck && video.attempts > 2;
    report.expect_none("neighbours begun more than once again", videos.iter().filter(extra).count());
    Ok(())
}
