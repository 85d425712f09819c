//! A batch of many lines is made while server and worker are killed: nothing is lost, doubled or charged twice, the server needs little
//! memory, and jobs of somebody else wait no longer.
//!
//! The model is one that is done at once; all else is real.

mod client;
mod lines;
mod neighbour;
mod outcome;

use std::net::Ipv4Addr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use super::support::deployment::{Deployment, EMAIL};
use super::support::memory::{Memory, megabytes};
use super::support::random::Random;
use super::support::receiver::{Manner, Receiver};
use super::support::report::Report;
use super::support::verify::check_storage;
use super::{Form, Setting};
use crate::console::seconds;
use crate::process::command::run as run_command;
use crate::process::interrupt;
use crate::product::instance::forget_settings;
use crate::product::models;
use crate::project::Profile;
use client::Client;
use lines::Lines;
use neighbour::Neighbour;

/// Of a first batch, beside which waits are measured that no batch makes longer.
const FIRST_LINES_MAX: usize = 2000;
/// The most that the server may need over what it needs with nothing to do.
const MEMORY_MAX: u64 = 64_000_000;
/// The most that waits of somebody else may grow: as much as a busy machine adds to anything.
const ADDED_MAX: Duration = Duration::from_millis(50);
/// Nothing takes so long that goes on at all.
const STALLED_AFTER: Duration = Duration::from_secs(300);
const GLANCE: Duration = Duration::from_millis(50);

#[derive(Args, Clone, Copy)]
#[group(id = "batches")]
pub struct Options {
    /// Of `batches`: how many lines its file has.
    #[arg(long, default_value_t = 50_000)]
    pub lines: usize,
    /// Of `batches`: how often the server is killed, and as often the worker.
    #[arg(long, default_value_t = 20)]
    pub kills: usize,
    /// Of `batches`: how many jobs of somebody else are measured without the batch, and as many beside it.
    #[arg(long, default_value_t = 60)]
    pub singles: usize,
    /// Of `batches`: how many milliseconds more the worker takes at each of four steps.
    #[arg(long, default_value_t = 0)]
    pub slow_ms: u32,
}

impl Options {
    /// Of a worker: its jobs are soon given to the next one.
    fn worker(&self) -> String {
        format!("--lease-ms 4000 --fault slow:{}", self.slow_ms)
    }

    pub(super) fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { lines: 2000, kills: 3, singles: 10, slow_ms: 0 },
            Form::Test => Self { lines: 150, kills: 1, singles: 0, slow_ms: 20 },
        }
    }
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut random = Random::new(setting.seed);
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.product.models = models::lay_out_instant(setting.project, setting.profile, &deployment.product.data)?;
    let plan = deployment.product.admin(&["plan", "set", "--user", EMAIL, "--plan", "enterprise"]);
    run_command(&mut deployment.prepared(plan, "admin")?)?;
    deployment.start_server()?;
    deployment.start_worker(&options.worker())?;
    deployment.wait_for_workers()?;
    let receiver = Receiver::open(Ipv4Addr::LOCALHOST.into(), Manner::Takes)?;
    let client = Client::new(&deployment);
    let neighbour = Neighbour::new(&deployment)?;
    neighbour.warm_up()?;
    let mut memory = Watched::new(&deployment)?;
    let first = Lines::write(&deployment.product.data, (options.lines / 10).clamp(1, FIRST_LINES_MAX), setting.seed)?;
    let batch = client.create(&client.upload(&first)?)?;
    client.wait_until(&batch, |batch| batch["status"] == "completed")?;
    let alone = neighbour.ask(options.singles, || Ok(()))?;
    client.tell(&receiver.url(), &["batch.completed", "batch.failed", "batch.expired"])?;

    let lines = Lines::write(&deployment.product.data, options.lines, setting.seed)?;
    report.note("lines, and bytes of their file", format!("{}, {}", options.lines, megabytes(lines.bytes)));
    let begun = Instant::now();
    let input = client.upload(&lines)?;
    report.note("uploaded in", seconds(begun.elapsed()));
    let batch = client.create(&input)?;
    let begun = Instant::now();
    client.wait_until(&batch, |batch| batch["status"] == "in_progress" && completed(batch) > 0)?;
    report.note("to the first result", seconds(begun.elapsed()));
    let beside = neighbour.ask(options.singles, || {
        ensure!(
            client.batch(&batch)?["status"] == "in_progress",
            "the batch was over before others were measured beside it: it needs more lines"
        );
        Ok(())
    })?;
    let mut killer = Killer { options, random: &mut random, servers: 0, workers: 0, from: completed(&client.batch(&batch)?) };
    let ended = made(&mut deployment, &client, &batch, &neighbour, &mut memory, &mut killer)?;
    report.note("lines a second, with all kills", format!("{:.1}", options.lines as f64 / begun.elapsed().as_secs_f64()));
    report.note("created to ended", seconds(begun.elapsed()));
    memory.look(&deployment)?;
    report.expect_count("server killed", killer.servers, options.kills);
    report.expect_count("worker killed", killer.workers, options.kills);
    memory.tell(report);

    outcome::judge(&deployment, &client, [&first, &lines], &ended, report)?;
    neighbour.judge(&deployment, [&alone, &beside], (setting.profile == Profile::Release).then_some(ADDED_MAX), report)?;
    told(&deployment, &receiver, &batch, report)?;
    check_storage(&deployment, report)?;
    let mut ledger = deployment.product.admin(&["ledger", "check"]);
    forget_settings(&mut ledger);
    let is_true = ledger.status().context("the ledger cannot be checked")?.success();
    report.expect("check of the ledger", if is_true { "nothing found" } else { "faults" }, "nothing found", is_true);
    deployment.check_running()
}

