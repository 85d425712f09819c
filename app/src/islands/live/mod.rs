//! A video being made, live: where it stands, what it shows so far, and in the end the video.

mod actions;
mod events;
mod film;
mod progress;
mod screen;
mod status;

use super::create::Expected;
use crate::words;
use actions::Actions;
use domain::{JobId, JobUpdate, JobView, Model, Status, UserId, VideoTime};
use leptos::{
    prelude::*,
    server_fn::{codec::JsonEncoding, error::ServerFnErrorErr},
};
use progress::StageBar;
use screen::Screen;
use serde::{Deserialize, Serialize};
use status::{Announcement, Headline, Times};
use std::time::Duration;

#[cfg(feature = "ssr")]
pub use progress::work;

const TICK: Duration = Duration::from_secs(1);

/// What the parts of the page look at.
#[derive(Clone, Copy)]
struct Live {
    job: RwSignal<JobView>,
    /// Milliseconds since the newest update arrived, by which its estimates have shrunk.
    since_ms: RwSignal<u64>,
    connected: RwSignal<bool>,
}

impl Live {
    fn take(self, update: JobUpdate) {
        self.connected.set(true);
        if self
            .job
            .try_maybe_update(|job| {
                let taken = job.take(update);
                (taken, taken)
            })
            .unwrap_or_default()
        {
            self.since_ms.set(0);
        }
    }

    fn status(self) -> Status {
        self.job.with(|job| job.status)
    }
}

/// `author`: for whom the page is drawn. `model`: the job's, if it is still on offer; `price`: of the same job again, if its
/// settings are; `again`: how long that would take, known for one that has ended; `force`: nothing of its prompt was understood.
/// `may_submit`: who looks may make videos, and cancel them.
#[island]
pub fn LiveVideo(
    job: JobView,
    once: String,
    author: UserId,
    model: Option<Model>,
    price: Option<VideoTime>,
    again: Expected,
    force: bool,
    may_submit: bool,
) -> impl IntoView {
    let (id, noun) = (job.id, words::noun(job.spec.is_image()));
    let live = Live { job: RwSignal::new(job), since_ms: RwSignal::new(0), connected: RwSignal::new(true) };
    Effect::new(move |_| start(live, id));
    let title = Memo::new(move |_| live.job.with(words::tab_title));
    Effect::new(move |_| document().set_title(&format!("{} · Reelmill", title.get())));
    view! {
        <div class="live">
            <div class="live-picture">
                <Screen live />
                <p class="notice" role="status" hidden=move || live.connected.get()>"Connection lost. Reconnecting… Your "{noun}" is not affected."</p>
            </div>
            <div class="live-side stack">
                <Headline live />
                <Actions live once author model price again force may_submit />
                <StageBar live />
                <Times live />
                <Announcement live />
            </div>
        </div>
    }
}

/// Follows the job until it has ended, with a clock for what counts down.
fn start(live: Live, id: JobId) {
    if live.job.with_untracked(|job| job.status.is_final()) {
        return;
    }
    events::follow(live, id);
    let tick = move || live.since_ms.update(|ms| *ms += 1000);
    if let Ok(clock) = set_interval_with_handle(tick, TICK) {
        Effect::new(move |_| {
            if live.status().is_final() {
                clock.clear();
            }
        });
    }
}

/// Why a form about one video came to nothing.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct NotDone;

impl FromServerFnError for NotDone {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        Self
    }
}

/// Cancels what has not ended; either way one is back on its page.
#[server(prefix = "/api", endpoint = "cancel-video")]
pub async fn cancel_video(id: JobId) -> Result<(), NotDone> {
    use crate::{fault::Fault, session};
    let page = format!("/videos/{id}");
    let Some(user) = session::viewer_of_form(&page).await.map_err(|_| NotDone)? else { return Ok(()) };
    // It says in the status what went wrong.
    session::services().cancel(user.actor(), id).await.map_err(Fault::from).map_err(|_| NotDone)?;
    leptos_axum::redirect(&page);
    Ok(())
}
