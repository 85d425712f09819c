//! The things of a finished video, to be put elsewhere: what is moved stays there, and the rest is arranged around it.
//!
//! The script that takes hold of them is a file of its own, `public/arrange.js`, as what is compiled for the browser is loaded with
//! every first page. It reads where things are from `data-` attributes, and writes where they are put into one field of the form.

use crate::{
    components::frame::Frame,
    fault::Fault,
    islands::create::{SubmitVideo, fields_of, model_of, name, price_again, request_of},
    media,
    pages::fault::page,
    session, words,
};
use domain::{
    Eta, JobId, JobView, Model, NoEta, Permission, UserId, VideoTime,
    catalog::Field,
    job::{Layout, PlacedThing, ShotLayout},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::{Script, Stylesheet};
use leptos_router::hooks::use_params_map;
use service::ContentError;

const UNKNOWN: &str = "Where things are in this video is not known: it was made by an earlier version, or by a model that places no things. \
                       Make it once more to arrange it.";
const NOT_THERE: &str = "There is no picture of this video to arrange things in: it is not finished.";
const NOT_OFFERED: &str = "This video cannot be made again: its model or its settings are not on offer any more.";
const NOTHING: &str = "There is nothing in this video that could be moved.";

#[component]
pub fn ArrangePage() -> impl IntoView {
    let id = use_params_map().read_untracked().get("id").unwrap_or_default();
    page(async move {
        let viewer = session::require_viewer().await?;
        viewer.actor().require(Permission::SubmitJobs)?;
        let id: JobId = id.parse().map_err(|_| Fault::NotFound)?;
        let job = session::services().job(viewer.actor(), id).await?.ok_or(Fault::NotFound)?;
        let layout = session::services().layout(viewer.actor(), id).await;
        let catalog = session::services().catalog().await?;
        let (model, price, author) = (model_of(&catalog, &job.spec).cloned(), price_again(&catalog, &job.spec), viewer.id);
        let spec = &job.spec;
        let eta = session::services().expected_time(Some(viewer.tenant), &spec.model, spec.shape(), spec.steps).await;
        let notice = |text: &'static str| view! { <p class="notice plain">{text}</p> }.into_any();
        let content = match (layout, price) {
            (Err(ContentError::NoLayout), _) => notice(UNKNOWN),
            (Err(ContentError::NotFinished(_)), _) => notice(NOT_THERE),
            (Err(error), _) => return Err(fault(error)),
            (Ok(_), None) => notice(NOT_OFFERED),
            (Ok(layout), _) if layout.shots.iter().all(|shot| shot.things.is_empty()) => notice(NOTHING),
            (Ok(layout), Some(price)) => view! { <Arrange job layout model price eta author /> }.into_any(),
        };
        Ok(view! {
            <Frame title="Arrange" viewer=Some(viewer) class="page wide">
                <Stylesheet href="/create.css" />
                <Stylesheet href="/arrange.css" />
                <Script src="/arrange.js" type_="module" />
                <Script src="/expected-time.js" type_="module" />
                <header class="page-head">
                    <h1>"Arrange"</h1>
                    <p><a href=format!("/videos/{id}")>"Back to the video"</a></p>
                </header>
                {content}
            </Frame>
        })
    })
}

fn fault(error: ContentError) -> Fault {
    match error {
        ContentError::Forbidden(error) => error.into(),
        ContentError::Store(error) => error.into(),
        ContentError::NotFound => Fault::NotFound,
        error => Fault::internal(&error),
    }
}

/// `model`: the job's, if it is still on offer.
#[component]
fn Arrange(job: JobView, layout: Layout, model: Option<Model>, price: VideoTime, eta: Result<Eta, NoEta>, author: UserId) -> impl IntoView {
    let several = layout.shots.len() > 1;
    let shots: Vec<_> = layout.shots.iter().enumerate().map(|(index, shot)| picture(&job, index, shot, several)).collect();
    view! {
        <p id="arrange-how" class="arrange-how">
            <span class="by-mouse">
                "Drag a thing to where it is to stand. Or choose it and use the arrow keys; + and − change its size, Escape puts it back. "
            </span>
            <span class="by-touch">"Drag a thing to where it is to stand. Tap it to change its size with the buttons below the picture. "</span>
            "What you move stays exactly there, and the rest is arranged around it."
        </p>
        <noscript><p class="notice">"Arranging needs a script, which this browser does not run."</p></noscript>
        <p class="notice" role="alert" id="arrange-problem" hidden>"The picture could not be loaded. Please load this page again."</p>
        <div class="arrange-desk">
            <div class="arrange-shots">{shots}</div>
            <MakeAgain job model price eta author />
        </div>
    }
}

/// The middle of a shot, and its things.
fn picture(job: &JobView, index: usize, shot: &ShotLayout, several: bool) -> impl IntoView + use<> {
    const LABEL_CHARS: usize = 120;
    view! {
        <section class="stack">
            {several.then(|| view! { <h2>{format!("Shot {}", index + 1)}</h2> })}
            <div class=format!("screen large arrange {}", words::shape(job.spec.size))>
                <video
                    src=media::main_file(job.id, false)
                    poster=format!("/media/videos/{}/thumbnail", job.id)
                    data-seconds=shot.seconds.to_string()
                    width=job.spec.size.width
                    height=job.spec.size.height
                    aria-label=words::shortened(&job.spec.prompt, LABEL_CHARS)
                    preload="auto"
                    muted
                    playsinline
                ></video>
                {shot.things.iter().map(|thing| frame_of(index, thing, shot)).collect::<Vec<_>>()}
                <span class="thing-name" aria-hidden="true" hidden></span>
            </div>
            <Tools />
        </section>
    }
}

/// What can be done with the thing of a shot that is chosen, without keys.
#[component]
fn Tools() -> impl IntoView {
    let tool = |act: &'static str, name: &'static str, sign: &'static str| {
        view! { <button type="button" class="button quiet small" data-act=act aria-label=name disabled>{sign}</button> }
    };
    view! {
        <div class="thing-tools" role="group" aria-label="The chosen thing">
            <p class="hint" data-chosen>"No thing is chosen."</p>
            {tool("smaller", "Smaller", "−")}
            {tool("larger", "Larger", "+")}
            {tool("back", "Put it back", "Put it back")}
        </div>
    }
}

