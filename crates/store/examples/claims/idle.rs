//! How soon a job is claimed by another process where nothing else is to do: two stores on one database, one that submits and one that waits.

use crate::ours::{LEASE_MS, MODELS, Team, open};
use anyhow::{Context, Result, ensure};
use apalis_core::{backend::Backend, worker::context::WorkerContext};
use domain::{Stage, WorkerId, billing::Lane, job::FailureClass};
use serde_json::{Value, json};
use std::{future::poll_fn, time::Duration};
use store::{
    Store,
    chance::new_id,
    clock::Instant,
    queue::{Slots, StageBackend},
};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

const JOBS: u64 = 200;
const PATIENCE: Duration = Duration::from_secs(30);

/// In milliseconds: from the moment at which a job is submitted, and from the answer.
pub async fn measure(store: &Store, url: &str) -> Result<Value> {
    let team = Team::new(store, "idle", Lane::Interactive, 1).await?;
    let (other, shutdown) = (open(url).await?, CancellationToken::new());
    let worker = WorkerId::from_uuid(new_id());
    let models = MODELS.iter().map(ToString::to_string).collect();
    let mut backend = StageBackend::new(other.clone(), Stage::Sampling, worker, models, LEASE_MS, Slots::new(1, 1), shutdown.clone());
    let waiting = tokio::spawn(async move {
        let context = WorkerContext::new("idle");
        let (sender, claims) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(Ok(task)) = poll_fn(|cx| backend.poll_next(cx, &context)).await {
                if sender.send((Instant::now(), task.args)).is_err() {
                    return;
                }
            }
        });
        claims
    });
    let mut claims = waiting.await?;
    let (mut from_call, mut from_answer) = (Vec::new(), Vec::new());
    for turn in 0..JOBS {
        // Long enough that all is idle again, and never the same part of a pause between two looks.
        sleep(Duration::from_millis(60 + turn * 37 % 101)).await;
        let called = Instant::now();
        let job = team.submit(store).await?;
        let answered = Instant::now();
        let (claimed_at, work) = timeout(PATIENCE, claims.recv()).await?.context("the claimer ended")?;
        ensure!(work.claimed.token.job == job, "another job was claimed");
        from_call.push(claimed_at.saturating_duration_since(called));
        from_answer.push(claimed_at.saturating_duration_since(answered));
        other.queue().report_failure(&work.claimed.token, FailureClass::Refused).await?;
    }
    shutdown.cancel();
    Ok(json!({ "jobs": JOBS, "from_call": percentiles(from_call), "from_answer": percentiles(from_answer) }))
}

/// By the nearest rank.
fn percentiles(mut times: Vec<Duration>) -> Value {
    times.sort_unstable();
    let at = |percent: usize| times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).map(|time| time.as_secs_f64() * 1000.0);
    json!({ "p50_ms": at(50), "p95_ms": at(95) })
}
