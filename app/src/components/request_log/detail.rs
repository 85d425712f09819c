//! One request with all its times: a waterfall, and what was decided about it.

use super::rows::status;
use crate::{
    components::{moment::Moment, table::Table},
    words,
};
use domain::{
    JobView, TenantId, Timestamp, VideoTime, WorkerId,
    job::{Decision, FailedAttempt, RetryPlace},
    metrics::{Stretch, StretchOf},
};
use leptos::prelude::*;
use service::{SharedWith, requests::RequestDetail};

const HEADS: [&str; 4] = ["What", "After", "Took", "When"];
const ATTEMPT_HEADS: [&str; 5] = ["Attempt", "When", "Stage", "What went wrong", "What followed"];
const NOT_CHARGED: &str = "nothing yet: it has not ended";
const OF_OTHERS: &str = "The rest went to other jobs, also to decoding and loading for them, or was not used.";
const LISTED: &str = "Only those that the same worker denoised to their end with the same model, at the same time.";
/// What took less is told as nothing.
const SEEN_MS: u64 = 100;
/// The narrowest bar that is seen, of 100.
const BAR_MIN: f64 = 0.6;

/// `is_operators`: with what owners are not told.
#[component]
pub fn Detail(detail: RequestDetail, is_operators: bool) -> impl IntoView {
    let RequestDetail { view, tenant_name, times, stretches, shared: beside, now } = detail;
    let page = if is_operators { "/admin/requests" } else { "/requests" };
    let timeline = times.timeline.clone();
    let ran = ran(timeline.device.as_deref(), timeline.shared_by());
    let total = timeline.ended_at.unwrap_or(now).ms_since(timeline.created_at);
    let cost = match &view {
        Some(view) => view! { <Cost view=view.clone() /> }.into_any(),
        None => view! { <CostAlone billed=times.billed charged=times.charged /> }.into_any(),
    };
    let waiting = view.as_ref().and_then(|view| view.waiting.clone()).map(|waiting| {
        view! { <div class="facts-wide"><dt>"Why it waits"</dt><dd>{waiting.sentence}</dd></div> }
    });
    let has_begun = timeline.started_at.is_some() || timeline.ended_at.is_none();
    let was_retried = times.attempts > 1 || !times.failed_attempts.is_empty();
    let whose = is_operators.then(|| view! { <Whose tenant=times.tenant name=tenant_name worker=times.worker /> });
    view! {
        <dl class="facts">
            {whose}
            <div><dt>"Status"</dt><dd>{status(&times.state)}</dd></div>
            <div><dt>"Model"</dt><dd><code>{times.model.clone()}</code></dd></div>
            <div><dt>"Lane"</dt><dd>{times.lane.as_str()}</dd></div>
            <div><dt>"Came"</dt><dd><Moment at=timeline.created_at /></dd></div>
            <div><dt>{if timeline.ended_at.is_some() { "Took" } else { "So far" }}</dt><dd>{words::duration(total)}</dd></div>
            <div><dt>"Runs begun"</dt><dd>{times.attempts}</dd></div>
            {ran.map(|ran| view! { <div class="facts-wide"><dt>"Where it ran"</dt><dd>{ran}</dd></div> })}
            <Beside beside page />
            {waiting}
            {cost}
            {times.trace_id.map(|id| view! { <div class="facts-wide"><dt>"Id of its request"</dt><dd class="mono">{id}</dd></div> })}
        </dl>
        <section class="stack" aria-labelledby="waterfall">
            <h2 id="waterfall">"Where its time went"</h2>
            <Waterfall stretches created_at=timeline.created_at total was_retried has_begun />
        </section>
        <Attempts attempts=times.failed_attempts is_operators />
    }
}

