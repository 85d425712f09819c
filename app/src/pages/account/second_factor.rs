//! Turning two-step sign-in on and off, and the codes for when the app is lost.

use super::security::{self, answer};
use crate::{
    components::{code::Code, field::Field, frame::Frame},
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice, flash},
    told::Told,
};
use leptos::{prelude::*, server_fn::ServerFn};
use serde::{Deserialize, Serialize};
use service::account::{CodeError, Setup};

const ON: &str = "/security/on";
const OFF: &str = "/security/off";
const CODES: &str = "/security/codes";

/// Shown once.
#[derive(Serialize, Deserialize)]
struct Codes(Vec<String>);

#[server(prefix = "/api", endpoint = "turn-on-second-factor")]
pub async fn turn_on_second_factor(code: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(ON).await? else { return Ok(()) };
    match session::services().turn_on_second_factor(user.actor(), &code, &http::visitor_address()).await {
        Ok(codes) => {
            flash::keep(CODES, &Codes(codes)).await?;
            leptos_axum::redirect(CODES);
        }
        Err(refused) => {
            session::say(ON, Some(user.id), "on", Err(refused.told()?), "");
            leptos_axum::redirect(ON);
        }
    }
    Ok(())
}

#[server(prefix = "/api", endpoint = "renew-recovery-codes")]
pub async fn renew_recovery_codes(current: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(CODES).await? else { return Ok(()) };
    match session::services().renew_recovery_codes(user.actor(), &current, &http::visitor_address()).await {
        Ok(codes) => flash::keep(CODES, &Codes(codes)).await?,
        Err(refused) => session::say(CODES, Some(user.id), "codes", Err(refused.told()?), ""),
    }
    leptos_axum::redirect(CODES);
    Ok(())
}

#[server(prefix = "/api", endpoint = "turn-off-second-factor")]
pub async fn turn_off_second_factor(current: String) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(OFF).await? else { return Ok(()) };
    match session::services().turn_off_second_factor(user.actor(), &current, &http::visitor_address()).await {
        Ok(()) => answer::<CodeError>(&user, "factor", Ok("Two-step sign-in is off.".into()), ""),
        Err(refused) => {
            session::say(OFF, Some(user.id), "off", Err(refused.told()?), "");
            leptos_axum::redirect(OFF);
            Ok(())
        }
    }
}

#[component]
pub fn TurnOnPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let said = session::said(ON, Some(viewer.id));
        let content = match session::services().set_up_second_factor(&viewer).await {
            Ok(Setup { secret, picture }) => {
                // An XML declaration is none in HTML.
                let picture = picture.split_once("?>").map_or(picture.clone(), |(_, svg)| svg.to_owned());
                view! {
                    <form class="card stack" method="post" action=TurnOnSecondFactor::url()>
                        <SaidNotice said=&said form="on" />
                        <p>"1. Scan this picture with an authenticator app, or type the secret into it."</p>
                        <div class="qr" role="img" aria-label="QR code of the secret" inner_html=picture></div>
                        <Code label="Secret" text=secret />
                        <Field name="code" label="2. The code that the app shows now" autocomplete="one-time-code" focus=true />
                        <button class="button wide">"Turn on"</button>
                    </form>
                }
                .into_any()
            }
            Err(CodeError::AlreadyOn) => {
                view! { <p class="notice plain">"Two-step sign-in is on already. "<a href=security::PAGE>"Back"</a></p> }.into_any()
            }
            Err(error) => return Err(error.told().err().unwrap_or(Fault::Internal)),
        };
        Ok(view! {
            <Frame title="Two-step sign-in" viewer=Some(viewer) class="page narrow">
                <h1>"Two-step sign-in"</h1>
                {content}
                <p class="aside"><a href=security::PAGE>"Not now"</a></p>
            </Frame>
        })
    })
}

#[component]
pub fn CodesPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let said = session::said(CODES, Some(viewer.id));
        let content = match flash::take::<Codes>(CODES).await? {
            Some(Codes(codes)) => view! {
                <div class="card stack secret" role="status">
                    <p><strong>"Keep these codes where you find them without your phone."</strong>" Each lets you in once in place of the app. They are shown this once."</p>
                    <Code label="Recovery codes" text=codes.join("\n") />
                    <a class="button wide" href=security::PAGE>"I have kept them"</a>
                </div>
            }
            .into_any(),
            None => view! {
                <form class="card stack" method="post" action=RenewRecoveryCodes::url()>
                    <SaidNotice said=&said form="codes" />
                    <p>"New codes take the place of those that you have: these open nothing any more."</p>
                    <Field name="current" label="Your password" kind="password" autocomplete="current-password" focus=true />
                    <button class="button wide">"Make new codes"</button>
                </form>
                <p class="aside"><a href=security::PAGE>"Back"</a></p>
            }
            .into_any(),
        };
        Ok(view! {
            <Frame title="Recovery codes" viewer=Some(viewer) class="page narrow">
                <h1>"Recovery codes"</h1>
                {content}
            </Frame>
        })
    })
}

#[component]
pub fn TurnOffPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_viewer().await?;
        let said = session::said(OFF, Some(viewer.id));
        Ok(view! {
            <Frame title="Two-step sign-in" viewer=Some(viewer) class="page narrow">
                <h1>"Turn off two-step sign-in"</h1>
                <form class="card stack" method="post" action=TurnOffSecondFactor::url()>
                    <SaidNotice said=&said form="off" />
                    <p>"From then on your password alone lets you in, and the recovery codes open nothing."</p>
                    <Field name="current" label="Your password" kind="password" autocomplete="current-password" focus=true />
                    <button class="button wide danger">"Turn off"</button>
                </form>
                <p class="aside"><a href=security::PAGE>"Keep it on"</a></p>
            </Frame>
        })
    })
}
