//! A moment, in UTC until the browser turns it into the reader's own time.

use crate::words;
use domain::Timestamp;
use leptos::prelude::*;

#[component]
pub fn Moment(at: Timestamp) -> impl IntoView {
    view! { <time datetime=words::iso(at) data-local>{words::date(at)}</time> }
}