/// On what, and how much of its time it had there. `shared_by`: one part of so many. That is no number of jobs: all that uses the device has a
/// part, and waits pass without it.
fn ran(device: Option<&str>, shared_by: Option<f64>) -> Option<String> {
    if device.is_none() && shared_by.is_none() {
        return None;
    }
    let meanwhile = shared_by.map(|parts| {
        if parts < 1.05 {
            ", with the device to itself".to_owned()
        } else {
            format!(", of whose time it had {:.0} % while it was denoised. {OF_OTHERS}", (100.0 / parts).max(1.0))
        }
    });
    Some(format!("On {}{}", device.unwrap_or("an unknown device"), meanwhile.unwrap_or_default()))
}

/// Whose it is, and which worker sampled it: for the operator.
#[component]
fn Whose(tenant: TenantId, name: Option<String>, worker: Option<WorkerId>) -> impl IntoView {
    let name = name.unwrap_or_else(|| "gone".to_owned());
    let worker = worker.map(|worker| {
        let href = format!("/admin/fleet#{worker}");
        view! { <div class="facts-wide"><dt>"Worker that sampled it"</dt><dd class="mono"><a href=href>{worker.to_string()}</a></dd></div> }
    });
    view! {
        <div class="facts-wide"><dt>"Tenant"</dt><dd><a href=format!("/admin/requests?tenant={tenant}") dir="auto">{name}</a></dd></div>
        {worker}
    }
}

/// With whom it shared its batches. `page`: where one of them is looked at.
#[component]
fn Beside(beside: SharedWith, page: &'static str) -> impl IntoView {
    let SharedWith { jobs, others, has_more } = beside;
    if jobs.is_empty() && others == 0 {
        return ().into_any();
    }
    let links = jobs.into_iter().map(move |(_, job)| view! { <a class="mono" href=format!("{page}?id={job}")>{job.to_string()}</a>" " });
    let others = (others > 0).then(|| format!("{others} of other tenants"));
    let more = has_more.then_some(", and more");
    view! {
        <div class="facts-wide">
            <dt>"Shared its batches with"</dt>
            <dd class="wraps">{links.collect_view()}{others}{more}<p class="hint">{LISTED}</p></dd>
        </div>
    }
    .into_any()
}

/// What it costs, and why.
#[component]
fn Cost(view: JobView) -> impl IntoView {
    let price = format!("{}: {}", words::video_seconds(view.quote.billed), words::sum(&view.quote, view.spec.is_image()));
    let charged = view.charge.charged.map(words::video_seconds);
    let from = words::paid_from(&view.charge).map(|from| format!(", from {from}")).unwrap_or_default();
    view! {
        <div class="facts-wide"><dt>"Price"</dt><dd>{price}</dd></div>
        <div class="facts-wide"><dt>"Charged"</dt><dd>{charged.map_or_else(|| NOT_CHARGED.to_owned(), |charged| format!("{charged}{from}"))}</dd></div>
    }
}

/// The same without what it is made up of, as the operator is told.
#[component]
fn CostAlone(billed: VideoTime, charged: Option<VideoTime>) -> impl IntoView {
    view! {
        <div><dt>"Price"</dt><dd>{words::video_seconds(billed)}</dd></div>
        <div><dt>"Charged"</dt><dd>{charged.map_or_else(|| NOT_CHARGED.to_owned(), words::video_seconds)}</dd></div>
    }
}

/// A bar for each stretch of its time, under each other. Half of their outlines lies outside of them, so the drawing is wider than all of them.
/// `has_begun`: a worker began it, or may still.
#[component]
fn Waterfall(stretches: Vec<Stretch>, created_at: Timestamp, total: u64, was_retried: bool, has_begun: bool) -> impl IntoView {
    let rows = seen(stretches).into_iter().map(move |Stretch { what, from, until }| {
        let (after, took) = (from.ms_since(created_at), until.ms_since(from));
        let part = |ms: u64| ms as f64 * 100.0 / total.max(1) as f64;
        let width = part(took).max(BAR_MIN);
        let class = stretch_class(what, was_retried);
        let why = waited_for(what, has_begun).map(|why| view! { <p class="hint">{why}</p> });
        view! {
            <tr>
                <th scope="row" class="stretch-name">{stretch_name(what, was_retried)}{why}</th>
                <td data-head=HEADS[1] class="number">{words::duration(after)}</td>
                <td data-head=HEADS[2] class="number">{words::duration(took)}</td>
                <td data-head=HEADS[3] class="waterfall">
                    <svg viewBox="-0.5 0 101 10" preserveAspectRatio="none" aria-hidden="true">
                        <rect class=class x=format!("{:.2}", part(after).min(100.0 - width)) y="1" width=format!("{width:.2}") height="8" />
                    </svg>
                </td>
            </tr>
        }
    });
    view! { <Table label="Stretches of its time" heads=&HEADS>{rows.collect_view()}</Table> }
}

