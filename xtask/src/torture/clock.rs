//! Clocks that are an hour wrong or go too fast, and clocks that are set right in the middle of a job.
//!
//! On PostgreSQL server, worker and database have a clock each, and leases go by the database's. On SQLite all
//! processes share a machine, hence one clock, and it is that one which jumps.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::support::api::Wanted;
use super::support::deployment::{Database, Deployment};
use super::support::events::{BEGUN, RAN_OUT};
use super::support::report::Report;
use super::support::verify::{verify, wait_until_ended};
use super::{Form, Setting};
use crate::packages::debian::{self, Tool};

const FAKETIME: Tool = Tool { present: || library().is_some(), package: "faketime" };
const STEP_MS: u32 = 150;
/// An hour fast, two hours back, five times as fast as it should be, and right again.
const OFFSETS: [&str; 4] = ["+1h", "-1h", "+0 x5", "+0"];

#[derive(Args)]
pub struct Options {
    /// How often each clock is put forward and back.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Length of a lease in milliseconds.
    #[arg(long, default_value_t = 2000)]
    lease_ms: u32,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { rounds: 2, lease_ms: 2000 },
            Form::Test => Self { rounds: 1, lease_ms: 3000 },
        }
    }

    /// Of a job that takes longer than a lease.
    const fn steps(&self) -> u32 {
        self.lease_ms * 3 / 2 / STEP_MS
    }
}

/// A clock that programs see instead of the machine's.
struct Dial {
    file: PathBuf,
}

impl Dial {
    fn new(folder: &Path, name: &str) -> Result<Self> {
        let dial = Self { file: folder.join(name) };
        dial.turn("+0")?;
        Ok(dial)
    }

    /// Puts the clock so far off, as in [`OFFSETS`].
    fn turn(&self, offset: &str) -> Result<()> {
        // Programs read the file whenever they look at the clock: they must never see half of it.
        let next = self.file.with_extension("next");
        fs::write(&next, format!("{offset}\n"))?;
        fs::rename(next, &self.file).context("the clock cannot be turned")
    }

    /// What a program is started with that goes by it; waiting goes by the machine's clock all the same.
    fn environment(&self) -> Result<[(&'static str, String); 5]> {
        let library = library().context("libfaketime is not where Debian puts it")?;
        Ok([
            ("LD_PRELOAD", library.display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("DONT_FAKE_MONOTONIC", "1".to_owned()),
        ])
    }
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    debian::require(&[FAKETIME])?;
    for database in [Database::Postgres, Database::Sqlite] {
        on(setting, options, database, report)?;
    }
    Ok(())
}

fn on(setting: &Setting, options: &Options, database: Database, report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir()?;
    // PostgreSQL reads its dial as another user.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    let (name, clocks): (_, &[_]) = match database {
        Database::Postgres => ("PostgreSQL", &["server", "worker", "database"]),
        Database::Sqlite => ("SQLite", &["machine"]),
    };
    let dials = clocks.iter().map(|clock| Dial::new(folder.path(), clock)).collect::<Result<Vec<_>>>()?;
    let mut deployment = Deployment::new(setting, database)?;
    if let Some(postgres) = &mut deployment.postgres {
        postgres.environment.extend(dials[2].environment()?);
        postgres.crash()?;
        postgres.recover()?;
    }
    deployment.environment.extend(dials[0].environment()?);
    deployment.start_server()?;
    deployment.environment.extend(dials[1 % dials.len()].environment()?);
    deployment.start_worker(&format!("--lease-ms {} --batch 1 --fault slow:{STEP_MS}", options.lease_ms))?;
    deployment.wait_for_workers()?;
    deployment.environment.clear();
    let mut acknowledged = Vec::new();
    for _ in 0..options.rounds {
        for dial in &dials {
            for offset in OFFSETS {
                acknowledged.push(job_while(&mut deployment, options, dial, offset)?);
            }
        }
    }
    report.note(format!("{name}: times that a clock was put forward or back, or went too fast, during a job"), acknowledged.len());
    judge(&mut deployment, name, &acknowledged, report)
}

/// Turns the clock while the job is being sampled.
fn job_while(deployment: &mut Deployment, options: &Options, dial: &Dial, offset: &str) -> Result<String> {
    let job = deployment.api().submit(&Wanted::new("the sea at sunset", options.steps(), 1))?;
    deployment.wait_until("the job is begun", |deployment| {
        Ok(deployment.events().iter().any(|event| event.is(BEGUN) && event.job.as_ref() == Some(&job)))
    })?;
    std::thread::sleep(Duration::from_millis(500));
    dial.turn(offset)?;
    wait_until_ended(deployment, |_| Ok(()))?;
    Ok(job)
}

fn judge(deployment: &mut Deployment, name: &str, acknowledged: &[String], report: &mut Report) -> Result<()> {
    let events = deployment.events();
    let begun = events.iter().filter(|event| event.is(BEGUN)).count();
    report.expect_count(format!("{name}: stages begun, two a job"), begun, 2 * acknowledged.len());
    let ran_out = events.iter().chain(&deployment.server_events()).filter(|event| event.is(RAN_OUT)).count();
    report.expect_none(format!("{name}: leases that were taken for run out"), ran_out);
    let videos = verify(deployment, acknowledged, report)?;
    report.expect_none(format!("{name}: jobs that were not completed at once"), videos.iter().filter(|video| video.attempts != 1).count());
    deployment.check_running()
}

fn library() -> Option<PathBuf> {
    let places = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path().join("faketime/libfaketimeMT.so.1"));
    places.into_iter().find(|file| file.is_file())
}
