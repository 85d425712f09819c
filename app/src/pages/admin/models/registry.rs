//! The registry of models: where each is in memory, what that costs, what waits for it, and how long it is kept there.

use super::super::{section::empty, workers::short};
use crate::{
    components::{
        field::Field,
        frame::Frame,
        moment::{Ago, Moment},
        table::Table,
    },
    fault::Fault,
    http,
    pages::fault::{escaped, page},
    session::{self, Said, SaidNotice},
    words,
};
use domain::Timestamp;
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    Asked, HeldState, LoadCost, ModelRule, PlacementChange,
    placement::{ModelPlace, PlaceModelError, RegisteredModel, Registry, minutes, rule_of},
};

const PAGE: &str = "/admin/models";
const FORM: &str = "rule";
const PINNED: &str = "pinned";
const KEEP_WARM: &str = "keep_warm";
const HEADS: [&str; 7] = ["Model", "On offer", "In memory", "Waiting", "Pinned on", "Unloaded", ""];
const PLACE_HEADS: [&str; 7] = ["Model", "Worker", "Device", "State", "Memory", "Jobs", "Why"];
const COST_HEADS: [&str; 7] = ["Model", "Device", "Loading", "Unloading", "Memory", "Loaded", "A video-second"];
const CHANGE_HEADS: [&str; 5] = ["When", "Worker", "Device", "Change", "Why"];

#[server(prefix = "/api", endpoint = "place-model")]
pub async fn place_model(model: String, #[server(default)] pinned: String, #[server(default)] keep_warm: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let address = http::visitor_address();
    let by = Asked { user: viewer.id, address: &address };
    let placed = match rule_of(&pinned, &keep_warm) {
        Ok(rule) => session::services().place_model(viewer.installation_actor(), Some(by), &model, rule).await,
        Err(problem) => Err(problem),
    };
    let (outcome, wrong) = match placed {
        Ok(()) => (Ok("Saved. Workers follow within seconds.".to_owned()), ""),
        Err(PlaceModelError::Forbidden(error)) => return Err(error.into()),
        Err(PlaceModelError::Store(error)) => return Err(error.into()),
        Err(error) => {
            let wrong = match error {
                PlaceModelError::Pinned => PINNED,
                PlaceModelError::KeepWarm => KEEP_WARM,
                _ => "",
            };
            (Err(format!("{}. Nothing was changed.", words::sentence(&error.to_string()))), wrong)
        }
    };
    let typed = [("model", &*model), (PINNED, &pinned), (KEEP_WARM, &keep_warm), ("wrong", wrong)];
    let is_refused = outcome.is_err();
    session::say_of_fields(PAGE, Some(viewer.id), FORM, outcome, &typed);
    let shown = if is_refused { format!("{PAGE}?model={}#edit", escaped(&model)) } else { PAGE.to_owned() };
    leptos_axum::redirect(&shown);
    Ok(())
}

