//! The queue for its operator: what waits where, who had what share, and what is paused, moved, tried again or put into quarantine.

mod forms;
mod jobs;
mod numbers;

use super::section::{Section, shown};
use crate::{
    components::{acts::Acts, frame::Frame, moment::Moment},
    http,
    pages::fault::page,
    session::{self, SaidNotice},
};
use domain::JobId;
use forms::{JobForm, PauseForm, Pauses};
use jobs::{Longest, Quarantined};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use numbers::{Depths, Tenants, Throttled};
use service::operator::QueueDesk;

pub(super) const PAGE: &str = "/admin/queue";

/// What is counted, in three sections.
fn numbers_of(numbers: service::operator::Part<service::operator::QueueNumbers>, now: domain::Timestamp) -> impl IntoView {
    let (depths, tenants, throttled) = match numbers {
        Ok(numbers) => {
            (Ok((numbers.lines, numbers.jobs, numbers.is_part)), Ok(numbers.tenants), Ok((numbers.throttled, numbers.throttled_is_part)))
        }
        Err(error) => (Err(error.clone()), Err(error.clone()), Err(error)),
    };
    view! {
        <Section id="depth" title="What waits">{shown(depths, |(lines, jobs, is_part)| view! { <Depths lines jobs is_part now /> }.into_any())}</Section>
        <Section id="shares" title="Shares of tenants">{shown(tenants, |tenants| view! { <Tenants tenants now /> }.into_any())}</Section>
        <Section id="throttled" title="Throttled">{shown(throttled, |(works, is_part)| view! { <Throttled works is_part now /> }.into_any())}</Section>
    }
}

#[component]
pub fn QueueControlPage() -> impl IntoView {
    let query = http::query();
    let after: Option<JobId> = query.get("after").and_then(|id| id.parse().ok());
    let asked = query.get("job").unwrap_or_default();
    page(async move {
        let viewer = session::require_operator().await?;
        let services = session::services();
        let desk = Box::pin(services.queue_desk(viewer.installation_actor(), after)).await?;
        let models: Vec<_> = services.catalog().await?.models().iter().map(|model| model.id.clone()).collect();
        let said = session::said(PAGE, Some(viewer.id));
        let typed = |name| said.field("queue", name).unwrap_or_default();
        let (subject, reason, act) = (typed("subject"), typed("reason"), typed("act"));
        let job = if subject.starts_with("job_") { subject.clone() } else { asked };
        let QueueDesk { now, numbers, pauses, quarantined, longest, acts } = desk;
        let numbers = numbers_of(numbers, now).into_any();
        let (why, chosen) = (reason.clone(), subject);
        let pauses = shown(pauses, |pauses| view! { <Pauses pauses now /> }.into_any());
        let longest = shown(longest, |longest| view! { <Longest longest is_first=after.is_none() now /> }.into_any());
        let quarantined = shown(quarantined, |jobs| view! { <Quarantined jobs now /> }.into_any());
        let acts = shown(acts, |acts| view! { <Acts label="The newest acts upon the queue" acts now with_names=true /> }.into_any());
        Ok(view! {
            <Frame title="Queue" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Queue"</h1>
                    <p class="lead">"What waits for a machine, and what you can do about it. Everything you do here is written down. Workers are drained on the page of the "<a href="/admin/fleet">"fleet"</a>". As of "<Moment at=now />"."</p>
                </header>
                <SaidNotice said=&said form="queue" />
                <Section id="paused" title="Paused">
                    {pauses}
                    <PauseForm models chosen reason=why />
                </Section>
                {numbers}
                <Section id="waiting" title="Waiting longest">{longest}</Section>
                <Section id="quarantine" title="In quarantine">{quarantined}</Section>
                <Section id="job" title="One video"><JobForm job act reason /></Section>
                <Section id="acts" title="What was done">{acts}</Section>
            </Frame>
        }
        .into_any())
    })
}
