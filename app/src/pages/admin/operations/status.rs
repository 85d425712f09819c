//! What everybody is told of the state of the installation: whether there is a page for it, and the incidents that it shows.

use super::super::section::empty;
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    pages::{fault::page, public::status::Incidents},
    session::{self, Said, SaidNotice},
    words,
};
use domain::operations::incident::{Incident, IncidentState, NewIncident, Statement};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    Asked,
    operator::{StatusDesk, StatusError},
};

const PAGE: &str = "/admin/status";
const PAGE_FORM: &str = "page";
const NEW_FORM: &str = "new";
const UPDATE_FORM: &str = "update";

/// Everybody may see the page, or nobody.
#[server(prefix = "/api", endpoint = "show-status")]
pub async fn show_status(shown: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let address = http::visitor_address();
    let by = Asked { user: viewer.id, address: &address };
    let outcome = match shown.as_str() {
        "on" | "off" => {
            session::services().show_status(viewer.installation_actor(), Some(by), shown == "on").await?;
            Ok(if shown == "on" { "Everybody sees /status now.".to_owned() } else { "There is no such page any more.".to_owned() })
        }
        _ => Err("Say on or off. Nothing was changed.".to_owned()),
    };
    session::say(PAGE, Some(viewer.id), PAGE_FORM, outcome, "");
    leptos_axum::redirect(PAGE);
    Ok(())
}

/// Tells everybody of a new incident.
#[server(prefix = "/api", endpoint = "tell-incident")]
pub async fn tell_incident(
    title: String,
    #[server(default)] minutes: String,
    #[server(default)] state: String,
    #[server(default)] text: String,
) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let address = http::visitor_address();
    let by = Asked { user: viewer.id, address: &address };
    let told = match NewIncident::parse(&title, &minutes, &state, &text) {
        Ok(incident) => session::services().tell_incident(viewer.installation_actor(), Some(by), &incident).await.map(drop),
        Err(problem) => Err(problem.into()),
    };
    let outcome = outcome(told)?;
    keep_refused(&outcome, &text).await?;
    let typed = [("title", &*title), ("minutes", &minutes), ("state", &state)];
    session::say_of_fields(PAGE, Some(viewer.id), NEW_FORM, outcome, &typed);
    leptos_axum::redirect(PAGE);
    Ok(())
}

/// Says more of an incident.
#[server(prefix = "/api", endpoint = "update-incident")]
pub async fn update_incident(id: String, #[server(default)] state: String, #[server(default)] text: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let address = http::visitor_address();
    let by = Asked { user: viewer.id, address: &address };
    let told = match (id.parse(), Statement::parse(&state, &text)) {
        (Err(_), _) => Err(StatusError::Unknown),
        (_, Err(problem)) => Err(problem.into()),
        (Ok(id), Ok(statement)) => {
            session::services().say_of_incident(viewer.installation_actor(), Some(by), id, &statement).await.map(drop)
        }
    };
    let outcome = outcome(told)?;
    keep_refused(&outcome, &text).await?;
    session::say_of_fields(PAGE, Some(viewer.id), UPDATE_FORM, outcome, &[("id", &id), ("state", &state)]);
    leptos_axum::redirect(PAGE);
    Ok(())
}

/// What the form says.
fn outcome(told: Result<(), StatusError>) -> Result<Result<String, String>, Fault> {
    match told {
        Ok(()) => Ok(Ok("Told. It stands on the page from now on.".to_owned())),
        Err(StatusError::Forbidden(error)) => Err(error.into()),
        Err(StatusError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Err(format!("{}. Nothing was told.", words::sentence(&error.to_string())))),
    }
}

/// A long text has no room in a cookie.
async fn keep_refused(outcome: &Result<String, String>, text: &str) -> Result<(), Fault> {
    if outcome.is_err() { session::keep(PAGE, &text).await } else { Ok(()) }
}

