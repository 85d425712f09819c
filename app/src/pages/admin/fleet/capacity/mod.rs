//! The capacity planner: how long jobs wait by how full the fleet is, what tenants may be promised, and what it costs.

mod answer;
mod form;
mod rates;
mod typed;

use crate::{
    components::{frame::Frame, moment::Moment},
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice},
};
use answer::Answer;
use domain::Actor;
use form::Form;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use rates::Rates;
use service::{
    AccessError,
    operator::capacity::{CapacityAnswer, CapacityQuestion, CapacityRefused, Guess, LiveCapacity},
};
use typed::{Typed, Wrong};

const PAGE: &str = "/admin/capacity";

#[component]
pub fn CapacityPage() -> impl IntoView {
    let query = http::query();
    let sent = Typed::sent(|name| query.get(name));
    let back = http::here().split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default();
    page(async move {
        let viewer = session::require_operator().await?;
        let (services, actor) = (session::services(), viewer.installation_actor());
        let live = services.capacity_question(actor).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let is_live = sent.is_none();
        let typed = sent.unwrap_or_else(|| Typed::of(&live.question));
        let (wrong, answer) = match typed.question() {
            Ok(question) => answered(actor, &question).await?,
            Err(wrong) => (wrong, None),
        };
        let plans = services.plan_versions(actor).await?;
        let notes = live.guesses.iter().map(|guess| view! { <li>{guessed(*guess)}</li> }).collect_view();
        let has_notes = is_live && !live.guesses.is_empty();
        let LiveCapacity { at, .. } = live;
        let rate = answer.as_ref().and_then(|answer| answer.plan.release_rate);
        let refused = (!wrong.is_empty()).then_some("Some of it cannot be planned: see below. Nothing that you typed is lost.");
        let answer = answer.map(|answer| {
            view! {
                <Answer answer live />
                <Rates plans rate back />
            }
        });
        Ok(view! {
            <Frame title="Capacity" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Capacity"</h1>
                    <p class="lead">"What a fleet can do, how long jobs wait for it, and what that costs. It begins with the workers that are there and what came of late, as of "<Moment at=at />"."</p>
                </header>
                <SaidNotice said=&said form="rates" />
                {refused.map(|refused| view! { <p class="notice" role="alert">{refused}</p> })}
                {has_notes.then(|| view! { <div class="notice plain"><p>"Not all of it is known:"</p><ul class="rules">{notes}</ul></div> })}
                <Form typed wrong />
                {answer}
            </Frame>
        })
    })
}

/// What the planner says, or what it refuses.
async fn answered(actor: Actor, question: &CapacityQuestion) -> Result<(Wrong, Option<CapacityAnswer>), Fault> {
    match session::services().capacity(actor, question).await {
        Ok(answer) => Ok((Wrong::default(), Some(answer))),
        Err(CapacityRefused::Forbidden(error)) => Err(error.into()),
        Err(CapacityRefused::Store(error)) => Err(AccessError::from(error).into()),
        // Whatever was refused was checked before.
        Err(error) => Err(Fault::internal(&error)),
    }
}

const fn guessed(guess: Guess) -> &'static str {
    match guess {
        Guess::NoWorkers => "No worker takes jobs: one is planned.",
        Guess::NoJobs => "Nothing came within a day: as much is planned as fills 60 % of the workers.",
        Guess::NoJobsLately => "Nothing came within the hour: the mean of the day is planned.",
        Guess::NotMeasured => "What a model takes was not measured yet: an hour of a device is planned for a minute of video.",
        Guess::TooManyRows => "There are more kinds of devices or models than are planned at once: the largest are.",
    }
}
