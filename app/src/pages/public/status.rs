//! How the installation fares, for everybody, where the operator wants that: its parts now and day by day, and what is said of trouble.
//!
//! It tells all the same, whoever they are, and of strangers it may be kept for a moment by whatever stands between. Who is signed in sees the
//! header of other pages above it, where that is known soon.

use crate::{
    components::{
        frame::Frame,
        moment::{Moment, iso_day},
    },
    fault::Fault,
    pages::fault::page,
    session,
};
use axum::http::{HeaderValue, header};
use domain::operations::{
    incident::Incident,
    status::{DAYS, DayMark, PartDay, PartState},
};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_meta::Stylesheet;
use service::operator::{PartStatus, StatusSeen, soon};
use std::sync::Arc;

/// A crowd that comes with trouble asks whatever keeps this.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=15");
/// Who has a session is not shown what is kept for strangers.
const BY_SESSION: HeaderValue = HeaderValue::from_static("cookie");

#[component]
pub fn StatusPage() -> impl IntoView {
    page(async move {
        let seen = session::services().public_status().await?.ok_or(Fault::NotFound)?;
        let viewer = soon(session::viewer()).await.and_then(Result::ok).flatten();
        if let Some(response) = use_context::<ResponseOptions>().filter(|_| viewer.is_none()) {
            response.insert_header(header::CACHE_CONTROL, KEPT);
            response.insert_header(header::VARY, BY_SESSION);
        }
        Ok(view! {
            <Frame title="Status" viewer class="page">
                <Stylesheet href="/status.css" />
                <Status seen />
            </Frame>
        })
    })
}

#[component]
fn Status(seen: Arc<StatusSeen>) -> impl IntoView {
    let goes_on = seen.incidents.iter().filter(|incident| incident.ended_at.is_none()).count();
    let (class, summary) = summary(&seen.parts, goes_on);
    let (current, past): (Vec<Incident>, Vec<Incident>) = seen.incidents.iter().cloned().partition(|incident| incident.ended_at.is_none());
    let parts = seen.parts.iter().cloned().map(|part| view! { <PartRow part /> });
    view! {
        <header class="page-head">
            <h1>"Status"</h1>
            <p class=format!("status-now {class}")>{summary}</p>
            <p class="hint">"As of "<Moment at=seen.now />". Load the page again to see it as it is by then."</p>
        </header>
        {(!current.is_empty()).then(|| view! {
            <section class="stack" aria-labelledby="current">
                <h2 id="current">"What goes on"</h2>
                <Incidents incidents=current />
            </section>
        })}
        <section class="stack" aria-labelledby="parts">
            <h2 id="parts">"Parts"</h2>
            <ul class="status-parts">{parts.collect_view()}</ul>
            <p class="hint">{format!("Each bar is a day, today’s on the right, for {DAYS} days. Full: all was well. Half, striped: some minutes were not. Short, dark: an hour or more without. A line: nobody looked.")}</p>
        </section>
        <section class="stack" aria-labelledby="past">
            <h2 id="past">"The last two weeks"</h2>
            {if past.is_empty() {
                view! { <p class="empty small">"No incident that is over."</p> }.into_any()
            } else {
                view! { <Incidents incidents=past /> }.into_any()
            }}
        </section>
    }
}

/// All of it in one sentence, and how that is drawn.
fn summary(parts: &[PartStatus], incidents: usize) -> (&'static str, &'static str) {
    let worst = parts.iter().filter_map(|part| part.state).max();
    match worst {
        Some(PartState::Down) => ("bad", "Something does not work."),
        Some(PartState::Degraded) => ("some", "Something works in part only."),
        _ if incidents > 0 => ("some", "There is an incident."),
        Some(PartState::Works) if parts.iter().all(|part| part.state.is_some()) => ("good", "Everything works."),
        _ => ("none", "Nobody has looked at everything within the last minutes."),
    }
}

#[component]
fn PartRow(part: PartStatus) -> impl IntoView {
    let PartStatus { part, state, days, there_permyriad } = part;
    let (class, words) = match state {
        Some(PartState::Works) => ("good", PartState::Works.words()),
        Some(PartState::Degraded) => ("some", PartState::Degraded.words()),
        Some(PartState::Down) => ("bad", PartState::Down.words()),
        None => ("none", "Not known"),
    };
    let share = there_permyriad.map(share);
    let label = described(part.name(), &days, share.as_deref());
    let bars = days.iter().map(|day| view! { <span class=format!("bar {}", mark(day))></span> }).collect_view();
    let troubled: Vec<PartDay> = days.iter().rev().filter(|day| matches!(day.mark(), DayMark::Bad | DayMark::Troubled)).copied().collect();
    view! {
        <li class="status-part">
            <p class="status-head">
                <strong>{part.name()}</strong>
                <span class=format!("status-state {class}")>{words}</span>
            </p>
            <div class="status-bars" role="img" aria-label=label>{bars}</div>
            <p class="hint status-share">{share.map_or_else(|| "Not measured so far".to_owned(), |share| format!("{share} of the time it was there"))}</p>
            {(!troubled.is_empty()).then(|| view! { <Troubled days=troubled /> })}
        </li>
    }
}

