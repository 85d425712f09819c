//! The newest of the log, which keeps up by itself until it is paused.

use super::AskedLog;
use leptos::prelude::*;

/// Of the list that a browser asks for again and again.
const LOG: &str = "log";

/// `page`: that of the log. Behind its first page nothing new comes.
#[component]
pub fn Followed(asked: AskedLog, page: &'static str, children: Children) -> impl IntoView {
    let query = asked.query(None);
    let newest = if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") };
    if asked.after.is_some() {
        return view! { <p class="row"><a class="button quiet" href=newest>"The newest"</a></p>{children()} }.into_any();
    }
    let paused = format!("{page}?{}", asked.paused_query());
    if asked.is_paused {
        return view! {
            <p class="row small"><span>"Paused: what is new is not shown."</span><a class="button quiet" href=newest>"Go on"</a></p>
            {children()}
        }
        .into_any();
    }
    view! {
        <p class="row small">
            <a class="button quiet" href=newest rel="prev">"Newer"</a>
            <a class="button quiet" href=paused>"Pause"</a>
            <span>"What is new appears by itself."</span>
        </p>
        <div id=LOG>{children()}</div>
    }
    .into_any()
}
