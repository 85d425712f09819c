//! The command line: what it accepts, and how a failure is told.

mod account;
mod admin;
mod backup;
mod billing;
mod capacity;
mod check;
mod models;
mod payments;
mod promo;
mod queue;
#[cfg(feature = "word-model")]
mod word_model;

use crate::{
    config::ServeOptions,
    demo::{self, DemoOptions},
    serve::serve,
};
use admin::Admin;
use anyhow::{Context, Result, bail};
use backup::{BackupArguments, RestoreArguments};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use service::{
    Services,
    config::Storage,
    scaling::{LocalProcesses, OperatorCommand, Provisioner},
};
use std::{env, process::ExitCode, sync::Arc};

/// Reelmill: makes videos from texts, for many people at once
#[derive(Debug, Parser)]
#[command(name = "reelmill", version)]
struct CommandLine {
    #[command(flatten)]
    storage: Storage,
    /// Print one JSON object a line
    #[arg(long, global = true, env = "REELMILL_LOG_JSON")]
    log_json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server: pages, API and chores (also what is done when no command is named)
    Serve(Box<ServeOptions>),
    /// Bring the database up to date, then exit
    Migrate,
    /// Fill an empty database with a month of invented teams, and print who can sign in
    #[command(hide = true)]
    Demo(DemoOptions),
    /// Copy everything that is stored into a folder, also while the server runs
    Backup(BackupArguments),
    /// Bring a backup back into a database and an object store that hold nothing
    Restore(RestoreArguments),
    /// Make accounts and keys, name models, and check what is stored, also while the server runs
    #[command(subcommand)]
    Admin(Admin),
}

/// Does what the command line asks for. Failures are one line on standard error.
#[must_use]
pub fn run() -> ExitCode {
    let line = CommandLine::from_arg_matches(&definition().get_matches()).unwrap_or_else(|error| error.exit());
    service::telemetry::start_log(line.log_json, "info");
    match started(line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The definition with the storage options usable before and after every sub command.
fn definition() -> clap::Command {
    let storage = <Storage as clap::Args>::augment_args(clap::Command::new("storage"));
    let names: Vec<_> = storage.get_arguments().map(|argument| argument.get_id().clone()).collect();
    names.into_iter().fold(CommandLine::command(), |command, name| command.mut_arg(name, |argument| argument.global(true)))
}

fn started(line: CommandLine) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("the program cannot start")?;
    let finished = runtime.block_on(execute(line));
    runtime.shutdown_background();
    finished
}

async fn execute(CommandLine { storage, command, .. }: CommandLine) -> Result<()> {
    if let Some(Command::Demo(options)) = &command {
        return invent(&storage, options).await;
    }
    let command = match command {
        Some(Command::Restore(arguments)) => return backup::restore(&storage, arguments).await,
        command => command,
    };
    let services = storage.open().await?;
    match command.unwrap_or_else(|| Command::Serve(Box::new(ServeOptions::of_environment()))) {
        Command::Serve(options) => {
            #[cfg(feature = "word-model")]
            word_model::begin(&services, options.word_model.as_deref())?;
            let provisioner = provisioner(&storage, &options)?;
            serve(services.with_scaling(&options.scaling, provisioner).with_placement(&options.placement), *options).await
        }
        Command::Backup(arguments) => backup::back_up(&services, &storage, arguments).await,
        Command::Migrate | Command::Demo(_) | Command::Restore(_) => up_to_date(&services).await,
        Command::Admin(admin) => {
            if admin.writes() {
                up_to_date(&services).await?;
            }
            admin.execute(&services).await
        }
    }
}

/// How workers are started: as the operator says, else beside this server.
fn provisioner(storage: &Storage, options: &ServeOptions) -> Result<Arc<dyn Provisioner>> {
    if let Some(command) = &options.scaling.workers_command {
        return Ok(Arc::new(OperatorCommand(command.clone())));
    }
    let program = env::current_exe().context("this program cannot tell where it lies")?.with_file_name("reelmill-worker");
    if options.scaling.workers_max > 0 && !program.is_file() {
        bail!(
            "{} is not there: put the worker beside the server, or say with --workers-command how workers are started",
            program.display()
        );
    }
    let mut environment = storage.environment();
    environment.push(("REELMILL_MODELS", options.models.models.clone().into_os_string()));
    Ok(Arc::new(LocalProcesses { program, environment }))
}

/// Each address on a line, behind them the password of all.
async fn invent(storage: &Storage, options: &DemoOptions) -> Result<()> {
    for address in demo::make(storage, options).await? {
        println!("{address}");
    }
    println!("{}", demo::PASSWORD);
    Ok(())
}

async fn up_to_date(services: &Services) -> Result<()> {
    services.store.migrate().await.context("the database could not be brought up to date")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(line: &str) -> String {
        let matches = definition().try_get_matches_from(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"));
        CommandLine::from_arg_matches(&matches).unwrap().storage.data.display().to_string()
    }

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    #[test]
    fn storage_options_stand_before_and_after_any_sub_command() {
        for line in [
            "reelmill --data there",
            "reelmill --data there serve",
            "reelmill serve --port 0 --data there",
            "reelmill admin --data there user create --email a@b.c --password-stdin",
            "reelmill admin user --data there create --email a@b.c --password-stdin",
            "reelmill admin user create --data there --email a@b.c --password-stdin",
            "reelmill admin key create --user a@b.c --name n --data there",
            "reelmill serve --models weights --data there",
            "reelmill admin model --data there list",
            "reelmill admin model alias --alias a --model b --data there",
            "reelmill admin model unalias --alias a --data there",
            "reelmill admin model pin --model m --workers 2 --data there",
            "reelmill admin --data there model keep-warm --model m --minutes never",
            "reelmill admin --data there plan set --user a@b.c --plan pro",
            "reelmill admin credits grant --user a@b.c --video-seconds 12 --data there",
            "reelmill admin --data there credits show --user a@b.c",
            "reelmill admin ledger check --data there",
            "reelmill admin payments reconcile --data there",
            "reelmill admin promo create --video-seconds 60 --data there",
            "reelmill admin promo --data there archive --code summer",
            "reelmill admin queue --data there pause --scope lane:batch",
            "reelmill admin queue list --data there",
            "reelmill admin plan --data there of --user a@b.c",
            "reelmill admin capacity question --data there",
            "reelmill admin --data there capacity plan",
            "reelmill backup --data there folder --every 60",
            "reelmill --data there restore folder",
        ] {
            assert_eq!(data(line), "there", "{line}");
        }
    }
}
