//! How many jobs a second sixteen claimers take and complete, beside a plain table and apalis' own queue, and how soon a job is claimed
//! where nothing else is to do. The figures are those of the store by itself, without a server or a worker.

use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::console::step;
use crate::process::command::{output, run};
use crate::product::postgres::Postgres;
use crate::project::{Profile, Project};

/// How many times as many as apalis' own queue.
const TIMES_APALIS_MIN: f64 = 3.0;
/// From the answer to a submission to the claim by another process, the median.
const IDLE_MAX_MS: [(&str, f64); 2] = [("PostgreSQL", 5.0), ("SQLite", 25.0)];

/// Whether the bars were reached.
pub fn measure(project: &Project) -> Result<bool> {
    let mut build = project.cargo();
    build.args(["build", "--profile", Profile::Release.name(), "-p", "store", "--example", "claims"]);
    step("Building what measures", || run(&mut build))?;
    let postgres = Postgres::start()?;
    let on_postgres = of(project, "PostgreSQL", &postgres.create_database("claims")?)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let on_sqlite = of(project, "SQLite", &format!("sqlite://{}", folder.path().join("claims.db").display()))?;

    println!("| claims a second, each with what ends it | PostgreSQL | SQLite |\n| --- | --- | --- |");
    let rate = |measured: &Value, of: &str| measured[of].as_f64();
    for (name, of) in [("this queue", "ours_per_second"), ("a plain table", "plain_per_second"), ("apalis", "apalis_per_second")] {
        let cell = |measured| rate(measured, of).map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}"));
        println!("| {name} | {} | {} |", cell(&on_postgres), cell(&on_sqlite));
    }
    let times = rate(&on_postgres, "ours_per_second").zip(rate(&on_postgres, "apalis_per_second")).map(|(ours, apalis)| ours / apalis);
    let times = times.context("apalis was not measured")?;
    println!("\nThis queue does {times:.2} times as many as apalis; the bar is {TIMES_APALIS_MIN}.");

    println!("\n| idle, to the claim by another process | from the call: P50, ms | P95 | from the answer: P50, ms | P95 | bar, ms |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut reached = times >= TIMES_APALIS_MIN;
    for ((engine, bar), measured) in IDLE_MAX_MS.iter().zip([&on_postgres, &on_sqlite]) {
        let ms = |from: &str, percentile: &str| measured["idle"][from][percentile].as_f64().unwrap_or(f64::NAN);
        let [call, answer] = ["from_call", "from_answer"].map(|from| format!("{:.1} | {:.1}", ms(from, "p50_ms"), ms(from, "p95_ms")));
        println!("| {engine} | {call} | {answer} | {bar} |");
        reached &= ms("from_answer", "p50_ms") <= *bar;
    }
    Ok(reached)
}

fn of(project: &Project, engine: &str, url: &str) -> Result<Value> {
    let mut claims = Command::new(project.binaries(Profile::Release).join("examples/claims"));
    let text = step(&format!("Claiming on {engine}"), || output(claims.arg(url)))?;
    serde_json::from_str(&text).context("what was measured is not JSON")
}
