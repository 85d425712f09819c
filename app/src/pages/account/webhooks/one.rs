//! One endpoint: what it is, and what can be done with it.

use super::{
    PAGE,
    changes::{ChangeWebhook, DeleteWebhook, RotateWebhook, SwitchWebhook, TestWebhook},
    fields::EndpointFields,
    list::state,
    typed::Typed,
};
use crate::{
    components::{
        confirm::{Ask, Confirm},
        moment::Moment,
    },
    session::TeamField,
    words,
};
use domain::{TenantId, Timestamp, webhook::WebhookEvent};
use leptos::{prelude::*, server_fn::ServerFn};
use service::WebhookEndpoint;

#[component]
pub fn Endpoint(tenant: TenantId, endpoint: WebhookEndpoint, typed: Option<Typed>, now: Timestamp) -> impl IntoView {
    let id = endpoint.id.to_string();
    let (is_enabled, state, name) = (endpoint.disabled.is_none(), state(&endpoint), endpoint.name.clone());
    let why = endpoint.disabled.map(|(at, reason)| view! { <p class="notice plain">{reason.words()}" Since "<Moment at />"."</p> });
    let failing = endpoint.failing_since.filter(|_| is_enabled).map(|since| {
        view! { <p class="notice plain">"It has taken nothing since "<Moment at=since />". It is tried again, and disabled after five days of trying."</p> }
    });
    let old_signs = endpoint.old_secret_until.filter(|until| *until > now);
    let old = old_signs.map(|until| view! { <span class="hint">" The one before it signs too until "<Moment at=until />"."</span> });
    let typed = typed.unwrap_or_else(|| Typed::of_endpoint(&endpoint));
    let switch = if is_enabled { "Disable" } else { "Enable" };
    let dialog = format!("delete-{id}");
    let options = WebhookEvent::EVERY.iter().map(|event| view! { <option value=event.as_str()>{event.as_str()}</option> }).collect_view();
    view! {
        <p><a href=PAGE>"All endpoints"</a></p>
        <section class="stack" aria-labelledby="endpoint">
            <h2 id="endpoint"><bdi>{name.clone()}</bdi>" "{state}</h2>
            {why}
            {failing}
            <div class="webhook-groups">
                <div class="webhook-group" role="group" aria-labelledby="webhook-test">
                    <h3 id="webhook-test">"Test"</h3>
                    <form method="post" action=TestWebhook::url() data-stays>
                        <TeamField tenant />
                        <input type="hidden" name="id" value=id.clone() />
                        <label class="inline">"Event "<select name="event" autocomplete="off">{options}</select></label>
                        <button class="button quiet small">"Send a test"</button>
                    </form>
                </div>
                <div class="webhook-group" role="group" aria-labelledby="webhook-secret">
                    <h3 id="webhook-secret">"Secret"</h3>
                    <p><code>{endpoint.secret_hint}</code>{old}</p>
                    <form method="post" action=RotateWebhook::url() data-stays>
                        <TeamField tenant />
                        <input type="hidden" name="id" value=id.clone() />
                        <label class="check"><input type="checkbox" name="keep" value="yes" checked autocomplete="off" /><span>"The old secret signs too for 24 hours"</span></label>
                        <button class="button quiet small">"Rotate the secret"</button>
                    </form>
                </div>
                <div class="webhook-group" role="group" aria-labelledby="webhook-end">
                    <h3 id="webhook-end">{format!("{switch} or delete")}</h3>
                    <div class="row">
                        <form method="post" action=SwitchWebhook::url() data-stays>
                            <TeamField tenant />
                            <input type="hidden" name="id" value=id.clone() />
                            <input type="hidden" name="enabled" value=(!is_enabled).to_string() />
                            <button class="button quiet small">{switch}</button>
                        </form>
                        <Ask id=dialog.clone() label=format!("Delete {name}") class="button quiet small">"Delete"</Ask>
                    </div>
                </div>
            </div>
            <Confirm
                id=dialog
                question="Delete this endpoint?"
                consequence=format!("“{}” is told nothing more, and what was sent to it is forgotten.", words::isolated(&name))
                yes="Delete"
                no="Keep it"
                action=DeleteWebhook::url()
                fields=vec![("id", id.clone()), ("tenant", tenant.to_string())]
            />
            <form class="card key-form" method="post" action=ChangeWebhook::url() data-stays>
                <TeamField tenant />
                <input type="hidden" name="id" value=id />
                <EndpointFields typed />
                <p class="wide"><button class="button quiet">"Save"</button></p>
            </form>
        </section>
    }
}
