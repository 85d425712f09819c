//! Workers are stopped at random moments for longer than their leases, others finish their jobs, and they come
//! back: nothing that they still have in hand may count.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;

use super::support::api::{Answer, Api, Video, Wanted};
use super::support::deployment::{Deployment, Worker};
use super::support::events::{self, DONE, Event, TOO_LATE};
use super::support::random::Random;
use super::support::report::Report;
use super::support::verify::{storage, verify, wait_until_ended};
use super::{Form, Setting};
use crate::process::interrupt;

const VICTIMS: usize = 4;
/// Most of them look at no clock and leave it to the database to refuse what they write.
const FAULTS: [&str; VICTIMS] = ["trust,slow:120", "trust,slow:400", "slow:120", "trust,slow:120"];
/// A write that takes longer waits for a process that was stopped with the lock in its hands.
const LOCKED_AFTER: Duration = Duration::from_secs(2);
/// The garbage collection leaves a holder that comes back two minutes to notice.
const COLLECTED_WITHIN: Duration = Duration::from_secs(200);

#[derive(Args)]
pub struct Options {
    /// How many leases are slept through, by four workers at a time.
    #[arg(long, default_value_t = 50)]
    rounds: usize,
    /// Length of a lease in milliseconds.
    #[arg(long, default_value_t = 2000)]
    lease_ms: u32,
    /// Do not wait until the objects that nobody needs are removed, which takes minutes.
    #[arg(long)]
    leave_garbage: bool,
}

impl Options {
    pub fn of(form: Form) -> Self {
        let rounds = match form {
            Form::Short => 16,
            Form::Test => 4,
        };
        Self { rounds, lease_ms: 2000, leave_garbage: true }
    }
}

/// What the leases that were slept through came to.
#[derive(Default)]
struct Outcome {
    slept_through: usize,
    refused: usize,
    accepted: usize,
    changed: usize,
    /// Stopped inside a transaction, so that nobody could finish the job meanwhile.
    void: usize,
}

/// A lease that a stopped worker believes in.
struct Held {
    worker: usize,
    begun: Event,
    job: String,
}

/// The same, and what became of its job meanwhile.
struct Stale {
    held: Held,
    finished: Video,
    file: Vec<u8>,
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut random = Random::new(setting.seed);
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.start_server()?;
    let lease = format!("--lease-ms {}", options.lease_ms);
    for faults in FAULTS {
        deployment.start_worker(&format!("{lease} --batch 1 --fault {faults}"))?;
    }
    deployment.wait_for_workers()?;
    let (mut outcome, mut acknowledged) = (Outcome::default(), Vec::new());
    let api = deployment.api();
    let most = 3 * options.rounds;
    for _ in 0..most {
        if outcome.slept_through >= options.rounds {
            break;
        }
        for seed in 0..VICTIMS as u64 {
            acknowledged.push(api.submit(&Wanted::new("the sea at sunset", 8, seed))?);
        }
        let in_hand = stop_victims(&mut deployment, &mut random)?;
        deployment.start_worker(&format!("{lease} --batch 4"))?;
        let stale = finish_elsewhere(&mut deployment, in_hand, options, &mut outcome)?;
        wake_victims(&mut deployment, &stale, &mut outcome)?;
        deployment.kill_worker(VICTIMS)?;
    }
    for seed in 0..VICTIMS as u64 {
        acknowledged.push(api.submit(&Wanted::new("new work", 2, seed))?);
    }
    wait_until_ended(&mut deployment, |_| Ok(()))?;
    let Outcome { slept_through, refused, accepted, changed, void } = outcome;
    report.expect("leases slept through", slept_through, format!("at least {}", options.rounds), slept_through >= options.rounds);
    report.note("stopped inside a transaction, so tried again", void);
    report.expect_count("of these refused when their holder came back", refused, slept_through);
    report.expect_none("results of a lost lease that were accepted", accepted);
    report.expect_none("finished videos that changed afterwards", changed);
    report.expect_none("workers that ended", deployment.ended()?.len());
    verify(&deployment, &acknowledged, report)?;
    if !options.leave_garbage {
        report.expect_within("objects of the losers removed after", time_to_collect(&deployment)?, COLLECTED_WITHIN);
    }
    Ok(())
}

