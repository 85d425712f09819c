//! Linking the account to an identity at the provider, and unlinking it: each asks for the password first.

use super::security::{self, answer};
use crate::{
    components::{field::Field, frame::Frame},
    fault::Fault,
    http,
    pages::{fault::page, public::oidc},
    session::{self, SaidNotice},
    told::Told,
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::account::oidc::{UnlinkError, WaysIn};

const LINK: &str = oidc::LINK_PAGE;
const UNLINK: &str = "/security/unlink";

#[server(prefix = "/api", endpoint = "allow-linking")]
pub async fn allow_linking(current: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(LINK).await? else { return Ok(()) };
    match session::services().allow_linking(user.actor(), &current, &http::visitor_address()).await {
        Ok(()) => session::allow_link().await?,
        Err(refused) => session::say(LINK, Some(user.id), "link", Err(refused.told()?), ""),
    }
    leptos_axum::redirect(LINK);
    Ok(())
}

#[server(prefix = "/api", endpoint = "unlink-identity")]
pub async fn unlink_identity(current: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(UNLINK).await? else { return Ok(()) };
    match session::services().unlink_oidc(user.actor(), &current, &http::visitor_address()).await {
        Ok(()) => answer::<UnlinkError>(&user, "linking", Ok("It is unlinked: your password alone lets you in.".into()), ""),
        Err(refused) => {
            session::say(UNLINK, Some(user.id), "unlink", Err(refused.told()?), "");
            leptos_axum::redirect(UNLINK);
            Ok(())
        }
    }
}

/// The provider's name, of who may link something to their account.
async fn ways_in(viewer: &service::User) -> Result<(WaysIn, String), Fault> {
    let ways = session::services().ways_in(viewer.actor()).await?;
    let name = ways.provider.clone().ok_or(Fault::NotFound)?;
    Ok((ways, name))
}

#[component]
pub fn LinkPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let (ways, name) = ways_in(&viewer).await?;
        let said = session::said(LINK, Some(viewer.id));
        let content = if ways.identity.is_some() {
            view! { <p class="notice plain">{format!("{name} is linked to your account already.")}</p> }.into_any()
        } else if session::may_link().await? {
            view! {
                <div class="card stack">
                    <p>{format!("One more step: say at {name} who you are there.")}</p>
                    <a class="button wide" rel="nofollow" href=format!("{}?link", oidc::PAGE)>{format!("Continue with {name}")}</a>
                </div>
            }
            .into_any()
        } else {
            view! {
                <form class="card stack" method="post" action=AllowLinking::url()>
                    <SaidNotice said=&said form="link" />
                    <p>{format!("From then on {name} lets you in to this account, besides your password.")}</p>
                    <Field name="current" label="Your password" kind="password" autocomplete="current-password" focus=true />
                    <button class="button wide">"Go on"</button>
                </form>
            }
            .into_any()
        };
        Ok(view! {
            <Frame title="Link a sign-in" viewer=Some(viewer) class="page narrow">
                <h1>"Link "<bdi>{name}</bdi></h1>
                {content}
                <p class="aside"><a href=security::PAGE>"Back"</a></p>
            </Frame>
        })
    })
}

#[component]
pub fn UnlinkPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let (ways, name) = ways_in(&viewer).await?;
        let said = session::said(UNLINK, Some(viewer.id));
        let content = if ways.has_password {
            view! {
                <form class="card stack" method="post" action=UnlinkIdentity::url()>
                    <SaidNotice said=&said form="unlink" />
                    <p>"From then on your password alone lets you in."</p>
                    <Field name="current" label="Your password" kind="password" autocomplete="current-password" focus=true />
                    <button class="button wide danger">"Unlink"</button>
                </form>
            }
            .into_any()
        } else {
            view! {
                <div class="card stack">
                    <p class="notice plain">{format!("{name} is your only way in. Set a password first: then you can unlink it.")}</p>
                    <a class="button wide" href="/forgot-password">"Have a link mailed to set one"</a>
                </div>
            }
            .into_any()
        };
        Ok(view! {
            <Frame title="Unlink a sign-in" viewer=Some(viewer) class="page narrow">
                <h1>"Unlink "<bdi>{name}</bdi></h1>
                {content}
                <p class="aside"><a href=security::PAGE>"Back"</a></p>
            </Frame>
        })
    })
}
