//! Inviting somebody, and who is invited.

use super::{
    changes::{Invite, InviteAgain, RevokeInvitation},
    members::options,
};
use crate::{
    components::{field::Field, moment::Ago, table::Table},
    session::{Said, SaidNotice, TeamField},
};
use domain::{Role, TenantId, Timestamp};
use leptos::{prelude::*, server_fn::ServerFn};
use service::Invitation;

#[component]
pub fn Invitations<'a>(said: &'a Said, invitations: Vec<Invitation>, tenant: TenantId, role: Role, now: Timestamp) -> impl IntoView {
    let rows = invitations.into_iter().map(move |invitation| view! { <Row invitation now /> }).collect_view();
    let descriptions = Role::EVERY.into_iter().filter(|offered| role.may_give(*offered));
    let descriptions = descriptions.map(|role| view! { <li><strong>{role.label()}</strong>" · "{role.description()}</li> }).collect_view();
    let chosen = said.field("invite", "role").and_then(|role| Role::named(&role)).unwrap_or(Role::Member);
    let any = !rows.is_empty();
    view! {
        <section class="stack" aria-labelledby="invite">
            <h2 id="invite">"Invite somebody"</h2>
            <form class="card invite" method="post" action=Invite::url() data-stays>
                <TeamField tenant />
                <SaidNotice said form="invite" />
                <Field name="email" label="Email address" kind="email" autocomplete="off" value=said.field("invite", "email").unwrap_or_default() />
                <div class="field">
                    <label for="role">"Role"</label>
                    <select id="role" name="role">{options(role, chosen)}</select>
                </div>
                <button class="button">"Invite"</button>
                <details class="folded"><summary>"What each role may do"</summary><ul class="bullets">{descriptions}</ul></details>
            </form>
            {any.then(|| view! { <Table label="Open invitations" heads=&["Invited", "As", "Sent", "Actions"]>{rows}</Table> })}
        </section>
    }
}

#[component]
fn Row(invitation: Invitation, now: Timestamp) -> impl IntoView {
    let Invitation { id, tenant, email, role, sent_at, expires_at, .. } = invitation;
    let is_expired = expires_at <= now;
    let id = id.to_string();
    view! {
        <tr>
            <th scope="row">{email.to_string()}" "{is_expired.then(|| view! { <span class="badge">"Expired"</span> })}</th>
            <td data-head="As">{role.label()}</td>
            <td data-head="Sent"><Ago at=sent_at now /></td>
            <td class="end">
                <div class="row end">
                    <form method="post" action=InviteAgain::url() data-stays>
                        <input type="hidden" name="id" value=id.clone() />
                        <TeamField tenant />
                        <button class="button quiet small">"Send again"</button>
                    </form>
                    <form method="post" action=RevokeInvitation::url() data-stays>
                        <input type="hidden" name="id" value=id />
                        <TeamField tenant />
                        <button class="button quiet small">"Take back"</button>
                    </form>
                </div>
            </td>
        </tr>
    }
}
