//! The fleet: each worker with its device, its slots and its jobs, the button that drains it, and what was decided about their number.

use super::{
    decisions::ScalingSection,
    missed::{missed, takes_jobs},
};
use crate::{
    components::{
        acts::Acts,
        confirm::{Ask, Confirm},
        frame::Frame,
        moment::{Ago, Moment},
        table::Table,
    },
    fault::Fault,
    http,
    pages::{
        admin::{
            section::{Section, empty, shown},
            workers::{NO_WORKER, condition, only_listed, short},
        },
        fault::page,
    },
    session::{self, SaidNotice},
    words,
};
use domain::{Stage, Timestamp, WorkerId, scheduling::StageSlots};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    ALIVE_MS, Asked, Drained, FLEET_JOBS_MAX, FleetJob, FleetWorker, LiveWorker,
    operator::{DrainError, FleetSeen},
};
use std::collections::BTreeMap;

const PAGE: &str = "/admin/fleet";
const JOB_HEADS: [&str; 5] = ["Job", "Stage", "Model", "Lane", "How far"];
const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

#[server(prefix = "/api", endpoint = "drain-worker")]
pub async fn drain_worker(worker: WorkerId) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let address = http::visitor_address();
    let by = Asked { user: viewer.id, address: &address };
    let outcome = match session::services().drain_worker(viewer.installation_actor(), worker, Some(by)).await {
        Ok(Drained::Now) => {
            Ok(format!("The worker {} takes no more jobs, and ends when those that it has are done.", short(&worker.to_string())))
        }
        Ok(Drained::Before) => Ok("That worker was asked before: it takes no more jobs.".to_owned()),
        Ok(Drained::Gone) => Err("That worker is gone. Nothing was changed.".to_owned()),
        Err(DrainError::Forbidden(error)) => return Err(error.into()),
        Err(DrainError::Store(error)) => return Err(error.into()),
    };
    session::say(PAGE, Some(viewer.id), "drain", outcome, "");
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[component]
pub fn FleetPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let fleet = session::services().fleet_seen(viewer.installation_actor()).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let FleetSeen { now, workers, live, scaling, decisions, drained, utilisation, knee_permille } = fleet;
        let taking = live.as_ref().ok().map(|live| live.iter().filter(|worker| takes_jobs(worker)).count());
        let live = live.ok();
        Ok(view! {
            <Frame title="Fleet" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <header class="page-head">
                    <h1>"Fleet"</h1>
                    <p class="lead">"Every worker that runs, or fell silent within a day, what it works on, and how many there should be. As of "<Moment at=now />"."</p>
                    <p class="row"><a class="button quiet" href="/admin/capacity">"Plan its capacity"</a><a class="button quiet" href="/admin">"Overview"</a></p>
                </header>
                <SaidNotice said=&said form="drain" />
                <Section id="workers" title="Workers">{shown(workers, |workers| listed(workers, live.as_deref(), now))}</Section>
                <Section id="drained" title="Drained">
                    <p class="hint">"By operators. A worker that was drained ends, and is then among the workers no more."</p>
                    {shown(drained, |acts| view! { <Acts label="Workers that operators drained" acts now with_names=true /> }.into_any())}
                </Section>
                <ScalingSection scaling decisions utilisation knee_permille live=taking now />
            </Frame>
        })
    })
}

/// `live`: all that are at work, which may be more. `None`: they could not be read.
fn listed(workers: Vec<FleetWorker>, live: Option<&[LiveWorker]>, now: Timestamp) -> AnyView {
    if workers.is_empty() {
        return empty(NO_WORKER);
    }
    let has_all_jobs = workers.iter().map(|worker| worker.jobs.len() as u64).sum::<u64>() < FLEET_JOBS_MAX;
    let only_listed = only_listed(workers.len() as u64);
    let missed: Vec<_> = workers.iter().map(|worker| live.map_or_else(unread, |live| missed(worker.seen.id, live))).collect();
    let workers = workers.into_iter().zip(missed).map(|(worker, missed)| view! { <Worker worker missed now /> }).collect_view();
    view! {
        <ul class="fleet">{workers}</ul>
        {only_listed.map(|hint| view! { <p class="hint">{hint}</p> })}
        {(!has_all_jobs).then(|| view! { <p class="hint">{format!("Only {} jobs are shown one by one.", domain::grouped(FLEET_JOBS_MAX))}</p> })}
    }
    .into_any()
}

