//! The finished video or image. When it does not load, that is said, and it is tried again after growing pauses.

use crate::{islands::browser, media, words};
use domain::{JobId, Size};
use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::time::Duration;

const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(30);

#[component]
pub fn Film(id: JobId, size: Size, label: String) -> impl IntoView {
    let video = NodeRef::new();
    let loading = Loading::of(Picture::Video(video));
    view! {
        <video
            class="finished"
            node_ref=video
            src=media::main_file(id, false)
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
        <NotLoaded loading />
    }
}

#[component]
pub fn Still(id: JobId, size: Size, label: String) -> impl IntoView {
    let image = NodeRef::new();
    let loading = Loading::of(Picture::Image(image));
    view! {
        <img
            class="finished"
            node_ref=image
            src=media::main_file(id, true)
            alt=label
            width=size.width
            height=size.height
            on:error=move |_| loading.fail()
            on:load=move |_| loading.failures.set(0)
        />
        <NotLoaded loading />
    }
}

#[component]
fn NotLoaded(loading: Loading) -> impl IntoView {
    let noun = words::noun(matches!(loading.picture, Picture::Image(_)));
    view! {
        <div class="screen-alert" role="alert">
            {move || (loading.failures.get() > 0).then(|| view! {
                <div class="screen-problem">
                    <p>"The "{noun}" is finished, but it could not be loaded. It is tried again by itself."</p>
                    <button type="button" class="button small" on:click=move |_| loading.again()>"Load it now"</button>
                </div>
            })}
        </div>
    }
}

#[derive(Clone, Copy)]
enum Picture {
    Video(NodeRef<html::Video>),
    Image(NodeRef<html::Img>),
}

impl Picture {
    /// Keeps it still for people who asked for that. Says whether it failed before the script was there.
    fn begin(self) -> bool {
        match self {
            Self::Video(node) => node.get().is_some_and(|video| {
                if browser::matches("(prefers-reduced-motion: reduce)") {
                    video.set_autoplay(false);
                    let _ = video.pause();
                }
                video.error().is_some()
            }),
            Self::Image(node) => node.get().is_some_and(|image| image.complete() && image.natural_width() == 0),
        }
    }

    fn load(self) {
        match self {
            Self::Video(node) => node.get_untracked().iter().for_each(|video| video.load()),
            // Set again, it is asked for again.
            Self::Image(node) => node.get_untracked().iter().for_each(|image| image.set_src(&image.src())),
        }
    }
}

#[derive(Clone, Copy)]
struct Loading {
    picture: Picture,
    /// In a row.
    failures: RwSignal<u32>,
    next: StoredValue<Option<TimeoutHandle>>,
}

impl Loading {
    fn of(picture: Picture) -> Self {
        let loading = Self { picture, failures: RwSignal::new(0), next: StoredValue::new(None) };
        Effect::new(move |_| {
            if picture.begin() {
                loading.fail();
            }
        });
        loading
    }

    fn fail(self) {
        let pause = PAUSE_MAX.min(PAUSE_MIN * 2_u32.pow(self.failures.get_untracked().min(5)));
        self.failures.update(|failures| *failures += 1);
        self.next.set_value(set_timeout_with_handle(move || self.again(), pause).ok());
    }

    fn again(self) {
        self.next.update_value(|next| next.take().iter().for_each(TimeoutHandle::clear));
        self.picture.load();
    }
}
