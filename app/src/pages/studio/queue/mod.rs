//! What one has in the queue, in the order in which it is made, and what can be done about it.

pub mod changes;
mod row;

use crate::{
    components::{
        confirm::{Ask, Confirm},
        frame::Frame,
    },
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice, TEAM_FIELD},
    words,
};
use changes::{CancelQueue, FORM};
use domain::{Catalog, JobId, Permission, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use row::Row;
use service::{OWN_COUNTED_MAX, OwnJobView, OwnPhase, OwnQueue, OwnWaiting, QueueError, User, Waiting};

pub const PAGE: &str = "/queue";
/// Videos of a page.
const LIMIT: u64 = 50;

#[component]
pub fn QueuePage() -> impl IntoView {
    let after: Option<JobId> = http::query().get("after").and_then(|id| id.parse().ok());
    page(async move {
        let viewer = session::require_viewer().await?;
        let (services, actor) = (session::services(), viewer.actor());
        let (OwnQueue { jobs, has_more, last }, after) = listed(&viewer, after).await?;
        let waiting = services.own_waiting(actor).await?;
        let catalog = services.catalog().await?;
        let said = session::said(PAGE, Some(viewer.id));
        let (may_submit, may_cancel, tenant) = (actor.may(Permission::SubmitJobs), actor.may(Permission::CancelJobs), viewer.tenant);
        let is_empty = jobs.is_empty();
        let next = last.filter(|_| has_more).map(|last| format!("{PAGE}?after={last}"));
        let sections = sections(jobs, &catalog).into_iter().map(|(heading, jobs)| {
            let rows = jobs.into_iter().map(|own| view! { <Row own catalog=&*catalog after may_cancel /> }).collect_view();
            view! {
                <section class="stack">
                    <h2>{heading}</h2>
                    <ol class="queue">{rows}</ol>
                </section>
            }
        });
        let sections = sections.collect_view();
        Ok(view! {
            <Frame title="Queue" viewer=Some(viewer)>
                <Stylesheet href="/queue.css" />
                <SaidNotice said=&said form=FORM />
                // Replaced as a whole while the page is open, see `behaviours::cards`.
                <div class="stack" id="queue">
                    <header class="page-head split">
                        <div>
                            <h1>"Queue"</h1>
                            {(!is_empty).then(|| view! { <p class="lead">{summary(waiting.all)}</p> })}
                        </div>
                        {may_cancel.then(|| view! { <CancelAll waiting tenant /> })}
                    </header>
                    {is_empty.then(|| view! { <Empty first_page=after.is_none() may_submit /> })}
                    {sections}
                    <nav class="row center" aria-label="Pages">
                        {after.map(|_| view! { <a class="button quiet" href=PAGE>"First page"</a> })}
                        {next.map(|next| view! { <a class="button quiet" href=next rel="next">"Next page"</a> })}
                    </nav>
                </div>
            </Frame>
        })
    })
}

/// A page of the queue, and behind which video it begins: the first one where that video is gone.
async fn listed(viewer: &User, after: Option<JobId>) -> Result<(OwnQueue, Option<JobId>), Fault> {
    let services = session::services();
    match services.own_queue(viewer.actor(), after, LIMIT).await {
        Err(QueueError::AfterUnknown) => {
            http::lead(PAGE);
            Ok((services.own_queue(viewer.actor(), None, LIMIT).await?, None))
        }
        page => Ok((page?, after)),
    }
}

/// The parts of a page, each with its heading.
fn sections(jobs: Vec<OwnJobView>, catalog: &Catalog) -> Vec<(String, Vec<OwnJobView>)> {
    let mut sections: Vec<(String, Vec<OwnJobView>)> = Vec::new();
    for own in jobs {
        let heading = heading(&own, catalog);
        match sections.last_mut() {
            Some((last, jobs)) if *last == heading => jobs.push(own),
            _ => sections.push((heading, vec![own])),
        }
    }
    sections
}

fn heading(own: &OwnJobView, catalog: &Catalog) -> String {
    match own.phase {
        OwnPhase::Begun => "Being made".to_owned(),
        OwnPhase::Waiting => {
            let model = &own.view.spec.model;
            format!("Waiting for {}", catalog.by_id(model).map_or(model, |model| &model.name))
        }
        OwnPhase::Throttled => "Not in the queue yet".to_owned(),
        OwnPhase::Held => "Held by the operator".to_owned(),
    }
}

fn summary(waiting: Waiting) -> String {
    match waiting.jobs {
        0 => "Nothing of yours waits for its first step.".to_owned(),
        1 => "One video of yours waits for its first step.".to_owned(),
        jobs => format!("{} of yours wait for their first step.", counted(jobs)),
    }
}

/// Beyond what is counted there may be more.
fn counted(jobs: u64) -> String {
    let videos = words::count(jobs, "video", "videos");
    if jobs >= OWN_COUNTED_MAX { format!("{videos} or more") } else { videos }
}

#[component]
fn CancelAll(waiting: OwnWaiting, tenant: TenantId) -> impl IntoView {
    (waiting.alone().jobs > 0).then(|| {
        let consequence = consequence(waiting);
        view! {
            <Ask id="cancel-queue" label="Cancel all that wait">"Cancel all that wait"</Ask>
            <Confirm
                id="cancel-queue"
                question="Cancel all that wait?"
                consequence
                yes="Cancel them"
                no="Keep them"
                action=CancelQueue::url()
                fields=vec![(TEAM_FIELD, tenant.to_string())]
            />
        }
    })
}

/// What is said before all that waits is cancelled.
fn consequence(waiting: OwnWaiting) -> String {
    let Waiting { jobs, billed } = waiting.alone();
    let or_more = if waiting.all.jobs >= OWN_COUNTED_MAX { " or more" } else { "" };
    let whose = if jobs == 1 { "its" } else { "their" };
    let batches = if waiting.of_batches.jobs > 0 { " Those of batches stay: they are cancelled with their batch." } else { "" };
    format!(
        "This cancels {}{or_more} of yours for good. Nothing is charged for {whose} {}. Videos that are being made go on.{batches}",
        words::count(jobs, "video", "videos"),
        words::video_seconds(billed)
    )
}

#[component]
fn Empty(first_page: bool, may_submit: bool) -> impl IntoView {
    let text = match (first_page, may_submit) {
        (true, true) => "Nothing of yours waits or is being made.",
        (true, false) => "Nothing of yours waits or is being made. Your role lets you watch what the team makes.",
        (false, _) => "That was the last of them.",
    };
    view! {
        <div class="empty small">
            <p>{text}</p>
            {(first_page && may_submit).then(|| view! { <a class="button" href="/create">"Create a video"</a> })}
            {(first_page && !may_submit).then(|| view! { <a class="button quiet" href="/library">"To the library"</a> })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::VideoTime;

    #[test]
    fn what_waits_is_counted_in_words_and_no_further_than_it_was() {
        let said = |jobs| summary(Waiting { jobs, ..Waiting::default() });
        assert_eq!(said(0), "Nothing of yours waits for its first step.");
        assert_eq!(said(1), "One video of yours waits for its first step.");
        assert_eq!(said(1234), "1,234 videos of yours wait for their first step.");
        assert_eq!(said(OWN_COUNTED_MAX), "10,000 videos or more of yours wait for their first step.");
    }

    #[test]
    fn who_cancels_all_that_waits_is_told_what_becomes_of_batches() {
        let of = |jobs| Waiting { jobs, billed: VideoTime::from_ms(2000 * jobs) };
        let said = |all, of_batches| consequence(OwnWaiting { all: of(all), of_batches: of(of_batches) });
        assert!(said(3, 2).starts_with("This cancels 1 video of yours for good. Nothing is charged for its 2 video-seconds. "));
        assert!(said(3, 2).ends_with("Those of batches stay: they are cancelled with their batch."));
        assert!(said(3, 0).contains("3 videos of yours") && said(3, 0).ends_with("Videos that are being made go on."));
        assert!(said(OWN_COUNTED_MAX, 1000).contains(" 9,000 videos or more of yours"));
    }
}
