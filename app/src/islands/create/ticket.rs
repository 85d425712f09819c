//! The ticket beside the form: what the job will cost and how long it will take, before the click.

use super::submit::expected_time;
use crate::words;
use domain::{
    JobRequest, JobSpec, Seed, SpecError, quote,
    scheduling::{Eta, NoEta},
};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(250);

/// The job the form describes, whatever its prompt: the price does not depend on it.
pub fn shape(request: &JobRequest) -> Result<JobSpec, SpecError> {
    JobRequest { prompt: "-".into(), ..request.clone() }.parse(Seed::ZERO)
}

#[component]
pub fn Ticket(request: RwSignal<JobRequest>, eta: RwSignal<Result<Eta, NoEta>>) -> impl IntoView {
    let spec = Memo::new(move |_| request.with(|request| shape(request).ok()));
    keep_expected(spec, eta);
    let price = Memo::new(move |_| spec.with(|spec| spec.as_ref().map(|spec| quote(spec).billed)));
    let figure = move || price.get().map_or_else(|| "–".into(), |price| price.to_string());
    let unit = move || price.get().map(|price| format!(" {}", words::unit_of(price)));
    let expected = move || price.get().map(|_| eta.get());
    let time = move || match expected() {
        None => "–".to_owned(),
        Some(Ok(eta)) => words::about(eta.p50_ms),
        Some(Err(NoEta::NoWorker)) => "No machine is running".to_owned(),
        Some(Err(_)) => "No estimate yet".to_owned(),
    };
    view! {
        <dl class="ticket">
            <div>
                <dt>"Price"</dt>
                <dd><output class="figure">{figure}</output>{unit}</dd>
                <dd class="hint">{move || spec.with(|spec| sum(spec.as_ref()))}</dd>
            </div>
            <div>
                <dt>"Ready in"</dt>
                <dd><output class="figure" class:words=move || matches!(expected(), Some(Err(_)))>{time}</output></dd>
                <dd class="hint">{move || bound(expected())}</dd>
            </div>
        </dl>
    }
}

/// The small print of the ticket, for where it has no room for it.
#[component]
pub fn Notes(request: RwSignal<JobRequest>, eta: RwSignal<Result<Eta, NoEta>>) -> impl IntoView {
    let spec = Memo::new(move |_| request.with(|request| shape(request).ok()));
    view! {
        <div class="notes hint">
            <p>{move || spec.with(|spec| spec.as_ref().map(|spec| format!("The price: {}.", sum(Some(spec)))))}</p>
            <p>{move || bound(spec.with(Option::is_some).then(|| eta.get()))}</p>
            <p>{super::PROMISE}</p>
        </div>
    }
}

fn sum(spec: Option<&JobSpec>) -> String {
    spec.map_or_else(|| "Correct the marked field to see the price.".into(), |spec| words::sum(&quote(spec)))
}

fn bound(expected: Option<Result<Eta, NoEta>>) -> String {
    match expected {
        None => String::new(),
        Some(Ok(eta)) => format!("Nine of ten take at most {}, queue included.", words::about(eta.p90_ms)),
        Some(Err(NoEta::NoWorker)) => "You can submit all the same: it waits in line, and starts when a machine is back.".to_owned(),
        Some(Err(_)) => "No video like this one has been timed so far.".to_owned(),
    }
}

/// Asks for the expected time again, a moment after the shape of the job has changed.
fn keep_expected(spec: Memo<Option<JobSpec>>, eta: RwSignal<Result<Eta, NoEta>>) {
    let shape = Memo::new(move |_| spec.with(|spec| spec.as_ref().map(|spec| (spec.model.clone(), spec.size, spec.steps))));
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<Option<_>>| {
        let now = shape.get();
        if let Some(asked) = now.clone().filter(|_| before.is_some_and(|before| before != now)) {
            waiting.update_value(|waiting| waiting.take().iter().for_each(TimeoutHandle::clear));
            let ask = move || {
                spawn_local(async move {
                    let (model, size, steps) = asked.clone();
                    let answer = expected_time(model, size.to_string(), steps).await;
                    // The form may have moved on meanwhile.
                    if let (Ok(answer), Some(Some(now))) = (answer, shape.try_get_untracked())
                        && now == asked
                    {
                        eta.try_set(answer);
                    }
                });
            };
            waiting.set_value(set_timeout_with_handle(ask, PAUSE).ok());
        }
        now
    });
}
