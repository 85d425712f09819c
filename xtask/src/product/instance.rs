//! A Reelmill of its own for one test phase or measurement: a free port, an empty data folder, gone afterwards.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::process::command::run;
use crate::process::interrupt;
use crate::process::service::{self, Manners, Service};
use crate::product::http;
use crate::product::{OpenIdProvider, Product, models};
use crate::project::{Profile, Project};

const START_PATIENCE: Duration = Duration::from_secs(180);
/// How much of the log is worth showing when something went wrong.
const LAST_LINES: usize = 40;

type Program = fn(&Product) -> Command;

/// What others are to be beside the product's own programs.
#[derive(Default)]
struct Beside {
    twin_port: Option<u16>,
    provider: Option<OpenIdProvider>,
}

pub struct Instance {
    services: Vec<Service>,
    product: Product,
    log: PathBuf,
    _folder: TempDir,
}

impl Instance {
    /// Starts one server and one worker from what was built with this profile.
    pub fn start(project: &Project, profile: Profile) -> Result<Self> {
        Self::launch(project, profile, None, &[Product::serve, Product::worker], Product::is_ready)
    }

    /// The same on a database of PostgreSQL.
    pub fn start_on(project: &Project, profile: Profile, database_url: String) -> Result<Self> {
        Self::launch(project, profile, Some(database_url), &[Product::serve, Product::worker], Product::is_ready)
    }

    /// Starts one server and several workers, with the models that `models` lays out in the folder it is given.
    pub fn start_fleet(
        project: &Project,
        profile: Profile,
        database_url: Option<String>,
        models: impl FnOnce(&Path) -> Result<PathBuf>,
        workers: usize,
    ) -> Result<Self> {
        let programs: &[Program] = &[Product::serve, Product::worker];
        let mut instance = Self::launch_with(models, project, profile, (database_url, Beside::default()), programs, Product::is_ready)?;
        for _ in 1..workers {
            let mut worker = instance.logged(instance.product.worker())?;
            instance.services.push(Service::start("worker", &mut worker, Manners::default())?);
        }
        Ok(instance)
    }

    /// As [`Self::start`] with a worker that is slow, whatever the machine is like, with another model that makes images, with payments that move
    /// no money, and with an OpenID provider, for which the packages of `end2end/` are installed.
    pub fn start_for_browsers(project: &Project, profile: Profile) -> Result<Self> {
        let with_images = |place: &Path| {
            let models = models::lay_out(project, place)?;
            run(Command::new(project.binaries(profile).join("examples/tiny_model")).arg(models.join("tiny-1")))?;
            Ok(models)
        };
        let programs: &[Program] = &[Product::serve, Product::slow_worker, Product::twin, Product::provider];
        let provider = OpenIdProvider { script: project.end_to_end().join("oidc.mjs"), port: http::free_port()? };
        let beside = Beside { twin_port: Some(http::free_port()?), provider: Some(provider) };
        Self::launch_with(with_images, project, profile, (None, beside), programs, Product::is_ready)
    }

    /// Starts a server alone, so that whatever is asked of it waits; without an address of a database, on SQLite.
    pub fn start_server(project: &Project, profile: Profile, database_url: Option<String>) -> Result<Self> {
        Self::launch(project, profile, database_url, &[Product::serve], Product::is_healthy)
    }

    fn launch(
        project: &Project,
        profile: Profile,
        database_url: Option<String>,
        programs: &[Program],
        is_up: fn(&Product) -> bool,
    ) -> Result<Self> {
        Self::launch_with(|place| models::lay_out(project, place), project, profile, (database_url, Beside::default()), programs, is_up)
    }

    /// `models`: the folder of models, given the folder of the instance.
    fn launch_with(
        models: impl FnOnce(&Path) -> Result<PathBuf>,
        project: &Project,
        profile: Profile,
        (database_url, beside): (Option<String>, Beside),
        programs: &[Program],
        is_up: fn(&Product) -> bool,
    ) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let product = Product {
            binaries: project.binaries(profile),
            data: folder.path().join("data"),
            site: project.site(),
            models: models(folder.path())?,
            database_url,
            port: http::free_port()?,
            twin_port: beside.twin_port,
            provider: beside.provider,
        };
        fs::create_dir_all(&product.data)?;
        fs::create_dir_all(&product.site)?;
        let log = folder.path().join("log");
        let mut instance = Self { services: Vec::new(), product, log, _folder: folder };
        instance.open(programs, is_up).inspect_err(|_| instance.show_log())?;
        Ok(instance)
    }

    pub fn product(&self) -> &Product {
        &self.product
    }

    /// Tells a test script where it finds this instance.
    pub fn describe(&self, command: &mut Command) {
        command.env("REELMILL_URL", self.product.url());
        command.env("REELMILL_DATA", &self.product.data);
        command.env("REELMILL_MODELS", &self.product.models);
        command.env("REELMILL_BIN", self.product.server_binary());
        if let Some(provider) = &self.product.provider {
            command.env("REELMILL_OIDC_URL", provider.issuer());
        }
        if let Some(port) = self.product.twin_port {
            command.env("REELMILL_TWIN_URL", format!("http://127.0.0.1:{port}"));
        }
    }

    /// The last lines that the server and the worker wrote.
    pub fn show_log(&self) {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = log.lines().collect();
        let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
        eprintln!("    the last words of the server and the worker:\n{}", last.join("\n"));
    }

    fn open(&mut self, programs: &[Program], is_up: fn(&Product) -> bool) -> Result<()> {
        run(&mut self.logged(self.product.migrate())?)?;
        for (name, program) in ["server", "worker", "twin of Stripe", "OpenID provider"].into_iter().zip(programs) {
            let mut command = self.logged(program(&self.product))?;
            self.services.push(Service::start(name, &mut command, Manners::default())?);
        }
        self.wait_until(is_up)
    }

    fn logged(&self, mut command: Command) -> Result<Command> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        command.stdout(log.try_clone()?).stderr(log);
        forget_settings(&mut command);
        Ok(command)
    }

    fn wait_until(&mut self, is_up: fn(&Product) -> bool) -> Result<()> {
        let deadline = Instant::now() + START_PATIENCE;
        while !is_up(&self.product) {
            interrupt::check()?;
            for service in &mut self.services {
                if let Some(status) = service.ended()? {
                    bail!("the {} ended: {}", service.name, service::reason(status));
                }
            }
            ensure!(Instant::now() < deadline, "Reelmill was not ready within {} s", START_PATIENCE.as_secs());
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}

/// It is an instance of its own, whatever the shell says of another. What was set for this command stays.
pub fn forget_settings(command: &mut Command) {
    let own: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_setting(&name.to_string_lossy()) && !own.contains(name)) {
        command.env_remove(name);
    }
}

/// Whether the programs read this variable.
fn is_setting(name: &str) -> bool {
    name == "DATABASE_URL" || ["S3_", "SMTP_", "STRIPE_", "REELMILL_"].iter().any(|prefix| name.starts_with(prefix))
}

impl Drop for Instance {
    fn drop(&mut self) {
        service::stop_all(std::mem::take(&mut self.services), service::GRACE);
    }
}
