//! Where the job stands, in words: for the eye, and now and then for the ear.

use super::Live;
use crate::words;
use domain::{
    JobView, NoEta, Stage, Status, VideoTime,
    job::{NO_WORKER, StageTimes},
};
use leptos::prelude::*;

/// A shorter wait is told as none.
const SEEN_MS: u64 = 100;

/// The state, and when it will be over or why it is.
#[component]
pub fn Headline(live: Live) -> impl IntoView {
    let text = move || live.job.with(|job| detail(job, live.since_ms.get()));
    view! {
        <div class="headline">
            <h2>{move || live.job.with(heading)}</h2>
            <p>{text}</p>
        </div>
    }
}

fn heading(job: &JobView) -> &'static str {
    if !job.status.is_final() && job.eta == Err(NoEta::NoWorker) { "Waiting for a machine" } else { words::status(job.status) }
}

fn detail(job: &JobView, since_ms: u64) -> String {
    match job.status {
        Status::Queued | Status::InProgress => {
            let mut text = remaining(job, since_ms);
            if let (Some(waiting), false) = (&job.waiting, job.eta == Err(NoEta::NoWorker)) {
                text.insert(0, ' ');
                text.insert_str(0, &waiting.sentence);
            }
            text
        }
        Status::Completed => job.ended_at.map_or_else(String::new, |ended| made_in(ended.ms_since(job.created_at))),
        Status::Failed => job.failure.as_ref().map_or_else(String::new, |failure| {
            let (what, advice) = words::failure(failure.code);
            let held = job.waiting.as_ref().map_or_else(String::new, |held| format!(" {}", held.sentence));
            format!("{what} {advice}{held}")
        }),
        Status::Cancelled => "You stopped this one.".into(),
    }
}

fn made_in(ms: u64) -> String {
    if ms < 1000 { "Made in under a second.".into() } else { format!("Made in {}.", words::duration(ms)) }
}

/// The estimate, less the time that has passed since it was made.
fn remaining(job: &JobView, since_ms: u64) -> String {
    let eta = match job.eta {
        Ok(eta) => eta,
        Err(NoEta::NoWorker) => return NO_WORKER.into(),
        Err(NoEta::Paused) => return "Your place is kept; you can close this tab.".into(),
        Err(_) => return "No estimate yet; you can close this tab, the work goes on.".into(),
    };
    words::ready_in(eta, since_ms)
}

/// How the time was spent, and what it costs.
#[component]
pub fn Times(live: Live) -> impl IntoView {
    let times = move || {
        live.job
            .with(|job| job.times)
            .map(|times| spent(times).map(|(name, ms)| view! { <div><dt>{name}</dt><dd>{words::duration(ms)}</dd></div> }).collect_view())
    };
    let cost = move || live.job.with(cost);
    view! {
        <dl class="facts thirds">
            {times}
            <div class="facts-wide"><dt>"Cost"</dt><dd>{cost}</dd></div>
        </dl>
    }
}

/// What of its time is told, by name. That it waited before is told in any case.
fn spent(times: StageTimes) -> impl Iterator<Item = (&'static str, u64)> {
    let StageTimes { waited_ms, sampling_ms, decoder_wait_ms, decoding_ms, at_decoder_ms } = times;
    let told = [
        ("Waited", waited_ms, 0),
        ("Sampled", sampling_ms, 1),
        ("Waited for a decoder", decoder_wait_ms, SEEN_MS),
        ("Decoded", decoding_ms, 1),
        ("Waited for a decoder, and decoded", at_decoder_ms, SEEN_MS),
    ];
    told.into_iter().filter(|(_, ms, least_ms)| ms >= least_ms).map(|(name, ms, _)| (name, ms))
}

fn cost(job: &JobView) -> String {
    let price = job.quote.billed;
    match job.status {
        Status::Queued | Status::InProgress => {
            let cancelled = words::cost_of_cancelling(job).map(|cost| format!(", {cost}")).unwrap_or_default();
            format!("{} when it is done{cancelled}", words::video_seconds(price))
        }
        Status::Completed => {
            format!("{} charged ({})", words::video_seconds(price), words::sum(&job.quote, job.spec.is_image()))
        }
        Status::Cancelled if job.charge.charged.is_some_and(|charged| charged > VideoTime::default()) => {
            let charged = job.charge.charged.unwrap_or_default();
            format!("{} of {} charged, for what was done before you stopped it", words::amount(charged), words::video_seconds(price))
        }
        Status::Failed | Status::Cancelled => "Nothing charged".into(),
    }
}

#[component]
pub fn Announcement(live: Live) -> impl IntoView {
    let text = Memo::new(move |_| live.job.with(spoken));
    view! { <p class="unseen" role="status">{text}</p> }
}

