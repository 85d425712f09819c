//! More writers than SQLite likes, from outside and from workers; then somebody who holds its write lock for
//! longer than any lease, as a backup may.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::support::api::{Answer, Api, Wanted};
use super::support::deployment::{Database, Deployment};
use super::support::report::{Report, percentile};
use super::support::verify::{fill_up, verify, wait_until_ended};
use super::{Form, Setting};
use crate::console::seconds;
use crate::packages::debian;
use crate::process::interrupt;
use crate::process::service::{Manners, Service};
use crate::project::Profile;

const READERS: usize = 8;
const WRITTEN_WITHIN: Duration = Duration::from_millis(250);
const HOLDS: usize = 3;
const OPEN: usize = 8;

#[derive(Args)]
pub struct Options {
    #[arg(long, default_value_t = 64)]
    writers: usize,
    /// How long they write.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How long the write lock is held, each of three times.
    #[arg(long, default_value_t = 18)]
    held_s: u64,
    /// Length of a lease in milliseconds.
    #[arg(long, default_value_t = 10_000)]
    lease_ms: u32,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { writers: 64, seconds: 10, held_s: 18, lease_ms: 10_000 },
            Form::Test => Self { writers: 16, seconds: 3, held_s: 6, lease_ms: 4000 },
        }
    }
}

/// What clients have seen.
#[derive(Default)]
struct Seen {
    writes: Vec<Duration>,
    reads: usize,
    acknowledged: Vec<String>,
    /// Answers that were no success, by what they were.
    errors: BTreeMap<String, usize>,
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    debian::require(&[debian::PYTHON])?;
    let mut deployment = Deployment::new(setting, Database::Sqlite)?;
    deployment.start_server()?;
    for _ in 0..2 {
        deployment.start_worker(&format!("--lease-ms {} --batch 2 --fault slow:50", options.lease_ms))?;
    }
    deployment.wait_for_workers()?;
    let seen = crowd(&deployment.api(), options)?;
    judge(&seen, setting.profile, report);
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    let mut acknowledged = seen.acknowledged;
    let before = deployment.api().all()?.iter().filter(|video| video.attempts > 1).count();
    report.expect_none("attempts lost to the crowd", before);
    for _ in 0..HOLDS {
        let api = deployment.api();
        let open = api.all()?.iter().filter(|video| !video.has_ended()).count();
        let most = acknowledged.len() + OPEN;
        fill_up(&api, open, OPEN, most, &mut acknowledged)?;
        hold_the_lock(&mut deployment, options)?;
        wait_until_ended(&mut deployment, |_| Ok(()))?;
    }
    report.note("times that the write lock was held", format!("{HOLDS}, {} s each", options.held_s));
    let videos = verify(&deployment, &acknowledged, report)?;
    report.expect_none("attempts lost to the lock", videos.iter().filter(|video| video.attempts > 1).count());
    deployment.check_running()
}

/// Many who create and cancel, some who look, all at once.
fn crowd(api: &Api, options: &Options) -> Result<Seen> {
    let seen = Mutex::new(Seen::default());
    let until = Instant::now() + Duration::from_secs(options.seconds);
    thread::scope(|scope| {
        for number in 0..options.writers {
            let seen = &seen;
            scope.spawn(move || while Instant::now() < until && write(api, number as u64, seen).is_ok() {});
        }
        for _ in 0..READERS {
            let seen = &seen;
            scope.spawn(move || while Instant::now() < until && read(api, seen).is_ok() {});
        }
    });
    interrupt::check()?;
    seen.into_inner().map_err(|_| anyhow!("a client panicked"))
}

fn write(api: &Api, seed: u64, seen: &Mutex<Seen>) -> Result<()> {
    let created = timed(seen, || api.create(&Wanted::new("the sea at sunset", 1, seed), None))?;
    let Some(id) = created.id() else { return Ok(()) };
    seen.lock().map_err(|_| anyhow!("another client panicked"))?.acknowledged.push(id.to_owned());
    // So that the queue stays short. One that has ended by now is not cancelled, which is no failure.
    timed(seen, || api.cancel(id)).map(drop)
}

fn timed(seen: &Mutex<Seen>, write: impl FnOnce() -> Answer) -> Result<Answer> {
    let begun = Instant::now();
    let answer = write();
    let took = begun.elapsed();
    let mut seen = seen.lock().map_err(|_| anyhow!("another client panicked"))?;
    seen.writes.push(took);
    seen.note_error(&answer);
    Ok(answer)
}

fn read(api: &Api, seen: &Mutex<Seen>) -> Result<()> {
    let answer = api.newest();
    let mut seen = seen.lock().map_err(|_| anyhow!("another client panicked"))?;
    seen.reads += 1;
    seen.note_error(&answer);
    Ok(())
}

impl Seen {
    fn note_error(&mut self, answer: &Answer) {
        let error = match answer {
            Answer::Done(_) => return,
            Answer::Refused { status, code } => format!("{status} {code}"),
            Answer::Silence => "no answer".to_owned(),
        };
        *self.errors.entry(error).or_default() += 1;
    }
}

fn judge(seen: &Seen, profile: Profile, report: &mut Report) {
    let mut writes = seen.writes.clone();
    report.note("writes, reads at the same time", format!("{}, {}", writes.len(), seen.reads));
    for (error, count) in &seen.errors {
        report.expect_none(format!("answered with {error}"), *count);
    }
    report.expect_none("kinds of errors that clients saw", seen.errors.len());
    report.note("a write, median", percentile(&mut writes, 50).map_or_else(String::new, seconds));
    let slow = percentile(&mut writes, 99);
    match profile {
        Profile::Product | Profile::Release => report.expect_within("a write, p99", slow, WRITTEN_WITHIN),
        Profile::Dev => report.note("a write, p99 (the bar is for the release build)", slow.map_or_else(String::new, seconds)),
    }
}

/// Takes the write lock from outside and sits on it.
fn hold_the_lock(deployment: &mut Deployment, options: &Options) -> Result<()> {
    let script = "import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
db.execute('BEGIN IMMEDIATE')
time.sleep(float(sys.argv[2]))
db.execute('ROLLBACK')";
    let mut python = Command::new("python3");
    python.args(["-c", script]).arg(deployment.product.data.join("reelmill.db")).arg(options.held_s.to_string());
    let mut python = deployment.prepared(python, "lock")?;
    let mut holder = Service::start("the holder of the lock", &mut python, Manners::default())?;
    loop {
        interrupt::check()?;
        match holder.ended()? {
            Some(status) if status.success() => return Ok(()),
            Some(_) => bail!("the lock could not be held\n{}", deployment.last_words()),
            None => thread::sleep(Duration::from_millis(50)),
        }
    }
}
