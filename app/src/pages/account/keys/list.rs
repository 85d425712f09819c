//! The keys that there are, and what can be done with each.

use super::changes::{RevokeKey, RotateKey};
use crate::{
    components::{
        confirm::{Ask, Confirm},
        moment::Moment,
    },
    words,
};
use domain::{ProjectId, Scopes, Timestamp};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{ApiKey, Project};

#[component]
pub fn Keys(keys: Vec<ApiKey>, projects: Vec<Project>, may_limit: bool, now: Timestamp) -> impl IntoView {
    if keys.is_empty() {
        return view! { <p class="empty small">"No keys yet. Create one above to use Reelmill from a program."</p> }.into_any();
    }
    let name = |id: ProjectId| projects.iter().find(|project| project.id == id).map(|project| project.name.clone()).unwrap_or_default();
    let rows: Vec<_> = keys.into_iter().map(|key| (name(key.terms.project), key)).collect();
    let rows = rows.into_iter().map(|(project, key)| view! { <Key key_=key project may_limit now /> });
    view! {
        <div class="table-scroll" role="region" aria-label="Your keys" tabindex="0">
            <table class="keys">
                <thead>
                    <tr>
                        <th scope="col">"Name"</th><th scope="col">"Key"</th><th scope="col">"Project"</th><th scope="col">"May do"</th>
                        <th scope="col">"Ends"</th><th scope="col">"Last used"</th><th scope="col"><span class="unseen">"Limit, rotate and revoke"</span></th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn Key(key_: ApiKey, project: String, may_limit: bool, now: Timestamp) -> impl IntoView {
    let has_ended = key_.has_ended(now);
    let ApiKey { id, name, hint, terms, created_at, last_used_at, revoked_at, is_replaced, .. } = key_;
    let scopes = if terms.scopes == Scopes::ALL { "Everything".to_owned() } else { terms.scopes.to_string().replace(' ', ", ") };
    let ends = match (revoked_at, terms.expires_at) {
        (Some(_), _) => view! { <span class="badge">"Revoked"</span> }.into_any(),
        (None, Some(_)) if has_ended => view! { <span class="badge">"Expired"</span> }.into_any(),
        (None, Some(at)) => view! { <Moment at /> }.into_any(),
        (None, None) => "When revoked".into_any(),
    };
    view! {
        <tr class:revoked=has_ended>
            <th scope="row" class="wraps" dir="auto">{name.clone()}</th>
            <td data-head="Key"><span class="mono">{hint}</span><br /><span class="hint">"Created "<Moment at=created_at /></span></td>
            <td data-head="Project" class="wraps"><bdi>{project}</bdi></td>
            <td data-head="May do" class="wraps">
                {scopes}
                {terms.requests_per_minute.map(|requests| view! { <br /><span class="hint">{format!("{} requests a minute", domain::grouped(requests.into()))}</span> })}
            </td>
            <td data-head="Ends">{ends}{(is_replaced && !has_ended).then(|| view! { <br /><span class="hint">"Replaced by another"</span> })}</td>
            <td data-head="Last used">{last_used_at.map_or_else(|| "Never".into_any(), |at| view! { <Moment at /> }.into_any())}</td>
            <td class="end">{(!has_ended).then(|| view! { <Acts id=id.to_string() name is_replaced may_limit /> })}</td>
        </tr>
    }
}

/// They name no team: another one has no key of this id, and is told so.
#[component]
fn Acts(id: String, name: String, is_replaced: bool, may_limit: bool) -> impl IntoView {
    let dialog = format!("revoke-{id}");
    let rotate = (!is_replaced).then(|| {
        view! {
            <details class="rotate">
                <summary class="button quiet small" aria-label=format!("Rotate {name}")>"Rotate"</summary>
                <form class="in-row" method="post" action=RotateKey::url() data-stays>
                    <input type="hidden" name="id" value=id.clone() />
                    <label class="inline">"The old key lives for "<input name="overlap" type="number" min="0" max="168" value="24" autocomplete="off" />" hours"</label>
                    <button class="button small">"Make the new key"</button>
                </form>
            </details>
        }
    });
    view! {
        <div class="acts">
            {may_limit.then(|| {
                view! { <a href=format!("?limits={id}") aria-label=format!("Limits of {name}")>"Limits"</a> }
            })}
            {rotate}
            <Ask id=dialog.clone() label=format!("Revoke {name}") class="button quiet small">"Revoke"</Ask>
            <Confirm
                id=dialog
                question="Revoke this key?"
                consequence=format!("Programs that use “{}” are refused for good.", words::isolated(&name))
                yes="Revoke"
                no="Keep it"
                action=RevokeKey::url()
                fields=vec![("id", id)]
            />
        </div>
    }
}
