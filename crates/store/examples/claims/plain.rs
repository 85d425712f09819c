//! A table with nothing but a state: claimed by `FOR UPDATE SKIP LOCKED` on PostgreSQL, and on SQLite by its one writer.

use crate::{CLAIMERS, taken::Taken};
use anyhow::{Context, Result, ensure};
use sqlx::{
    AssertSqlSafe, PgPool, Row, SqlitePool,
    postgres::PgPoolOptions,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{sync::Arc, time::Duration};
use store::clock::Instant;

const TABLE: &str = "CREATE TABLE plain_jobs (id BIGINT PRIMARY KEY, state TEXT NOT NULL)";
const INDEX: &str = "CREATE INDEX plain_jobs_waiting ON plain_jobs (id) WHERE state = 'waiting'";
const COMPLETE: &str = "UPDATE plain_jobs SET state = 'done' WHERE id = $1";

/// Claims a second, each with what ends it.
pub async fn measure(url: &str, jobs: usize) -> Result<f64> {
    let table = if url.starts_with("postgres") {
        Table::Postgres(PgPoolOptions::new().max_connections(CLAIMERS).connect(url).await?)
    } else {
        // One writer at a time, as this queue has it, and each write outlives a power cut.
        let options = url.parse::<SqliteConnectOptions>()?.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
        Table::Sqlite(SqlitePoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(600)).connect_with(options).await?)
    };
    table.execute(TABLE).await?;
    table.execute(INDEX).await?;
    table.fill(jobs).await?;

    let (taken, begun) = (Arc::new(Taken::new()), Instant::now());
    let claimers = (0..CLAIMERS).map(|_| {
        let (table, taken) = (table.clone(), taken.clone());
        tokio::spawn(async move {
            while let Some(job) = table.claim().await? {
                taken.add(job)?;
                table.complete(job).await?;
            }
            Ok::<_, anyhow::Error>(())
        })
    });
    for claimer in claimers.collect::<Vec<_>>() {
        claimer.await??;
    }
    let elapsed = begun.elapsed();
    ensure!(taken.len() == jobs, "{} of {jobs} were claimed", taken.len());
    Ok(jobs as f64 / elapsed.as_secs_f64())
}

#[derive(Clone)]
enum Table {
    Postgres(PgPool),
    Sqlite(SqlitePool),
}

impl Table {
    async fn execute(&self, sql: &'static str) -> Result<()> {
        match self {
            Self::Postgres(pool) => sqlx::query(sql).execute(pool).await.map(drop)?,
            Self::Sqlite(pool) => sqlx::query(sql).execute(pool).await.map(drop)?,
        }
        Ok(())
    }

    async fn fill(&self, jobs: usize) -> Result<()> {
        let numbers = match self {
            Self::Postgres(_) => format!("SELECT n, 'waiting' FROM generate_series(1, {jobs}) AS numbers(n)"),
            Self::Sqlite(_) => format!(
                "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {jobs}) SELECT n, 'waiting' FROM numbers"
            ),
        };
        let fill = AssertSqlSafe(format!("INSERT INTO plain_jobs (id, state) {numbers}"));
        match self {
            Self::Postgres(pool) => sqlx::query(fill).execute(pool).await.map(drop)?,
            Self::Sqlite(pool) => sqlx::query(fill).execute(pool).await.map(drop)?,
        }
        Ok(())
    }

    async fn claim(&self) -> Result<Option<i64>> {
        let claim = |lock: &str| {
            AssertSqlSafe(format!(
                "UPDATE plain_jobs SET state = 'running' WHERE id = \
                 (SELECT id FROM plain_jobs WHERE state = 'waiting' ORDER BY id LIMIT 1 {lock}) RETURNING id"
            ))
        };
        Ok(match self {
            Self::Postgres(pool) => {
                sqlx::query(claim("FOR UPDATE SKIP LOCKED")).fetch_optional(pool).await?.map(|row| row.try_get(0)).transpose()?
            }
            Self::Sqlite(pool) => sqlx::query(claim("")).fetch_optional(pool).await?.map(|row| row.try_get(0)).transpose()?,
        })
    }

    async fn complete(&self, job: i64) -> Result<()> {
        let changed = match self {
            Self::Postgres(pool) => sqlx::query(COMPLETE).bind(job).execute(pool).await.map(|done| done.rows_affected()),
            Self::Sqlite(pool) => sqlx::query(COMPLETE).bind(job).execute(pool).await.map(|done| done.rows_affected()),
        };
        ensure!(changed.context("a job cannot be completed")? == 1, "{job} is not there");
        Ok(())
    }
}
