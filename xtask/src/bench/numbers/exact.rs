//! Percentiles as pages and files tell them, beside the exact ones of the rows of jobs.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::asked::Client;
use crate::torture::support::deployment::Deployment;
use crate::torture::support::report::Report;

/// What is compared: its file, and in SQL what its groups are.
const COMPARED: [(&str, &str, i64); 3] = [
    ("/admin/numbers.csv?range=30d&by=model", "model", 24 * HOUR_MS),
    ("/admin/numbers.csv?range=7d&by=lane", "lane", HOUR_MS),
    ("/admin/numbers.csv?range=24h&by=device", "device", HOUR_MS),
];
const HOUR_MS: i64 = 60 * 60 * 1000;
/// Each phase, of a job that was made.
const PHASES: [(&str, &str); 8] = [
    ("total", "ended_at_ms - created_at_ms"),
    ("queue", "started_at_ms - created_at_ms"),
    ("load", "load_ms"),
    ("encode", "encode_ms"),
    ("denoise", "sampling_ms - load_ms - encode_ms - latents_upload_ms"),
    ("decoder_wait", "ended_at_ms - sampled_at_ms - decoding_ms"),
    ("decode", "decoding_ms - upload_ms"),
    ("upload", "latents_upload_ms + upload_ms"),
];
/// As heads of columns call them, in parts of ten thousand.
const PERCENTILES: [(&str, usize); 5] = [("p50", 5000), ("p90", 9000), ("p95", 9500), ("p99", 9900), ("p99_9", 9990)];

/// By start of the span and group: of each phase all times, in order.
type Times = BTreeMap<(i64, String), [Vec<i64>; PHASES.len()]>;

#[derive(Default)]
struct Errors {
    compared: usize,
    worst: f64,
    /// Spans and groups of which another number of jobs is told.
    miscounted: usize,
    mean: f64,
}

pub fn judge(deployment: &Deployment, report: &mut Report, error_max: f64) -> Result<()> {
    let client = Client::new(deployment)?;
    for (file, group, span_ms) in COMPARED {
        let text = client.read(file)?;
        let errors = compare(&text, &exact(deployment, group, span_ms, &text)?)?;
        report.expect_none(format!("`{file}`: spans and groups with another number of jobs"), errors.miscounted);
        let told = format!("{:.3} %, mean {:.3} %, of {} percentiles", errors.worst * 100.0, errors.mean * 100.0, errors.compared);
        let is_good = errors.compared > 0 && errors.worst <= error_max;
        report.expect(format!("`{file}`: largest error"), told, format!("at most {:.0} %", error_max * 100.0), is_good);
    }
    Ok(())
}

/// Of the spans that the file tells.
fn exact(deployment: &Deployment, group: &str, span_ms: i64, text: &str) -> Result<Times> {
    let phases = PHASES.map(|(_, sql)| sql).join(", ");
    let from_ms = text.lines().skip(1).map(|line| start_ms(line).map(|(ms, _)| ms)).next().context("nothing is told")??;
    let rows = deployment.query(&format!(
        "SELECT ended_at_ms - ended_at_ms % {span_ms}, {group}, {phases} FROM jobs WHERE state = 'succeeded' AND ended_at_ms >= {from_ms}"
    ))?;
    let mut times = Times::new();
    for row in rows.lines() {
        let columns: Vec<&str> = row.trim_end().split('|').collect();
        let place = (columns[0].parse()?, columns.get(1).copied().unwrap_or_default().to_owned());
        let of = times.entry(place).or_default();
        for (times, column) in of.iter_mut().zip(columns.iter().skip(2)) {
            times.push(column.parse().with_context(|| format!("no time: {row}"))?);
        }
    }
    times.values_mut().flatten().for_each(|times| times.sort_unstable());
    Ok(times)
}

fn compare(text: &str, exact: &Times) -> Result<Errors> {
    let mut errors = Errors::default();
    let head: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    let column = |name: &str| head.iter().position(|head| *head == name).with_context(|| format!("no column {name}"));
    let (made, mut sum) = (column("succeeded")?, 0.0);
    for line in text.lines().skip(1) {
        let (place, columns) = start_ms(line).map(|(ms, columns)| ((ms, columns[1].trim_matches('"').to_owned()), columns))?;
        let jobs: usize = columns[made].parse()?;
        let Some(times) = exact.get(&place).filter(|times| times[0].len() == jobs) else {
            errors.miscounted += usize::from(jobs > 0);
            continue;
        };
        for ((phase, _), times) in PHASES.iter().zip(times) {
            for (name, parts) in PERCENTILES {
                let told: f64 = columns[column(&format!("{phase}_{name}_ms"))?].parse()?;
                let rank = (times.len() * parts).div_ceil(10_000).max(1);
                let exact = times[rank - 1] as f64;
                let error = if told == exact { 0.0 } else { (told - exact).abs() / exact };
                errors.worst = errors.worst.max(error);
                sum += error;
                errors.compared += 1;
            }
        }
    }
    errors.mean = sum / errors.compared.max(1) as f64;
    Ok(errors)
}

/// Of a line, with its columns: groups have no commas here.
fn start_ms(line: &str) -> Result<(i64, Vec<&str>)> {
    let columns: Vec<&str> = line.split(',').collect();
    let at = OffsetDateTime::parse(columns[0], &Rfc3339).with_context(|| format!("no time: {line}"))?;
    Ok((at.unix_timestamp() * 1000, columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(p50: &str, made: usize) -> String {
        let heads: Vec<_> = PHASES.iter().flat_map(|(phase, _)| PERCENTILES.map(|(name, _)| format!("{phase}_{name}_ms"))).collect();
        let cells: Vec<_> = heads.iter().map(|head| if head == "total_p50_ms" { p50 } else { "100" }).collect();
        format!("time,group,succeeded,{}\n1970-01-02T00:00:00Z,m,{made},{}\n", heads.join(","), cells.join(","))
    }

    #[test]
    fn errors_are_shares_of_the_exact_percentiles() {
        let exact = Times::from([((86_400_000, "m".to_owned()), std::array::from_fn(|_| vec![100; 20]))]);
        let errors = compare(&text("102", 20), &exact).unwrap();
        assert_eq!((errors.compared, errors.miscounted), (40, 0));
        assert!((errors.worst - 0.02).abs() < 1e-9, "{}", errors.worst);
        assert_eq!(compare(&text("100", 19), &exact).unwrap().miscounted, 1);
    }
}
