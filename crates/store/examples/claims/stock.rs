//! apalis' own queue on PostgreSQL, as it comes: sixteen workers, each with the default settings, on as many connections.

use crate::{CLAIMERS, taken::Taken};
use anyhow::{Context, Result, anyhow, ensure};
use apalis::prelude::*;
use apalis_postgres::{Config, PgPool, PostgresStorage, queries::push_tasks};
use sqlx::postgres::PgPoolOptions;
use std::{sync::Arc, time::Duration};
use store::clock::Instant;
use tokio_util::sync::CancellationToken;

const QUEUE: &str = "claims";
const PUSHED_AT_ONCE: usize = 1000;
const GLANCE: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(600);

/// Claims a second, each with what ends it.
pub async fn measure(url: &str, jobs: usize) -> Result<f64> {
    // One more, which looks whether all is done.
    let pool = PgPoolOptions::new().max_connections(CLAIMERS + 1).connect(url).await?;
    PostgresStorage::setup(&pool).await.map_err(|error| anyhow!("{error}"))?;
    push(&pool, jobs).await?;
    // Who has run at a moment in the future is not due.
    tokio::time::sleep(Duration::from_secs(2)).await;

    let (taken, shutdown, begun) = (Arc::new(Taken::new()), CancellationToken::new(), Instant::now());
    let workers: Vec<_> = (0..CLAIMERS)
        .map(|number| {
            let backend = PostgresStorage::new(&pool).with_config(Config::default().queue(QUEUE));
            let (taken, shutdown) = (taken.clone(), shutdown.clone());
            let handler = move |job: u64| {
                let taken = taken.clone();
                async move { taken.add(job).map_err(|error| BoxDynError::from(error.to_string())) }
            };
            let worker = WorkerBuilder::new(format!("claims-{number}")).backend(backend).build(handler);
            let until = async move {
                shutdown.cancelled().await;
                Ok::<_, WorkerError>(())
            };
            tokio::spawn(worker.run_until(until))
        })
        .collect();
    wait_until_done(&pool, jobs).await?;
    let elapsed = begun.elapsed();
    shutdown.cancel();
    for worker in workers {
        worker.await?.map_err(|error| anyhow!("{error}"))?;
    }
    ensure!(taken.len() == jobs, "{} of {jobs} were claimed", taken.len());
    Ok(jobs as f64 / elapsed.as_secs_f64())
}

async fn push(pool: &PgPool, jobs: usize) -> Result<()> {
    let mut connection = pool.acquire().await?;
    let numbers: Vec<u64> = (0..jobs as u64).collect();
    for some in numbers.chunks(PUSHED_AT_ONCE) {
        let tasks = some.iter().map(|job| Ok(TaskBuilder::new(serde_json::to_vec(job)?).build())).collect::<Result<_>>()?;
        push_tasks(&mut *connection, QUEUE, tasks).await.map_err(|error| anyhow!("{error}"))?;
    }
    Ok(())
}

async fn wait_until_done(pool: &PgPool, jobs: usize) -> Result<()> {
    let begun = Instant::now();
    loop {
        let done: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM apalis.jobs WHERE status = 'Done'").fetch_one(pool).await?;
        if usize::try_from(done).context("a count")? == jobs {
            return Ok(());
        }
        ensure!(begun.elapsed() < PATIENCE, "apalis did {done} of {jobs}");
        tokio::time::sleep(GLANCE).await;
    }
}
