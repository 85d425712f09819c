//! Views of a job as they arrive: each event carries the whole view, so nothing is lost by missing some.
//!
//! Decided here: a page that nobody looks at holds no connection, as browsers allow few. The browser
//! reconnects by itself after a cut line; when the server refuses, we look whether the page is still ours to
//! see and try again after a pause.

use super::Live;
use crate::islands::browser;
use domain::{JobId, JobView};
use leptos::{prelude::*, task::spawn_local};
use std::{cell::RefCell, rc::Rc, time::Duration};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventSource, MessageEvent};

const NAMES: [&str; 4] = ["video.updated", "video.completed", "video.failed", "video.cancelled"];
const PAUSE: Duration = Duration::from_secs(3);

/// The connection, while there is one.
type Slot = Rc<RefCell<Option<Line>>>;

/// An open connection and what listens to it; closed when dropped.
struct Line {
    source: EventSource,
    _hears: Closure<dyn Fn(MessageEvent)>,
    _opens: Closure<dyn Fn()>,
    _fails: Closure<dyn Fn()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.source.close();
    }
}

pub fn follow(live: Live, id: JobId) {
    let slot = Slot::default();
    attend(&slot, live, id);
    window_event_listener_untyped("visibilitychange", move |_| attend(&slot, live, id));
}

/// Connects or hangs up, as it should be now.
fn attend(slot: &Slot, live: Live, id: JobId) {
    let wanted = !document().hidden() && !has_ended(live);
    let connected = slot.borrow().is_some();
    match (wanted, connected) {
        (true, false) => drop(slot.replace(connect(slot, live, id))),
        (false, true) => drop(slot.take()),
        _ => {}
    }
}

fn connect(slot: &Slot, live: Live, id: JobId) -> Option<Line> {
    let source = EventSource::new(&format!("/live/videos/{id}/events")).ok()?;
    let stream = source.clone();
    let hears = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let view = event.data().as_string().and_then(|json| serde_json::from_str::<JobView>(&json).ok());
        if let Some(view) = view {
            live.take(view);
            if has_ended(live) {
                stream.close();
            }
        }
    });
    for name in NAMES {
        let _ = source.add_event_listener_with_callback(name, hears.as_ref().unchecked_ref());
    }
    let opens = Closure::<dyn Fn()>::new(move || live.connected.set(true));
    source.set_onopen(Some(opens.as_ref().unchecked_ref()));
    let (stream, slot) = (source.clone(), Rc::clone(slot));
    let fails = Closure::<dyn Fn()>::new(move || {
        if has_ended(live) {
            return;
        }
        live.connected.set(false);
        if stream.ready_state() == EventSource::CLOSED {
            try_again(Rc::clone(&slot), live, id);
        }
    });
    source.set_onerror(Some(fails.as_ref().unchecked_ref()));
    Some(Line { source, _hears: hears, _opens: opens, _fails: fails })
}

/// After a refusal: the video was deleted, or its owner signed out, elsewhere; or the server is not itself.
fn try_again(slot: Slot, live: Live, id: JobId) {
    spawn_local(async move {
        match browser::this_page().await {
            Some(page) if page.redirected() || page.status() == 404 => browser::reload(),
            _ => set_timeout(
                move || {
                    slot.take();
                    attend(&slot, live, id);
                },
                PAUSE,
            ),
        }
    });
}

fn has_ended(live: Live) -> bool {
    live.job.with_untracked(|job| job.status.is_final())
}