/// The stage, and the quarters of the whole that are done, which are as true beside the percent that are seen.
fn spoken(job: &JobView) -> String {
    if job.status != Status::InProgress {
        return words::status(job.status).to_owned();
    }
    let is_sampled = job.stage == Some(Stage::Decoding) || job.step >= job.spec.steps;
    let stage = match (is_sampled, &job.waiting) {
        (_, Some(waiting)) if waiting.is_for_decoder() => "Waiting for a decoder",
        (_, Some(_)) => "Waiting",
        (true, None) => "Decoding",
        (false, None) => "Sampling",
    };
    match job.progress / 25 * 25 {
        0 => stage.to_owned(),
        quarters => format!("{stage}, at least {quarters} per cent done"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::job;
    use domain::{JobRequest, job::WaitReason};

    #[test]
    fn what_it_waited_for_a_decoder_is_told_where_it_did() {
        let times = StageTimes { waited_ms: 0, sampling_ms: 400, decoder_wait_ms: 4700, decoding_ms: 1800, at_decoder_ms: 0 };
        let told: Vec<_> = spent(times).collect();
        assert_eq!(told, [("Waited", 0), ("Sampled", 400), ("Waited for a decoder", 4700), ("Decoded", 1800)]);
        let at_once: Vec<_> = spent(StageTimes { decoder_wait_ms: 99, decoding_ms: 0, ..times }).collect();
        assert_eq!(at_once, [("Waited", 0), ("Sampled", 400)]);
        let broken_off: Vec<_> = spent(StageTimes { decoder_wait_ms: 0, decoding_ms: 0, at_decoder_ms: 2600, ..times }).collect();
        assert_eq!(broken_off[2..], [("Waited for a decoder, and decoded", 2600)]);
    }

    #[test]
    fn what_is_heard_agrees_with_what_is_seen() {
        let prompt = JobRequest { prompt: "sea".into(), steps: Some("16".into()), ..JobRequest::default() };
        let at = |stage, step, progress| JobView { status: Status::InProgress, stage: Some(stage), step, progress, ..job(&prompt) };
        assert_eq!(spoken(&at(Stage::Sampling, 3, 7)), "Sampling");
        assert_eq!(spoken(&at(Stage::Sampling, 15, 33)), "Sampling, at least 25 per cent done");
        assert_eq!(spoken(&at(Stage::Decoding, 16, 7)), "Decoding");
        let waiting = JobView { waiting: Some(WaitReason::Decoder.into()), ..at(Stage::Sampling, 16, 50) };
        assert_eq!(spoken(&waiting), "Waiting for a decoder, at least 50 per cent done");
        assert_eq!(spoken(&JobView { status: Status::Completed, ..waiting }), words::status(Status::Completed));
        let again = JobView { waiting: Some(WaitReason::Capacity { position: 1 }.into()), ..at(Stage::Sampling, 3, 7) };
        assert_eq!(spoken(&again), "Waiting");
    }

    #[test]
    fn what_was_cancelled_says_what_was_done_of_it_and_nothing_else_is_charged() {
        let of = |status, charged: Option<u64>| {
            let mut job = job(&JobRequest { prompt: "sea".into(), ..JobRequest::default() });
            (job.status, job.charge.charged) = (status, charged.map(VideoTime::from_ms));
            cost(&job)
        };
        assert_eq!(of(Status::Cancelled, Some(500)), "0.5 of 2 video-seconds charged, for what was done before you stopped it");
        assert_eq!([of(Status::Cancelled, Some(0)), of(Status::Cancelled, None), of(Status::Failed, Some(0))], ["Nothing charged"; 3]);
        assert_eq!(of(Status::Queued, None), "2 video-seconds when it is done");
    }

    #[test]
    fn what_cancelling_costs_is_said_before_the_click() {
        let prompt = JobRequest { prompt: "sea".into(), steps: Some("16".into()), ..JobRequest::default() };
        let at = |status, step| {
            let mut job = JobView { status, step, ..job(&prompt) };
            job.quote.billed = VideoTime::from_ms(30_000);
            cost(&job)
        };
        assert_eq!(at(Status::InProgress, 16), "30 video-seconds when it is done, at least 15 if it is cancelled now");
        assert_eq!([at(Status::InProgress, 0), at(Status::Queued, 0)], ["30 video-seconds when it is done"; 2]);
        let again = Some(WaitReason::Capacity { position: 1 }.into());
        let again = JobView { status: Status::InProgress, step: 3, waiting: again, ..job(&prompt) };
        assert_eq!(words::cost_of_cancelling(&again), None, "its steps are lost");
    }

    #[test]
    fn what_took_less_than_a_second_is_not_said_to_have_taken_none() {
        assert_eq!([0, 999].map(made_in), ["Made in under a second.", "Made in under a second."]);
        assert_eq!([1000, 12_300].map(made_in), ["Made in 1.0 s.", "Made in 13 s."]);
    }
}
