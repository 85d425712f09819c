//! The form by which a key is made.

use super::{
    changes::CreateKey,
    typed::{Typed, Wrong},
};
use crate::{components::field::Field, session::TeamField};
use domain::{Scope, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};
use service::Project;

const fn field_of(scope: Scope) -> &'static str {
    match scope {
        Scope::VideosRead => "videos_read",
        Scope::VideosWrite => "videos_write",
        Scope::UsageRead => "usage_read",
        Scope::BatchesRead => "batches_read",
        Scope::BatchesWrite => "batches_write",
        Scope::Webhooks => "webhooks",
        // The operator makes such keys on the command line.
        Scope::Operator => "operator",
    }
}

/// What describes a field: its hint, and what is wrong with it.
fn described(id: &str, is_wrong: bool) -> String {
    if is_wrong { format!("{id}-hint {id}-error") } else { format!("{id}-hint") }
}

/// Below the field.
fn shown(id: &str, error: Option<String>) -> impl IntoView + use<> {
    let id = format!("{id}-error");
    error.map(|error| view! { <p class="error" id=id>{error}</p> })
}

#[component]
pub fn NewKeyForm(tenant: TenantId, typed: Typed, error: Option<Wrong>, projects: Vec<Project>, requests_max: u32) -> impl IntoView {
    let live = projects.into_iter().filter(|project| project.archived_at.is_none());
    let chosen = typed.project.clone();
    let options = live.map(|Project { id, name, .. }| {
        let id = id.to_string();
        view! { <option value=id.clone() selected=id == chosen>{name}</option> }
    });
    let is_some = typed.access == "some";
    let wrong = |field: &str| error.as_ref().filter(|error| error.field == field).map(|error| error.text.clone());
    let (of_name, of_project, of_access) = (wrong("name"), wrong("project"), wrong("access"));
    let access_described = of_access.is_some().then_some("access-error");
    let (of_expires, of_requests) = (wrong("expires"), wrong("requests"));
    let scopes = Scope::EVERY.map(|scope| {
        view! {
            <label class="check">
                <input type="checkbox" name=field_of(scope) value="yes" checked=typed.has(scope) autocomplete="off" />
                <span>{scope.description()}" "<code class="hint">{scope.as_str()}</code></span>
            </label>
        }
    });
    view! {
        <form class="card key-form" method="post" action=CreateKey::url() data-stays>
            <TeamField tenant />
            <Field name="name" label="Name of the new key" autocomplete="off" hint="For example, the program that will use it. Up to 100 characters." value=typed.name.clone() error=of_name />
            <div class="field">
                <label for="key-project">"Project"</label>
                <select id="key-project" name="project" autocomplete="off" aria-invalid=of_project.is_some().then_some("true") aria-describedby=described("key-project", of_project.is_some())>{options.collect_view()}</select>
                <p class="hint" id="key-project-hint">"Usage and limits are told apart by project."</p>
                {shown("key-project", of_project)}
            </div>
            <fieldset class="field scopes" aria-describedby=access_described>
                <legend>"What it may do"</legend>
                <label class="check"><input type="radio" name="access" value="all" checked=!is_some autocomplete="off" /><span>"Everything "<code class="hint">"all"</code></span></label>
                <label class="check"><input type="radio" name="access" value="some" checked=is_some autocomplete="off" /><span>"Only this:"</span></label>
                <div class="some">{scopes.into_iter().collect_view()}</div>
                {shown("access", of_access)}
            </fieldset>
            <div class="stack">
                <div class="field">
                    <label for="expires">"Last day (optional)"</label>
                    <input id="expires" name="expires" type="date" value=typed.expires.clone() autocomplete="off" autofocus=of_expires.is_some() aria-invalid=of_expires.is_some().then_some("true") aria-describedby=described("expires", of_expires.is_some()) />
                    <p class="hint" id="expires-hint">"In UTC. Empty: until it is revoked."</p>
                    {shown("expires", of_expires)}
                </div>
                <div class="field">
                    <label for="requests">"Requests a minute (optional)"</label>
                    <input id="requests" name="requests" type="number" min="1" inputmode="numeric" value=typed.requests.clone() autocomplete="off" autofocus=of_requests.is_some() aria-invalid=of_requests.is_some().then_some("true") aria-describedby=described("requests", of_requests.is_some()) />
                    <p class="hint" id="requests-hint">{format!("Empty, or more than that: the {} that all keys may make together.", domain::grouped(requests_max.into()))}</p>
                    {shown("requests", of_requests)}
                </div>
            </div>
            <p class="wide"><button class="button">"Create key"</button></p>
        </form>
    }
}
