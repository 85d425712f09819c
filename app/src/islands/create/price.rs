//! The ticket beside the form: what the job will cost and how long it will take, before the click.

use super::{Form, submit::expected_time};
use crate::words;
use domain::{Eta, JobSpec, NoEta, Quote, Shape, VideoTime, billing::Balance};
use leptos::{
    leptos_dom::helpers::{IntervalHandle, TimeoutHandle},
    prelude::*,
    task::spawn_local,
};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(250);
/// How old the expected time gets on a page that is looked at.
const REFRESH: Duration = Duration::from_secs(25);

/// The time a job would take; `None` while the server does not tell.
pub type Expected = Option<Result<Eta, NoEta>>;

/// The job that the form describes, and its price.
type Priced = Memo<Option<(JobSpec, Quote)>>;

#[component]
pub fn PriceAndTime(form: Form, eta: RwSignal<Expected>, balance: StoredValue<Option<Balance>>) -> impl IntoView {
    let priced = form.priced;
    keep_expected(priced, eta);
    let price = Memo::new(move |_| priced.with(|priced| priced.as_ref().map(|(_, quote)| quote.billed)));
    let figure = move || price.get().map_or_else(|| "–".into(), |price| price.to_string());
    let unit = move || price.get().map(|price| format!(" {}", words::unit_of(price)));
    let expected = move || price.get().map(|_| eta.get());
    let time = move || match expected().flatten() {
        None => "–".to_owned(),
        Some(Ok(eta)) => words::about(eta.p50_ms),
        Some(Err(NoEta::NoWorker)) => "No machine is running".to_owned(),
        Some(Err(NoEta::Paused)) => "Paused by the operator".to_owned(),
        Some(Err(_)) => "No estimate yet".to_owned(),
    };
    view! {
        <dl class="ticket">
            <div>
                <dt>"Price"</dt>
                <dd><output class="figure">{figure}</output>{unit}</dd>
                <dd class="hint">{move || priced.with(|priced| sum(priced.as_ref()))}</dd>
                <dd class="hint" id="outlook">{move || outlook(price.get(), balance)}</dd>
            </div>
            <div>
                <dt>"Ready in"</dt>
                <dd><output class="figure" class:words=move || matches!(expected(), Some(Some(Err(_))))>{time}</output></dd>
                <dd class="hint">{move || bound(expected())}</dd>
            </div>
        </dl>
    }
}

/// The small print of the ticket, for where it has no room for it.
#[component]
pub fn Notes(form: Form, eta: RwSignal<Expected>, balance: StoredValue<Option<Balance>>) -> impl IntoView {
    let priced = form.priced;
    view! {
        <div class="notes hint">
            <p>{move || priced.with(|priced| match priced {
                Some(_) => format!("The price: {}.", sum(priced.as_ref())),
                None => sum(None),
            })}</p>
            <p>{move || outlook(priced.with(|priced| priced.as_ref().map(|(_, quote)| quote.billed)), balance)}</p>
            <p>{move || bound(priced.with(Option::is_some).then(|| eta.get()))}</p>
            <p>{move || super::promise(form.noun())}</p>
        </div>
    }
}

fn sum(priced: Option<&(JobSpec, Quote)>) -> String {
    priced.map_or_else(|| "Correct the marked field to see the price.".into(), |(spec, quote)| words::sum(quote, spec.is_image()))
}

/// What the price means for who pays it, and the way to more where it is too much.
fn outlook(price: Option<VideoTime>, balance: StoredValue<Option<Balance>>) -> Option<impl IntoView> {
    let outlook = balance.with_value(|balance| Some(balance.as_ref()?.outlook(price?)))?;
    let is_for_plan = outlook.beyond_plan.is_some() || outlook.missing > VideoTime::default();
    let more = match outlook.beyond_limit {
        Some(_) if outlook.beyond_plan.is_none() => Some(("/limits", "Limits and alerts")),
        _ => is_for_plan.then_some(("/plan", "Plan and credit")),
    };
    let more = more.map(|(href, name)| view! { " "<a href=href>{name}</a> });
    Some(view! { <>{words::outlook(&outlook)?}{more}</> })
}

/// `None` for a job that cannot be made.
fn bound(expected: Option<Expected>) -> String {
    let Some(told) = expected else { return String::new() };
    match told {
        None => "The time cannot be told right now.".to_owned(),
        Some(Ok(eta)) => format!("Nine of ten take at most {}, queue included.", words::about(eta.p90_ms)),
        Some(Err(NoEta::OtherModels)) => "Jobs of another model are ahead.".to_owned(),
        Some(Err(NoEta::NoWorker)) => "You can submit all the same: it waits in line, and starts when a machine is back.".to_owned(),
        Some(Err(NoEta::Paused)) => "You can submit all the same: it waits in line until the operator goes on.".to_owned(),
        Some(Err(_)) => "Nothing like this has been timed so far.".to_owned(),
    }
}

/// What the expected time depends on.
type Asked = (String, Shape, u32);

/// Asks for the expected time again: a moment after the shape of the job has changed, also by a draft that came
/// back, and now and then while the page is looked at.
fn keep_expected(priced: Priced, eta: RwSignal<Expected>) {
    let shape = Memo::new(move |_| priced.with(|priced| priced.as_ref().map(|(spec, _)| (spec.model.clone(), spec.shape(), spec.steps))));
    // The server has told the time of what it drew.
    let drawn = shape.get_untracked();
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<Option<Asked>>| {
        let now = shape.get();
        if now != before.unwrap_or_else(|| drawn.clone()) {
            waiting.update_value(|waiting| waiting.take().iter().for_each(TimeoutHandle::clear));
            waiting.set_value(set_timeout_with_handle(move || ask(shape, eta), PAUSE).ok());
        }
        now
    });
    Effect::new(move |_| {
        let refresh = move || {
            if !document().hidden() {
                ask(shape, eta);
            }
        };
        let clock = set_interval_with_handle(refresh, REFRESH).ok();
        let listener = window_event_listener_untyped("visibilitychange", move |_| refresh());
        on_cleanup(move || {
            clock.iter().for_each(IntervalHandle::clear);
            listener.remove();
        });
    });
}

fn ask(shape: Memo<Option<Asked>>, eta: RwSignal<Expected>) {
    let Some(asked) = shape.try_get_untracked().flatten() else { return };
    spawn_local(async move {
        let (model, Shape { size, duration }, steps) = asked.clone();
        let answer = expected_time(model, size.to_string(), Some(duration.ms()), steps).await;
        // The form may have moved on meanwhile.
        if shape.try_get_untracked().flatten() == Some(asked) {
            eta.try_set(answer.ok());
        }
    });
}
