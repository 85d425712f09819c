//! `cargo xtask up`: from a checkout to a running Reelmill, kept running until told to stop.

mod demo;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::console::step;
use crate::process::command::run;
use crate::process::interrupt::{self, Interrupted};
use crate::process::lanes::side_by_side;
use crate::process::supervisor::{Plan, Supervisor};
use crate::product::{Product, http};
use crate::project::{Profile, Project};
use crate::{packages::debian, web};

/// A healthy start takes seconds; a first worker on a slow machine warms up for longer.
const START_PATIENCE: Duration = Duration::from_secs(300);
/// Programs that die this often before they were ever ready will not recover by themselves.
const DEATHS_BEFORE_GIVING_UP: usize = 4;
const GLANCE: Duration = Duration::from_millis(100);

#[derive(Args)]
pub struct Options {
    /// Port the server listens on.
    #[arg(long, default_value_t = 3000)]
    port: u16,
    /// Folder for the database and the videos [default: `data` in the checkout].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A PostgreSQL database to use instead of the embedded SQLite.
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// How many workers to run.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    workers: u16,
    /// Take payments from a twin of Stripe, which also starts: no money moves, and who signs up gets the plan `free`.
    #[arg(long)]
    with_test_payments: bool,
    /// With a month of three invented teams, so that every page has something to show [default folder: `data-demo` in the checkout].
    #[arg(long, conflicts_with_all = ["with_test_payments", "database_url"])]
    demo: bool,
}

pub fn up(project: &Project, options: &Options) -> Result<()> {
    let product = Product {
        binaries: project.binaries(Profile::Product),
        data: usable(options.data.clone().unwrap_or_else(|| project.root.join(if options.demo { "data-demo" } else { "data" })))?,
        site: project.site(),
        models: project.models(),
        database_url: options.database_url.clone(),
        port: options.port,
        twin_port: if options.with_test_payments { Some(http::free_port()?) } else { None },
        provider: None,
    };
    check_port(options.port)?;
    build(project, Profile::Product)?;
    if options.with_test_payments {
        let mut cargo = project.cargo();
        step("Building the twin of Stripe", || run(cargo.args(["build", "--profile", Profile::Product.name(), "-p", "stripe-twin"])))?;
    }
    if options.demo {
        demo::require(&product, &project.root.join("public/gallery"))?;
    }
    match keep_running(&product, options.workers) {
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("Reelmill has stopped.");
            Ok(())
        }
        outcome => outcome,
    }
}

/// Everything that is needed to run: the programs and what browsers load, side by side, as each waits for its own last crates.
pub fn build(project: &Project, profile: Profile) -> Result<()> {
    let parts: Vec<Box<dyn Fn() -> Result<()> + Send + '_>> =
        vec![Box::new(|| build_programs(project, profile)), Box::new(|| web::build(project, web::Mode::Release))];
    // What keeps one from going on is said while the other is still at work.
    let built = side_by_side(parts.len(), parts, |build| build().inspect_err(|error| eprintln!("error: {error:#}")));
    built.into_iter().collect()
}

/// What is needed to run without pages.
pub fn build_programs(project: &Project, profile: Profile) -> Result<()> {
    debian::require(&[debian::CXX, debian::MAKE])?;
    let mut cargo = project.cargo();
    cargo.args(["build", "--profile", profile.name(), "-p", "server", "-p", "worker"]);
    let is_first = !project.binaries(profile).join("reelmill").exists();
    let patience =
        if is_first { " (the first time it compiles everything: ten to twenty minutes on two cores; later, seconds)" } else { "" };
    step(&format!("Building the server and the worker{patience}"), || run(&mut cargo))
}

