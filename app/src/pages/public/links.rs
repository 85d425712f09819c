//! Links by which an address is confirmed. A click confirms, not the look: programs look at links before people do.

use crate::{components::frame::Frame, fault::Fault, http, pages::fault::page, session, told::Told};
use domain::account::token::Purpose;
use leptos::{prelude::*, server_fn::ServerFn};
use service::account::OwnEmailError;

/// As much of a token as can stand in an address.
pub fn plain(token: &str) -> String {
    token.chars().filter(char::is_ascii_alphanumeric).take(128).collect()
}

#[server(prefix = "/api", endpoint = "verify-email")]
pub async fn verify_email(token: String) -> Result<(), Fault> {
    let done = session::services().verify_email(&token, &http::visitor_address()).await;
    answer("/verify-email", &token, done.map(|email| format!("{email} is confirmed. Thank you.")))
}

#[server(prefix = "/api", endpoint = "change-email")]
pub async fn change_email(token: String) -> Result<(), Fault> {
    let done = session::services().change_email(&token, &http::visitor_address()).await;
    answer("/change-email", &token, done.map(|email| format!("Your address is {email} from now on: sign in with it.")))
}

fn answer(page: &str, token: &str, done: Result<String, OwnEmailError>) -> Result<(), Fault> {
    let outcome = match done {
        Ok(text) => Ok(text),
        Err(refused) => Err(refused.told()?),
    };
    session::say(page, None, "link", outcome, "");
    leptos_axum::redirect(&format!("{page}?token={}", plain(token)));
    Ok(())
}

#[component]
pub fn VerifyEmailPage() -> impl IntoView {
    link_page("/verify-email", Purpose::VerifyEmail, "Confirm your email address", "Confirm", VerifyEmail::url())
}

#[component]
pub fn ChangeEmailPage() -> impl IntoView {
    link_page("/change-email", Purpose::ChangeEmail, "Confirm your new email address", "Use this address", ChangeEmail::url())
}

fn link_page(path: &'static str, purpose: Purpose, title: &'static str, label: &'static str, action: &'static str) -> impl IntoView {
    let token = http::query().get("token").unwrap_or_default();
    page(async move {
        let viewer = session::viewer().await?;
        let said = session::said(path, None);
        let onwards = if viewer.is_some() { ("/library", "To your library") } else { ("/signin", "Sign in") };
        let onwards = view! { <a class="button wide" href=onwards.0>{onwards.1}</a> };
        let content = if said.is_said() {
            view! { <div class="card stack"><session::SaidNotice said=&said form="link" />{onwards}</div> }.into_any()
        } else {
            match session::services().look_at_email(&token, purpose).await {
                Ok(email) => view! {
                    <form class="card stack" method="post" action=action>
                        <input type="hidden" name="token" value=token />
                        <p>"Is "<strong>{email.to_string()}</strong>" your address?"</p>
                        <button class="button wide">{label}</button>
                    </form>
                }
                .into_any(),
                Err(OwnEmailError::Spent(spent)) => {
                    view! { <div class="card stack"><p class="notice" role="alert">{spent.told()?}</p>{onwards}</div> }.into_any()
                }
                Err(error) => return Err(error.told().err().unwrap_or(Fault::Internal)),
            }
        };
        Ok(view! {
            <Frame title viewer class="page narrow">
                <h1>{title}</h1>
                {content}
            </Frame>
        })
    })
}
