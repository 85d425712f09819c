//! The secret by which webhooks of predictions are signed, which clients of Replicate name with each request.

use super::changes::RotateCallbackSecret;
use crate::{components::moment::Moment, session::TeamField};
use domain::{TenantId, Timestamp};
use leptos::{prelude::*, server_fn::ServerFn};

#[component]
pub fn Predictions(tenant: TenantId, hint: String, old_until: Option<Timestamp>) -> impl IntoView {
    let old = old_until.map(|until| view! { <span class="hint">" The one before it signs too until "<Moment at=until />"."</span> });
    view! {
        <section class="stack" aria-labelledby="predictions">
            <h2 id="predictions">"Webhooks of predictions"</h2>
            <p>"A client of Replicate names an address with each request. What is told there is signed by a secret of your team, which no endpoint above has."</p>
            <p>"Secret: "<code>{hint}</code>{old}</p>
            <div class="webhook-acts">
                <form method="post" action=RotateCallbackSecret::url() data-stays>
                    <TeamField tenant />
                    <label class="check"><input type="checkbox" name="keep" value="yes" checked autocomplete="off" /><span>"The old secret signs too for 24 hours"</span></label>
                    <button class="button quiet small">"Rotate the secret"</button>
                </form>
            </div>
        </section>
    }
}
