//! What a flood of batch jobs adds to the wait of interactive ones: one server and one worker, asked for one clip after the other, first
//! with nothing else to do and then beside the flood.

use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::api::Api;
use super::clips::finished;
use crate::console::step;
use crate::packages::debian::{self, SQLITE};
use crate::process::command::{output, run};
use crate::process::interrupt;
use crate::product::instance::Instance;
use crate::product::postgres::Postgres;
use crate::project::{Profile, Project};

const FLOOD: usize = 10_000;
const CLIPS: usize = 60;
const SENDERS: usize = 16;
/// Its steps take long enough to be told from everything else.
const MODEL: &str = "vignette-1";
const INTERACTIVE: &str = "one@example.com";
const BATCH: &str = "many@example.com";
/// The most that the flood may add beside one step, in milliseconds.
const ADDED_MAX_MS: f64 = 50.0;

/// Whether the waits stay within the bar on both engines.
pub fn measure(project: &Project) -> Result<bool> {
    println!("| database | {CLIPS} interactive clips | submitted to begun: p50 ms | p95 | longest | one step, ms |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let instance = Instance::start(project, Profile::Release)?;
    let file = instance.product().data.join("reelmill.db");
    debian::require(&[SQLITE])?;
    let sqlite = beside_a_flood("SQLite", &instance, |sql| output(Command::new("sqlite3").arg(&file).arg(sql)))?;
    drop(instance);
    let postgres = Postgres::start()?;
    let url = postgres.create_database("scheduler")?;
    let instance = Instance::start_on(project, Profile::Release, url.clone())?;
    let postgres = beside_a_flood("PostgreSQL", &instance, |sql| postgres.query(&url, sql))?;
    Ok(sqlite && postgres)
}

fn beside_a_flood(engine: &str, instance: &Instance, query: impl Fn(&str) -> Result<String>) -> Result<bool> {
    let product = instance.product();
    let (one, many) = (Api::new(product, INTERACTIVE)?, Api::new(product, BATCH)?);
    run(&mut product.admin(&["plan", "set", "--user", BATCH, "--plan", "enterprise"]))?;
    finished(&one, &clip(0))?;
    let idle = Waits::of(engine, "and nothing else", &one, &query)?;
    step(&format!("Submitting {FLOOD} jobs of a batch"), || flood(&many))?;
    let flooded = Waits::of(engine, &format!("beside {FLOOD} jobs of a batch"), &one, &query)?;
    let left = query("SELECT COUNT(*) FROM jobs WHERE lane = 'batch' AND ended_at_ms IS NULL")?;
    ensure!(left.trim().parse::<usize>()? > SENDERS, "the flood was over before the clips were made");
    Ok(flooded.percentile(95) <= idle.percentile(95) + idle.step_ms + ADDED_MAX_MS)
}

fn clip(seed: usize) -> Value {
    json!({ "prompt": "northern lights over the mountains", "model": MODEL, "seed": seed })
}

fn flood(many: &Api) -> Result<()> {
    thread::scope(|scope| {
        let send = |sender: usize| move || (0..FLOOD / SENDERS).try_for_each(|n| many.create(&clip(sender * FLOOD + n)).map(drop));
        let senders: Vec<_> = (0..SENDERS).map(|sender| scope.spawn(send(sender))).collect();
        senders.into_iter().try_for_each(|sender| sender.join().map_err(|_| anyhow::anyhow!("a sender failed"))?)
    })
}

/// What clips waited that were asked for one after the other, in milliseconds.
struct Waits {
    in_order: Vec<f64>,
    step_ms: f64,
}

impl Waits {
    fn of(engine: &str, beside: &str, api: &Api, query: impl Fn(&str) -> Result<String>) -> Result<Self> {
        for seed in 1..=CLIPS {
            interrupt::check()?;
            finished(api, &clip(seed))?;
        }
        let of_them = format!(
            "FROM jobs WHERE tenant_id = (SELECT memberships.tenant_id FROM memberships JOIN users ON users.id = memberships.user_id \
             WHERE email = '{INTERACTIVE}') ORDER BY created_at_ms DESC LIMIT {CLIPS}"
        );
        let column = |column: &str| -> Result<Vec<f64>> {
            let text = query(&format!("SELECT {column} {of_them}"))?;
            let mut numbers: Vec<f64> = text.lines().map(|line| line.trim().parse().context("no number")).collect::<Result<_>>()?;
            numbers.sort_by(f64::total_cmp);
            ensure!(numbers.len() == CLIPS, "{} of {CLIPS} clips were begun", numbers.len());
            Ok(numbers)
        };
        let step_ms = column("1.0 * sampling_ms / steps")?[CLIPS / 2];
        let waits = Self { in_order: column("started_at_ms - created_at_ms")?, step_ms };
        let [p50, p95, longest] = [50, 95, 100].map(|percent| waits.percentile(percent));
        println!("| {engine} | {beside} | {p50:.0} | {p95:.0} | {longest:.0} | {step_ms:.1} |");
        Ok(waits)
    }

    /// By the nearest rank.
    fn percentile(&self, percent: usize) -> f64 {
        self.in_order[(CLIPS * percent).div_ceil(100).saturating_sub(1)]
    }
}
