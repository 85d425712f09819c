//! What workers say in their logs, and hence when which process had which job in hand.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Said at the start of each stage.
pub const BEGUN: &str = "begun";
/// Said when the database has accepted the result of a stage.
pub const DONE: &str = "the stage is done";
/// Said when a lease ran out and its job goes to somebody else.
pub const RAN_OUT: &str = "a lease ran out";
/// Said by a worker that comes too late, whichever way it finds out.
pub const TOO_LATE: [&str; 4] = [
    "refused by the database: the lease is lost",
    "no longer ours, so left alone",
    "not renewed in time: dropping the job",
    "the failure was not noted",
];

/// A line of a worker's log.
#[derive(Debug, Clone)]
pub struct Event {
    pub at: SystemTime,
    pub message: String,
    /// The job that it is about, or that the worker was working on.
    pub job: Option<String>,
    pub epoch: u64,
    pub attempt: u64,
}

impl Event {
    pub fn is(&self, message: &str) -> bool {
        self.message == message
    }

    /// Which lease it is about.
    pub fn lease(&self) -> (Option<&str>, u64) {
        (self.job.as_deref(), self.epoch)
    }
}

/// All lines of a worker's log so far; one that is being written is left out.
pub fn read(log: &Path) -> Vec<Event> {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.lines().filter_map(|line| event(&serde_json::from_str(line).ok()?)).collect()
}

fn event(line: &Value) -> Option<Event> {
    // A field of the line itself goes before one of the span around it.
    let field = |name: &str| [&line["fields"][name], &line["span"][name]].into_iter().find(|value| !value.is_null());
    let number = |name| field(name).and_then(Value::as_u64).unwrap_or(0);
    Some(Event {
        at: OffsetDateTime::parse(line["timestamp"].as_str()?, &Rfc3339).ok()?.into(),
        message: line["fields"]["message"].as_str()?.to_owned(),
        job: field("job.id").and_then(Value::as_str).map(str::to_owned),
        epoch: number("epoch"),
        attempt: number("attempt"),
    })
}

/// The leases begun and not ended in these lines of one process.
pub fn in_hand(events: &[Event]) -> Vec<&Event> {
    let ended = |begun: &Event| events.iter().any(|event| is_end(event) && event.lease() == begun.lease());
    events.iter().filter(|event| event.is(BEGUN) && !ended(event)).collect()
}

fn is_end(event: &Event) -> bool {
    event.is(DONE) || event.is("given back") || event.is("the stage failed") || TOO_LATE.iter().any(|last| event.is(last))
}

/// How long after `moment` the first of these came.
pub fn first_after<'a>(events: impl Iterator<Item = &'a Event>, moment: SystemTime) -> Option<Duration> {
    events.filter_map(|event| event.at.duration_since(moment).ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"timestamp":"2026-11-22T01:00:00.500000Z","level":"INFO","fields":{"message":"begun"},"span":{"attempt":1,"epoch":1,"job.id":"job_a","stage":"sampling","name":"job.work"}}
{"timestamp":"2026-11-22T01:00:01.500000Z","level":"INFO","fields":{"message":"begun"},"span":{"attempt":1,"epoch":3,"job.id":"job_b","stage":"sampling","name":"job.work"}}
{"timestamp":"2026-11-22T01:00:02.000000Z","level":"INFO","fields":{"message":"the stage is done","device_ms":7},"span":{"attempt":1,"epoch":1,"job.id":"job_a","stage":"sampling","name":"job.work"}}
{"timestamp":"2026-11-22T01:00:03.000000Z","level":"WARN","fields":{"message":"a lease ran out","job.id":"job_c","epoch":2,"stage":"decoding"}}
{"timestamp":"2026-11"#;

    #[test]
    fn a_log_tells_what_a_process_had_in_hand_when_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, LOG).unwrap();
        let events = read(&log);
        assert_eq!(events.len(), 4);
        assert_eq!(events[3].lease(), (Some("job_c"), 2));
        let in_hand = in_hand(&events);
        assert_eq!(in_hand.iter().map(|event| event.lease()).collect::<Vec<_>>(), [(Some("job_b"), 3)]);
        assert_eq!(first_after(events.iter().filter(|event| event.is(BEGUN)), events[0].at), Some(Duration::ZERO));
    }
}
