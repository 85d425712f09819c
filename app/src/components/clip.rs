//! A clip in a grid: poster, plays while pointed at or focused.

use leptos::prelude::*;

/// The picture of a finished clip; `behaviours` plays it while its card is pointed at, focused or, on a
/// touch screen, in sight. Nothing is loaded before.
#[component]
pub fn Clip(#[prop(into)] poster: String, #[prop(into)] video: String, #[prop(into)] label: String) -> impl IntoView {
    view! {
        <span class="screen" data-clip>
            <img class="poster" src=poster alt=label loading="lazy" decoding="async" width="384" height="384" />
            <video class="moving" data-src=video muted loop playsinline preload="none" tabindex="-1" aria-hidden="true"></video>
        </span>
    }
}
