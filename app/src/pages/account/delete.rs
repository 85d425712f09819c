//! Deleting one's account: what would go, and the password.

use super::security;
use crate::{
    components::{field::Field, frame::Frame},
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice},
    told::Told,
    words,
};
use domain::VideoTime;
use leptos::{prelude::*, server_fn::ServerFn};
use service::Fate;

const PAGE: &str = "/account/delete";

#[server(prefix = "/api", endpoint = "delete-account")]
pub async fn delete_account(current: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    match session::services().delete_account(user.actor(), &current, &http::visitor_address()).await {
        Ok(()) => {
            session::end().await?;
            leptos_axum::redirect("/");
        }
        Err(refused) => {
            session::say(PAGE, Some(user.id), "delete", Err(refused.told()?), "");
            leptos_axum::redirect(PAGE);
        }
    }
    Ok(())
}

#[component]
pub fn DeleteAccountPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let fates = session::services().fates(viewer.actor()).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let email = viewer.email.to_string();
        let form = if viewer.is_operator {
            view! { <p class="notice plain">"This account runs the installation, and cannot be deleted."</p> }.into_any()
        } else {
            view! {
                <form class="card stack" method="post" action=DeleteAccount::url()>
                    <SaidNotice said=&said form="delete" />
                    <h2>"What goes"</h2>
                    <ul class="bullets">
                        <li>"The account "<strong>{email}</strong>": address, password, second factor, and where you are signed in."</li>
                        {fates.into_iter().map(|fate| view! { <li><FateOf fate /></li> }).collect_view()}
                    </ul>
                    <p>"It begins at once, and cannot be taken back."</p>
                    <Field name="current" label="Your password" kind="password" autocomplete="current-password" focus=true />
                    <button class="button wide danger">"Delete for good"</button>
                </form>
            }
            .into_any()
        };
        Ok(view! {
            <Frame title="Delete account" viewer=Some(viewer) class="page narrow">
                <h1>"Delete your account"</h1>
                {form}
                <p class="aside"><a href=security::PAGE>"Keep it"</a></p>
            </Frame>
        })
    })
}

#[component]
fn FateOf(fate: Fate) -> impl IntoView {
    let Fate { name, goes, other_members, videos, keys, is_subscribed, bought, .. } = fate;
    let text = if goes {
        let mut parts = vec![words::count(videos, "video", "videos"), words::count(keys, "API key", "API keys")];
        if other_members > 0 {
            parts.push(format!("the access of {}", words::count(other_members, "other member", "other members")));
        }
        if bought > VideoTime::default() {
            parts.push(format!("credit of {} that was bought", words::video_seconds(bought)));
        }
        let subscription = if is_subscribed { " Its subscription ends at once, and nothing is paid back." } else { "" };
        format!(
            ", of which you are the only owner: with it go {}.{subscription} To keep it, make somebody else owner first.",
            words::list(&parts)
        )
    } else {
        " stays, with the videos that you made there. You are not in it any more, and your API keys there open nothing.".to_owned()
    };
    view! { "The team "<strong><bdi>{name}</bdi></strong>{text} }
}
