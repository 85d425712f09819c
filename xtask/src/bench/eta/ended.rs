//! What became of the jobs of a run, by the database.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::fleet::Live;

pub struct Ended {
    pub lane: String,
    pub succeeded: bool,
    pub created_ms: f64,
    /// Of the first claim; `None`: there was none.
    pub started_ms: Option<f64>,
    pub ended_ms: f64,
    pub billed_ms: u64,
    /// By which shares of the queue count it, where that is other than what it is billed.
    pub work_ms: Option<u64>,
    /// From the claim of a stage to its end.
    pub sampling_ms: Option<f64>,
    pub decoding_ms: Option<f64>,
    /// What most of its time was foretold to go to.
    pub basis: Option<String>,
    /// Its end in the middle of likely futures and in a late one, from its submission, as they were forecast.
    pub forecast_ms: Option<f64>,
    pub forecast_late_ms: Option<f64>,
}

const COLUMNS: [&str; 12] = [
    "lane",
    "state",
    "created_at_ms",
    "started_at_ms",
    "ended_at_ms",
    "billed_ms",
    "work_ms",
    "sampling_ms",
    "decoding_ms",
    "eta_basis",
    "forecast_ms",
    "forecast_late_ms",
];

pub type ById = BTreeMap<String, Ended>;

pub fn read(live: &Live) -> Result<ById> {
    let text = live.query(&format!("SELECT {}, {} FROM jobs", live.hex("id"), COLUMNS.join(", ")))?;
    text.lines().map(|line| row(line).with_context(|| format!("no job: {line}"))).collect()
}

pub fn of<'a>(ended: &'a ById, id: &str) -> Result<&'a Ended> {
    ended.get(id).with_context(|| format!("the job {id} is not in the database"))
}

fn row(line: &str) -> Result<(String, Ended)> {
    let columns: Vec<&str> = line.trim().split('|').collect();
    ensure!(columns.len() == COLUMNS.len() + 1, "{} columns", columns.len());
    let number = |place: usize| columns[place].parse::<f64>();
    let basis = Some(columns[10]).filter(|basis| !basis.is_empty());
    let ended = Ended {
        lane: columns[1].to_owned(),
        succeeded: columns[2] == "succeeded",
        created_ms: number(3)?,
        started_ms: number(4).ok(),
        ended_ms: number(5)?,
        billed_ms: columns[6].parse()?,
        work_ms: columns[7].parse().ok(),
        sampling_ms: number(8).ok(),
        decoding_ms: number(9).ok(),
        basis: basis.map(str::to_owned),
        forecast_ms: number(11).ok(),
        forecast_late_ms: number(12).ok(),
    };
    Ok((columns[0].to_owned(), ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_with_what_is_not_there() {
        let (id, ended) = row("0190aa|batch|failed|1000||2500|1125||||queue|900|").unwrap();
        assert_eq!((&*id, ended.succeeded, ended.started_ms, ended.ended_ms), ("0190aa", false, None, 2500.0));
        assert_eq!((ended.sampling_ms, ended.basis.as_deref()), (None, Some("queue")));
        assert_eq!((ended.forecast_ms, ended.forecast_late_ms), (Some(900.0), None));
        assert!(row("0190aa|batch").is_err());
    }
}
