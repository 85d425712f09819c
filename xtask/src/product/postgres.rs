//! A private PostgreSQL in a temporary folder, there for one test run and gone with it.

use std::collections::BTreeMap;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::packages::debian::{self, Tool};
use crate::process::command::{find, output, run};
use crate::process::interrupt;
use crate::process::service::{self, Manners, Service};
use crate::product::{http, scratch};

const SERVER: Tool = Tool { present: || programs().is_some(), package: "postgresql" };
const START_PATIENCE: Duration = Duration::from_secs(30);
/// "Fast" stops without waiting for clients; "immediate" is for when nobody is left to wait.
const MANNERS: Manners = Manners { stop: libc::SIGINT, orphaned: libc::SIGQUIT };
const FASTEST: &[&str] = &["fsync=off", "full_page_writes=off", "synchronous_commit=off"];

pub struct Postgres {
    server: Option<Service>,
    folder: TempDir,
    programs: PathBuf,
    owner: Option<Owner>,
    port: u16,
    settings: &'static [&'static str],
    /// What its server is started with the next time.
    pub environment: BTreeMap<&'static str, String>,
}

/// PostgreSQL refuses to run as root; it runs as the user Debian made for it.
#[derive(Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

impl Postgres {
    /// The fastest: when it is killed, nothing is left that can be used.
    pub fn start() -> Result<Self> {
        Self::with(FASTEST, on_disk()?)
    }

    /// The same, for a great many small databases.
    pub fn in_memory() -> Result<Self> {
        Self::with(FASTEST, scratch::folder()?)
    }

    /// What it acknowledges outlives its process, though not the machine.
    pub fn durable() -> Result<Self> {
        Self::with(&[], on_disk()?)
    }

    /// `folder`: where its data lie, for it alone.
    fn with(settings: &'static [&'static str], folder: TempDir) -> Result<Self> {
        debian::require(&[SERVER])?;
        let mut postgres = Self {
            server: None,
            folder,
            programs: programs().context("PostgreSQL's programs are not where Debian puts them")?,
            owner: if debian::is_root() { Some(Owner::find()?) } else { None },
            port: http::free_port()?,
            settings,
            environment: BTreeMap::new(),
        };
        postgres.create()?;
        postgres.open()?;
        Ok(postgres)
    }

    /// Where its superuser reaches the `postgres` database.
    pub fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// Where the superuser reaches a new, empty database.
    pub fn create_database(&self, name: &str) -> Result<String> {
        self.execute(&self.url(), &format!("CREATE DATABASE {name}"))?;
        Ok(self.url_of(name))
    }

    /// Statements, one after the other, in the database at `url`.
    pub fn execute(&self, url: &str, sql: &str) -> Result<()> {
        let mut psql = self.program("psql");
        psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname", url]);
        for statement in sql.split(';').filter(|statement| !statement.trim().is_empty()) {
            psql.args(["--command", statement]);
        }
        output(&mut psql).map(drop)
    }

    /// What a query answers, a line for each row.
    pub fn query(&self, url: &str, sql: &str) -> Result<String> {
        let mut psql = self.program("psql");
        output(psql.args(["--no-psqlrc", "--tuples-only", "--no-align", "--dbname", url, "--command", sql]))
    }

    /// Where another role reaches the `postgres` database.
    pub fn url_as(&self, role: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/postgres", self.port)
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Ends it at once, without a word to its clients, as `pg_ctl stop -m immediate` does.
    pub fn crash(&mut self) -> Result<()> {
        let Some(mut server) = self.server.take() else { return Ok(()) };
        server.signal(libc::SIGQUIT);
        let deadline = Instant::now() + START_PATIENCE;
        while server.ended()?.is_none() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
        server.kill()
    }

    /// Starts it again and waits until it answers.
    pub fn recover(&mut self) -> Result<()> {
        self.open()
    }

    fn create(&self) -> Result<()> {
        if let Some(Owner { user, group }) = self.owner {
            chown(self.folder.path(), Some(user), Some(group))?;
        }
        let mut initdb = self.program("initdb");
        initdb.args(["--no-sync", "--auth=trust", "--username=postgres"]);
        initdb.args(["--encoding=UTF8", "--locale=C", "--pgdata"]).arg(self.data());
        output(&mut initdb).context("cannot create a PostgreSQL database cluster").map(drop)
    }

    fn open(&mut self) -> Result<()> {
        let mut postgres = self.program("postgres");
        postgres.args(["-p", &self.port.to_string(), "-D"]).arg(self.data());
        let common = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=500",
            "fsync=off",
            "full_page_writes=off",
            "logging_collector=off",
            "log_min_messages=fatal",
        ];
        for setting in common.iter().chain(self.settings) {
            postgres.args(["-c", setting]);
        }
        let log = std::fs::File::create(self.folder.path().join("log"))?;
        postgres.stdout(log.try_clone()?).stderr(log).envs(&self.environment);
        let mut server = Service::start("PostgreSQL", &mut postgres, MANNERS)?;
        let outcome = self.wait_for(&mut server);
        self.server = Some(server);
        outcome
    }

    fn wait_for(&self, server: &mut Service) -> Result<()> {
        let deadline = Instant::now() + START_PATIENCE;
        while !self.is_ready() {
            interrupt::check()?;
            if let Some(status) = server.ended()? {
                let log = std::fs::read_to_string(self.folder.path().join("log"));
                bail!("PostgreSQL ended: {}\n{}", service::reason(status), log.unwrap_or_default());
            }
            if Instant::now() > deadline {
                bail!("PostgreSQL did not answer within {} s", START_PATIENCE.as_secs());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn is_ready(&self) -> bool {
        let mut question = self.program("pg_isready");
        question.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        run(&mut question).is_ok()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of PostgreSQL's programs, run by whoever may run it.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(self.folder.path()).env_remove("LD_LIBRARY_PATH");
        if let Some(Owner { user, group }) = self.owner {
            command.uid(user).gid(group);
        }
        command
    }
}

fn on_disk() -> Result<TempDir> {
    tempfile::tempdir().context("cannot make a temporary folder")
}

impl Drop for Postgres {
    fn drop(&mut self) {
        service::stop_all(self.server.take().into_iter().collect(), service::GRACE);
    }
}

impl Owner {
    fn find() -> Result<Self> {
        let number = |flag: &str| -> Result<u32> {
            let text = output(Command::new("id").args([flag, "postgres"])).context("there is no user `postgres`")?;
            Ok(text.trim().parse()?)
        };
        Ok(Self { user: number("-u")?, group: number("-g")? })
    }
}

/// The newest server Debian has installed, else whatever is on the search path.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok();
    let newest = versions
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|folder| folder.join("bin/initdb").is_file())
        .max_by_key(|folder| version(folder));
    newest.map(|folder| folder.join("bin")).or_else(|| find("initdb").and_then(|file| file.parent().map(Path::to_path_buf)))
}

fn version(folder: &Path) -> u32 {
    folder.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or(0)
}
