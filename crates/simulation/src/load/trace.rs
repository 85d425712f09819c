//! A load that was recorded: one job a line, in JSON.

use super::Load;
use crate::{Arrival, Job, StageMs, Tenant};
use domain::{JobId, TenantId, VideoTime, billing::Lane, scheduling::ReleaseGate};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, io::BufRead};
use uuid::Uuid;

/// A job of a trace. Times are milliseconds; any moment may be the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub arrives_ms: f64,
    /// Any name.
    pub tenant: String,
    /// That of the tenant's plan. The first line of a tenant says it.
    pub weight: u32,
    pub lane: Lane,
    pub model: String,
    pub steps: u32,
    /// Video time that it is billed.
    pub billed_ms: u64,
    /// By which shares of the queue count it; without it, what it is billed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_ms: Option<u64>,
    /// What its stages took of the device.
    pub sampling_ms: f64,
    pub decoding_ms: f64,
    /// From its submission to its first claim, as it was live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<f64>,
    /// Of the tenant's plan: video time a minute that enters the queue. The first line of a tenant says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_rate_ms: Option<u64>,
    /// Of the tenant's plan: the most jobs at once. The first line of a tenant says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_once: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("line {line} cannot be read")]
    Read { line: usize, source: std::io::Error },
    #[error("line {line} is no job of a trace: {source}")]
    Parse { line: usize, source: serde_json::Error },
    #[error("line {line}: times are to be numbers from 0 on")]
    Negative { line: usize },
}

/// Numbers for names, as they come.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn number(&mut self, name: &str) -> usize {
        let next = self.0.len();
        *self.0.entry(name.to_owned()).or_insert(next)
    }
}

/// Reads a trace. Every job gets the same overhead, and moments are counted from the first arrival on. Empty lines are passed over.
///
/// # Errors
/// [`TraceError`] for the first line that is not a job.
pub fn read_trace(input: impl BufRead, overhead_ms: StageMs) -> Result<Load, TraceError> {
    let mut lines = Vec::new();
    for (text, line) in input.lines().zip(1..) {
        let text = text.map_err(|source| TraceError::Read { line, source })?;
        if text.trim().is_empty() {
            continue;
        }
        let read: Line = serde_json::from_str(&text).map_err(|source| TraceError::Parse { line, source })?;
        if !(read.arrives_ms >= 0.0 && read.sampling_ms >= 0.0 && read.decoding_ms >= 0.0) {
            return Err(TraceError::Negative { line });
        }
        lines.push(read);
    }
    lines.sort_by(|one, other| one.arrives_ms.total_cmp(&other.arrives_ms));
    let (mut load, mut tenants, mut models) = (Load::default(), Names::default(), Names::default());
    let first_ms = lines.first().map_or(0.0, |line| line.arrives_ms);
    for (number, line) in lines.iter().enumerate() {
        let (tenant, model) = (tenants.number(&line.tenant), models.number(&line.model));
        if tenant == load.tenants.len() {
            let gate = ReleaseGate::new(line.release_rate_ms.filter(|rate| *rate > 0).map(VideoTime::from_ms), line.at_once);
            load.tenants.push(Tenant { gate, ..Tenant::new(TenantId::from_uuid(Uuid::from_u128(tenant as u128)), line.weight) });
        }
        if model == load.models.len() {
            load.models.push(line.model.clone());
        }
        let job = Job {
            id: JobId::from_uuid(Uuid::from_u128(number as u128)),
            tenant,
            lane: line.lane,
            stands: None,
            has_entered: false,
            model,
            steps: line.steps,
            work: VideoTime::from_ms(line.work_ms.unwrap_or(line.billed_ms)),
            billed: VideoTime::from_ms(line.billed_ms),
            device_ms: StageMs { sampling: line.sampling_ms, decoding: line.decoding_ms },
            overhead_ms,
        };
        load.arrivals.push(Arrival { at_ms: line.arrives_ms - first_ms, job });
        load.waited_ms.push(line.waited_ms);
    }
    Ok(load)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = r#"
        {"arrives_ms": 5200, "tenant": "b", "weight": 2, "lane": "batch", "model": "m", "steps": 8, "billed_ms": 2000, "work_ms": 980, "sampling_ms": 900, "decoding_ms": 80, "release_rate_ms": 60000}

        {"arrives_ms": 5000, "tenant": "a", "weight": 1, "lane": "interactive", "model": "m", "steps": 8, "billed_ms": 2000, "sampling_ms": 900, "decoding_ms": 80, "waited_ms": 12}
    "#;

    #[test]
    fn jobs_come_in_the_order_of_their_times() {
        let load = read_trace(TRACE.as_bytes(), StageMs::default()).unwrap();
        assert_eq!(
            load.arrivals.iter().map(|arrival| (arrival.at_ms, arrival.job.lane)).collect::<Vec<_>>(),
            [(0.0, Lane::Interactive), (200.0, Lane::Batch)]
        );
        assert_eq!(load.tenants.iter().map(|tenant| (tenant.weight, tenant.gate.is_some())).collect::<Vec<_>>(), [(1, false), (2, true)]);
        assert_eq!(load.arrivals.iter().map(|arrival| arrival.job.work.ms()).collect::<Vec<_>>(), [2000, 980]);
        assert_eq!((load.models, load.waited_ms), (vec!["m".to_owned()], vec![Some(12.0), None]));
    }

    #[test]
    fn a_line_that_is_no_job_is_named() {
        let error = |text: &str| read_trace(text.as_bytes(), StageMs::default()).unwrap_err().to_string();
        assert!(error("\n{}").starts_with("line 2 is no job of a trace"));
        assert_eq!(error(&TRACE.trim().replace("5200", "-1")), "line 1: times are to be numbers from 0 on");
    }
}
