//! Jobs that are finished, and when each receiver was told of each.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};

use crate::process::interrupt;
use crate::product::http;
use crate::product::models::INSTANT;
use crate::torture::support::deployment::Deployment;
use crate::torture::support::receiver::Receiver;
use crate::torture::support::report::percentile;

const SENDERS: usize = 4;
/// For an answer to a submission.
const PATIENCE: Duration = Duration::from_secs(60);
/// For all jobs to end, and for all receivers to be told.
const TOLD_WITHIN: Duration = Duration::from_secs(120);
const GLANCE: Duration = Duration::from_millis(100);

pub struct Round {
    /// From the end of a job to its first delivery to a receiver, of each job and receiver.
    delays: Vec<Duration>,
    /// Of these, those that never came.
    pub lost: usize,
    pub jobs_per_second: f64,
}

impl Round {
    pub fn percentile(&self, percent: usize) -> Duration {
        percentile(&mut self.delays.clone(), percent).unwrap_or(Duration::MAX)
    }

    pub fn told(&self) -> String {
        [50, 99, 100].map(|percent| format!("{} ms", self.percentile(percent).as_millis())).join(", ")
    }
}

/// Asks for so many jobs and waits until all are made and told.
pub fn of(deployment: &mut Deployment, receivers: &[Receiver], jobs: usize) -> Result<Round> {
    let begun = Instant::now();
    let asked = submit(deployment, jobs)?;
    let mut ends = BTreeMap::new();
    deployment.wait_until("all jobs have ended", |deployment| {
        deployment.check_running()?;
        ends = ended(deployment)?;
        Ok(asked.iter().all(|id| ends.contains_key(id)))
    })?;
    let jobs_per_second = jobs as f64 / begun.elapsed().as_secs_f64();
    let deadline = Instant::now() + TOLD_WITHIN;
    loop {
        interrupt::check()?;
        let round = judged(receivers, &asked, &ends, jobs_per_second)?;
        if round.lost == 0 || Instant::now() > deadline {
            return Ok(round);
        }
        thread::sleep(GLANCE);
    }
}

fn judged(receivers: &[Receiver], asked: &[String], ends: &BTreeMap<String, u64>, jobs_per_second: f64) -> Result<Round> {
    let (mut delays, mut lost) = (Vec::new(), 0);
    for receiver in receivers {
        let mut first: BTreeMap<String, u64> = BTreeMap::new();
        for told in receiver.told() {
            let at = u64::try_from(told.at.duration_since(UNIX_EPOCH)?.as_millis())?;
            first.entry(told.about.rsplit('_').next().unwrap_or_default().to_owned()).or_insert(at);
        }
        for id in asked {
            let ended = ends.get(id).context("a job has no end")?;
            match first.get(id) {
                Some(told) => delays.push(Duration::from_millis(told.saturating_sub(*ended))),
                None => lost += 1,
            }
        }
    }
    Ok(Round { delays, lost, jobs_per_second })
}

/// Their ids, as 32 digits.
fn submit(deployment: &Deployment, jobs: usize) -> Result<Vec<String>> {
    let (url, authorization) = (format!("{}/v1/videos", deployment.product.url()), format!("Bearer {}", deployment.key()));
    let send = |count: usize| -> Result<Vec<String>> {
        let agent = http::agent(PATIENCE);
        let wanted = json!({ "model": INSTANT, "prompt": "a red ball", "size": "32x32", "seconds": "0.625", "steps": 4 });
        let one = |_| {
            interrupt::check()?;
            let video: Value = agent.post(&url).header("authorization", &authorization).send_json(&wanted)?.body_mut().read_json()?;
            video["id"].as_str().and_then(|id| id.rsplit('_').next()).map(str::to_owned).with_context(|| format!("no video: {video}"))
        };
        (0..count).map(one).collect()
    };
    let ids: Vec<String> = thread::scope(|scope| {
        let shares = (0..SENDERS).map(|sender| jobs / SENDERS + usize::from(sender < jobs % SENDERS));
        let senders: Vec<_> = shares.map(|count| scope.spawn(move || send(count))).collect();
        let sent = senders.into_iter().map(|sender| sender.join().map_err(|_| anyhow!("a sender failed"))?);
        sent.collect::<Result<Vec<_>>>().map(|ids| ids.into_iter().flatten().collect())
    })?;
    ensure!(ids.len() == jobs, "{} of {jobs} jobs were taken in", ids.len());
    Ok(ids)
}

/// When each job that was made ended, in milliseconds since 1970.
fn ended(deployment: &Deployment) -> Result<BTreeMap<String, u64>> {
    let text = deployment.query(&format!("SELECT {}, ended_at_ms FROM jobs WHERE state = 'succeeded'", deployment.hex("id")))?;
    let row = |line: &str| {
        let (id, at) = line.trim().split_once('|')?;
        Some((id.to_owned(), at.parse().ok()?))
    };
    text.lines().map(|line| row(line).with_context(|| format!("no job: {line}"))).collect()
}
