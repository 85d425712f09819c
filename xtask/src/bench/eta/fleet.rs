//! The programs of a run: a server and its workers on one database.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::models;
use crate::process::command::output;
use crate::process::interrupt;
use crate::product::Product;
use crate::product::instance::Instance;
use crate::product::postgres::Postgres;
use crate::project::{Profile, Project};

/// For jobs that are open when no more come.
const IDLE_PATIENCE: Duration = Duration::from_secs(900);
const START_PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(500);

pub struct Live<'a> {
    instance: Instance,
    /// `None`: on SQLite.
    postgres: Option<&'a Postgres>,
}

impl<'a> Live<'a> {
    pub fn on_sqlite(project: &Project, workers: usize) -> Result<Self> {
        Self::start(project, workers, None)
    }

    pub fn on_postgres(project: &Project, workers: usize, postgres: &'a Postgres) -> Result<Self> {
        Self::start(project, workers, Some(postgres))
    }

    fn start(project: &Project, workers: usize, postgres: Option<&'a Postgres>) -> Result<Self> {
        let url = postgres.map(|postgres| postgres.create_database("eta")).transpose()?;
        let models = |place: &Path| models::lay_out(project, place);
        let live = Self { instance: Instance::start_fleet(project, Profile::Release, url, models, workers)?, postgres };
        live.wait_until("SELECT COUNT(*) FROM workers WHERE condition = 'working'", START_PATIENCE, |working| working == workers)?;
        Ok(live)
    }

    pub fn product(&self) -> &Product {
        self.instance.product()
    }

    /// A line for each row, with `|` between columns.
    pub fn query(&self, sql: &str) -> Result<String> {
        match (self.postgres, &self.product().database_url) {
            (Some(postgres), Some(url)) => postgres.query(url, sql),
            _ => {
                let file = self.product().data.join("reelmill.db");
                output(Command::new("sqlite3").arg("-cmd").arg(".timeout 10000").arg(file).arg(sql))
            }
        }
    }

    /// In SQL: the id in this column as 32 digits.
    pub fn hex(&self, column: &str) -> String {
        if self.postgres.is_some() { format!("replace(CAST({column} AS TEXT), '-', '')") } else { format!("lower(hex({column}))") }
    }

    /// Until every job has ended.
    pub fn wait_until_idle(&self) -> Result<()> {
        self.wait_until("SELECT COUNT(*) FROM jobs WHERE ended_at_ms IS NULL", IDLE_PATIENCE, |open| open == 0)
    }

    fn wait_until(&self, count: &str, patience: Duration, is_enough: impl Fn(usize) -> bool) -> Result<()> {
        let deadline = Instant::now() + patience;
        loop {
            interrupt::check()?;
            let counted: usize = self.query(count)?.trim().parse().with_context(|| format!("no number: {count}"))?;
            if is_enough(counted) {
                return Ok(());
            }
            if Instant::now() > deadline {
                self.instance.show_log();
            }
            ensure!(Instant::now() < deadline, "after {} s, {counted}: {count}", patience.as_secs());
            thread::sleep(GLANCE);
        }
    }
}
