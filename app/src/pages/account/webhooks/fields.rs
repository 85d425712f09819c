//! The fields of an endpoint, and the form by which one is made.

use super::{
    changes::CreateWebhook,
    typed::{Typed, field_of},
};
use crate::{components::field::Field, session::TeamField};
use domain::{TenantId, webhook::WebhookEvent};
use leptos::{prelude::*, server_fn::ServerFn};

/// Name, address and events: of one that is made, or changed.
#[component]
pub fn EndpointFields(mut typed: Typed) -> impl IntoView {
    let (name, url) = (typed.name.clone(), typed.url.clone());
    let events = WebhookEvent::EVERY.iter().map(|event| {
        let is_chosen = !typed.chosen(*event).is_empty();
        view! {
            <label class="check">
                <input type="checkbox" name=field_of(*event) value="yes" checked=is_chosen autocomplete="off" />
                <span><code>{event.as_str()}</code></span>
            </label>
        }
    });
    let events = events.collect_view();
    view! {
        <Field name="name" label="Name" autocomplete="off" hint="For example, the program that is told. Up to 100 characters." value=name />
        <Field name="url" label="Address" kind="url" autocomplete="off" hint="Begins with https:// and leads to the public internet." value=url />
        <fieldset class="field scopes events">
            <legend>"What it is told"</legend>
            {events}
        </fieldset>
    }
}

#[component]
pub fn NewEndpointForm(tenant: TenantId, typed: Typed) -> impl IntoView {
    view! {
        <form class="card key-form" method="post" action=CreateWebhook::url() data-stays>
            <TeamField tenant />
            <EndpointFields typed />
            <p class="wide"><button class="button">"Create endpoint"</button></p>
        </form>
    }
}
