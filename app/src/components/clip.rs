//! A clip in a grid: poster, plays while pointed at or focused; or a picture that stands still.

use leptos::prelude::*;

/// The picture of a finished clip; `behaviours` plays it while its card is pointed at, focused or, on a
/// touch screen, in sight. Nothing is loaded before. An image has no `video`.
#[component]
pub fn Clip(#[prop(into)] poster: String, video: Option<String>, #[prop(into)] label: String) -> impl IntoView {
    let moves = video.is_some();
    view! {
        <span class="screen" data-clip=moves>
            <img class="poster" src=poster alt=label loading="lazy" decoding="async" width="384" height="384" />
            {video.map(|video| view! {
                <video class="moving" data-src=video muted loop playsinline preload="none" tabindex="-1" aria-hidden="true"></video>
            })}
        </span>
    }
}