/// Stops each victim at a moment of its own, once it has a job in hand.
fn stop_victims(deployment: &mut Deployment, random: &mut Random) -> Result<Vec<Held>> {
    let busy = |worker: &Worker| !events::in_hand(&worker.events()).is_empty();
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until && !deployment.workers[..VICTIMS].iter().all(busy) {
        thread::sleep(Duration::from_millis(20));
    }
    for victim in 0..VICTIMS {
        thread::sleep(random.between(Duration::ZERO, Duration::from_millis(250)));
        deployment.workers[victim].signal(libc::SIGSTOP);
    }
    // SQLite has one write lock, and who is stopped with it stops everybody: a submission cannot do without it.
    let impatient = deployment.api().with_patience(LOCKED_AFTER);
    while matches!(impatient.create(&Wanted::new("is the lock free", 1, 0), None), Answer::Silence) {
        interrupt::check()?;
        signal_all(deployment, libc::SIGCONT);
        thread::sleep(random.between(Duration::from_millis(5), Duration::from_millis(50)));
        signal_all(deployment, libc::SIGSTOP);
    }
    let held = |(worker, process): (usize, &Worker)| {
        let events = process.events();
        let in_hand = events::in_hand(&events).into_iter().cloned();
        in_hand.filter_map(|begun| Some(Held { worker, job: begun.job.clone()?, begun })).collect::<Vec<_>>()
    };
    Ok(deployment.workers[..VICTIMS].iter().enumerate().flat_map(held).collect())
}

fn signal_all(deployment: &Deployment, which: i32) {
    deployment.workers[..VICTIMS].iter().for_each(|worker| worker.signal(which));
}

/// Lets another worker finish everything; notes what it made of the jobs that the victims believe to hold.
fn finish_elsewhere(deployment: &mut Deployment, in_hand: Vec<Held>, options: &Options, outcome: &mut Outcome) -> Result<Vec<Stale>> {
    let api = deployment.api();
    let until = Instant::now() + Duration::from_millis(options.lease_ms.into()) + Duration::from_secs(180);
    while !api.all()?.iter().all(Video::has_ended) && Instant::now() < until {
        interrupt::check()?;
        thread::sleep(Duration::from_millis(100));
    }
    let mut stale = Vec::new();
    for held in in_hand {
        let finished = api.video(&held.job)?;
        // Without another attempt it was stopped after its last write, before it could say so.
        if !finished.is_completed() {
            outcome.void += 1;
        } else if finished.attempts > held.begun.attempt {
            stale.push(Stale { file: api.content(&held.job)?, held, finished });
        }
    }
    Ok(stale)
}

fn wake_victims(deployment: &mut Deployment, stale: &[Stale], outcome: &mut Outcome) -> Result<()> {
    signal_all(deployment, libc::SIGCONT);
    deployment.wait_until("the workers have noticed", |deployment| {
        deployment.check_running()?;
        Ok(stale.iter().all(|stale| ends(&deployment.workers[stale.held.worker], stale).next().is_some()))
    })?;
    let api = deployment.api();
    wait_until_ended(deployment, |_| Ok(()))?;
    for stale in stale {
        let ends: Vec<String> = ends(&deployment.workers[stale.held.worker], stale).collect();
        outcome.slept_through += 1;
        outcome.accepted += usize::from(ends.iter().any(|end| end == DONE));
        outcome.refused += usize::from(!ends.iter().any(|end| end == DONE));
        outcome.changed += usize::from(has_changed(&api, stale)?);
    }
    Ok(())
}

/// What the worker has said at the end of this lease.
fn ends(worker: &Worker, stale: &Stale) -> impl Iterator<Item = String> + use<> {
    let begun = stale.held.begun.clone();
    let events = worker.events().into_iter().filter(move |event| event.lease() == begun.lease());
    events.map(|event| event.message).filter(|message| message == DONE || TOO_LATE.contains(&&**message))
}

fn has_changed(api: &Api, stale: &Stale) -> Result<bool> {
    Ok(api.video(&stale.held.job)? != stale.finished || api.content(&stale.held.job)? != stale.file)
}

fn time_to_collect(deployment: &Deployment) -> Result<Option<Duration>> {
    let begun = Instant::now();
    while begun.elapsed() < Report::patience(COLLECTED_WITHIN) {
        interrupt::check()?;
        if storage(deployment)?["garbage"] == 0 {
            return Ok(Some(begun.elapsed()));
        }
        thread::sleep(Duration::from_secs(5));
    }
    Ok(None)
}
