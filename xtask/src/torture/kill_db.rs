//! PostgreSQL is killed and comes back after a while; on SQLite every process is killed while it writes.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, anyhow};
use clap::Args;

use super::support::api::{Api, Wanted};
use super::support::deployment::{Database, Deployment};
use super::support::events::{BEGUN, DONE, first_after};
use super::support::random::Random;
use super::support::report::Report;
use super::support::verify::{fill_up, verify, wait_until_ended};
use super::{Form, Setting};
use crate::packages::debian;
use crate::process::command::output;
use crate::process::interrupt;

const RESUMES_WITHIN: Duration = Duration::from_secs(10);
const OPEN: usize = 10;
const CLIENTS: usize = 4;

#[derive(Args)]
pub struct Options {
    /// How often PostgreSQL is killed.
    #[arg(long, default_value_t = 20)]
    restarts: usize,
    /// How long it is down at most, in seconds.
    #[arg(long, default_value_t = 20)]
    down_s: u64,
    /// How often everything is killed that writes to a SQLite file.
    #[arg(long, default_value_t = 200)]
    sqlite_kills: usize,
    /// Length of a lease in milliseconds.
    #[arg(long, default_value_t = 10_000)]
    lease_ms: u32,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { restarts: 4, down_s: 13, sqlite_kills: 20, lease_ms: 10_000 },
            Form::Test => Self { restarts: 1, down_s: 6, sqlite_kills: 3, lease_ms: 4000 },
        }
    }
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut random = Random::new(setting.seed);
    postgres(setting, options, &mut random, report)?;
    sqlite(setting, options, &mut random, report)
}

fn postgres(setting: &Setting, options: &Options, random: &mut Random, report: &mut Report) -> Result<()> {
    let mut deployment = Deployment::new(setting, Database::Postgres)?;
    deployment.start_server()?;
    for _ in 0..2 {
        deployment.start_worker(&format!("--lease-ms {} --batch 2 --fault slow:150", options.lease_ms))?;
    }
    deployment.wait_for_workers()?;
    let api = deployment.api();
    let (mut acknowledged, mut back) = (Vec::new(), Vec::new());
    for _ in 0..options.restarts {
        let open = api.all()?.iter().filter(|video| !video.has_ended()).count();
        fill_up(&api, open, OPEN, usize::MAX, &mut acknowledged)?;
        thread::sleep(random.between(Duration::ZERO, Duration::from_secs(1)));
        back.push(outage(&mut deployment, options, random, &api, &mut acknowledged)?);
    }
    report.note("PostgreSQL killed", options.restarts);
    report.expect_none("processes that ended", deployment.ended()?.len());
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    let longest = |of: fn(&Back) -> Duration| back.iter().map(of).max();
    report.expect_within("database back to a video taken in, longest", longest(|back| back.taken_in), RESUMES_WITHIN);
    report.expect_within("database back to a worker at work, longest", longest(|back| back.at_work), RESUMES_WITHIN);
    let videos = verify(&deployment, &acknowledged, report)?;
    report.expect_none("attempts lost to an outage", videos.iter().filter(|video| video.attempts > 1).count());
    Ok(())
}

/// How long after the database was back the first video was taken in, and a worker began or ended something.
struct Back {
    taken_in: Duration,
    at_work: Duration,
}

fn outage(deployment: &mut Deployment, options: &Options, random: &mut Random, api: &Api, acknowledged: &mut Vec<String>) -> Result<Back> {
    let down = random.between(Duration::from_secs(5), Duration::from_secs(options.down_s));
    let postgres = deployment.postgres.as_mut().context("this deployment is on SQLite")?;
    postgres.crash()?;
    let until = Instant::now() + down;
    while Instant::now() < until {
        interrupt::check()?;
        thread::sleep(Duration::from_millis(100));
    }
    postgres.recover()?;
    let (at, back) = (SystemTime::now(), Instant::now());
    let wanted = Wanted::new("the sea after the storm", 2, acknowledged.len() as u64);
    let id = loop {
        if let Some(id) = api.create(&wanted, None).id() {
            break id.to_owned();
        }
        interrupt::check()?;
        anyhow::ensure!(back.elapsed() < 6 * RESUMES_WITHIN, "the server does not find its database again\n{}", deployment.last_words());
        thread::sleep(Duration::from_millis(50));
    };
    acknowledged.push(id);
    let taken_in = back.elapsed();
    let at_work = loop {
        let events = deployment.events();
        if let Some(after) = first_after(events.iter().filter(|event| event.is(BEGUN) || event.is(DONE)), at) {
            break after;
        }
        interrupt::check()?;
        anyhow::ensure!(back.elapsed() < 6 * RESUMES_WITHIN, "no worker finds its database again\n{}", deployment.last_words());
        thread::sleep(Duration::from_millis(50));
    };
    Ok(Back { taken_in, at_work })
}

fn sqlite(setting: &Setting, options: &Options, random: &mut Random, report: &mut Report) -> Result<()> {
    debian::require(&[debian::PYTHON])?;
    let mut deployment = Deployment::new(setting, Database::Sqlite)?;
    let arguments = "--lease-ms 2000 --batch 4";
    let acknowledged = Mutex::new(Vec::new());
    let mut damaged = 0;
    for _ in 0..options.sqlite_kills {
        deployment.start_worker(arguments)?;
        deployment.start_server()?;
        write_until_killed(&mut deployment, random, &acknowledged)?;
        damaged += usize::from(integrity(&deployment)? != "ok");
    }
    let acknowledged = acknowledged.into_inner().map_err(|_| anyhow!("a client panicked"))?;
    report.note("everything killed, on SQLite", options.sqlite_kills);
    report.expect_none("times that the file was damaged", damaged);
    deployment.start_server()?;
    for _ in 0..2 {
        deployment.start_worker(arguments)?;
    }
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    verify(&deployment, &acknowledged, report).map(drop)
}

/// Lets clients create videos until everything is killed, at a random moment.
fn write_until_killed(deployment: &mut Deployment, random: &mut Random, acknowledged: &Mutex<Vec<String>>) -> Result<()> {
    let (stopped, api) = (AtomicBool::new(false), deployment.api());
    let pause = random.between(Duration::from_millis(100), Duration::from_millis(900));
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (stopped, api) = (&stopped, &api);
            scope.spawn(move || {
                while !stopped.load(Ordering::SeqCst) {
                    let answer = api.create(&Wanted::new("the sea at sunset", 1, client as u64), None);
                    if let (Some(id), Ok(mut acknowledged)) = (answer.id(), acknowledged.lock()) {
                        acknowledged.push(id.to_owned());
                    }
                    // So that all of them can be made in the end.
                    thread::sleep(Duration::from_millis(100));
                }
            });
        }
        thread::sleep(pause);
        let killed = deployment.kill_server().and_then(|()| deployment.kill_workers());
        stopped.store(true, Ordering::SeqCst);
        killed
    })
}

/// What SQLite itself says of the file.
fn integrity(deployment: &Deployment) -> Result<String> {
    let script = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
    let file = deployment.product.data.join("reelmill.db");
    Ok(output(Command::new("python3").args(["-c", script]).arg(file))?.trim().to_owned())
}
