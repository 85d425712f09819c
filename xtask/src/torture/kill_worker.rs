//! Workers are killed at random moments and started again at once, some with another command line.

use std::time::{Duration, Instant, SystemTime};
use std::{cell::RefCell, thread};

use anyhow::Result;
use clap::Args;

use super::support::deployment::{Deployment, Past};
use super::support::events::{self, BEGUN, Event};
use super::support::random::Random;
use super::support::report::{Report, percentile};
use super::support::verify::{ATTEMPTS_MAX, fill_up, verify, wait_until_ended};
use super::{Form, Setting};

const WORKERS: usize = 2;
/// Jobs that wait or run at any moment.
const OPEN: usize = 12;
/// A worker is killed now and then even when nothing ends any more.
const LONGEST_PEACE: Duration = Duration::from_secs(4);
const RESTARTED_WITHIN: Duration = Duration::from_secs(15);

#[derive(Args)]
pub struct Options {
    #[arg(long, default_value_t = 500)]
    jobs: usize,
    #[arg(long, default_value_t = 60)]
    kills: usize,
    /// Length of a lease in milliseconds.
    #[arg(long, default_value_t = 10_000)]
    lease_ms: u32,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { jobs: 100, kills: 12, lease_ms: 10_000 },
            Form::Test => Self { jobs: 16, kills: 3, lease_ms: 4000 },
        }
    }
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut random = Random::new(setting.seed);
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.start_server()?;
    for _ in 0..WORKERS {
        deployment.start_worker(&arguments(options, &mut random))?;
    }
    deployment.wait_for_workers()?;
    let acknowledged = RefCell::new(Vec::new());
    let mut killer = Killer { options, random, kills: 0, at: Instant::now() };
    wait_until_ended(&mut deployment, |deployment| {
        let api = deployment.api();
        let videos = api.all()?;
        let open = videos.iter().filter(|video| !video.has_ended()).count();
        fill_up(&api, open, OPEN, options.jobs, &mut acknowledged.borrow_mut())?;
        if open > 0 { killer.strike(deployment, videos.len() - open) } else { Ok(()) }
    })?;
    report.expect_count("workers killed", killer.kills, options.kills);
    report.expect_count("jobs taken in", acknowledged.borrow().len(), options.jobs);
    let mut waits = waits(deployment.past(), &deployment.events());
    report.expect("jobs in the hands of a killed worker that were begun again", waits.len(), "some", !waits.is_empty());
    report.note("killed to begun again, median", percentile(&mut waits, 50).map_or_else(|| "-".to_owned(), crate::console::seconds));
    report.expect_within("killed to begun again, p99", percentile(&mut waits, 99), RESTARTED_WITHIN);
    let videos = verify(&deployment, &acknowledged.borrow(), report)?;
    let most = videos.iter().map(|video| video.attempts).max().unwrap_or(0);
    report.expect("most attempts of a job", most, format!("at most {ATTEMPTS_MAX}"), most <= ATTEMPTS_MAX);
    deployment.check_running()
}

/// Decides when the next worker is killed: after so many jobs, or when it has been quiet for long.
struct Killer<'a> {
    options: &'a Options,
    random: Random,
    kills: usize,
    /// When the last one was.
    at: Instant,
}

impl Killer<'_> {
    fn strike(&mut self, deployment: &mut Deployment, ended: usize) -> Result<()> {
        let due = ended * (self.options.kills + 1) >= (self.kills + 1) * self.options.jobs || self.at.elapsed() > LONGEST_PEACE;
        if self.kills >= self.options.kills || !due {
            return Ok(());
        }
        let victim = self.random.below(WORKERS);
        // One that is still warming up has nothing in hand.
        if !deployment.workers[victim].has_said("registered") {
            return Ok(());
        }
        thread::sleep(self.random.between(Duration::ZERO, Duration::from_millis(500)));
        let arguments = match self.random.one_in(2) {
            true => deployment.workers[victim].arguments.clone(),
            false => arguments(self.options, &mut self.random),
        };
        deployment.kill_and_restart(victim, &arguments)?;
        (self.kills, self.at) = (self.kills + 1, Instant::now());
        Ok(())
    }
}

fn arguments(options: &Options, random: &mut Random) -> String {
    format!("--lease-ms {} --batch {} --fault slow:60", options.lease_ms, 1 + random.below(4))
}

/// From each kill to the moment at which a job that the process had in hand was begun again, by whomever.
pub fn waits(past: &[Past], events: &[Event]) -> Vec<Duration> {
    let again = |job: &Event, killed: SystemTime| {
        events::first_after(events.iter().filter(|event| event.is(BEGUN) && event.job == job.job && event.epoch > job.epoch), killed)
    };
    past.iter().flat_map(|life| events::in_hand(&life.events).into_iter().filter_map(|job| again(job, life.killed))).collect()
}
