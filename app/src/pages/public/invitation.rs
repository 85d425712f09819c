//! An invitation to a team: accepted by who is signed in, or by signing up with the address that it was sent to.

use super::{door::leading_to, links::plain, oidc::ProviderButton};
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    islands::password::PasswordField,
    pages::fault::page,
    session::{self, SaidNotice},
    told::Told,
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{JoinError, Offer, User};

const PAGE: &str = "/invitation";

fn here(token: &str) -> String {
    format!("{PAGE}?token={}", plain(token))
}

#[server(prefix = "/api", endpoint = "accept-invitation")]
pub async fn accept_invitation(token: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(&here(&token)).await? else { return Ok(()) };
    match session::services().join_team(user.actor(), &token, &http::visitor_address()).await {
        Ok(joined) => {
            session::choose(joined.tenant).await?;
            leptos_axum::redirect("/team");
        }
        Err(refused) => {
            session::say(PAGE, None, "join", Err(refused.told()?), "");
            leptos_axum::redirect(&here(&token));
        }
    }
    Ok(())
}

#[server(prefix = "/api", endpoint = "join-by-signing-up")]
pub async fn join_by_signing_up(token: String, password: String) -> Result<(), Fault> {
    match session::services().join_by_signing_up(&token, &password, &http::visitor_address()).await {
        Ok(user) => {
            session::begin(user.id).await?;
            session::remember_browser(&user).await;
            leptos_axum::redirect("/library");
        }
        Err(refused) => {
            session::say(PAGE, None, "join", Err(refused.told()?), "");
            leptos_axum::redirect(&here(&token));
        }
    }
    Ok(())
}

#[component]
pub fn InvitationPage() -> impl IntoView {
    let token = http::query().get("token").unwrap_or_default();
    page(async move {
        let viewer = session::viewer().await?;
        let said = session::said(PAGE, None);
        let notice = view! { <SaidNotice said=&said form="join" /> }.into_any();
        let content = match session::services().offer(&token).await {
            Ok(offer) => view! { <OfferCard offer token viewer=viewer.clone() notice /> }.into_any(),
            Err(JoinError::Spent(spent)) => view! {
                <h1>"Invitation"</h1>
                <div class="card stack">
                    <p class="notice" role="alert">{spent.told()?}</p>
                    <p>"Whoever invited you can send the invitation again."</p>
                </div>
            }
            .into_any(),
            Err(error) => return Err(error.told().err().unwrap_or(Fault::Internal)),
        };
        Ok(view! { <Frame title="Invitation" viewer class="page narrow">{content}</Frame> })
    })
}

#[component]
fn OfferCard(offer: Offer, token: String, viewer: Option<User>, notice: AnyView) -> impl IntoView {
    let Offer { tenant_name, role, email, invited_by, has_account, .. } = offer;
    let by = invited_by.map_or_else(|| "You are invited".to_owned(), |by| format!("{by} has invited you"));
    let back = here(&token);
    let (sign_in, email) = (leading_to("/signin", &back), email.to_string());
    let token_field = view! { <input type="hidden" name="token" value=token /> };
    let form = match viewer {
        Some(user) => {
            let other = (user.email.as_str() != email)
                .then(|| view! { <p class="hint">"It was sent to "{email}". You join with your account "{user.email.to_string()}"."</p> });
            view! {
                <form class="stack" method="post" action=AcceptInvitation::url()>
                    {token_field}
                    {other}
                    <button class="button wide">"Join"</button>
                </form>
            }
            .into_any()
        }
        None if has_account => view! { <a class="button wide" href=sign_in>"Sign in to join"</a> }.into_any(),
        None => view! {
            <form class="stack" method="post" action=JoinBySigningUp::url()>
                {token_field}
                <p>"Choose a password for "<strong>{email.clone()}</strong>"."</p>
                <input class="unseen" id="email" type="email" autocomplete="username" value=email readonly tabindex="-1" aria-hidden="true" />
                <PasswordField new=true error=None focus=true />
                <button class="button wide">"Create account and join"</button>
            </form>
            <ProviderButton next=back />
            <p class="hint">"Have an account with another address? "<a href=sign_in>"Sign in to join with it"</a></p>
        }
        .into_any(),
    };
    view! {
        <h1>"Join "<bdi>{tenant_name.clone()}</bdi></h1>
        <div class="card stack">
            {notice}
            <p>{by}" to the team "<strong><bdi>{tenant_name}</bdi></strong>", as "<strong>{role.label().to_lowercase()}</strong>". "{role.description()}</p>
            {form}
        </div>
    }
}