fn seen(stretches: Vec<Stretch>) -> Vec<Stretch> {
    stretches.into_iter().filter(|stretch| stretch.until.ms_since(stretch.from) >= SEEN_MS).collect()
}

const fn stretch_class(what: StretchOf, was_retried: bool) -> &'static str {
    match what {
        StretchOf::Retrying if was_retried => "stretch failed",
        StretchOf::WaitingAgain => "stretch failed",
        StretchOf::Outside | StretchOf::Waiting | StretchOf::WaitingForDecoder | StretchOf::Retrying => "stretch idle",
        _ => "stretch",
    }
}

const fn stretch_name(what: StretchOf, was_retried: bool) -> &'static str {
    match what {
        StretchOf::Outside => "Kept outside of the queue",
        StretchOf::Waiting => "Waiting for a worker",
        StretchOf::Retrying if !was_retried => "Handing it to the worker",
        StretchOf::Retrying => "Attempts that came to nothing",
        StretchOf::WaitingAgain => "Attempts that came to nothing, and waiting for a worker",
        StretchOf::Loading => "Loading weights",
        StretchOf::Encoding => "Encoding the prompt",
        StretchOf::Denoising => "Denoising",
        StretchOf::HandingOver => "Handing over the latents",
        StretchOf::WaitingForDecoder => "Waiting for a decoder",
        StretchOf::AtDecoder => "Waiting for a decoder, and decoding",
        StretchOf::Decoding => "Decoding",
        StretchOf::Uploading => "Uploading",
    }
}

/// What a stretch of waiting was for. `has_begun`: a worker began it, or may still.
const fn waited_for(what: StretchOf, has_begun: bool) -> Option<&'static str> {
    match what {
        StretchOf::Outside => {
            Some("By the limits of the plan, or by the operator, who paused the team, held the video or had it tried once more.")
        }
        StretchOf::Waiting if !has_begun => Some("It ended before a worker had begun it."),
        StretchOf::Waiting => {
            Some("For a worker with a free slot, and for the turn of the team in the lane. Pauses and holds by the operator count, too.")
        }
        StretchOf::WaitingForDecoder => Some("For a decoder that is free. Pauses and holds by the operator count, too."),
        StretchOf::WaitingAgain => Some("Since when it waits again is not known."),
        StretchOf::AtDecoder => Some("Since when a decoder has had it is not known."),
        _ => None,
    }
}

#[component]
fn Attempts(attempts: Vec<FailedAttempt>, is_operators: bool) -> impl IntoView {
    if attempts.is_empty() {
        return ().into_any();
    }
    let rows = attempts.into_iter().map(move |attempt| {
        let stage = words::sentence(attempt.stage.as_str());
        let (stage, wrong) = if is_operators {
            (format!("{stage}, {}", attempt.device.kind), format!("{}: {}", attempt.class.as_str(), attempt.detail))
        } else {
            (stage, attempt.told().message)
        };
        view! {
            <tr>
                <th scope="row" class="number">{attempt.attempt}</th>
                <td data-head=ATTEMPT_HEADS[1]><Moment at=attempt.failed_at /></td>
                <td data-head=ATTEMPT_HEADS[2]>{stage}</td>
                <td data-head=ATTEMPT_HEADS[3] class="wraps">{wrong}</td>
                <td data-head=ATTEMPT_HEADS[4]>{followed(attempt.decision)}</td>
            </tr>
        }
    });
    view! {
        <section class="stack" aria-labelledby="attempts">
            <h2 id="attempts">"Attempts that failed"</h2>
            <Table label="Failed attempts" heads=&ATTEMPT_HEADS>{rows.collect_view()}</Table>
        </section>
    }
    .into_any()
}