fn unread() -> Option<String> {
    Some("It cannot be told now who else takes its jobs.".to_owned())
}

/// `missed`: what nobody does where this one is drained, in a sentence.
#[component]
fn Worker(worker: FleetWorker, missed: Option<String>, now: Timestamp) -> impl IntoView {
    let alive = now.ms_since(worker.seen.seen_at) <= ALIVE_MS.unsigned_abs();
    let (told, is_well) = health(&worker, alive);
    let may_drain = alive && worker.draining_since.is_none();
    let FleetWorker { seen, slots, models, memory_bytes, jobs, .. } = worker;
    let id = seen.id.to_string();
    let (name, dialog, drained) = (short(&id), format!("drain-{id}"), id.clone());
    let used = [(Stage::Sampling, seen.sampling, slots.sampling.all()), (Stage::Decoding, seen.decoding, slots.decoding.all())];
    let used = used.map(|(stage, used, all)| {
        let head = format!("{} slots", words::sentence(stage.as_str()));
        view! { <div><dt>{head}</dt><dd>{fill(used, all)}</dd></div> }
    });
    let batches = batches(&jobs).unwrap_or_else(|| "none".to_owned());
    let question = consequence(&name, seen.sampling + seen.decoding, missed.as_deref());
    view! {
        <li class="card fleet-worker" id=id.clone()>
            <div class="fleet-head">
                <h3 class="mono" title=id.clone()>{name.clone()}</h3>
                <span class:bad=!is_well>{told}</span>
            </div>
            <dl class="facts">
                <div><dt>"Device"</dt><dd>{seen.device}</dd></div>
                <div><dt>"Memory of the device"</dt><dd>{memory(memory_bytes)}</dd></div>
                <div><dt>"Role"</dt><dd>{seen.role}</dd></div>
                {used.into_iter().collect_view()}
                <div><dt>"Kept for interactive jobs"</dt><dd>{kept(slots.sampling)}</dd></div>
                <div><dt>"Batches"</dt><dd>{batches}</dd></div>
                <div><dt>"Models"</dt><dd>{models.map_or_else(|| "all".to_owned(), |models| words::list(&models))}</dd></div>
                <div><dt>"Last seen"</dt><dd><Ago at=seen.seen_at now /></dd></div>
                <div><dt>"Started"</dt><dd><Ago at=seen.started_at now /></dd></div>
            </dl>
            {jobs_of(jobs, &name)}
            {may_drain.then(|| view! {
                <p class="row"><Ask id=dialog.clone() label=format!("Drain the worker {name}") class="button quiet small">"Drain"</Ask></p>
                <Confirm
                    id=dialog
                    question="Drain this worker?"
                    consequence=question
                    yes="Drain it"
                    no="Keep it"
                    action=DrainWorker::url()
                    fields=vec![("worker", drained)]
                />
            })}
        </li>
    }
}

/// Of draining a worker that has so many jobs.
fn consequence(name: &str, jobs: u64, missed: Option<&str>) -> String {
    let ends = match jobs {
        0 => "It has none, so its process ends.".to_owned(),
        1 => "The job that it has is finished first; then its process ends.".to_owned(),
        jobs => format!("The {} that it has are finished first; then its process ends.", words::jobs(jobs)),
    };
    let missed = missed.map(|missed| format!(" {missed}")).unwrap_or_default();
    format!("{name} takes no more jobs. {ends}{missed} Whoever supervises it may start another.")
}

/// How a worker fares, and whether that is well.
fn health(worker: &FleetWorker, alive: bool) -> (String, bool) {
    let (told, is_well) = condition(&worker.seen.condition, worker.seen.sampling + worker.seen.decoding, alive);
    match worker.draining_since {
        Some(_) if alive => (format!("draining, {told}"), is_well),
        _ => (told.to_owned(), is_well),
    }
}

