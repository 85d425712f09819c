//! `cargo xtask torture`: the real programs, killed, stopped, starved and led astray at random moments, and
//! whether everything that was promised is kept all the same.
//!
//! A seed repeats the random choices of a run; what else the machine does at these moments it does not.

pub mod batches;
mod clock;
mod disk_full;
mod hang;
mod kill_db;
mod kill_server;
mod kill_worker;
mod pause;
mod payments;
mod poison;
mod sqlite_busy;
pub mod support;

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};

use crate::console::step;
use crate::process::command::run;
use crate::process::interrupt;
use crate::process::lanes::side_by_side;
use crate::product::models;
use crate::project::{Profile, Project};
use crate::tally::Tally;
use support::deployment::Database;
use support::random::Random;
use support::report::{self, Report};

#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    subject: Option<Subject>,
    /// Every subject, one after the other.
    #[arg(long)]
    all: bool,
    /// Smaller, so that each subject takes a minute or two.
    #[arg(long, global = true)]
    short: bool,
    /// Repeats the random choices of an earlier run.
    #[arg(long, global = true)]
    seed: Option<u64>,
    /// The build that is shipped instead of the development build.
    #[arg(long, global = true)]
    release: bool,
    /// On a private PostgreSQL, where the subject does not choose its database itself.
    #[arg(long, global = true)]
    postgres: bool,
    /// Appends the results to this file, with machine and commit.
    #[arg(long, global = true)]
    record: Option<PathBuf>,
}

/// What is done to the programs.
#[derive(Subcommand)]
enum Subject {
    /// Workers are killed at random moments and started again at once.
    KillWorker(kill_worker::Options),
    /// The server is killed while clients create videos and repeat what got no answer.
    KillServer(kill_server::Options),
    /// PostgreSQL is killed and comes back; on SQLite everything is killed while it writes.
    KillDb(kill_db::Options),
    /// Workers are stopped for longer than their leases and come back.
    Pause(pause::Options),
    /// Events of the payment processor, told several times in any order, while the server is killed.
    Payments(payments::Options),
    /// Jobs that end the process they run in, or hang in it.
    Poison(poison::Options),
    /// A call into the device that never returns.
    Hang(hang::Options),
    /// Clocks that are wrong, and clocks that are set right.
    Clock(clock::Options),
    /// More writers than SQLite likes, and a backup that holds its lock.
    SqliteBusy(sqlite_busy::Options),
    /// No room for rows, objects, logs and temporary files.
    DiskFull(disk_full::Options),
    /// Server and worker are killed while a batch of many lines is made.
    Batches(batches::Options),
}

/// How much of it.
#[derive(Clone, Copy)]
enum Form {
    Short,
    /// As a part of `cargo xtask test`.
    Test,
}

/// How many subjects go on side by side in the tests.
const TOGETHER: usize = 3;

/// What every subject is told.
pub struct Setting<'a> {
    pub project: &'a Project,
    pub profile: Profile,
    pub database: Database,
    pub seed: u64,
}

/// Whether everything was as promised.
pub fn torture(project: &Project, options: &Options) -> Result<bool> {
    let profile = if options.release { Profile::Release } else { Profile::Dev };
    let database = if options.postgres { Database::Postgres } else { Database::Sqlite };
    let setting = Setting { project, profile, database, seed: options.seed.unwrap_or_else(chance) };
    step("Building the programs", || build(project, profile))?;
    ensure!(options.all || options.subject.is_some(), "name a subject, or say --all; --help lists them");
    let mut reports = Vec::new();
    match &options.subject {
        Some(subject) if options.short => reports.push(subject.in_form(Form::Short).perform(&setting)?),
        Some(subject) => reports.push(subject.perform(&setting)?),
        None => {
            let form = if options.short { Form::Short } else { Form::Test };
            for subject in Subject::all(form) {
                reports.push(subject.perform(&setting)?);
            }
        }
    }
    if let Some(file) = &options.record {
        report::record(project, file, profile, &reports)?;
    }
    Ok(reports.iter().all(Report::is_clean))
}

/// All subjects in their smallest form, some at a time, as they wait for most of it; alone what goes by how fast a device
/// is found to be. The programs have been built.
pub fn tests(project: &Project) -> Result<Tally> {
    let setting = Setting { project, profile: Profile::Dev, database: Database::Sqlite, seed: chance() };
    let (timed, together): (Vec<_>, Vec<_>) = Subject::all(Form::Test).into_iter().partition(|subject| matches!(subject, Subject::Hang(_)));
    let mut reports = side_by_side(TOGETHER, together, |subject| subject.perform(&setting));
    reports.extend(timed.iter().map(|subject| subject.perform(&setting)));
    let mut tally = Tally::default();
    for report in reports.into_iter().collect::<Result<Vec<_>>>()?.iter().filter(|report| report.skipped.is_none()) {
        tally += match report.missed() {
            missed if missed.is_empty() => Tally::PASSED,
            missed => Tally::failed(format!("{} (seed {})\n{}", report.subject, report.seed, missed.join("\n"))),
        };
    }
    Ok(tally)
}

