//! The planner's form: a fleet, what comes to it, and what a worker on demand costs. It is sent by its address, so a plan can be shared.

use super::typed::{Typed, Wrong, hidden, name_of};
use leptos::prelude::*;
use service::operator::capacity::{CAPACITY_ROWS_MAX, CapacityField};

/// A field of a row, and what it is called.
type Cell = (fn(usize) -> CapacityField, &'static str, &'static str);

const KIND: [Cell; 4] = [
    (CapacityField::Kind, "Kind of device", ""),
    (CapacityField::Workers, "Workers", "numeric"),
    (CapacityField::Speed, "Speed", "decimal"),
    (CapacityField::Price, "Price of an hour", "decimal"),
];
const MODEL: [Cell; 4] = [
    (CapacityField::Model, "Model", ""),
    (CapacityField::Share, "Share of the video", "decimal"),
    (CapacityField::DeviceTime, "Device-seconds a video-minute", "decimal"),
    (CapacityField::Length, "Seconds of a video", "decimal"),
];

#[component]
pub fn Form(typed: Typed, wrong: Wrong) -> impl IntoView {
    let [kinds, models] = typed.rows();
    // One more, to add something.
    let lines = |cells: &'static [Cell; 4], rows: usize| {
        (0..(rows + 1).min(CAPACITY_ROWS_MAX)).map(|row| line(&typed, &wrong, cells, row)).collect_view()
    };
    let (kinds, models) = (lines(&KIND, kinds), lines(&MODEL, models));
    let kept = (0..CAPACITY_ROWS_MAX).flat_map(hidden).filter(|name| !typed.text(name).is_empty());
    let kept = kept.map(|name| view! { <input type="hidden" name=name.clone() value=typed.text(&name) /> }).collect_view();
    let field = |of: CapacityField, label: &'static str, hint: &'static str| field(&typed, &wrong, &name_of(of), label, hint, "decimal");
    let currency = self::field(&typed, &wrong, "currency", "Currency of the prices", "Its code, such as usd.", "");
    let work = [
        field(CapacityField::Load, "Video-minutes an hour", "All models and lanes together."),
        field(CapacityField::Batch, "Of that, batches, in %", ""),
        field(CapacityField::Tenants, "Batch tenants at once", "Whose batches run at the same time."),
        field(CapacityField::Slots, "Jobs at once on a worker", "Its sampling slots."),
    ];
    let demand = [
        field(
            CapacityField::OnDemandPrice,
            "Price of an hour of a worker on demand",
            "Empty: as much as the kind of device with most workers.",
        ),
        field(CapacityField::ColdStart, "Cold start, in seconds", "From asking for a worker until it begins its first job."),
        field(CapacityField::ColdStarts, "Cold starts a day", ""),
    ];
    view! {
        <form class="card planner" method="get" action=super::PAGE>
            {kept}
            <fieldset>
                <legend>"Fleet"</legend>
                <p class="hint">"A speed of 2 is twice as fast as what the device-seconds below were measured on. An empty row is left out."</p>
                {kinds}
                <div class="line">{currency}</div>
            </fieldset>
            <fieldset>
                <legend>"What comes"</legend>
                {models}
                <div class="line">{work.into_iter().collect_view()}</div>
            </fieldset>
            <fieldset>
                <legend>"One more worker"</legend>
                <div class="line">{demand.into_iter().collect_view()}</div>
            </fieldset>
            <p class="row">
                <button class="button">"Plan"</button>
                <a class="button quiet" href=super::PAGE>"As it is live"</a>
            </p>
        </form>
    }
}

fn line(typed: &Typed, wrong: &Wrong, cells: &[Cell; 4], row: usize) -> impl IntoView + use<> {
    let cells = cells.iter().map(|(of, label, mode)| field(typed, wrong, &name_of(of(row)), label, "", mode));
    view! { <div class="line">{cells.collect_view()}</div> }
}

fn field(typed: &Typed, wrong: &Wrong, name: &str, label: &'static str, hint: &'static str, mode: &'static str) -> AnyView {
    let (id, error) = (format!("plan-{name}"), wrong.of(name));
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let described = [(!hint.is_empty()).then(|| hint_id.clone()), error.is_some().then(|| error_id.clone())];
    let described = described.into_iter().flatten().collect::<Vec<_>>().join(" ");
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <input
                id=id
                name=name.to_owned()
                value=typed.text(name)
                inputmode=(!mode.is_empty()).then_some(mode)
                autocomplete="off"
                aria-invalid=error.is_some().then_some("true")
                aria-describedby=(!described.is_empty()).then_some(described)
            />
            {(!hint.is_empty()).then(|| view! { <p class="hint" id=hint_id>{hint}</p> })}
            {error.map(|error| view! { <p class="error" id=error_id>{error}</p> })}
        </div>
    }
    .into_any()
}
