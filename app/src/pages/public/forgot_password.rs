//! A forgotten password: the address it belongs to, to which a link is mailed. What is said does not depend on whether it is known.

use super::door::{EmailField, leading_to};
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice},
    told::Told,
};
use leptos::{prelude::*, server_fn::ServerFn};

const PAGE: &str = "/forgot-password";

#[server(prefix = "/api", endpoint = "forgot-password")]
pub async fn forgot_password(email: String) -> Result<(), Fault> {
    let outcome = match session::services().forgot_password(&email, &http::visitor_address()).await {
        Ok(()) => {
            let mail = session::mail_is_on_its_way();
            Ok(format!("If there is an account with this address, there is a link for it, good for one hour. {mail}"))
        }
        Err(refused) => Err(refused.told()?),
    };
    session::say(PAGE, None, "forgot", outcome, &email);
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[component]
pub fn ForgotPasswordPage() -> impl IntoView {
    page(async move {
        let viewer = session::viewer().await?;
        let said = session::said(PAGE, None);
        let sent = said.is_done("forgot");
        let sign_in = leading_to("/signin", "");
        Ok(view! {
            <Frame title="Forgot password" viewer class="page narrow">
                <h1>"Forgot your password?"</h1>
                <form class="card stack" method="post" action=ForgotPassword::url()>
                    <SaidNotice said=&said form="forgot" />
                    <p>"Say which address you signed up with, and we send you a link by which you set a new one."</p>
                    <EmailField value=said.typed.clone() error=None focus=!sent />
                    <button class="button wide">{if sent { "Send it again" } else { "Send the link" }}</button>
                </form>
                <p class="aside">"It came back to you? "<a href=sign_in>"Sign in"</a></p>
            </Frame>
        })
    })
}
