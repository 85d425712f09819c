//! Somebody else, who asks for single videos now and then.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use ureq::Agent;

use crate::console::seconds;
use crate::process::interrupt;
use crate::product::http;
use crate::product::models::INSTANT;
use crate::torture::support::deployment::Deployment;
use crate::torture::support::report::{Report, percentile};

/// Between one and the next.
pub const PAUSE: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(75);
/// For one that was asked for while nothing was killed.
const MADE_WITHIN: Duration = Duration::from_secs(120);
const EMAIL: &str = "neighbour@example.com";

pub struct Neighbour {
    agent: Agent,
    videos: String,
    authorization: String,
}

/// What was asked for in one part of the run: ids of 32 digits, and how long each answer took.
pub struct Asked(Vec<(String, Duration)>);

impl Neighbour {
    pub fn new(deployment: &Deployment) -> Result<Self> {
        let authorization = format!("Bearer {}", deployment.sign_up(EMAIL)?);
        Ok(Self { agent: http::agent(PATIENCE), videos: format!("{}/v1/videos", deployment.product.url()), authorization })
    }

    /// Until one is made.
    pub fn warm_up(&self) -> Result<()> {
        self.wait_for(&self.submit()?.0)
    }

    /// Asks for one after the other, each when the one before is made and at most one in each [`PAUSE`]; `meanwhile` may object.
    pub fn ask(&self, count: usize, meanwhile: impl Fn() -> Result<()>) -> Result<Asked> {
        let mut asked = Vec::new();
        for _ in 0..count {
            let next = Instant::now() + PAUSE;
            let one = self.submit()?;
            self.wait_for(&one.0)?;
            asked.push(one);
            meanwhile()?;
            interrupt::check()?;
            thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        Ok(Asked(asked))
    }

    /// Where the server is away, it is not asked for again.
    pub fn ask_once(&self) -> Result<()> {
        interrupt::check()?;
        let _ = self.submit();
        Ok(())
    }

    fn submit(&self) -> Result<(String, Duration)> {
        let wanted = json!({ "model": INSTANT, "prompt": "a red ball", "size": "32x32", "seconds": "0.625", "steps": 4 });
        let begun = Instant::now();
        let video: Value =
            self.agent.post(&self.videos).header("authorization", &self.authorization).send_json(wanted)?.body_mut().read_json()?;
        let id = video["id"].as_str().and_then(|id| id.rsplit('_').next()).with_context(|| format!("no video: {video}"))?;
        Ok((id.to_owned(), begun.elapsed()))
    }

    fn wait_for(&self, id: &str) -> Result<()> {
        let deadline = Instant::now() + MADE_WITHIN;
        loop {
            interrupt::check()?;
            let url = format!("{}/job_{id}", self.videos);
            let video: Value = self.agent.get(url).header("authorization", &self.authorization).call()?.body_mut().read_json()?;
            if video["status"] == "completed" {
                return Ok(());
            }
            ensure!(video["status"] != "failed" && Instant::now() < deadline, "somebody else's video is not made: {video}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Tells what those waited that were asked for alone and those beside the batch; `added_max`: the most that may lie between. All others
    /// have to be made as well.
    pub fn judge(&self, deployment: &Deployment, asked: [&Asked; 2], added_max: Option<Duration>, report: &mut Report) -> Result<()> {
        let owner = format!(
            "tenant_id = (SELECT memberships.tenant_id FROM memberships JOIN users ON users.id = memberships.user_id WHERE email = '{EMAIL}')"
        );
        let deadline = Instant::now() + MADE_WITHIN;
        while deployment.query(&format!("SELECT COUNT(*) FROM jobs WHERE ended_at_ms IS NULL AND {owner}"))?.trim() != "0"
            && Instant::now() < deadline
        {
            interrupt::check()?;
            thread::sleep(PAUSE);
        }
        let text = deployment.query(&format!(
            "SELECT {}, state, COALESCE(started_at_ms, ended_at_ms) - created_at_ms FROM jobs WHERE {owner}",
            deployment.hex("id")
        ))?;
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.trim().split('|').collect()).collect();
        let waits: BTreeMap<&str, u64> = rows.iter().filter_map(|row| Some((*row.first()?, row.get(2)?.parse().ok()?))).collect();
        let not_made = rows.iter().filter(|row| row.get(1) != Some(&"succeeded")).count();
        report.expect_none(format!("of {} single jobs of somebody else, those not made", rows.len()), not_made);
        if asked.iter().any(|asked| asked.0.is_empty()) {
            return Ok(());
        }
        let mut percentiles = Vec::new();
        for (of, asked) in ["alone", "beside the batch"].into_iter().zip(asked) {
            let mut answers: Vec<_> = asked.0.iter().map(|(_, took)| *took).collect();
            let waited = asked.0.iter().map(|(id, _)| waits.get(&**id).copied().map(Duration::from_millis));
            let mut waited: Vec<_> = waited.collect::<Option<_>>().context("a single job is not in the database")?;
            let both = |times: &mut [Duration]| [50, 95].map(|percent| percentile(times, percent).unwrap_or_default());
            let [waited, answers] = [both(&mut waited), both(&mut answers)];
            let told = |[p50, p95]: [Duration; 2]| format!("{} ms, {} ms", p50.as_millis(), p95.as_millis());
            report.note(format!("{} single jobs {of}, submitted to begun: P50, P95", asked.0.len()), told(waited));
            report.note(format!("the answers to their submission {of}: P50, P95"), told(answers));
            percentiles.push(waited);
        }
        for (at, name) in ["P50", "P95"].into_iter().enumerate() {
            let added = percentiles[1][at].saturating_sub(percentiles[0][at]);
            match added_max {
                Some(most) => report.expect(
                    format!("what the batch adds to it, {name}"),
                    seconds(added),
                    format!("at most {}", seconds(most)),
                    added <= most,
                ),
                None => report.note(format!("what the batch adds to it, {name}"), seconds(added)),
            }
        }
        Ok(())
    }
}