/// Kills and waits until the batch has ended.
fn made(
    deployment: &mut Deployment,
    client: &Client,
    batch: &str,
    neighbour: &Neighbour,
    memory: &mut Watched,
    killer: &mut Killer,
) -> Result<Value> {
    let (mut before, mut changed) = (Value::Null, Instant::now());
    let mut asked = Instant::now();
    loop {
        interrupt::check()?;
        let now = client.batch(batch)?;
        if ["completed", "failed", "expired", "cancelled"].iter().any(|status| now["status"] == *status) {
            return Ok(now);
        }
        killer.strike(deployment, completed(&now), memory)?;
        if asked.elapsed() > neighbour::PAUSE {
            // Not measured, as what serves it may just have been killed; it has to be made all the same.
            neighbour.ask_once()?;
            asked = Instant::now();
        }
        if now["request_counts"] != before["request_counts"] || now["status"] != before["status"] {
            (before, changed) = (now, Instant::now());
        }
        ensure!(changed.elapsed() < STALLED_AFTER, "nothing goes on any more: {before}\n{}", deployment.last_words());
        thread::sleep(GLANCE);
    }
}

fn completed(batch: &Value) -> usize {
    batch["request_counts"]["completed"].as_u64().unwrap_or(0) as usize
}

/// Decides when the next program is killed: whenever the batch has come a little further, now the one and now the other.
struct Killer<'a> {
    options: &'a Options,
    random: &'a mut Random,
    servers: usize,
    workers: usize,
    /// How many lines were made before it began.
    from: usize,
}

impl Killer<'_> {
    fn strike(&mut self, deployment: &mut Deployment, completed: usize, memory: &mut Watched) -> Result<()> {
        let (done, all) = (self.servers + self.workers, 2 * self.options.kills);
        let due = self.from + (self.options.lines.saturating_sub(self.from)) * (done + 1) / (all + 2);
        // One that is still warming up has nothing in hand.
        if done >= all || completed < due || !deployment.workers[0].has_said("registered") {
            return Ok(());
        }
        thread::sleep(self.random.between(Duration::ZERO, Duration::from_millis(300)));
        let is_server = self.workers >= self.options.kills || (self.servers < self.options.kills && self.random.one_in(2));
        if is_server {
            memory.look(deployment)?;
            deployment.kill_server()?;
            deployment.start_server()?;
            self.servers += 1;
        } else {
            deployment.kill_and_restart(0, &self.options.worker())?;
            self.workers += 1;
        }
        Ok(())
    }
}

/// The memory of one server after the other.
struct Watched {
    idle: u64,
    peak: u64,
    end: u64,
}

impl Watched {
    fn new(deployment: &Deployment) -> Result<Self> {
        let now = of_server(deployment)?.now;
        Ok(Self { idle: now, peak: now, end: now })
    }

    /// To be called before a server is gone.
    fn look(&mut self, deployment: &Deployment) -> Result<()> {
        let memory = of_server(deployment)?;
        (self.peak, self.end) = (self.peak.max(memory.peak), memory.now);
        Ok(())
    }

    fn tell(&self, report: &mut Report) {
        report.note("memory of the server just started, with nothing to do", megabytes(self.idle));
        report.note("memory of the server at the end", megabytes(self.end));
        let over = self.peak.saturating_sub(self.idle);
        report.expect("the most over it", megabytes(over), format!("less than {}", megabytes(MEMORY_MAX)), over < MEMORY_MAX);
    }
}

fn of_server(deployment: &Deployment) -> Result<Memory> {
    Memory::of(deployment.server_process().context("no server runs")?)
}

/// That the batch has ended has to be told, whatever was killed meanwhile.
fn told(deployment: &Deployment, receiver: &Receiver, batch: &str, report: &mut Report) -> Result<()> {
    let deadline = Instant::now() + STALLED_AFTER;
    while receiver.told().is_empty() && Instant::now() < deadline {
        interrupt::check()?;
        thread::sleep(GLANCE);
    }
    let told = receiver.told();
    let ids: std::collections::BTreeSet<_> = told.iter().map(|told| &told.id).collect();
    let is_right = ids.len() == 1 && told.iter().all(|told| told.about == batch && told.kind == "batch.completed");
    let kinds: Vec<_> = told.iter().map(|told| &*told.kind).collect();
    report.expect("webhook at the end of the batch", kinds.join(", "), "batch.completed", is_right);
    ensure!(!told.is_empty(), "no webhook came\n{}", deployment.last_words());
    Ok(())
}
