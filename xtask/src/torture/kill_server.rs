//! The server is killed while clients create videos under idempotency keys and repeat what got no answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use clap::Args;

use super::support::api::{Answer, Api, Wanted};
use super::support::deployment::Deployment;
use super::support::random::Random;
use super::support::report::Report;
use super::support::verify::check_storage;
use super::{Form, Setting};
use crate::process::interrupt;

/// Two of them share each key, so that requests under one key also meet.
const CLIENTS: usize = 8;
const PATIENCE: Duration = Duration::from_secs(180);

#[derive(Args)]
pub struct Options {
    #[arg(long, default_value_t = 5000)]
    requests: usize,
    #[arg(long, default_value_t = 40)]
    kills: usize,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { requests: 1000, kills: 12 },
            Form::Test => Self { requests: 160, kills: 3 },
        }
    }
}

/// What all clients have seen together.
#[derive(Default)]
struct Seen {
    /// The ids under which a key was answered.
    ids: Mutex<BTreeMap<String, BTreeSet<String>>>,
    answers: AtomicUsize,
    silences: AtomicUsize,
    refusals: AtomicUsize,
    clients_done: AtomicUsize,
    kills: AtomicUsize,
}

impl Seen {
    /// Clients that are faster than the server is killed wait, so that it is killed between requests of all of them.
    fn is_ahead(&self, options: &Options) -> bool {
        let kills = self.kills.load(Ordering::SeqCst);
        kills < options.kills && self.answers.load(Ordering::SeqCst) >= (kills + 2) * options.requests / options.kills
    }
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut random = Random::new(setting.seed);
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.start_server()?;
    let (seen, api) = (Seen::default(), deployment.api());
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (random, seen, api) = (random.split(), &seen, api.clone());
                scope.spawn(move || client(number, options, random, &api, seen))
            })
            .collect();
        let outcome = kill_now_and_then(&mut deployment, options, &mut random, &seen);
        for client in clients {
            client.join().map_err(|_| anyhow!("a client panicked"))??;
        }
        outcome
    })?;
    judge(&deployment, &seen, options, report)
}

/// Kills the server whenever the clients have come a little further; not from a thread, with which it would end.
fn kill_now_and_then(deployment: &mut Deployment, options: &Options, random: &mut Random, seen: &Seen) -> Result<()> {
    while seen.clients_done.load(Ordering::SeqCst) < CLIENTS {
        interrupt::check()?;
        let kills = seen.kills.load(Ordering::SeqCst);
        if kills < options.kills && seen.answers.load(Ordering::SeqCst) >= kills * options.requests / options.kills {
            thread::sleep(random.between(Duration::ZERO, Duration::from_millis(300)));
            deployment.kill_server()?;
            deployment.start_server()?;
            seen.kills.fetch_add(1, Ordering::SeqCst);
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn client(number: usize, options: &Options, mut random: Random, api: &Api, seen: &Seen) -> Result<()> {
    let outcome = (0..options.requests / CLIENTS).try_for_each(|request| {
        while seen.is_ahead(options) {
            interrupt::check()?;
            thread::sleep(Duration::from_millis(5));
        }
        let key = format!("pair-{}-{request}", number / 2);
        let wanted = Wanted::new("the sea at sunset", 1, (number / 2 * 100_000 + request) as u64);
        ask(api, &wanted, &key, seen)?;
        if random.one_in(4) { ask(api, &wanted, &key, seen) } else { Ok(()) }
    });
    seen.clients_done.fetch_add(1, Ordering::SeqCst);
    outcome
}

/// Repeats a request under its key until it is answered.
fn ask(api: &Api, wanted: &Wanted, key: &str, seen: &Seen) -> Result<()> {
    let begun = Instant::now();
    loop {
        let answer = api.create(wanted, Some(key));
        if let Some(id) = answer.id() {
            let mut ids = seen.ids.lock().map_err(|_| anyhow!("another client panicked"))?;
            ids.entry(key.to_owned()).or_default().insert(id.to_owned());
            seen.answers.fetch_add(1, Ordering::SeqCst);
            return Ok(());
        }
        match answer {
            Answer::Refused { status, code } => {
                ensure!(status >= 500, "a create was refused with {status} {code}");
                seen.refusals.fetch_add(1, Ordering::SeqCst);
            }
            _ => drop(seen.silences.fetch_add(1, Ordering::SeqCst)),
        }
        interrupt::check()?;
        ensure!(begun.elapsed() < PATIENCE, "a create found no answer within {} s", PATIENCE.as_secs());
        thread::sleep(Duration::from_millis(20));
    }
}

fn judge(deployment: &Deployment, seen: &Seen, options: &Options, report: &mut Report) -> Result<()> {
    let ids = seen.ids.lock().map_err(|_| anyhow!("a client panicked"))?;
    let videos = deployment.api().all()?;
    let there: BTreeSet<&str> = videos.iter().map(|video| &*video.id).collect();
    report.expect_count("server killed", seen.kills.load(Ordering::SeqCst), options.kills);
    report.note("requests answered", seen.answers.load(Ordering::SeqCst));
    report.note("requests without an answer, repeated", seen.silences.load(Ordering::SeqCst));
    report.note("requests refused for the moment, repeated", seen.refusals.load(Ordering::SeqCst));
    report.note("idempotency keys", ids.len());
    report.expect_none("keys that were answered with two ids", ids.values().filter(|ids| ids.len() > 1).count());
    report.expect_none("acknowledged videos that are lost", ids.values().flatten().filter(|id| !there.contains(&***id)).count());
    report.expect_count("videos made", videos.len(), ids.len());
    check_storage(deployment, report)
}
