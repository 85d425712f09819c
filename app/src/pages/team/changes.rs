//! What the forms of the team's page do.

use super::PAGE;
use crate::{
    fault::Fault,
    http,
    session::{self, same_team},
    told::Told,
};
use domain::{InvitationId, Role, TenantId, UserId};
use leptos::prelude::*;
use service::User;

/// Leads back to the page with what is to be said there.
fn answer<E: Told>(user: &User, form: &str, done: Result<String, E>, typed: &[(&str, &str)]) -> Result<(), Fault> {
    let outcome = match done {
        Ok(text) => Ok(text),
        Err(refused) => Err(refused.told()?),
    };
    session::say_of_fields(PAGE, Some(user.id), form, outcome, typed);
    leptos_axum::redirect(PAGE);
    Ok(())
}

fn role_named(name: &str) -> Result<Role, Fault> {
    Role::named(name).ok_or(Fault::Malformed)
}

#[server(prefix = "/api", endpoint = "invite")]
pub async fn invite(email: String, role: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    let typed = [("email", &*email), ("role", &role)];
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "invite", Err(switched), &typed);
    }
    let invited = session::services().invite(user.actor(), &email, role_named(&role)?, &http::visitor_address()).await;
    answer(&user, "invite", invited.map(|email| format!("{email} is invited. {}", session::mail_is_on_its_way())), &typed)
}

#[server(prefix = "/api", endpoint = "invite-again")]
pub async fn invite_again(id: InvitationId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "invite", Err(switched), &[]);
    }
    let sent = session::services().invite_again(user.actor(), id, &http::visitor_address()).await;
    answer(&user, "invite", sent.map(|()| format!("Links of before open nothing now. {}", session::mail_is_on_its_way())), &[])
}

#[server(prefix = "/api", endpoint = "revoke-invitation")]
pub async fn revoke_invitation(id: InvitationId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "invite", Err(switched), &[]);
    }
    let revoked = session::services().revoke_invitation(user.actor(), id, &http::visitor_address()).await;
    answer(&user, "invite", revoked.map(|()| "The invitation is taken back.".into()), &[])
}

#[server(prefix = "/api", endpoint = "change-role")]
pub async fn change_role(member: UserId, role: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "members", Err(switched), &[]);
    }
    let changed = session::services().change_role(user.actor(), member, role_named(&role)?, &http::visitor_address()).await;
    answer(&user, "members", changed.map(|()| "The role is changed.".into()), &[])
}

#[server(prefix = "/api", endpoint = "remove-member")]
pub async fn remove_member(member: UserId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "members", Err(switched), &[]);
    }
    let removed = session::services().remove_member(user.actor(), member, &http::visitor_address()).await;
    answer(&user, "members", removed.map(|()| "They are not in the team any more.".into()), &[])
}

#[server(prefix = "/api", endpoint = "transfer-team")]
pub async fn transfer_team(member: UserId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "members", Err(switched), &[]);
    }
    let transferred = session::services().transfer_team(user.actor(), member, &http::visitor_address()).await;
    answer(&user, "members", transferred.map(|()| "The team has a new owner. You are an admin now.".into()), &[])
}

#[server(prefix = "/api", endpoint = "rename-team")]
pub async fn rename_team(name: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "rename", Err(switched), &[("name", &name)]);
    }
    let renamed = session::services().rename_team(user.actor(), &name, &http::visitor_address()).await;
    answer(&user, "rename", renamed.map(|()| "The team is renamed.".into()), &[("name", &name)])
}

#[server(prefix = "/api", endpoint = "leave-team")]
pub async fn leave_team(#[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return answer(&user, "members", Err(switched), &[]);
    }
    match session::services().leave_team(user.actor(), &http::visitor_address()).await {
        Ok(()) => {
            leptos_axum::redirect("/library");
            Ok(())
        }
        refused => answer(&user, "members", refused.map(|()| String::new()), &[]),
    }
}
