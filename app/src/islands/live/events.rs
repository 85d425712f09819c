//! Views of a job as they arrive: each event carries the whole view, so nothing is lost by missing some.
//!
//! Decided here: the browser reconnects by itself after a cut line; when the server refuses or is away
//! altogether it gives up, and then we try again after a pause.

use super::Live;
use domain::{JobId, JobView};
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventSource, MessageEvent};

const NAMES: [&str; 5] = ["message", "video.updated", "video.completed", "video.failed", "video.cancelled"];
const PAUSE: Duration = Duration::from_secs(3);

pub fn follow(live: Live, id: JobId) {
    let Ok(source) = EventSource::new(&format!("/live/videos/{id}/events")) else { return };
    let stream = source.clone();
    let arrived = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let view = event.data().as_string().and_then(|json| serde_json::from_str::<JobView>(&json).ok());
        if let Some(view) = view {
            let ended = view.status.is_final();
            live.take(view);
            if ended {
                stream.close();
            }
        }
    });
    for name in NAMES {
        let _ = source.add_event_listener_with_callback(name, arrived.as_ref().unchecked_ref());
    }
    arrived.forget();
    on_trouble(&source, live, id);
}

fn on_trouble(source: &EventSource, live: Live, id: JobId) {
    let opened = Closure::<dyn Fn()>::new(move || live.connected.set(true));
    source.set_onopen(Some(opened.as_ref().unchecked_ref()));
    opened.forget();
    let stream = source.clone();
    let failed = Closure::<dyn Fn()>::new(move || {
        if live.job.with_untracked(|job| job.status.is_final()) {
            stream.close();
            return;
        }
        live.connected.set(false);
        if stream.ready_state() == EventSource::CLOSED {
            set_timeout(move || follow(live, id), PAUSE);
        }
    });
    source.set_onerror(Some(failed.as_ref().unchecked_ref()));
    failed.forget();
}
