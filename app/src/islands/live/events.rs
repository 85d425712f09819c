//! Updates of a job as they arrive: each is complete in itself, so nothing is lost by missing some.
//!
//! Decided here: a page that nobody looks at holds no connection, as browsers allow few. It connects for one
//! update from time to time, so that its tab says how far the video is and that it is done. The browser
//! reconnects by itself after a cut line; a line that is silent for too long, without the server's beat, is
//! cut by us. When the server refuses, we look whether the page is still ours to see and try again.

use super::Live;
use crate::islands::browser;
use domain::{JobId, JobUpdate};
use leptos::{prelude::*, task::spawn_local};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventSource, MessageEvent};

const NAMES: [&str; 5] = ["beat", "video.updated", "video.completed", "video.failed", "video.cancelled"];
const PAUSE: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_secs(2);
const LOOK_HIDDEN_EVERY: Duration = Duration::from_secs(15);
/// Three beats of the server.
const SILENCE_MS: f64 = 12_000.0;

/// The connection, while there is one.
type Slot = Rc<RefCell<Option<Line>>>;

/// When something was heard last, in the browser's milliseconds.
type Heard = Rc<Cell<f64>>;

/// An open connection and what listens to it; closed when dropped.
struct Line {
    source: EventSource,
    heard: Heard,
    _hears: Closure<dyn Fn(MessageEvent)>,
    _opens: Closure<dyn Fn()>,
    _fails: Closure<dyn Fn()>,
}

impl Line {
    fn is_open(&self) -> bool {
        self.source.ready_state() != EventSource::CLOSED
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.source.close();
    }
}

pub fn follow(live: Live, id: JobId) {
    let slot = Slot::default();
    attend(&slot, live, id);
    let kept = Rc::clone(&slot);
    window_event_listener_untyped("visibilitychange", move |_| attend(&kept, live, id));
    let kept = Rc::clone(&slot);
    set_interval(move || look_while_hidden(&kept, live, id), LOOK_HIDDEN_EVERY);
    set_interval(move || cut_when_silent(&slot, live, id), LOOK_EVERY);
}

fn cut_when_silent(slot: &Slot, live: Live, id: JobId) {
    let silent = slot.borrow().as_ref().is_some_and(|line| line.is_open() && js_sys::Date::now() - line.heard.get() > SILENCE_MS);
    if silent && !has_ended(live) {
        live.connected.set(false);
        slot.take();
        attend(slot, live, id);
    }
}

/// For one update; the stream begins with how the job is now.
fn look_while_hidden(slot: &Slot, live: Live, id: JobId) {
    if document().hidden() && !has_ended(live) {
        drop(slot.replace(connect(slot, live, id)));
    }
}

/// Connects or hangs up, as it should be now.
fn attend(slot: &Slot, live: Live, id: JobId) {
    let wanted = !document().hidden() && !has_ended(live);
    let connected = slot.borrow().as_ref().is_some_and(Line::is_open);
    match (wanted, connected) {
        (true, false) => drop(slot.replace(connect(slot, live, id))),
        (false, true) => drop(slot.take()),
        _ => {}
    }
}

fn connect(slot: &Slot, live: Live, id: JobId) -> Option<Line> {
    let source = EventSource::new(&format!("/live/videos/{id}/events")).ok()?;
    let heard = Heard::new(Cell::new(js_sys::Date::now()));
    let (stream, now_heard) = (source.clone(), Rc::clone(&heard));
    let hears = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        now_heard.set(js_sys::Date::now());
        // A beat has no update.
        let update = event.data().as_string().and_then(|json| serde_json::from_str::<JobUpdate>(&json).ok());
        if let Some(update) = update {
            live.take(update);
            if document().hidden() || has_ended(live) {
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
    Some(Line { source, heard, _hears: hears, _opens: opens, _fails: fails })
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
