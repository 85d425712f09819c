//! The stage bar: waiting, sampling, decoding, done, with the steps of the longest stage.

use super::Live;
use domain::{JobView, Stage, Status};
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
    let steps = move || live.job.with(|job| job.spec.steps);
    let step = move || live.job.with(|job| job.step);
    view! {
        <div class="stages" hidden=move || matches!(live.status(), Status::Completed | Status::Cancelled) class:failed=failed>
            <progress max="100" value=move || live.job.with(|job| job.progress) aria-label="Progress"></progress>
            <ol>{stages.collect_view()}</ol>
            <p class="stages-step">{move || steps_text(step(), steps())}</p>
        </div>
    }
}

/// `24 steps` before the first, then `Step 3 of 24`.
fn steps_text(step: u32, steps: u32) -> String {
    match (step, steps) {
        (0, 1) => "1 step".into(),
        (0, _) => format!("{steps} steps"),
        _ => format!("Step {step} of {steps}"),
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
    use super::steps_text;

    #[test]
    fn one_step_is_one() {
        assert_eq!([steps_text(0, 1), steps_text(0, 24), steps_text(3, 24)], ["1 step", "24 steps", "Step 3 of 24"]);
    }
}
