//! The form by which an endpoint is made.

use super::{
    changes::CreateWebhook,
    fields::{EndpointFields, Typed},
};
use crate::session::TeamField;
use domain::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

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
