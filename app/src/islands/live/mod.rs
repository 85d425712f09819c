//! A video being made, live: where it stands, what it shows so far, and in the end the video.

mod events;
mod progress;
mod screen;
mod status;

use super::create::{SubmitVideo, fields_of, request_of};
use domain::{JobId, JobView, Status};
use leptos::{
    prelude::*,
    server_fn::{ServerFn, codec::JsonEncoding, error::ServerFnErrorErr},
};
use progress::StageBar;
use screen::Screen;
use serde::{Deserialize, Serialize};
use status::{Announcement, Headline, Times};
use std::time::Duration;

const TICK: Duration = Duration::from_secs(1);

/// What the parts of the page look at.
#[derive(Clone, Copy)]
struct Live {
    job: RwSignal<JobView>,
    /// Milliseconds since the view arrived, by which its estimates have shrunk.
    since_ms: RwSignal<u64>,
    connected: RwSignal<bool>,
}

impl Live {
    /// A newer view; an older one, from a line that was slow to close, is dropped.
    fn take(self, view: JobView) {
        self.connected.set(true);
        if self.job.with_untracked(|job| job.revision <= view.revision) {
            self.since_ms.set(0);
            self.job.set(view);
        }
    }

    fn status(self) -> Status {
        self.job.with(|job| job.status)
    }
}

#[island]
pub fn LiveVideo(job: JobView, once: String) -> impl IntoView {
    let id = job.id;
    let again = job.clone();
    let live = Live { job: RwSignal::new(job), since_ms: RwSignal::new(0), connected: RwSignal::new(true) };
    Effect::new(move |_| start(live, id));
    let status = Memo::new(move |_| live.status());
    view! {
        <div class="live">
            <div class="live-picture">
                <Screen live />
                <p class="notice" role="status" hidden=move || live.connected.get()>"Connection lost. Reconnecting… Your video is not affected."</p>
            </div>
            <div class="live-side stack">
                <Headline live />
                <StageBar live />
                <Times live />
                <div class="row">{move || actions(id, status.get(), &again, &once)}</div>
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

/// `once`: a second click on “Try again” leads to the video of the first.
fn actions(id: JobId, status: Status, job: &JobView, once: &str) -> AnyView {
    match status {
        Status::Queued | Status::InProgress => view! {
            <form method="post" action=CancelVideo::url()>
                <input type="hidden" name="id" value=id.to_string() />
                <button class="button quiet">"Cancel"</button>
            </form>
        }
        .into_any(),
        Status::Completed => {
            view! { <a class="button" href=format!("/media/videos/{id}/video?download") download>"Download"</a> }.into_any()
        }
        Status::Failed | Status::Cancelled => {
            let fields =
                fields_of(request_of(job)).into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
            view! {
                <form method="post" action=SubmitVideo::url()>
                    {fields.collect_view()}
                    <input type="hidden" name="once" value=once.to_owned() />
                    <button class="button">"Try again"</button>
                </form>
            }
            .into_any()
        }
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
    use crate::session;
    let page = format!("/videos/{id}");
    let Some(user) = session::viewer_of_form(&page).await.map_err(|_| NotDone)? else { return Ok(()) };
    session::services().cancel(user.tenant, id).await.map_err(|_| NotDone)?;
    leptos_axum::redirect(&page);
    Ok(())
}
