//! How the installation fares: workers, models, queue, expected times, latency, failures, slow requests and rows that cannot be read.

use super::{
    failures::FailuresSection, latency::LatencySection, models::ModelsSection, queue::QueueSection, requests::RequestsSection,
    times::TimesSection, unreadable::UnreadableSection, workers::WorkersSection,
};
use crate::{
    components::{frame::Frame, moment::Moment},
    pages::fault::page,
    session,
};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::operator::Overview;

#[component]
pub fn OverviewPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let overview = session::services().overview(viewer.installation_actor()).await?;
        let Overview {
            now,
            workers,
            models,
            load,
            waits,
            finished,
            failed,
            latency,
            eta_coverage,
            stage_times,
            failures,
            slow_requests,
            unreadable_rows,
        } = overview;
        Ok(view! {
            <Frame title="Overview" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <header class="page-head">
                    <h1>"Overview"</h1>
                    <p class="lead">"For the operator of this Reelmill alone. Deleted videos are not counted. As of "<Moment at=now />"."</p>
                </header>
                <WorkersSection workers now />
                <ModelsSection models />
                <QueueSection load waits finished />
                <TimesSection coverage=eta_coverage stage_times />
                <LatencySection latency />
                <FailuresSection failures failed now />
                <RequestsSection requests=slow_requests now />
                <UnreadableSection rows=unreadable_rows now />
            </Frame>
        })
    })
}