const fn followed(decision: Decision) -> &'static str {
    match decision {
        Decision::GiveBack => "Goes on later, not counted as a try",
        Decision::Retry { place: RetryPlace::Anywhere, .. } => "Tried again",
        Decision::Retry { place: RetryPlace::Elsewhere, .. } => "Tried again on another machine",
        Decision::Retry { place: RetryPlace::LargerDevice, .. } => "Tried again on a larger machine",
        Decision::Retry { place: RetryPlace::Alone, .. } => "Tried again with a machine for itself",
        Decision::FallBack { .. } => "Made with the other model",
        Decision::Fail => "Not tried again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_that_failed_are_not_drawn_as_waits() {
        let drawn = [StretchOf::Retrying, StretchOf::WaitingAgain, StretchOf::Waiting].map(|what| stretch_class(what, true));
        assert_eq!(drawn, ["stretch failed", "stretch failed", "stretch idle"]);
        assert_eq!(stretch_class(StretchOf::Retrying, false), "stretch idle", "it was but handed over");
    }

    #[test]
    fn no_attempt_is_said_to_have_come_to_nothing_where_there_was_but_one() {
        let told = [true, false].map(|was_retried| stretch_name(StretchOf::Retrying, was_retried));
        assert_eq!(told, ["Attempts that came to nothing", "Handing it to the worker"]);
    }

    #[test]
    fn each_stretch_of_waiting_says_what_for_and_work_says_nothing() {
        let row = |what, has_begun| {
            let stretches = vec![Stretch { what, from: Timestamp::from_ms(0), until: Timestamp::from_ms(1000) }];
            view! { <Waterfall stretches created_at=Timestamp::from_ms(0) total=1000 was_retried=false has_begun /> }.to_html()
        };
        for (what, why) in [
            (StretchOf::Outside, "By the limits of the plan, or by the operator"),
            (StretchOf::Waiting, "For a worker with a free slot, and for the turn of the team in the lane."),
            (StretchOf::WaitingForDecoder, "For a decoder that is free."),
        ] {
            assert!(row(what, true).contains(why), "{what:?}");
        }
        assert!(row(StretchOf::Waiting, false).contains("It ended before a worker had begun it."));
        assert!(!row(StretchOf::Denoising, true).contains("class=\"hint\""));
    }

    #[test]
    fn where_it_ran_is_read_once() {
        assert_eq!(
            ran(Some("cpu"), Some(3.0)).as_deref(),
            Some(format!("On cpu, of whose time it had 33 % while it was denoised. {OF_OTHERS}").as_str())
        );
        assert_eq!(ran(Some("cpu"), Some(1.0)).as_deref(), Some("On cpu, with the device to itself"));
        assert_eq!((ran(Some("cpu"), None).as_deref(), ran(None, None)), (Some("On cpu"), None));
    }

    #[test]
    fn the_outline_of_the_last_bar_is_seen_on_its_right() {
        let at = Timestamp::from_ms;
        let stretches = vec![Stretch { what: StretchOf::Denoising, from: at(0), until: at(10_000) }];
        let table = view! { <Waterfall stretches created_at=at(0) total=10_000 was_retried=false has_begun=true /> }.to_html();
        assert!(table.contains("x=\"0.00\"") && table.contains("width=\"100.00\""), "{table}");
        assert!(table.contains("viewBox=\"-0.5 0 101 10\""), "{table}");
    }

    #[test]
    fn what_would_be_told_as_nothing_has_no_row() {
        let at = Timestamp::from_ms;
        let stretch = |from, until| Stretch { what: StretchOf::Decoding, from: at(from), until: at(until) };
        assert_eq!(seen(vec![stretch(0, 99), stretch(99, 199)]), [stretch(99, 199)]);
    }
}
