//! The picture: a film leader while it waits, the previews as they sharpen, and over them what was made.

use super::{
    Live,
    film::{Film, Still},
};
use crate::{islands::browser, words};
use domain::{JobId, Status};
use leptos::{either::Either, prelude::*};

/// Of the prompt, to people who hear the page.
const LABEL_CHARS: usize = 120;

#[component]
pub fn Screen(live: Live) -> impl IntoView {
    let (id, size, is_image) = live.job.with_untracked(|job| (job.id, job.spec.size, job.spec.is_image()));
    let label = StoredValue::new(live.job.with_untracked(|job| words::shortened(&job.spec.prompt, LABEL_CHARS)));
    let shown = shown_preview(live, id);
    let done = Memo::new(move |_| live.status() == Status::Completed);
    let waits = move || shown.get().is_none() && !done.get();
    view! {
        <div class=format!("screen large {}", words::shape(size))>
            <Show when=waits><Leader live /></Show>
            {move || shown.get().map(|step| view! {
                <img class="preview" src=preview(id, step) alt=format!("Preview after step {step}") width=size.width height=size.height />
            })}
            <Show when=move || done.get()>
                {if is_image {
                    Either::Left(view! { <Still id size label=label.get_value() /> })
                } else {
                    Either::Right(view! { <Film id size label=label.get_value() /> })
                }}
            </Show>
        </div>
    }
}

fn preview(id: JobId, step: u32) -> String {
    format!("/media/videos/{id}/preview?step={step}")
}

/// The newest preview that has been loaded: the one before stays in sight until then.
fn shown_preview(live: Live, id: JobId) -> RwSignal<Option<u32>> {
    let newest = Memo::new(move |_| live.job.with(|job| job.preview_step.filter(|_| !job.status.is_final())));
    let shown = RwSignal::new(newest.get_untracked());
    Effect::new(move |before: Option<Option<u32>>| {
        let step = newest.get();
        if step.is_none() {
            shown.set(None);
        }
        if before.is_some() && step.is_some() {
            browser::once_loaded(&preview(id, step.unwrap_or_default()), move || {
                let _ = shown.try_set(step);
            });
        }
        step
    });
    shown
}

/// The countdown at the head of a reel: the place in the queue, or the step.
#[component]
fn Leader(live: Live) -> impl IntoView {
    let figure = move || {
        live.job.with(|job| match (job.status, job.queue_position) {
            (Status::Queued, Some(position)) => position.to_string(),
            (Status::InProgress, _) => job.step.to_string(),
            _ => "×".into(),
        })
    };
    let still = move || live.status().is_final();
    view! {
        <div class="leader" class:still=still aria-hidden="true">
            <span class="leader-sweep"></span>
            <svg viewBox="0 0 100 100">
                <path d="M50 0v100M0 50h100" />
                <circle cx="50" cy="50" r="36" />
                <circle cx="50" cy="50" r="31" />
            </svg>
            <span class="leader-figure">{figure}</span>
        </div>
    }
}
