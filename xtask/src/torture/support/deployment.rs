//! One Reelmill to be tortured: a server, workers, a database and a folder of its own, each process to be
//! killed, stopped and started by itself.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use tempfile::TempDir;

use super::super::Setting;
use super::api::Api;
use super::events::{self, Event};
use crate::process::command::{output, run};
use crate::process::interrupt;
use crate::process::service::{self, Manners, Service};
use crate::product::http;
use crate::product::instance::forget_settings;
use crate::product::postgres::Postgres;
use crate::product::{Product, models};

pub const EMAIL: &str = "torture@example.com";
pub const PASSWORD: &str = "correct horse battery staple";
const START_PATIENCE: Duration = Duration::from_secs(300);
const GLANCE: Duration = Duration::from_millis(50);
/// In Python, which has SQLite in it and is there for the tests.
const SELECT: &str = "import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=60).execute(sys.argv[2]):
    print('|'.join('' if column is None else str(column) for column in row))";

pub struct Deployment {
    pub product: Product,
    pub postgres: Option<Postgres>,
    /// Set for every program that is started from now on.
    pub environment: HashMap<&'static str, String>,
    pub workers: Vec<Worker>,
    server: Option<Service>,
    key: String,
    logs: PathBuf,
    lives: usize,
    past: Vec<Past>,
    _folder: TempDir,
}

/// A worker process that runs, or has ended by itself.
pub struct Worker {
    pub arguments: String,
    service: Service,
    log: PathBuf,
}

/// A worker process that was ended.
pub struct Past {
    pub killed: SystemTime,
    pub events: Vec<Event>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    /// As people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

impl Deployment {
    /// An empty one, with one account; nothing runs yet.
    pub fn new(setting: &Setting, database: Database) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let data = folder.path().join("data");
        Self::in_folder(setting, database, folder, data)
    }

    /// The same with its data in a folder that is there already.
    pub fn in_folder(setting: &Setting, database: Database, folder: TempDir, data: PathBuf) -> Result<Self> {
        let postgres = if database == Database::Postgres { Some(Postgres::durable()?) } else { None };
        let product = Product {
            binaries: setting.project.binaries(setting.profile),
            site: folder.path().join("site"),
            models: models::lay_out(setting.project, folder.path())?,
            database_url: postgres.as_ref().map(Postgres::url),
            port: http::free_port()?,
            twin_port: None,
            provider: None,
            data,
        };
        let logs = folder.path().join("logs");
        for place in [&product.data, &product.site, &logs] {
            fs::create_dir_all(place)?;
        }
        let mut deployment = Self {
            product,
            postgres,
            environment: HashMap::new(),
            workers: Vec::new(),
            server: None,
            key: String::new(),
            logs,
            lives: 0,
            past: Vec::new(),
            _folder: folder,
        };
        deployment.prepare()?;
        Ok(deployment)
    }

    fn prepare(&mut self) -> Result<()> {
        run(&mut self.prepared(self.product.migrate(), "admin")?)?;
        self.key = self.sign_up(EMAIL)?;
        Ok(())
    }

    /// Makes another account, and a key of it.
    pub fn sign_up(&self, email: &str) -> Result<String> {
        let create = self.product.admin(&["user", "create", "--email", email, "--password-stdin"]);
        let mut account = self.prepared(create, "admin")?.stdin(Stdio::piped()).spawn()?;
        account.stdin.take().context("the program's input is not piped")?.write_all(PASSWORD.as_bytes())?;
        ensure!(account.wait()?.success(), "no account could be made");
        let mut key = self.product.admin(&["key", "create", "--user", email, "--name", "torture"]);
        forget_settings(&mut key);
        Ok(output(&mut key)?.trim().to_owned())
    }

    pub fn api(&self) -> Api {
        Api::new(&self.product.url(), &self.key)
    }

    /// Of the first account, which is the operator's.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Of the server, where one runs.
    pub fn server_process(&self) -> Option<u32> {
        self.server.as_ref().map(Service::id)
    }

    /// What a query answers: a line for each row, with `|` between columns.
    pub fn query(&self, sql: &str) -> Result<String> {
        match &self.postgres {
            Some(postgres) => postgres.query(&postgres.url(), sql),
            None => {
                let file = self.product.data.join("reelmill.db");
                output(Command::new("python3").args(["-c", SELECT]).arg(file).arg(sql))
            }
        }
    }

    /// In SQL: the id in this column as 32 digits.
    pub fn hex(&self, column: &str) -> String {
        if self.postgres.is_some() { format!("replace(CAST({column} AS TEXT), '-', '')") } else { format!("lower(hex({column}))") }
    }

    /// Starts the server and waits until it answers.
    pub fn start_server(&mut self) -> Result<()> {
        self.spawn_server()?;
        self.wait_until("the server answers", |deployment| Ok(deployment.product.is_healthy()))
    }

    /// Starts the server without waiting for it.
    pub fn spawn_server(&mut self) -> Result<()> {
        let mut command = self.prepared(self.product.serve(), "server")?;
        self.server = Some(Service::start("server", &mut command, Manners::default())?);
        Ok(())
    }

    /// Ends the server at once.
    pub fn kill_server(&mut self) -> Result<()> {
        if let Some(mut server) = self.server.take() {
            server.kill()?;
        }
        Ok(())
    }

    /// Starts a worker without waiting for it; the last of `workers`.
    pub fn start_worker(&mut self, arguments: &str) -> Result<()> {
        let worker = self.spawn_worker(arguments)?;
        self.workers.push(worker);
        Ok(())
    }