#[component]
pub fn StatusDeskPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let StatusDesk { is_on, seen } = session::services().status_desk(viewer.installation_actor()).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let text: String = session::take(PAGE).await?.unwrap_or_default();
        let (open, over): (Vec<Incident>, Vec<Incident>) = seen.incidents.into_iter().partition(|incident| incident.ended_at.is_none());
        let open = open.into_iter().map(|incident| view! { <Open incident said=said.clone() text=text.clone() /> }).collect::<Vec<_>>();
        Ok(view! {
            <Frame title="Status page" viewer=Some(viewer) class="page admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <Stylesheet href="/status.css" />
                <header class="page-head">
                    <h1>"Status page"</h1>
                    <p class="lead">"What everybody may see of how this Reelmill fares, signed in or not. Nothing of any team is on it."</p>
                </header>
                <section class="stack" aria-labelledby="shown">
                    <h2 id="shown">"The page"</h2>
                    <SaidNotice said=&said form=PAGE_FORM />
                    <form class="card" method="post" action=ShowStatus::url() data-stays>
                        <input type="hidden" name="shown" value=if is_on { "off" } else { "on" } />
                        {if is_on {
                            view! { <p>"Everybody sees "<a href="/status">"/status"</a>". How each part fares is written down every minute."</p> }.into_any()
                        } else {
                            view! { <p>"There is no page, and nothing is written down for it. Switched on, it is at /status, and its bars begin that day."</p> }.into_any()
                        }}
                        <p><button class="button">{if is_on { "Switch it off" } else { "Switch it on" }}</button></p>
                    </form>
                </section>
                <section class="stack" aria-labelledby="open">
                    <h2 id="open">"Incidents that go on"</h2>
                    <SaidNotice said=&said form=UPDATE_FORM />
                    {if open.is_empty() { empty("None.") } else { open.into_any() }}
                </section>
                <section class="stack" aria-labelledby="new">
                    <h2 id="new">"A new incident"</h2>
                    <SaidNotice said=&said form=NEW_FORM />
                    <New said=said.clone() text=text.clone() />
                </section>
                <section class="stack" aria-labelledby="over">
                    <h2 id="over">"Incidents that are over"</h2>
                    <p class="hint">"Everybody sees those of the last two weeks."</p>
                    {if over.is_empty() { empty("None.") } else { view! { <Incidents incidents=over /> }.into_any() }}
                </section>
            </Frame>
        })
    })
}

/// An incident that goes on, with what can be said of it.
#[component]
fn Open(incident: Incident, said: Said, text: String) -> impl IntoView {
    let id = incident.id.to_string();
    let is_this = said.field(UPDATE_FORM, "id").is_some_and(|refused| refused == id);
    let refused_state = said.field(UPDATE_FORM, "state").filter(|_| is_this).unwrap_or_default();
    let text = if is_this { words::raw_text(text) } else { String::new() };
    let state = incident.updates.first().map_or(IncidentState::Investigating, |update| update.state);
    let chosen = IncidentState::named(&refused_state).unwrap_or(state);
    let label = format!("What to say of {}", incident.title);
    view! {
        <div class="stack">
            <Incidents incidents=vec![incident] />
            <form class="card plan-form" method="post" action=UpdateIncident::url() data-stays>
                <input type="hidden" name="id" value=id.clone() />
                <StateField id=format!("state-{id}") chosen />
                <div class="field wide">
                    <label for=format!("text-{id}")>{label}</label>
                    <textarea id=format!("text-{id}") name="text" rows="3" maxlength="1000" required>{text}</textarea>
                </div>
                <p class="wide"><button class="button">"Tell everybody"</button></p>
            </form>
        </div>
    }
}

#[component]
fn New(said: Said, text: String) -> impl IntoView {
    let typed = |name: &str| said.field(NEW_FORM, name).unwrap_or_default();
    let is_refused = said.field(NEW_FORM, "title").is_some();
    let text = if is_refused { words::raw_text(text) } else { String::new() };
    let chosen = IncidentState::named(&typed("state")).unwrap_or(IncidentState::Investigating);
    view! {
        <form class="card plan-form" method="post" action=TellIncident::url() data-stays>
            <div class="field">
                <label for="title">"Title"</label>
                <input id="title" name="title" required maxlength="120" value=typed("title") autocomplete="off" />
            </div>
            <div class="field">
                <label for="minutes">"Began so many minutes ago"</label>
                <input id="minutes" name="minutes" inputmode="numeric" maxlength="5" value=typed("minutes") autocomplete="off" aria-describedby="minutes-hint" />
                <p class="hint" id="minutes-hint">"Empty: now."</p>
            </div>
            <StateField id="state-new" chosen />
            <div class="field wide">
                <label for="text">"What to say"</label>
                <textarea id="text" name="text" rows="3" maxlength="1000" required aria-describedby="text-hint">{text}</textarea>
                <p class="hint" id="text-hint">"Everybody reads it, as it stands here. Say what does not work, for whom, and when you will say more."</p>
            </div>
            <p class="wide"><button class="button">"Tell everybody"</button></p>
        </form>
    }
}

#[component]
fn StateField(#[prop(into)] id: String, chosen: IncidentState) -> impl IntoView {
    let options = IncidentState::EVERY
        .into_iter()
        .map(|state| view! { <option value=state.as_str() selected=state == chosen>{state.words()}</option> });
    view! {
        <div class="field">
            <label for=id.clone()>"Where it stands"</label>
            <select id=id name="state" autocomplete="off">{options.collect_view()}</select>
        </div>
    }
}