#[component]
pub fn ModelsPage() -> impl IntoView {
    let chosen = http::query().get("model");
    page(async move {
        let viewer = session::require_operator().await?;
        let Registry { now, models, changes } = session::services().model_registry(viewer.installation_actor()).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let is_of_field = said.field(FORM, "wrong").is_some_and(|wrong| !wrong.is_empty());
        let edited = chosen.as_ref().and_then(|chosen| models.iter().find(|model| model.offered.model.id == *chosen));
        let is_missing = chosen.is_some() && edited.is_none() && !said.is_said();
        let edit = edited.map(|model| view! { <Edit id=model.offered.model.id.clone() name=model.offered.model.name.clone() rule=model.rule said=said.clone() /> });
        let (places, costs) = (places(&models, now), costs(&models));
        let rows = models.into_iter().map(|model| view! { <Row model /> }).collect::<Vec<_>>();
        let list = if rows.is_empty() {
            empty("No model yet. Put a folder with its weights and a manifest.json among the models, then restart the server.")
        } else {
            view! { <Table label="List of models" heads=&HEADS>{rows}</Table> }.into_any()
        };
        Ok(view! {
            <Frame title="Models" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Models"</h1>
                    <p class="lead">"Which models are in the memory of which worker, what loading them takes, and how long they stay. Workers that were told how much memory their device has load and unload models by what waits for them; others keep all that they have."</p>
                </header>
                {(!is_of_field).then(|| view! { <SaidNotice said=&said form=FORM /> })}
                {is_missing.then(|| view! { <p class="notice" role="alert">"There is no such model."</p> })}
                {list}
                {edit}
                <section class="stack" aria-labelledby="places">
                    <h2 id="places">"In memory"</h2>
                    {places}
                </section>
                <section class="stack" aria-labelledby="costs">
                    <h2 id="costs">"What they take"</h2>
                    {costs}
                </section>
                <section class="stack" aria-labelledby="changes">
                    <h2 id="changes">"Last changes"</h2>
                    <Changes changes />
                </section>
            </Frame>
        })
    })
}

#[component]
fn Row(model: RegisteredModel) -> impl IntoView {
    let RegisteredModel { offered, places, queued, rule, .. } = model;
    let edit = format!("{PAGE}?model={}#edit", escaped(&offered.model.id));
    let label = format!("Change {}", offered.model.name);
    view! {
        <tr>
            <th scope="row">{offered.model.name}" "<code>{offered.model.id}</code></th>
            <td data-head=HEADS[1]>{if offered.is_offered { "yes" } else { "no" }}</td>
            <td data-head=HEADS[2]>{whereabouts(&places)}</td>
            <td data-head=HEADS[3] class="number">{domain::grouped(queued)}</td>
            <td data-head=HEADS[4]>{pinned(rule)}</td>
            <td data-head=HEADS[5]>{kept(rule)}</td>
            <td><a href=edit aria-label=label>"Change"</a></td>
        </tr>
    }
}

#[component]
fn Edit(id: String, name: String, rule: ModelRule, said: Said) -> impl IntoView {
    let is_of_this = said.field(FORM, "model").is_some_and(|model| model == id);
    let typed = |field: &str, known: String| said.field(FORM, field).filter(|_| is_of_this).unwrap_or(known);
    let wrong = |field: &str| said.field(FORM, "wrong").filter(|wrong| is_of_this && wrong == field).map(|_| said.text());
    view! {
        <section class="stack" aria-labelledby="edit">
            <h2 id="edit">{format!("Change {name}")}</h2>
            <form class="card plan-form" method="post" action=PlaceModel::url() data-stays>
                <input type="hidden" name="model" value=id.clone() />
                <Field name=PINNED label="Pinned on so many workers" value=typed(PINNED, rule.pinned_workers.to_string()) autocomplete="off"
                    hint="On these it stays warm, whatever else waits. 0: none." error=wrong(PINNED) />
                <Field name=KEEP_WARM label="Unloaded after so many minutes unused" value=typed(KEEP_WARM, minutes(rule)) autocomplete="off"
                    hint="Or: never. It makes room sooner where another model needs its memory." error=wrong(KEEP_WARM) />
                <p class="wide row"><button class="button">"Save"</button>" "<a class="button quiet" href=PAGE>"Cancel"</a></p>
            </form>
        </section>
    }
}

/// Workers with a model in memory, and those that could not load one.
fn places(models: &[RegisteredModel], now: Timestamp) -> AnyView {
    let rows = models.iter().flat_map(|model| {
        let is_told = |place: &&ModelPlace| place.held.state != HeldState::Absent;
        model.places.iter().filter(is_told).map(|place| (model.offered.model.id.clone(), place.clone()))
    });
    let rows: Vec<_> = rows.map(|(model, place)| view! { <Place model place now /> }).collect();
    if rows.is_empty() {
        return empty("No worker has a model in its memory.");
    }
    view! { <Table label="Models in memory" heads=&PLACE_HEADS>{rows}</Table> }.into_any()
}