/// What stands by itself can be taken hold of; what is carried takes what carries it along when it is dragged, and goes with that.
fn frame_of(shot: usize, thing: &PlacedThing, all: &ShotLayout) -> impl IntoView + use<> {
    let name = named(thing, &all.things);
    let PlacedThing { slot, x, y, size, left, top, width, height, carried_by, .. } = *thing;
    let carrier = all.things.iter().find(|other| Some(other.slot) == carried_by).map(|carrier| named(carrier, &all.things));
    let (class, told) = match carrier {
        Some(carrier) => ("thing carried", format!("{name}, moves with the {carrier}")),
        None => ("thing", name.clone()),
    };
    let grip = carried_by
        .is_none()
        .then(|| view! { <button type="button" class="thing-grip" aria-label=name aria-describedby="arrange-how"></button> });
    let place = format!("{x} {y} {size} {left} {top} {width} {height} {}", all.zoom);
    view! {
        <div class=class data-shot=shot.to_string() data-slot=slot.to_string() data-carried-by=carried_by.map(|slot| slot.to_string()) data-place=place data-told=told>
            {grip}
        </div>
    }
}

/// With a number where several have the name.
fn named(thing: &PlacedThing, all: &[PlacedThing]) -> String {
    let alike: Vec<u32> = all.iter().filter(|other| other.name == thing.name).map(|other| other.slot).collect();
    match alike.iter().position(|slot| *slot == thing.slot) {
        Some(place) if alike.len() > 1 => format!("{} {}", thing.name, place + 1),
        _ => thing.name.clone(),
    }
}

/// The same request, and where things are put.
#[component]
fn MakeAgain(job: JobView, model: Option<Model>, price: VideoTime, eta: Result<Eta, NoEta>, author: UserId) -> impl IntoView {
    let (time, is_told, bound) = match eta {
        Ok(eta) => (words::about(eta.p50_ms), true, format!("Nine of ten take at most {}, queue included.", words::about(eta.p90_ms))),
        Err(NoEta::NoWorker) => {
            ("No machine is running".to_owned(), false, "It waits in line, and starts when a machine is back.".to_owned())
        }
        Err(_) => ("No estimate yet".to_owned(), false, String::new()),
    };
    let request = request_of(&job, model.as_ref());
    let hidden = |(name, value): (String, String)| view! { <input type="hidden" name=name value=value /> };
    let own = name(Field::Arrangement);
    let others: Vec<_> = fields_of(&request).into_iter().filter(|(name, _)| *name != own).map(hidden).collect();
    view! {
        <form method="post" action=SubmitVideo::url() class="arrange-form">
            {others}
            <input type="hidden" name=own value=request.arrangement.unwrap_or_default() id="arrangement" autocomplete="off" />
            <input type="hidden" name="remixed_from" value=job.id.to_string() />
            <input type="hidden" name="once" value=service::job::new_idempotency_key() />
            <input type="hidden" name="author" value=author.to_string() />
            <input type="hidden" name="quoted_ms" value=price.ms() />
            {job.is_forced().then(|| view! { <input type="hidden" name="force" value="true" /> })}
            <dl class="ticket">
                <div>
                    <dt>"Price"</dt>
                    <dd><span class="figure">{price.to_string()}</span>{format!(" {}", words::unit_of(price))}</dd>
                    <dd class="hint">"With the same prompt, seed and settings."</dd>
                </div>
                // Kept up to date by `public/expected-time.js`, which says the same.
                <div
                    data-model=job.spec.model
                    data-size=job.spec.size.to_string()
                    data-duration-ms=job.spec.duration.ms()
                    data-steps=job.spec.steps
                >
                    <dt>"Ready in"</dt>
                    <dd><span class=if is_told { "figure" } else { "figure words" }>{time}</span></dd>
                    <dd class="hint">{bound}</dd>
                </div>
            </dl>
            <button class="button wide large" id="make-again" disabled>"Make again"</button>
            <button type="button" class="button quiet wide" id="put-back" disabled>"Put all back"</button>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_one_name_are_told_apart_by_number() {
        let thing = |slot: u32, name: &str| PlacedThing {
            slot,
            name: name.into(),
            x: 0.5,
            y: 0.5,
            size: 0.5,
            left: 0.0,
            top: 0.0,
            width: 0.5,
            height: 0.5,
            carried_by: None,
        };
        let all = [thing(0, "cat"), thing(1, "balloon"), thing(2, "balloon")];
        assert_eq!(all.each_ref().map(|one| named(one, &all)), ["cat", "balloon 1", "balloon 2"]);
    }
}
