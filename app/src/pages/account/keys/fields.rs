//! The form by which a key is made.

use super::{changes::CreateKey, typed::Typed};
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

#[component]
pub fn NewKeyForm(tenant: TenantId, typed: Typed, error: Option<String>, projects: Vec<Project>, requests_max: u32) -> impl IntoView {
    let live = projects.into_iter().filter(|project| project.archived_at.is_none());
    let chosen = typed.project.clone();
    let options = live.map(|Project { id, name, .. }| {
        let id = id.to_string();
        view! { <option value=id.clone() selected=id == chosen>{name}</option> }
    });
    let is_some = typed.access == "some";
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
            <Field name="name" label="Name of the new key" autocomplete="off" hint="For example, the program that will use it. Up to 100 characters." value=typed.name.clone() error />
            <div class="field">
                <label for="key-project">"Project"</label>
                <select id="key-project" name="project" autocomplete="off" aria-describedby="key-project-hint">{options.collect_view()}</select>
                <p class="hint" id="key-project-hint">"Usage and limits are told apart by project."</p>
            </div>
            <fieldset class="field scopes">
                <legend>"What it may do"</legend>
                <label class="check"><input type="radio" name="access" value="all" checked=!is_some autocomplete="off" /><span>"Everything "<code class="hint">"all"</code></span></label>
                <label class="check"><input type="radio" name="access" value="some" checked=is_some autocomplete="off" /><span>"Only this:"</span></label>
                <div class="some">{scopes.into_iter().collect_view()}</div>
            </fieldset>
            <div class="stack">
                <div class="field">
                    <label for="expires">"Last day (optional)"</label>
                    <input id="expires" name="expires" type="date" value=typed.expires.clone() autocomplete="off" aria-describedby="expires-hint" />
                    <p class="hint" id="expires-hint">"In UTC. Empty: until it is revoked."</p>
                </div>
                <div class="field">
                    <label for="requests">"Requests a minute (optional)"</label>
                    <input id="requests" name="requests" type="number" min="1" inputmode="numeric" value=typed.requests.clone() autocomplete="off" aria-describedby="requests-hint" />
                    <p class="hint" id="requests-hint">{format!("Empty, or more than that: the {} that all keys may make together.", domain::grouped(requests_max.into()))}</p>
                </div>
            </div>
            <p class="wide"><button class="button">"Create key"</button></p>
        </form>
    }
}