#[component]
fn Place(model: String, place: ModelPlace, now: Timestamp) -> impl IntoView {
    let ModelPlace { worker, device, held, reason } = place;
    let id = worker.to_string();
    let is_bad = matches!(held.state, HeldState::Failed { .. });
    let why = match &held.state {
        HeldState::Failed { problem } => problem.clone(),
        _ => reason.unwrap_or_else(|| "it keeps all that it has".to_owned()),
    };
    view! {
        <tr>
            <th scope="row"><code>{model}</code></th>
            <td data-head=PLACE_HEADS[1] class="mono"><span title=id.clone()>{short(&id)}</span></td>
            <td data-head=PLACE_HEADS[2]>{device}</td>
            <td data-head=PLACE_HEADS[3] class:bad=is_bad>{state(&held.state)}" "<span class="hint"><Ago at=held.since now /></span></td>
            <td data-head=PLACE_HEADS[4] class="number">{megabytes(held.memory_bytes)}</td>
            <td data-head=PLACE_HEADS[5] class="number">{held.running}</td>
            <td data-head=PLACE_HEADS[6] class="wraps">{why}</td>
        </tr>
    }
}

/// By kind of device, what was measured of loading and of work.
fn costs(models: &[RegisteredModel]) -> AnyView {
    let rows: Vec<_> = models.iter().flat_map(|model| costs_of(model).into_iter().map(|cost| view! { <Cost cost /> })).collect();
    if rows.is_empty() {
        return empty("No worker has loaded a model yet.");
    }
    view! { <Table label="What models take" heads=&COST_HEADS>{rows}</Table> }.into_any()
}

/// What loading takes, and the milliseconds of a device for a second of video.
type CostRow = (LoadCost, Option<f64>);

fn costs_of(model: &RegisteredModel) -> Vec<CostRow> {
    let pace = |device: &str| model.paces.iter().find(|(known, _)| known == device).map(|(_, pace)| *pace);
    let loaded = model.loads.iter().map(|load| (load.clone(), pace(&load.device)));
    let is_loaded = |device: &str| model.loads.iter().any(|load| load.device == device);
    // Measured before loads were, or a device that is gone.
    let unloaded = model.paces.iter().filter(|(device, _)| !is_loaded(device)).map(|(device, pace)| {
        let (id, device) = (model.offered.model.id.clone(), device.clone());
        (LoadCost { model: id, device, load_ms: None, unload_ms: None, memory_bytes: None, loads: 0 }, Some(*pace))
    });
    loaded.chain(unloaded).collect()
}

#[component]
fn Cost(cost: CostRow) -> impl IntoView {
    let (LoadCost { model, device, load_ms, unload_ms, memory_bytes, loads }, pace) = cost;
    let ms = |ms: Option<u64>| ms.map_or_else(|| "—".to_owned(), seconds);
    view! {
        <tr>
            <th scope="row"><code>{model}</code></th>
            <td data-head=COST_HEADS[1]>{device}</td>
            <td data-head=COST_HEADS[2] class="number">{ms(load_ms)}</td>
            <td data-head=COST_HEADS[3] class="number">{ms(unload_ms)}</td>
            <td data-head=COST_HEADS[4] class="number">{memory_bytes.map_or_else(|| "—".to_owned(), megabytes)}</td>
            <td data-head=COST_HEADS[5] class="number">{words::count(loads, "time", "times")}</td>
            <td data-head=COST_HEADS[6] class="number">{pace.map_or_else(|| "—".to_owned(), |pace| format!("{} of the device", seconds(pace.round() as u64)))}</td>
        </tr>
    }
}

