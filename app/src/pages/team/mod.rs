//! The team: who is in it and as what, who is invited, and what was done.

pub mod changes;
mod invitations;
mod members;

use crate::{
    components::{
        acts::Acts,
        confirm::{Ask, Confirm},
        frame::Frame,
    },
    pages::fault::page,
    session::{self, SaidNotice, TEAM_FIELD, TeamField},
};
use changes::{LeaveTeam, RenameTeam};
use domain::{Permission, Role};
use invitations::Invitations;
use leptos::{prelude::*, server_fn::ServerFn};
use members::Members;
use service::team::Team;

pub const PAGE: &str = "/team";

#[component]
pub fn TeamPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let (services, actor) = (session::services(), viewer.actor());
        let Team { name, members, invitations, acts } = services.team(actor).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let now = services.store.now().await?;
        let (manages, reads) = (actor.may(Permission::ManageMembers), actor.may(Permission::ReadAuditLog));
        let is_last_owner = viewer.role == Role::Owner && members.iter().filter(|member| member.role == Role::Owner).count() <= 1;
        let (me, tenant, role, count) = (viewer.membership(), viewer.tenant, viewer.role, members.len());
        let is_member = viewer.viewed.is_none();
        let lead = match (is_member, count) {
            (true, 1) => "A team of one: you.".to_owned(),
            (true, _) => format!("A team of {count}. You are {}.", with_article(role)),
            (false, _) => format!("A team of {count}."),
        };
        Ok(view! {
            <Frame title="Team" viewer=Some(viewer) class="page settings">
                <header class="page-head">
                    <h1 dir="auto">{name.clone()}</h1>
                    <p class="lead">{lead}</p>
                </header>
                <SaidNotice said=&said form="members" />
                // What forms said whose places are not on this page: another tab has switched to this team.
                {(!manages).then(|| view! { <SaidNotice said=&said form="invite" /><SaidNotice said=&said form="rename" /> })}
                <Members members me now />
                {manages.then(|| view! { <Invitations said=&said invitations tenant role now /> })}
                {manages.then(|| view! {
                    <form class="card new-key" method="post" action=RenameTeam::url() data-stays>
                        <TeamField tenant />
                        <SaidNotice said=&said form="rename" />
                        <crate::components::field::Field name="name" label="Name of the team" autocomplete="off" value=said.field("rename", "name").unwrap_or(name) />
                        <button class="button quiet">"Rename"</button>
                    </form>
                })}
                {reads.then(|| view! {
                    <section class="stack" aria-labelledby="acts">
                        <h2 id="acts">"What was done"</h2>
                        <Acts label="What was done in the team" acts now with_names=true />
                    </section>
                })}
                {(is_member && !is_last_owner).then(|| view! {
                    <section class="stack" aria-labelledby="leave">
                        <h2 id="leave">"Leave"</h2>
                        <p class="row"><Ask id="leave-team" label="Leave this team">"Leave this team"</Ask></p>
                        <Confirm
                            id="leave-team"
                            question="Leave this team?"
                            consequence="You do not see its videos any more, and your API keys there open nothing. What you made stays with the team."
                            yes="Leave"
                            no="Stay"
                            action=LeaveTeam::url()
                            fields=vec![(TEAM_FIELD, tenant.to_string())]
                        />
                    </section>
                })}
            </Frame>
        })
    })
}

/// As it follows "you are".
pub fn with_article(role: Role) -> &'static str {
    match role {
        Role::Owner => "an owner",
        Role::Admin => "an admin",
        Role::Member => "a member",
        Role::Billing => "there for billing",
        Role::Viewer => "a viewer",
    }
}