    fn spawn_worker(&mut self, arguments: &str) -> Result<Worker> {
        self.lives += 1;
        let name = format!("worker-{}", self.lives);
        let mut command = self.prepared(self.product.worker(), &name)?;
        command.args(arguments.split_whitespace()).arg("--log-json").env("RAYON_NUM_THREADS", "2");
        let service = Service::start(&name, &mut command, Manners::default())?;
        Ok(Worker { arguments: arguments.to_owned(), service, log: self.log(&name) })
    }

    /// Ends a worker at once and starts another in its place.
    pub fn kill_and_restart(&mut self, at: usize, arguments: &str) -> Result<()> {
        let killed = SystemTime::now();
        self.workers[at].service.kill()?;
        let next = self.spawn_worker(arguments)?;
        let before = std::mem::replace(&mut self.workers[at], next);
        self.past.push(Past { killed, events: before.events() });
        Ok(())
    }

    /// Ends one worker at once.
    pub fn kill_worker(&mut self, at: usize) -> Result<()> {
        let killed = SystemTime::now();
        let mut worker = self.workers.remove(at);
        worker.service.kill()?;
        self.past.push(Past { killed, events: worker.events() });
        Ok(())
    }

    /// Ends all workers at once, as when their machine is switched off.
    pub fn kill_workers(&mut self) -> Result<()> {
        while !self.workers.is_empty() {
            self.kill_worker(0)?;
        }
        Ok(())
    }

    /// Starts another worker, with `arguments`, in place of each that has ended by itself; says how many had.
    pub fn replace_ended(&mut self, arguments: impl Fn(&Worker) -> String) -> Result<usize> {
        let mut ended = 0;
        for at in 0..self.workers.len() {
            if self.workers[at].service.ended()?.is_some() {
                let arguments = arguments(&self.workers[at]);
                self.kill_and_restart(at, &arguments)?;
                ended += 1;
            }
        }
        Ok(ended)
    }

    /// Waits until every worker can be given work.
    pub fn wait_for_workers(&mut self) -> Result<()> {
        self.wait_until("the workers are ready", |deployment| {
            deployment.check_running()?;
            Ok(deployment.workers.iter().all(|worker| worker.has_said("registered")))
        })
    }

    /// Looks again and again; an error when it does not happen.
    pub fn wait_until(&mut self, what: &str, mut happens: impl FnMut(&mut Self) -> Result<bool>) -> Result<()> {
        let deadline = Instant::now() + START_PATIENCE;
        while !happens(self)? {
            interrupt::check()?;
            ensure!(Instant::now() < deadline, "waited {} s in vain until {what}\n{}", START_PATIENCE.as_secs(), self.last_words());
            thread::sleep(GLANCE);
        }
        Ok(())
    }

    /// The programs that have ended by themselves, and why.
    pub fn ended(&mut self) -> Result<Vec<String>> {
        let services = self.server.iter_mut().chain(self.workers.iter_mut().map(|worker| &mut worker.service));
        let mut ended = Vec::new();
        for service in services {
            ended.extend(service.ended()?.map(|status| format!("{}: {}", service.name, service::reason(status))));
        }
        Ok(ended)
    }

    /// # Errors
    /// When a program has ended that nobody ended.
    pub fn check_running(&mut self) -> Result<()> {
        let ended = self.ended()?;
        ensure!(ended.is_empty(), "ended by themselves: {}\n{}", ended.join(", "), self.last_words());
        Ok(())
    }

    /// Worker processes that were ended, in that order.
    pub fn past(&self) -> &[Past] {
        &self.past
    }

    /// What all workers have said so far, dead or alive.
    pub fn events(&self) -> Vec<Event> {
        let past = self.past.iter().flat_map(|past| past.events.clone());
        let mut events: Vec<_> = past.chain(self.workers.iter().flat_map(Worker::events)).collect();
        events.sort_by_key(|event| event.at);
        events
    }

    /// What the server, in all its lives, has said in its log.
    pub fn server_events(&self) -> Vec<Event> {
        events::read(&self.log("server"))
    }

    /// A command of this deployment, with its output in the log of this name.
    pub fn prepared(&self, mut command: Command, log: &str) -> Result<Command> {
        forget_settings(&mut command);
        let log = File::options().create(true).append(true).open(self.log(log))?;
        command.stdout(log.try_clone()?).stderr(log).envs(&self.environment);
        Ok(command)
    }

    fn log(&self, name: &str) -> PathBuf {
        self.logs.join(name)
    }

    /// The ends of all logs, for whoever has to find out what went wrong.
    pub fn last_words(&self) -> String {
        let mut logs: Vec<PathBuf> = fs::read_dir(&self.logs).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        logs.sort_by_key(|log| fs::metadata(log).and_then(|data| data.modified()).ok());
        let newest = &logs[logs.len().saturating_sub(4)..];
        newest.iter().map(|log| format!("--- {}\n{}", log.display(), end_of(log))).collect()
    }
}

fn end_of(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(12)..];
    last.iter().map(|line| format!("{line}\n")).collect()
}

impl Worker {
    pub fn events(&self) -> Vec<Event> {
        events::read(&self.log)
    }

    pub fn has_said(&self, words: &str) -> bool {
        fs::read_to_string(&self.log).is_ok_and(|text| text.contains(words))
    }

    pub fn signal(&self, which: i32) {
        self.service.signal(which);
    }
}

impl Drop for Deployment {
    fn drop(&mut self) {
        let workers = std::mem::take(&mut self.workers).into_iter().map(|worker| worker.service);
        // Nothing more is wanted of them, and some may be stopped.
        for mut service in workers.chain(self.server.take()) {
            let _ = service.kill();
        }
    }
}
