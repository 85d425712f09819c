//! The stage bar: waiting, sampling, decoding, done, how much of the whole is done, and what is going on.

use super::Live;
use domain::{JobView, Stage, Status, job::Waiting};
use leptos::prelude::*;

const STAGES: [&str; 4] = ["Waiting", "Sampling", "Decoding", "Done"];

#[component]
pub fn StageBar(live: Live) -> impl IntoView {
    let reached = Memo::new(move |_| live.job.with(reached));
    let failed = move || live.status() == Status::Failed;
    let stages = STAGES.iter().enumerate().map(|(index, name)| {
        let current = move || reached.get() == index && index < 3;
        view! {
            <li class:past=move || index < reached.get() || reached.get() == 3 class:current=current aria-current=move || current().then_some("step")>
                {*name}
            </li>
        }
    });
    view! {
        <div class="stages" hidden=move || matches!(live.status(), Status::Completed | Status::Cancelled) class:failed=failed>
            <progress hidden=failed max="100" value=move || live.job.with(|job| job.progress) aria-label="Progress"></progress>
            <ol>{stages.collect_view()}</ol>
            <p class="stages-step" hidden=failed>{move || live.job.with(work)}</p>
        </div>
    }
}

/// What the bar shows, in words: how much of the whole is done, and what is going on.
pub fn work(job: &JobView) -> String {
    let steps = steps_text(job.step, job.spec.steps);
    let now = match reached(job) {
        0 => return steps,
        2 if job.waiting.as_ref().is_some_and(Waiting::is_for_decoder) => "waiting for a decoder",
        // One that has failed may be held by the operator: it waits for nothing.
        _ if job.waiting.is_some() && !job.status.is_final() => "waiting",
        2 if job.spec.is_image() => "drawing the picture",
        2 => "drawing the frames of the video",
        _ => &steps,
    };
    format!("{} % done: {now}", job.progress)
}

/// `24 steps` before the first, then `step 3 of 24`.
fn steps_text(step: u32, steps: u32) -> String {
    match (step, steps) {
        (0, 1) => "1 step".into(),
        (0, _) => format!("{steps} steps"),
        _ => format!("step {step} of {steps}"),
    }
}

/// Which stage the job is in, or was in when it ended.
fn reached(job: &JobView) -> usize {
    match (job.status, job.stage) {
        (Status::Completed, _) => 3,
        (Status::Queued, _) | (_, None) => 0,
        (_, Some(Stage::Decoding)) => 2,
        (_, Some(Stage::Sampling)) if job.step >= job.spec.steps => 2,
        (_, Some(Stage::Sampling)) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::job;
    use domain::{JobRequest, job::WaitReason};

    #[test]
    fn one_step_is_one() {
        assert_eq!([steps_text(0, 1), steps_text(0, 24), steps_text(3, 24)], ["1 step", "24 steps", "step 3 of 24"]);
    }

    #[test]
    fn the_words_agree_with_the_bar_and_name_no_step_once_all_are_done() {
        let prompt = JobRequest { prompt: "sea".into(), steps: Some("16".into()), ..JobRequest::default() };
        let at = |stage, step, progress| work(&JobView { status: Status::InProgress, stage: Some(stage), step, progress, ..job(&prompt) });
        assert_eq!(at(Stage::Sampling, 3, 1), "1 % done: step 3 of 16");
        let drawing = "drawing the frames of the video";
        assert_eq!(at(Stage::Sampling, 16, 2), format!("2 % done: {drawing}"));
        assert_eq!(at(Stage::Decoding, 16, 57), format!("57 % done: {drawing}"));
        let (waiting, stage) = (Some(WaitReason::Decoder.into()), Some(Stage::Sampling));
        let sampled = JobView { status: Status::InProgress, stage, step: 16, progress: 2, waiting, ..job(&prompt) };
        assert_eq!(work(&sampled), "2 % done: waiting for a decoder");
        let again = JobView { step: 3, waiting: Some(WaitReason::Capacity { position: 1 }.into()), ..sampled };
        assert_eq!(work(&again), "2 % done: waiting");
        let held = JobView { status: Status::Failed, waiting: Some(WaitReason::Held.into()), ..again };
        assert_eq!(work(&held), "2 % done: step 3 of 16");
    }
}
