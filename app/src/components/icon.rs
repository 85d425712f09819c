//! The mark and the few icons, drawn on a 24 x 24 grid with the text's colour.

use leptos::prelude::*;

/// The mark: a film reel whose spokes are the paddles of a mill wheel.
#[component]
pub fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
            <g class="mark-wheel">
                <circle cx="16" cy="16" r="12" />
                <path d="M13.8 5.7L17.4 0.3L21.4 1.2L18.5 5.8zM21.7 7.2L28.1 5.8L30.3 9.3L25.0 10.6zM26.3 13.8L31.7 17.4L30.8 21.4L26.2 18.5zM24.8 21.7L26.2 28.1L22.7 30.3L21.4 25.0zM18.2 26.3L14.6 31.7L10.6 30.8L13.5 26.2zM10.3 24.8L3.9 26.2L1.7 22.7L7.0 21.4zM5.7 18.2L0.3 14.6L1.2 10.6L5.8 13.5zM7.2 10.3L5.8 3.9L9.3 1.7L10.6 7.0z" />
            </g>
            <circle class="mark-hole" cx="16.0" cy="10.1" r="3.2" />
            <circle class="mark-hole" cx="21.1" cy="18.9" r="3.2" />
            <circle class="mark-hole" cx="10.9" cy="18.9" r="3.2" />
            <circle class="mark-hole" cx="16" cy="16" r="1.2" />
        </svg>
    }
}

/// A stroke icon from its path.
#[component]
pub fn Icon(path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=path />
        </svg>
    }
}

pub const DOWNLOAD: &str = "M12 4v11m-5-5 5 5 5-5M5 20h14";
pub const DELETE: &str = "M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13";