#[component]
fn Changes(changes: Vec<PlacementChange>) -> impl IntoView {
    if changes.is_empty() {
        return empty("Nothing was loaded or unloaded by a plan yet.");
    }
    let rows = changes.into_iter().map(|change| {
        let id = change.worker.to_string();
        let what = if change.is_load { "Load" } else { "Unload" };
        view! {
            <tr>
                <th scope="row"><Moment at=change.at /></th>
                <td data-head=CHANGE_HEADS[1] class="mono"><span title=id.clone()>{short(&id)}</span></td>
                <td data-head=CHANGE_HEADS[2]>{change.device}</td>
                <td data-head=CHANGE_HEADS[3]>{what}" "<code>{change.model}</code></td>
                <td data-head=CHANGE_HEADS[4] class="wraps">{change.reason}</td>
            </tr>
        }
    });
    view! { <Table label="Changes of placement" heads=&CHANGE_HEADS>{rows.collect_view()}</Table> }.into_any()
}

/// `warm on 2 workers, loading on 1`.
fn whereabouts(places: &[ModelPlace]) -> String {
    let count = |is: fn(&HeldState) -> bool| places.iter().filter(|place| is(&place.held.state)).count();
    let told = [
        ("warm", count(|state| *state == HeldState::Warm)),
        ("loading", count(|state| matches!(state, HeldState::Loading { .. }))),
        ("going", count(|state| *state == HeldState::Unloading)),
        ("failed", count(|state| matches!(state, HeldState::Failed { .. }))),
    ];
    let told: Vec<_> = told.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{word} on {count}")).collect();
    if told.is_empty() { "nowhere".to_owned() } else { told.join(", ") }
}

fn state(state: &HeldState) -> String {
    match state {
        HeldState::Absent => "not loaded".to_owned(),
        HeldState::Failed { .. } => "could not be loaded".to_owned(),
        HeldState::Loading { permille } => format!("loading, {} %", permille / 10),
        HeldState::Warm => "warm".to_owned(),
        HeldState::Unloading => "going".to_owned(),
    }
}

fn pinned(rule: ModelRule) -> String {
    if rule.pinned_workers == 0 { "none".to_owned() } else { words::count(rule.pinned_workers.into(), "worker", "workers") }
}

fn kept(rule: ModelRule) -> String {
    rule.keep_warm_ms
        .map_or_else(|| "never, while there is room".to_owned(), |ms| format!("after {} min unused", domain::grouped(ms / 60_000)))
}

/// In milliseconds, and in seconds from two on.
fn seconds(ms: u64) -> String {
    if ms < 2000 { format!("{ms} ms") } else { format!("{:.1} s", ms as f64 / 1000.0) }
}

/// In kilobytes below one.
fn megabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", domain::grouped(bytes.div_ceil(1000))),
        _ => format!("{} MB", domain::grouped(bytes / 1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_told_in_what_can_be_read() {
        assert_eq!([999, 1999, 12_500].map(seconds), ["999 ms", "1999 ms", "12.5 s"]);
        assert_eq!([81_328, 28_000_000_000].map(megabytes), ["82 kB", "28,000 MB"]);
    }

    #[test]
    fn a_rule_is_told_in_words() {
        let rule = |pinned_workers, keep_warm_ms| ModelRule { pinned_workers, keep_warm_ms };
        assert_eq!([rule(0, None), rule(1, None), rule(2, None)].map(pinned), ["none", "1 worker", "2 workers"]);
        assert_eq!([rule(0, None), rule(0, Some(900_000))].map(kept), ["never, while there is room", "after 15 min unused"]);
    }

    #[test]
    fn a_state_is_told_in_words() {
        let states = [HeldState::Loading { permille: 419 }, HeldState::Warm, HeldState::Failed { problem: "x".into() }];
        assert_eq!(states.each_ref().map(state), ["loading, 41 %", "warm", "could not be loaded"]);
        assert_eq!(whereabouts(&[]), "nowhere");
    }
}