/// What the bars show to who does not see them.
#[component]
fn Troubled(days: Vec<PartDay>) -> impl IntoView {
    let rows = days.into_iter().map(|day| {
        let down = match day.down_minutes() {
            0 => "works in part, for some time".to_owned(),
            1 => "1 minute without".to_owned(),
            minutes => format!("{minutes} minutes without"),
        };
        view! { <li><time datetime=iso_day(day.day.start())>{day.day.to_string()}</time>": "{down}</li> }
    });
    view! {
        <details>
            <summary>"Days with trouble"</summary>
            <ul class="status-days">{rows.collect_view()}</ul>
        </details>
    }
}

#[component]
pub fn Incidents(incidents: Vec<Incident>) -> impl IntoView {
    let incidents = incidents.into_iter().map(|incident| {
        let Incident { title, begun_at, ended_at, updates, .. } = incident;
        let updates = updates.into_iter().map(|update| {
            view! {
                <li>
                    <p class="hint"><strong>{update.state.words()}</strong>" · "<Moment at=update.at /></p>
                    <p class="status-text" dir="auto">{update.text}</p>
                </li>
            }
        });
        view! {
            <li class="card">
                <h3 dir="auto">{title}</h3>
                <p class="hint">"Since "<Moment at=begun_at />{ended_at.map(|at| view! { ", until "<Moment at /> })}</p>
                <ol class="status-updates">{updates.collect_view()}</ol>
            </li>
        }
    });
    view! { <ul class="status-incidents">{incidents.collect_view()}</ul> }
}

fn mark(day: &PartDay) -> &'static str {
    match day.mark() {
        DayMark::Unknown => "none",
        DayMark::Good => "good",
        DayMark::Troubled => "some",
        DayMark::Bad => "bad",
    }
}

/// `99.95 %`, never rounded up to all.
fn share(permyriad: u32) -> String {
    if permyriad == 10_000 { "100 %".to_owned() } else { format!("{}.{:02} %", permyriad / 100, permyriad % 100) }
}

fn described(name: &str, days: &[PartDay], share: Option<&str>) -> String {
    let count = |mark: DayMark| days.iter().filter(|day| day.mark() == mark).count();
    let (troubled, bad, unknown) = (count(DayMark::Troubled), count(DayMark::Bad), count(DayMark::Unknown));
    let share = share.map_or_else(String::new, |share| format!(", there {share} of the time"));
    format!("{name}, {} days{share}: {troubled} with some trouble, {bad} with an hour or more without, {unknown} not measured", days.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{billing::Day, operations::status::Part};

    fn part(state: Option<PartState>) -> PartStatus {
        PartStatus { part: Part::Queue, state, days: vec![], there_permyriad: None }
    }

    #[test]
    fn the_worst_is_said_first_and_what_is_not_known_is_not_praised() {
        let said =
            |states: &[Option<PartState>], incidents| summary(&states.iter().map(|state| part(*state)).collect::<Vec<_>>(), incidents).0;
        assert_eq!(said(&[Some(PartState::Works), Some(PartState::Works)], 0), "good");
        assert_eq!(said(&[Some(PartState::Works)], 1), "some");
        assert_eq!(said(&[Some(PartState::Degraded), Some(PartState::Down)], 1), "bad");
        assert_eq!([said(&[Some(PartState::Works), None], 0), said(&[], 0)], ["none", "none"]);
    }

    #[test]
    fn bars_are_told_to_who_does_not_see_them() {
        let days = [PartDay::unseen(Day(1)), PartDay { works: 1380, down: 60, ..PartDay::unseen(Day(2)) }];
        let told = described("Queue", &days, Some(share(9583).as_str()));
        assert_eq!(told, "Queue, 2 days, there 95.83 % of the time: 0 with some trouble, 1 with an hour or more without, 1 not measured");
        assert_eq!([share(10_000), share(9999), share(5)], ["100 %", "99.99 %", "0.05 %"]);
    }
}
