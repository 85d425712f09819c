//! The finished video. When it does not load, that is said, and it is tried again after growing pauses.

use crate::islands::browser;
use domain::{JobId, Size};
use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::time::Duration;

const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(30);

#[component]
pub fn Film(id: JobId, size: Size, label: String) -> impl IntoView {
    let loading = Loading { video: NodeRef::new(), failures: RwSignal::new(0), next: StoredValue::new(None) };
    Effect::new(move |_| loading.begin());
    view! {
        <video
            class="finished"
            node_ref=loading.video
            src=format!("/media/videos/{id}/video")
            poster=format!("/media/videos/{id}/thumbnail")
            aria-label=label
            width=size.width
            height=size.height
            autoplay
            muted
            loop
            playsinline
            controls
            prop:muted=true
            on:error=move |_| loading.fail()
            on:loadeddata=move |_| loading.failures.set(0)
        ></video>
        <div class="screen-alert" role="alert">
            {move || (loading.failures.get() > 0).then(|| view! {
                <div class="screen-problem">
                    <p>"The video is finished, but it could not be loaded. It is tried again by itself."</p>
                    <button type="button" class="button small" on:click=move |_| loading.again()>"Load it now"</button>
                </div>
            })}
        </div>
    }
}

#[derive(Clone, Copy)]
struct Loading {
    video: NodeRef<html::Video>,
    /// In a row.
    failures: RwSignal<u32>,
    next: StoredValue<Option<TimeoutHandle>>,
}

impl Loading {
    /// Keeps the video still for people who asked for that, and notices what failed before the script was there.
    fn begin(self) {
        let Some(video) = self.video.get() else { return };
        if browser::matches("(prefers-reduced-motion: reduce)") {
            video.set_autoplay(false);
            let _ = video.pause();
        }
        if video.error().is_some() {
            self.fail();
        }
    }

    fn fail(self) {
        let pause = PAUSE_MAX.min(PAUSE_MIN * 2_u32.pow(self.failures.get_untracked().min(5)));
        self.failures.update(|failures| *failures += 1);
        self.next.set_value(set_timeout_with_handle(move || self.again(), pause).ok());
    }

    fn again(self) {
        self.next.update_value(|next| next.take().iter().for_each(TimeoutHandle::clear));
        if let Some(video) = self.video.get_untracked() {
            video.load();
        }
    }
}
