//! How many jobs a second sixteen claimers take and complete, and how soon a job is claimed where nothing else is to do: of this queue, of a
//! plain table, and of apalis' own queue on the same database. Prints one line of JSON.
//!
//!     cargo run --release -p store --example claims -- postgres://.. [JOBS]

mod idle;
mod ours;
mod plain;
mod stock;
mod taken;

use anyhow::{Context, Result};
use serde_json::json;
use std::env;

/// At once, and as many connections as each of the queues has.
const CLAIMERS: u32 = 16;
const JOBS: usize = 10_000;

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let url = arguments.next().context("name the database: claims postgres://.. or sqlite:///..")?;
    let jobs = arguments.next().map_or(Ok(JOBS), |jobs| jobs.parse())?;
    let store = ours::open(&url).await?;
    let mut measured = json!({ "claimers": CLAIMERS, "jobs": jobs });
    measured["idle"] = idle::measure(&store, &url).await?;
    measured["ours_per_second"] = ours::measure(&store, &url, jobs).await?.into();
    measured["plain_per_second"] = plain::measure(&url, jobs).await?.into();
    if url.starts_with("postgres") {
        measured["apalis_per_second"] = stock::measure(&url, jobs).await?.into();
    }
    println!("{measured}");
    Ok(())
}
