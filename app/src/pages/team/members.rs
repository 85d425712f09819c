//! The members, with what may be done with each.

use super::changes::{ChangeRole, RemoveMember, TransferTeam};
use crate::{
    components::{
        confirm::{Ask, Confirm},
        moment::Ago,
        table::Table,
    },
    session::{TEAM_FIELD, TeamField},
    words,
};
use domain::{Membership, Role, Timestamp, UserId};
use leptos::{prelude::*, server_fn::ServerFn};
use service::Member;

#[component]
pub fn Members(members: Vec<Member>, me: Membership, now: Timestamp) -> impl IntoView {
    let rows = members.into_iter().map(move |member| view! { <MemberRow member me now /> });
    view! {
        <section class="stack" aria-labelledby="members">
            <h2 id="members">"Members"</h2>
            <Table label="Members of the team" heads=&["Member", "Role", "Since", "Actions"]>{rows.collect_view()}</Table>
        </section>
    }
}

#[component]
fn MemberRow(member: Member, me: Membership, now: Timestamp) -> impl IntoView {
    let Member { user, email, role: theirs, since } = member;
    let (is_me, role) = (user == me.user, me.role);
    let fields = || vec![("member", user.to_string()), (TEAM_FIELD, me.tenant.to_string())];
    let may_change = !is_me && role.may_give(theirs);
    let shown = if may_change {
        view! { <RolePicker user theirs by=me email=email.clone() /> }.into_any()
    } else {
        view! { <span>{theirs.label()}</span> }.into_any()
    };
    let (transfer, remove) = (format!("transfer-{user}"), format!("remove-{user}"));
    let name = words::isolated(&email);
    let may_transfer = !is_me && role == Role::Owner && theirs != Role::Owner;
    view! {
        <tr>
            <th scope="row">{email.clone()}{is_me.then_some(" (you)")}</th>
            <td data-head="Role">{shown}</td>
            <td data-head="Since"><Ago at=since now /></td>
            <td class="end">
                <div class="row end">
                    {may_transfer.then(|| view! {
                        <Ask id=transfer.clone() label=format!("Hand the team over to {email}") class="button quiet small">"Hand over"</Ask>
                        <Confirm
                            id=transfer
                            question="Hand the team over?"
                            consequence=format!("{name} becomes its owner, and you become an admin. Only they can take that back.")
                            yes="Hand over"
                            no="Keep it"
                            action=TransferTeam::url()
                            fields=fields()
                        />
                    })}
                    {may_change.then(|| view! {
                        <Ask id=remove.clone() label=format!("Remove {email}") class="button quiet small">"Remove"</Ask>
                        <Confirm
                            id=remove
                            question="Remove this member?"
                            consequence=format!("{name} sees nothing of the team from now on, and their API keys open nothing. Their videos stay.")
                            yes="Remove"
                            no="Keep them"
                            action=RemoveMember::url()
                            fields=fields()
                        />
                    })}
                </div>
            </td>
        </tr>
    }
}

#[component]
fn RolePicker(user: UserId, theirs: Role, by: Membership, email: String) -> impl IntoView {
    view! {
        <form class="role-picker" method="post" action=ChangeRole::url() data-stays>
            <input type="hidden" name="member" value=user.to_string() />
            <TeamField tenant=by.tenant />
            <select name="role" aria-label=format!("Role of {email}")>{options(by.role, theirs)}</select>
            <button class="button quiet small">"Change"</button>
        </form>
    }
}

/// The roles that `by` may give.
pub fn options(by: Role, chosen: Role) -> impl IntoView {
    let offered = Role::EVERY.into_iter().filter(|role| by.may_give(*role));
    offered.map(|role| view! { <option value=role.as_str() selected=role == chosen>{role.label()}</option> }).collect_view()
}
