//! `reelmill admin check`: what is stored, looked through; the exit code says whether all is well.

use anyhow::{Result, bail};
use clap::Args;
use domain::Actor;
use service::{Services, check::CheckOptions};
use std::time::Duration;

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Print one JSON object instead of sentences
    #[arg(long)]
    json: bool,
    /// Read every object and compare its SHA-256; otherwise only sizes are compared
    #[arg(long)]
    hashes: bool,
    /// How old an object that no row names must be to count as left behind
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    grace_seconds: u64,
}

/// Prints what was found.
pub async fn check(services: &Services, arguments: &CheckArguments) -> Result<()> {
    let options = CheckOptions { hashes: arguments.hashes, grace: Duration::from_secs(arguments.grace_seconds) };
    let report = services.check(Actor::Operator, options).await?;
    if arguments.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{report}");
    }
    if !report.is_clean() {
        bail!("the check has found {} kinds of flaws", report.findings.len());
    }
    Ok(())
}
