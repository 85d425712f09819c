//! What 100,000 waiting jobs of others add to the time of a request: two servers side by side, one with an
//! empty queue and one with a long one, asked in turns.
//!
//! No worker runs, so that the queue keeps its length and the cores belong to the servers.

mod samples;
mod seed;
mod watchers;

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::api::Api;
use crate::console::step;
use crate::process::interrupt;
use crate::product::instance::Instance;
use crate::product::postgres::Postgres;
use crate::project::{Profile, Project};
use samples::Samples;
use watchers::Watchers;

const WAITING: u32 = 100_000;
const WATCHERS: usize = 200;
const PATIENCE: Duration = Duration::from_secs(20);
const GLANCE: Duration = Duration::from_millis(100);
const WARM_UP: usize = 30;
const PAIRS: usize = 300;
/// The most that a long queue may add to taking a job in.
const RATIO_MAX: f64 = 1.5;

/// Whether taking a job in stays within the bar on both engines.
pub fn measure(project: &Project) -> Result<bool> {
    println!("| database | request | empty: p50 ms | p95 | {WAITING} waiting: p50 ms | p95 | p50 to p50 | in ten parts |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let sqlite = on_sqlite(project)?;
    let postgres = on_postgres(project)?;
    Ok(sqlite && postgres)
}

fn on_sqlite(project: &Project) -> Result<bool> {
    let server = || Instance::start_server(project, Profile::Release, None);
    let (empty, long) = (Side::new(server()?)?, Side::new(server()?)?);
    step("Seeding SQLite", || seed::sqlite(long.instance.product(), WAITING))?;
    long.wait_until_behind(WAITING)?;
    compare("SQLite", &empty, &long)
}

fn on_postgres(project: &Project) -> Result<bool> {
    let postgres = Postgres::start()?;
    let server = |name| Instance::start_server(project, Profile::Release, Some(postgres.create_database(name)?));
    let (empty, long) = (Side::new(server("empty")?)?, Side::new(server("long")?)?);
    step("Seeding PostgreSQL", || seed::postgres(&postgres, long.instance.product(), WAITING))?;
    long.wait_until_behind(WAITING)?;
    compare("PostgreSQL", &empty, &long)
}

/// One of the two servers.
struct Side {
    instance: Instance,
    api: Api,
    /// A job that waits all the time.
    waiting: String,
}

impl Side {
    fn new(instance: Instance) -> Result<Self> {
        let api = Api::new(instance.product(), "bench@example.com")?;
        let waiting = create(&api)?.1;
        Ok(Self { instance, api, waiting })
    }

    /// Until the server knows how many wait in front of its own job.
    fn wait_until_behind(&self, jobs: u32) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while self.api.retrieve(&self.waiting)?.1["queue_position"].as_u64().is_none_or(|position| position < jobs.into()) {
            ensure!(Instant::now() < deadline, "the queue is not as long as it was made");
            thread::sleep(GLANCE);
        }
        Ok(())
    }

    /// Takes a job in; it goes again, which is not measured.
    fn submit(&self) -> Result<Duration> {
        let (took, id) = create(&self.api)?;
        self.api.cancel(&id)?;
        Ok(took)
    }

    fn retrieve(&self) -> Result<Duration> {
        Ok(self.api.retrieve(&self.waiting)?.0)
    }
}

fn create(api: &Api) -> Result<(Duration, String)> {
    let (took, video) = api.create(&json!({ "prompt": "northern lights over the mountains" }))?;
    Ok((took, video["id"].as_str().context("a video has an id")?.to_owned()))
}

fn compare(engine: &str, empty: &Side, long: &Side) -> Result<bool> {
    let alone = [("create", Side::submit as fn(&Side) -> _), ("retrieve, waiting", Side::retrieve)];
    let mut reached = true;
    for (request, act) in alone {
        let samples = in_turns(empty, long, act)?;
        println!("| {engine} | {request} | {samples} |");
        reached &= request != "create" || samples.ratio() <= RATIO_MAX;
    }
    let watchers = [Watchers::open(empty.instance.product(), WATCHERS)?, Watchers::open(long.instance.product(), WATCHERS)?];
    for (request, act) in alone {
        println!("| {engine} | {request}; {WATCHERS} watchers on each server | {} |", in_turns(empty, long, act)?);
    }
    watchers.into_iter().try_for_each(Watchers::close)?;
    Ok(reached)
}

fn in_turns(empty: &Side, long: &Side, act: fn(&Side) -> Result<Duration>) -> Result<Samples> {
    let mut samples = Samples::default();
    for turn in 0..WARM_UP + PAIRS {
        interrupt::check()?;
        let pair = if turn % 2 == 0 {
            let first = act(empty)?;
            (first, act(long)?)
        } else {
            let first = act(long)?;
            (act(empty)?, first)
        };
        if turn >= WARM_UP {
            samples.push(pair);
        }
    }
    Ok(samples)
}
