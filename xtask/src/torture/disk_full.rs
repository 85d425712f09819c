//! A file system of 64 MiB for rows, objects, logs and temporary files, filled and freed again and again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use tempfile::TempDir;

use super::support::api::{Answer, Api, Wanted};
use super::support::deployment::{Database, Deployment};
use super::support::random::Random;
use super::support::report::Report;
use super::support::verify::{fill_up, verify, wait_until_ended};
use super::{Form, Setting};
use crate::packages::debian;
use crate::process::command::run as run_command;
use crate::process::interrupt;

const OPEN: usize = 4;
/// The database may still find room in its own files for some.
const TRIES: usize = 300;
const RECOVERS_WITHIN: Duration = Duration::from_secs(15);

#[derive(Args)]
pub struct Options {
    #[arg(long, default_value_t = 50)]
    rounds: usize,
    /// How long the file system stays full, in milliseconds.
    #[arg(long, default_value_t = 6000)]
    full_ms: u64,
    /// Length of a lease in milliseconds: shorter, so that leases run out meanwhile.
    #[arg(long, default_value_t = 2000)]
    lease_ms: u32,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { rounds: 8, full_ms: 6000, lease_ms: 2000 },
            Form::Test => Self { rounds: 2, full_ms: 6000, lease_ms: 4000 },
        }
    }
}

/// A file system in memory, gone when this is dropped.
struct Mount {
    point: TempDir,
}

impl Mount {
    fn new() -> Result<Self> {
        let point = tempfile::tempdir()?;
        run_command(Command::new("mount").args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(point.path()))?;
        Ok(Self { point })
    }

    fn ballast(&self) -> PathBuf {
        self.point.path().join("ballast")
    }

    /// Leaves not a byte.
    fn fill(&self) -> Result<()> {
        let mut file = File::options().create(true).append(true).open(self.ballast())?;
        let block = vec![1; 1 << 20];
        for size in [block.len(), 4096, 1] {
            while file.write_all(&block[..size]).is_ok() {}
        }
        Ok(())
    }

    fn free(&self) -> Result<()> {
        fs::remove_file(self.ballast()).context("the file system cannot be freed")
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.point.path()).status();
    }
}

/// What clients have seen while there was no room.
#[derive(Default)]
struct Seen {
    refused: BTreeMap<String, usize>,
    untyped: usize,
    failed_reads: usize,
    reads: usize,
    slowest: Duration,
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    if !debian::is_root() {
        report.skipped = Some("as only root may mount a file system".to_owned());
        return Ok(());
    }
    let Ok(mount) = Mount::new() else {
        report.skipped = Some("as no file system may be mounted here".to_owned());
        return Ok(());
    };
    let mut random = Random::new(setting.seed);
    let mut deployment = deployment_on(setting, options, mount.point.path())?;
    let (mut seen, mut acknowledged) = (Seen::default(), Vec::new());
    let api = deployment.api();
    acknowledged.push(api.submit(&Wanted::new("made while there was room", 1, 1))?);
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    for _ in 0..options.rounds {
        let open = api.all()?.iter().filter(|video| !video.has_ended()).count();
        fill_up(&api, open, OPEN, usize::MAX, &mut acknowledged)?;
        thread::sleep(random.between(Duration::ZERO, Duration::from_millis(500)));
        mount.fill()?;
        while_full(&api, options, &mut acknowledged, &mut seen)?;
        mount.free()?;
        seen.slowest = seen.slowest.max(recovery(&api, &mut acknowledged)?);
    }
    report.note("times that the file system was full", options.rounds);
    for (refusal, count) in &seen.refused {
        report.note(format!("creates answered with {refusal}"), count);
    }
    let refusals: usize = seen.refused.values().sum();
    report.expect("creates refused for want of room", refusals, "some", refusals > 0);
    report.expect_none("creates refused without saying why, or not at all answered", seen.untyped);
    report.note("reads while it was full", seen.reads);
    report.expect_none("of these failed", seen.failed_reads);
    report.expect_within("room again to a video taken in, longest", Some(seen.slowest), RECOVERS_WITHIN);
    report.expect_none("processes that ended", deployment.ended()?.len());
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    let videos = verify(&deployment, &acknowledged, report)?;
    report.expect_none("attempts lost to a full file system", videos.iter().filter(|video| video.attempts > 1).count());
    report.expect_none("acknowledged jobs that failed", videos.iter().filter(|video| !video.is_completed()).count());
    Ok(())
}

fn deployment_on(setting: &Setting, options: &Options, full: &Path) -> Result<Deployment> {
    let temporary = full.join("tmp");
    fs::create_dir(&temporary)?;
    let mut deployment = Deployment::in_folder(setting, Database::Sqlite, tempfile::tempdir_in(full)?, full.join("data"))?;
    deployment.environment.insert("TMPDIR", temporary.display().to_string());
    deployment.start_server()?;
    deployment.start_worker(&format!("--lease-ms {} --batch 2 --fault slow:100", options.lease_ms))?;
    deployment.wait_for_workers()?;
    Ok(deployment)
}

/// Creates until that is refused, and goes on reading what there is.
fn while_full(api: &Api, options: &Options, acknowledged: &mut Vec<String>, seen: &mut Seen) -> Result<()> {
    let until = Instant::now() + Duration::from_millis(options.full_ms);
    let first = acknowledged[0].clone();
    let (mut tries, mut refused) = (0, false);
    while Instant::now() < until {
        interrupt::check()?;
        if !refused && tries < TRIES {
            tries += 1;
            refused = !create(api, acknowledged, seen);
        }
        let reads = [api.newest(), api.look(&first)].iter().filter(|answer| !matches!(answer, Answer::Done(_))).count();
        seen.reads += 3;
        seen.failed_reads += reads + usize::from(api.content(&first).is_err());
    }
    Ok(())
}

/// Whether it was taken in.
fn create(api: &Api, acknowledged: &mut Vec<String>, seen: &mut Seen) -> bool {
    let answer = api.create(&Wanted::new(&"no room ".repeat(60), 1, acknowledged.len() as u64), None);
    match &answer {
        Answer::Done(_) => acknowledged.extend(answer.id().map(str::to_owned)),
        Answer::Refused { status, code } => {
            seen.untyped += usize::from(!matches!(status, 503 | 507) || code.is_empty());
            *seen.refused.entry(format!("{status} {code}")).or_default() += 1;
        }
        Answer::Silence => seen.untyped += 1,
    }
    matches!(answer, Answer::Done(_))
}

/// From room again to the first video that is taken in.
fn recovery(api: &Api, acknowledged: &mut Vec<String>) -> Result<Duration> {
    let begun = Instant::now();
    loop {
        if let Some(id) = api.create(&Wanted::new("there is room", 1, 1), None).id() {
            acknowledged.push(id.to_owned());
            return Ok(begun.elapsed());
        }
        ensure!(begun.elapsed() < Report::patience(RECOVERS_WITHIN), "no video is taken in although there is room again");
        thread::sleep(Duration::from_millis(50));
    }
}