/// Starts the product and looks after it until the person asks to stop.
fn keep_running(product: &Product, workers: u16) -> Result<()> {
    step("Preparing the database", || run(&mut product.migrate()))?;
    if product.twin_port.is_some() {
        run(&mut product.admin(&["plan", "default", "--plan", "free"]))?;
    }
    check_port(product.port)?;
    let mut supervisor = Supervisor::start(plans(product, workers))?;
    step("Starting the server and the worker", || wait_until_ready(product, &mut supervisor))?;
    println!("Reelmill is ready at {}", product.url());
    if let Some(accounts) = demo::accounts(product) {
        println!("Sign in with one of these addresses and the password in the last line:\n{accounts}");
    }
    if product.twin_port.is_some() {
        println!("Pay with the card 4242 4242 4242 4242; others are told in docs/how-to/test-payments.md");
    }
    std::io::stdout().flush().ok();
    loop {
        interrupt::check()?;
        supervisor.tick();
        thread::sleep(GLANCE);
    }
}

fn plans(product: &Product, workers: u16) -> Vec<Plan> {
    let server = product.clone();
    let mut plans = vec![Plan { name: "server".to_owned(), command: Box::new(move || server.serve()) }];
    if product.twin_port.is_some() {
        let twin = product.clone();
        plans.push(Plan { name: "twin of Stripe".to_owned(), command: Box::new(move || twin.twin()) });
    }
    plans.extend((1..=workers).map(|number| {
        let worker = product.clone();
        Plan { name: format!("worker {number}"), command: Box::new(move || worker.worker()) }
    }));
    plans
}

fn wait_until_ready(product: &Product, supervisor: &mut Supervisor) -> Result<()> {
    let deadline = Instant::now() + START_PATIENCE;
    let mut healthy = false;
    while !(healthy && product.is_ready()) {
        interrupt::check()?;
        supervisor.tick();
        ensure!(
            supervisor.deaths() < DEATHS_BEFORE_GIVING_UP,
            "the programs keep ending before they are ready; their last words are above"
        );
        ensure!(Instant::now() < deadline, "Reelmill was not ready within {} s", START_PATIENCE.as_secs());
        healthy = healthy || product.is_healthy();
        thread::sleep(GLANCE);
    }
    Ok(())
}

fn check_port(port: u16) -> Result<()> {
    if !http::is_free(port) {
        bail!("port {port} is already taken; choose another one with --port");
    }
    Ok(())
}

/// The folder, made if need be and known to be writable.
fn usable(folder: PathBuf) -> Result<PathBuf> {
    let folder = std::path::absolute(folder)?;
    fs::create_dir_all(&folder)
        .and_then(|()| touch(&folder))
        .with_context(|| format!("cannot write to the data folder {}", folder.display()))?;
    Ok(folder)
}

fn touch(folder: &Path) -> std::io::Result<()> {
    tempfile::tempfile_in(folder).map(drop)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::product::http::tests::stand_in;

    /// A product whose programs are shell scripts and whose port belongs to the test.
    fn product(folder: &Path, program: &str, port: u16) -> Product {
        for name in ["reelmill", "reelmill-worker"] {
            let file = folder.join(name);
            fs::write(&file, format!("#!/bin/sh\n{program}\n")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let place = folder.to_path_buf();
        Product {
            binaries: place.clone(),
            data: place.clone(),
            site: place.clone(),
            models: place,
            database_url: None,
            port,
            twin_port: None,
            provider: None,
        }
    }

    #[test]
    fn the_product_is_ready_once_its_pages_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let product = product(folder.path(), "exec sleep 1000", stand_in(200));
        let mut supervisor = Supervisor::start(plans(&product, 2)).unwrap();
        wait_until_ready(&product, &mut supervisor).unwrap();
        assert_eq!(supervisor.deaths(), 0);
    }

    #[test]
    fn programs_that_keep_ending_are_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let product = product(folder.path(), "exit 1", stand_in(503));
        let mut supervisor = Supervisor::start(plans(&product, 3)).unwrap();
        let error = wait_until_ready(&product, &mut supervisor).unwrap_err();
        assert!(error.to_string().contains("keep ending"), "{error}");
    }

    #[test]
    fn a_taken_port_is_refused_with_a_way_out() {
        let port = stand_in(200);
        let error = check_port(port).unwrap_err();
        assert_eq!(error.to_string(), format!("port {port} is already taken; choose another one with --port"));
    }

    #[test]
    fn a_data_folder_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = usable(file.join("data")).unwrap_err();
        assert!(error.to_string().starts_with("cannot write to the data folder /"), "{error}");
    }
}