/// The subject `batches` alone. The programs, and what writes models of the family `replay`, have been built.
pub fn batches(setting: &Setting, options: batches::Options) -> Result<Report> {
    Subject::Batches(options).perform(setting)
}

fn build(project: &Project, profile: Profile) -> Result<()> {
    // The development build is the one of the tests, so that nothing is compiled twice.
    let arguments: &[&str] = match profile {
        Profile::Dev => &["build", "--workspace", "--bins", "--tests", "--examples"],
        Profile::Product | Profile::Release => &["build", "--profile", profile.name()],
    };
    run(project.cargo().args(arguments))?;
    if profile == Profile::Dev { Ok(()) } else { models::build_replay(project, profile) }
}

fn chance() -> u64 {
    let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Random::new(since.as_nanos() as u64).next() % 1_000_000
}

impl Subject {
    /// The longest first, so that where some go on side by side none is left to the end alone.
    fn all(form: Form) -> [Self; 11] {
        [
            Self::Clock(clock::Options::of(form)),
            Self::Batches(batches::Options::of(form)),
            Self::KillDb(kill_db::Options::of(form)),
            Self::Pause(pause::Options::of(form)),
            Self::Payments(payments::Options::of(form)),
            Self::SqliteBusy(sqlite_busy::Options::of(form)),
            Self::KillWorker(kill_worker::Options::of(form)),
            Self::Poison(poison::Options::of(form)),
            Self::KillServer(kill_server::Options::of(form)),
            Self::Hang(hang::Options::of(form)),
            Self::DiskFull(disk_full::Options::of(form)),
        ]
    }

    fn in_form(&self, form: Form) -> Self {
        match self {
            Self::KillWorker(_) => Self::KillWorker(kill_worker::Options::of(form)),
            Self::KillServer(_) => Self::KillServer(kill_server::Options::of(form)),
            Self::KillDb(_) => Self::KillDb(kill_db::Options::of(form)),
            Self::Pause(_) => Self::Pause(pause::Options::of(form)),
            Self::Payments(_) => Self::Payments(payments::Options::of(form)),
            Self::Poison(_) => Self::Poison(poison::Options::of(form)),
            Self::Hang(_) => Self::Hang(hang::Options::of(form)),
            Self::Clock(_) => Self::Clock(clock::Options::of(form)),
            Self::SqliteBusy(_) => Self::SqliteBusy(sqlite_busy::Options::of(form)),
            Self::DiskFull(_) => Self::DiskFull(disk_full::Options::of(form)),
            Self::Batches(_) => Self::Batches(batches::Options::of(form)),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::KillWorker(_) => "kill-worker",
            Self::KillServer(_) => "kill-server",
            Self::KillDb(_) => "kill-db",
            Self::Pause(_) => "pause",
            Self::Payments(_) => "payments",
            Self::Poison(_) => "poison",
            Self::Hang(_) => "hang",
            Self::Clock(_) => "clock",
            Self::SqliteBusy(_) => "sqlite-busy",
            Self::DiskFull(_) => "disk-full",
            Self::Batches(_) => "batches",
        }
    }

    /// Carries it out and prints what it has shown.
    ///
    /// # Errors
    /// Only when the person asked to stop: what keeps it from being carried out to the end is a missed bar.
    fn perform(&self, setting: &Setting) -> Result<Report> {
        let mut report = Report::new(self.name(), setting.seed, setting.profile);
        let outcome = step(&format!("{} (--seed {})", self.name(), setting.seed), || match self {
            Self::KillWorker(options) => kill_worker::run(setting, options, &mut report),
            Self::KillServer(options) => kill_server::run(setting, options, &mut report),
            Self::KillDb(options) => kill_db::run(setting, options, &mut report),
            Self::Pause(options) => pause::run(setting, options, &mut report),
            Self::Payments(options) => payments::run(setting, options, &mut report),
            Self::Poison(options) => poison::run(setting, options, &mut report),
            Self::Hang(options) => hang::run(setting, options, &mut report),
            Self::Clock(options) => clock::run(setting, options, &mut report),
            Self::SqliteBusy(options) => sqlite_busy::run(setting, options, &mut report),
            Self::DiskFull(options) => disk_full::run(setting, options, &mut report),
            Self::Batches(options) => batches::run(setting, options, &mut report),
        });
        interrupt::check()?;
        if let Err(error) = outcome {
            eprintln!("    {error:#}");
            report.expect("carried out to the end", first_line(&error), "yes", false);
        }
        println!("{report}");
        Ok(report)
    }
}

fn first_line(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}
