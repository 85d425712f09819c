//! `cargo xtask bench`: what the release build does on this machine, as Markdown for `docs/benchmarks.md`.

mod api;
mod batches;
mod claims;
mod clips;
mod drawing;
mod eta;
mod numbers;
mod pages;
mod playing;
mod quality;
mod queue;
mod scheduler;
mod times;
mod webhooks;

use std::process::Command;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::console::step;
use crate::process::command::run;
use crate::product::instance::Instance;
use crate::product::models;
use crate::project::{Profile, Project};
use crate::torture::Setting;
use crate::torture::support::deployment::Database;
use crate::up;

#[derive(Args)]
pub struct Options {
    /// Take only one measurement.
    subject: Option<Subject>,
    /// The same.
    #[arg(long, conflicts_with = "subject")]
    only: Option<Subject>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    eta: eta::Options,
    #[command(flatten)]
    batches: batches::Options,
    #[command(flatten)]
    numbers: numbers::Options,
    #[command(flatten)]
    webhooks: webhooks::Options,
}

/// How some of them are carried out.
#[derive(Args)]
pub struct Choice {
    /// Of `eta`, `batches`, `numbers` and `webhooks`: only on this database.
    #[arg(long, value_enum)]
    database: Option<Database>,
    /// Of `eta`, `batches` and `webhooks`: another one makes other choices.
    #[arg(long)]
    seed: Option<u64>,
    /// Of `batches`, `numbers` and `webhooks`: the development build, to try them out.
    #[arg(long)]
    dev: bool,
}

impl Choice {
    fn includes(&self, database: Database) -> bool {
        self.database.is_none_or(|only| only == database)
    }

    fn databases(&self) -> impl Iterator<Item = Database> {
        [Database::Sqlite, Database::Postgres].into_iter().filter(|database| self.includes(*database))
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    const fn profile(&self) -> Profile {
        if self.dev { Profile::Dev } else { Profile::Release }
    }

    fn setting<'a>(&self, project: &'a Project, database: Database) -> Setting<'a> {
        Setting { project, profile: self.profile(), database, seed: self.seed() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// One clip by stage, without a server.
    Engine,
    /// The same of the model that draws, and its denoiser beside PyTorch's.
    Drawing,
    /// Rules that drawn scenes keep, and sheets of prompts.
    Quality,
    /// From the start of the programs to clips asked for through the API.
    Clips,
    /// In a browser, from the click until a video of the model that draws plays.
    Playing,
    /// Lighthouse on the public pages.
    Pages,
    /// What many waiting jobs add to the time of a request.
    Queue,
    /// What a flood of batch jobs adds to the wait of interactive ones.
    Scheduler,
    /// Whether jobs of a fleet end when it was said that they would, and wait as simulated ones do. Takes half an hour.
    Eta,
    /// How well the time that a job takes of a device is expected.
    Times,
    /// How many jobs a second the queue hands out, beside a plain table and apalis, and how soon.
    Claims,
    /// A batch of 50,000 lines while programs are killed: what becomes of each line, of memory and of others. Takes an hour.
    Batches,
    /// How soon pages and lists answer over a million jobs, and how exact percentiles are.
    Numbers,
    /// What receivers of webhooks that hang or fail cost the others, and whether a hostile address is ever called.
    Webhooks,
}

/// Whether every bar was reached.
pub fn bench(project: &Project, options: &Options) -> Result<bool> {
    let wanted = |subject| options.subject.or(options.only).is_none_or(|only| only == subject);
    if wanted(Subject::Engine) {
        run(example(project, "clip").args(["--repeat", "5"]))?;
    }
    if wanted(Subject::Drawing) {
        drawing::measure(project)?;
    }
    let mut reached = true;
    if wanted(Subject::Quality) {
        reached &= quality::measure(project)?;
    }
    if wanted(Subject::Clips) || wanted(Subject::Playing) || wanted(Subject::Pages) {
        up::build(project, Profile::Release)?;
    }
    if wanted(Subject::Clips) {
        clips::measure(project)?;
    }
    if wanted(Subject::Playing) {
        reached &= playing::measure(project)?;
    }
    if wanted(Subject::Pages) {
        reached &= pages::measure(project, &Instance::start(project, Profile::Release)?)?;
    }
    if wanted(Subject::Queue) {
        up::build_programs(project, Profile::Release)?;
        reached &= queue::measure(project)?;
    }
    if wanted(Subject::Scheduler) {
        up::build_programs(project, Profile::Release)?;
        reached &= scheduler::measure(project)?;
    }
    if wanted(Subject::Eta) {
        up::build_programs(project, Profile::Release)?;
        reached &= eta::measure(project, &options.eta, &options.choice)?;
    }
    if wanted(Subject::Times) {
        up::build_programs(project, Profile::Release)?;
        reached &= times::measure(project)?;
    }
    if wanted(Subject::Claims) {
        reached &= claims::measure(project)?;
    }
    if wanted(Subject::Batches) {
        build_beside_replay(project, &options.choice)?;
        reached &= batches::measure(project, &options.batches, &options.choice)?;
    }
    if wanted(Subject::Numbers) {
        build_programs(project, &options.choice)?;
        reached &= numbers::measure(project, &options.numbers, &options.choice)?;
    }
    if wanted(Subject::Webhooks) {
        build_beside_replay(project, &options.choice)?;
        reached &= webhooks::measure(project, &options.webhooks, &options.choice)?;
    }
    Ok(reached)
}

/// The programs, and what writes models that take their time instead of computing.
fn build_beside_replay(project: &Project, choice: &Choice) -> Result<()> {
    build_programs(project, choice)?;
    step("Building what writes models", || models::build_replay(project, choice.profile()))
}

fn build_programs(project: &Project, choice: &Choice) -> Result<()> {
    match choice.profile() {
        // As the tests build it, so that nothing is compiled twice.
        Profile::Dev => run(project.cargo().args(["build", "--workspace", "--bins", "--examples"])),
        profile => up::build_programs(project, profile),
    }
}

/// An example of the engine, to be run with the arguments that follow.
fn example(project: &Project, name: &str) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["run", "--profile", Profile::Release.name(), "-p", "diffusion", "--example", name, "--"]);
    cargo
}
