//! Why jobs failed, how many an hour, and the newest of them.

use super::section::{Section, counted, empty, shown};
use crate::{
    components::{
        chart::{Mark, Point, TimeSeries, Unit},
        moment::{Ago, clock},
        table::{Table, filled},
    },
    words,
};
use domain::{FailureCode, JobId, Timestamp, grouped, job::FailedAttempt};
use leptos::prelude::*;
use service::{
    ENDED_READ_MAX, FailedJob, Failures, Hour,
    operator::{HOURS, Part},
};

/// Pages of numbers count each end of a job.
const NO_FAILURE: &str = "No job has failed within the last 24 hours, but for such as were tried once more: they count here as they stand.";
const JOBS: Unit = Unit { name: "jobs", step_min: 1.0 };

#[component]
pub fn FailuresSection(failures: Part<Failures>, failed: Part<Vec<Hour>>, now: Timestamp) -> impl IntoView {
    let reasons = shown(failures, |failures| match failures.jobs {
        0 if failures.attempts.is_empty() => empty(NO_FAILURE),
        0 => view! { <Attempts attempts=failures.attempts now /> }.into_any(),
        _ => view! { <Reasons failures now /> }.into_any(),
    });
    let by_hour = shown(failed, |hours| view! { <ByHour hours /> }.into_any());
    view! { <Section id="failures" title="Failures">{reasons}{by_hour}</Section> }
}

#[component]
fn Reasons(failures: Failures, now: Timestamp) -> impl IntoView {
    let Failures { jobs, reasons, newest, attempts } = failures;
    let reasons = reasons.into_iter().map(move |(reason, count)| {
        let (code, text) = told(reason);
        view! {
            <tr>
                <th scope="row" class="mono">{code}</th>
                <td data-head="What happened" class="wraps">{text}</td>
                <td data-head="Jobs" class="number">{counted(count, ENDED_READ_MAX)}</td>
                <td data-head="Share" class="number">{share(count, jobs)}</td>
            </tr>
        }
    });
    let newest = newest.into_iter().map(move |job| view! { <Failed job now /> });
    view! {
        <Table label="Failures by reason" heads=&["Reason", "What happened", "Jobs", "Share"]>{reasons.collect_view()}</Table>
        <h3>"The newest"</h3>
        <Table label="The newest failures" heads=&["Job", "Failed", "Reason", "Tenant", "Tenant's id"]>{newest.collect_view()}</Table>
        <Attempts attempts now />
    }
}

/// What failed of jobs that are to be tried again, and of the newest that are not.
#[component]
fn Attempts(attempts: Vec<(JobId, FailedAttempt)>, now: Timestamp) -> impl IntoView {
    let rows = attempts.into_iter().map(move |(job, attempt)| view! { <FailedTry job attempt now /> });
    view! {
        <h3>"Failed attempts"</h3>
        <Table
            label="The newest failed attempts"
            heads=&["Job", "Attempt", "Failed", "Stage", "Class", "Device", "Worker", "Decision", "What was said"]
        >
            {rows.collect_view()}
        </Table>
    }
}

#[component]
fn FailedTry(job: JobId, attempt: FailedAttempt, now: Timestamp) -> impl IntoView {
    let device = match attempt.device.memory_bytes {
        Some(bytes) => format!("{}, {} MiB", attempt.device.kind, grouped(bytes >> 20)),
        None => attempt.device.kind,
    };
    // Where no worker has had it.
    let worker = if attempt.worker.uuid().is_nil() { "none".to_owned() } else { attempt.worker.to_string() };
    view! {
        <tr>
            <th scope="row" class="mono">{job.to_string()}</th>
            <td data-head="Attempt" class="number">{attempt.attempt.to_string()}</td>
            <td data-head="Failed" class="number"><Ago at=attempt.failed_at now /></td>
            <td data-head="Stage">{attempt.stage.as_str()}</td>
            <td data-head="Class" class="mono">{attempt.class.as_str()}</td>
            <td data-head="Device">{device}</td>
            <td data-head="Worker" class="mono">{worker}</td>
            <td data-head="Decision" class="mono">{attempt.decision.as_str()}</td>
            <td data-head="What was said" class="wraps">{filled(attempt.detail)}</td>
        </tr>
    }
}

#[component]
fn Failed(job: FailedJob, now: Timestamp) -> impl IntoView {
    view! {
        <tr>
            <th scope="row" class="mono"><a href=format!("/admin/queue?job={}#job", job.job)>{job.job.to_string()}</a></th>
            <td data-head="Failed" class="number"><Ago at=job.ended_at now /></td>
            <td data-head="Reason" class="mono">{told(job.reason).0}</td>
            <td data-head="Tenant" dir="auto">{job.tenant_name}</td>
            <td data-head="Tenant's id" class="mono">{job.tenant.to_string()}</td>
        </tr>
    }
}

#[component]
fn ByHour(hours: Vec<Hour>) -> impl IntoView {
    let jobs: u64 = hours.iter().map(|hour| hour.jobs).sum();
    let points = hours.into_iter().map(|hour| Point { label: clock(hour.start), value: hour.jobs as f64 }).collect();
    (jobs > 0).then(|| {
        let summary = format!("{} in {HOURS} hours; the current hour still runs.", words::jobs(jobs));
        view! {
            <TimeSeries
                id="failed"
                title="Failed by hour"
                summary
                mark=Mark::Line
                unit=JOBS
                axis="Hour that begins then, UTC"
                points
            />
        }
    })
}

fn told(reason: Option<FailureCode>) -> (&'static str, &'static str) {
    reason.map_or(("unknown", "A newer version knows this reason."), |reason| (reason.as_str(), words::failure(reason).0))
}

/// Of a hundred: `42 %`, and never nothing of something.
fn share(count: u64, all: u64) -> String {
    match (count * 100 + all / 2).checked_div(all) {
        Some(0) if count > 0 => "under 1 %".to_owned(),
        percent => format!("{} %", percent.unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_never_nothing_of_something() {
        assert_eq!([share(1, 3), share(2, 3), share(1, 1000), share(0, 5), share(5, 5)], ["33 %", "67 %", "under 1 %", "0 %", "100 %"]);
    }
}