fn jobs_of(jobs: Vec<FleetJob>, name: &str) -> AnyView {
    if jobs.is_empty() {
        return view! { <p class="hint">"It has no job."</p> }.into_any();
    }
    let caption = format!("Jobs of {name}");
    let rows = jobs.into_iter().map(|job| {
        let far = how_far(&job);
        view! {
            <tr>
                <th scope="row" class="mono"><a href=format!("/admin/requests?id={}", job.job)>{job.job.to_string()}</a></th>
                <td data-head=JOB_HEADS[1]>{words::sentence(job.stage.as_str())}</td>
                <td data-head=JOB_HEADS[2]><code>{job.model}</code></td>
                <td data-head=JOB_HEADS[3]>{job.lane.to_string()}</td>
                <td data-head=JOB_HEADS[4] class="number">{far}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <details class="fold" open>
            <summary>{caption}</summary>
            <Table label="Jobs of a worker" heads=&JOB_HEADS>{rows}</Table>
        </details>
    }
    .into_any()
}

fn how_far(job: &FleetJob) -> String {
    match job.stage {
        Stage::Sampling => format!("step {} of {}", job.step, job.steps),
        Stage::Decoding => format!("{} % decoded", job.decoded_permille / 10),
    }
}

/// `3 of 4 (75 %)`.
/// Which of the sampling slots interactive jobs have first.
fn kept(slots: StageSlots) -> String {
    match slots.reserved() {
        0 => "none".to_owned(),
        reserved => format!("{reserved} of {}, lent to batches until one comes", slots.all()),
    }
}

fn fill(used: u64, all: usize) -> String {
    match all {
        0 => "none".to_owned(),
        all => format!("{used} of {all} ({:.0} %)", used as f64 * 100.0 / all as f64),
    }
}

/// Jobs that step together, as they are of one model: `2 of vignette-1 and 1 of flipbook-1`. `None`: none.
fn batches(jobs: &[FleetJob]) -> Option<String> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.stage == Stage::Sampling) {
        *sizes.entry(&job.model).or_default() += 1;
    }
    let told: Vec<_> = sizes.into_iter().map(|(model, size)| format!("{size} of {model}")).collect();
    (!told.is_empty()).then(|| words::list(&told))
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "not told".to_owned(), |bytes| format!("{:.1} GiB in all", bytes as f64 / GIB))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{JobId, billing::Lane};

    fn job(model: &str, stage: Stage) -> FleetJob {
        let job: JobId = "job_01900000000070008000000000000001".parse().expect("an id");
        FleetJob { job, stage, lane: Lane::Batch, model: model.to_owned(), step: 3, steps: 24, decoded_permille: 425 }
    }

    #[test]
    fn slots_are_told_as_used_of_all() {
        assert_eq!([fill(3, 4), fill(0, 1), fill(0, 0)], ["3 of 4 (75 %)", "0 of 1 (0 %)", "none"]);
        assert_eq!([kept(StageSlots::new(4, 3)), kept(StageSlots::new(0, 0))], ["3 of 4, lent to batches until one comes", "none"]);
        assert_eq!([memory(None), memory(Some(80 << 30))], ["not told", "80.0 GiB in all"]);
    }

    #[test]
    fn draining_says_what_becomes_of_the_jobs_and_of_what_nobody_else_does() {
        let told = [0, 1, 2].map(|jobs| consequence("…1", jobs, None));
        let expected =
            ["It has none, so its process ends.", "The job that it has is finished first", "The 2 jobs that it has are finished first"];
        assert!(told.iter().zip(expected).all(|(told, expected)| told.contains(expected)), "{told:?}");
        assert!(consequence("…1", 0, Some("It is the last one.")).contains("ends. It is the last one. Whoever"));
    }

    #[test]
    fn a_batch_is_the_jobs_of_one_model_that_sample() {
        let jobs = [job("b", Stage::Sampling), job("a", Stage::Sampling), job("b", Stage::Sampling), job("c", Stage::Decoding)];
        assert_eq!(batches(&jobs).as_deref(), Some("1 of a and 2 of b"));
        assert_eq!(batches(&jobs[3..]), None);
        assert_eq!([&jobs[0], &jobs[3]].map(how_far), ["step 3 of 24", "42 % decoded"]);
    }
}
