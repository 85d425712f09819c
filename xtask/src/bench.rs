//! `cargo xtask bench`: what the release build does on this machine, as Markdown for `docs/benchmarks.md`.

mod api;
mod claims;
mod clips;
mod drawing;
mod eta;
mod pages;
mod playing;
mod quality;
mod queue;
mod scheduler;
mod times;

use std::process::Command;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::process::command::run;
use crate::product::instance::Instance;
use crate::project::{Profile, Project};
use crate::up;

#[derive(Args)]
pub struct Options {
    /// Take only one measurement.
    subject: Option<Subject>,
    /// The same.
    #[arg(long, conflicts_with = "subject")]
    only: Option<Subject>,
    #[command(flatten)]
    eta: eta::Options,
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
        reached &= eta::measure(project, &options.eta)?;
    }
    if wanted(Subject::Times) {
        up::build_programs(project, Profile::Release)?;
        reached &= times::measure(project)?;
    }
    if wanted(Subject::Claims) {
        reached &= claims::measure(project)?;
    }
    Ok(reached)
}

/// An example of the engine, to be run with the arguments that follow.
fn example(project: &Project, name: &str) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["run", "--profile", Profile::Release.name(), "-p", "diffusion", "--example", name, "--"]);
    cargo
}
