//! A clip in a grid: poster, plays while pointed at or focused; or a picture that stands still.

use crate::words;
use domain::Size;
use leptos::prelude::*;

/// The picture of a finished clip; `behaviours` plays it while its card is pointed at, focused or, on a
/// touch screen, in sight. Nothing is loaded before. An image has no `video`. `size`: of what was
/// made, all of which is shown.
#[component]
pub fn Clip(#[prop(into)] poster: String, video: Option<String>, #[prop(into)] label: String, size: Size) -> impl IntoView {
    let moves = video.is_some();
    view! {
        <span class=format!("screen {}", words::shape(size)) data-clip=moves>
            <img class="poster" src=poster alt=label loading="lazy" decoding="async" width=size.width height=size.height />
            {video.map(|video| view! {
                <video class="moving" data-src=video muted loop playsinline preload="none" tabindex="-1" aria-hidden="true"></video>
            })}
        </span>
    }
}
