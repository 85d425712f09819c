//! What became of each line: by the files of results, and by the rows and the ledger.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value;

use super::client::Client;
use super::lines::{Lines, custom_id};
use crate::torture::support::deployment::Deployment;
use crate::torture::support::report::Report;

/// Jobs of lines that were charged otherwise than once if they were made, and not at all if not.
const CHARGED_WRONGLY: &str = "SELECT COUNT(*) FROM jobs WHERE batch_id IS NOT NULL AND \
     COALESCE((SELECT SUM(amount_ms) FROM ledger_entries WHERE ledger_entries.job_id = jobs.id AND kind = 'capture'), 0) \
     <> CASE state WHEN 'succeeded' THEN billed_ms ELSE 0 END";
const CHARGED_TWICE: &str = "SELECT COUNT(*) FROM (SELECT job_id FROM ledger_entries WHERE kind = 'capture' AND job_id IN \
     (SELECT id FROM jobs WHERE batch_id IS NOT NULL) GROUP BY job_id, grant_id HAVING COUNT(*) > 1) AS twice";
const MADE: &str = "SELECT COUNT(*) FROM jobs WHERE batch_id IS NOT NULL AND state = 'succeeded'";
const JOBS: &str = "SELECT COUNT(*) FROM jobs WHERE batch_id IS NOT NULL";
const HELD: &str = "SELECT COUNT(*) FROM tenants WHERE held_ms <> 0";

/// `batch`: that of the last lines; those of the first were another one, which was made before.
pub fn judge(deployment: &Deployment, client: &Client, [first, lines]: [&Lines; 2], batch: &Value, report: &mut Report) -> Result<()> {
    report.expect("the batch is", batch["status"].as_str().unwrap_or_default(), "completed", batch["status"] == "completed");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut failed: BTreeMap<String, usize> = BTreeMap::new();
    for file in ["output_file_id", "error_file_id"] {
        let Some(id) = batch[file].as_str() else { continue };
        client.each_line(id, |line| {
            *seen.entry(line["custom_id"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
            if file == "error_file_id" {
                let code = line["error"]["code"].as_str().or_else(|| line["response"]["body"]["error"]["code"].as_str());
                *failed.entry(code.unwrap_or("no reason").to_owned()).or_default() += 1;
            }
            Ok(())
        })?;
    }
    let asked = lines.count;
    report.expect_none("lines that are lost", (0..asked).filter(|number| !seen.contains_key(&custom_id(*number))).count());
    report.expect_none("lines with more than one result", seen.values().filter(|times| **times > 1).count());
    report.expect_count("lines with a result", seen.len(), asked);
    report.expect_none(format!("lines that failed {failed:?}"), failed.values().sum());
    let count = |sql: &str| -> Result<usize> { deployment.query(sql)?.trim().parse().with_context(|| format!("no number: {sql}")) };
    report.expect_count("jobs of lines, of the first batch too", count(JOBS)?, first.count + asked);
    report.expect_count("of these made", count(MADE)?, first.count + asked);
    report.expect_none("lines charged otherwise than once for what was made", count(CHARGED_WRONGLY)?);
    report.expect_none("lines charged twice", count(CHARGED_TWICE)?);
    report.expect_none("tenants for whom something is held still", count(HELD)?);
    let [quoted, charged] = ["quoted_seconds", "charged_seconds"].map(|of| batch["price"][of].as_f64().unwrap_or(f64::NAN));
    report.expect("charged, of what was quoted", format!("{charged} s of {quoted} s"), "all", (charged - quoted).abs() < 1e-6);
    Ok(())
}
