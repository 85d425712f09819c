//! Setting a new password by the link of a mail.

use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    islands::password::PasswordField,
    pages::fault::page,
    session::{self, RefusedSignIn, SignInProblem},
    told::Told,
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::account::ResetError;

const PAGE: &str = "/reset-password";

#[server(prefix = "/api", endpoint = "reset-password")]
pub async fn reset_password(token: String, password: String) -> Result<(), Fault> {
    match session::services().reset_password(&token, &password, &http::visitor_address()).await {
        Ok(email) => {
            session::end().await?;
            session::note("/signin", &RefusedSignIn { email: email.to_string(), problem: SignInProblem::PasswordSet });
            leptos_axum::redirect("/signin");
        }
        Err(refused) => {
            session::say(PAGE, None, "reset", Err(refused.told()?), "");
            leptos_axum::redirect(&format!("{PAGE}?token={}", super::links::plain(&token)));
        }
    }
    Ok(())
}

#[component]
pub fn ResetPasswordPage() -> impl IntoView {
    let token = http::query().get("token").unwrap_or_default();
    page(async move {
        let viewer = session::viewer().await?;
        let said = session::said(PAGE, None);
        let found = session::services().look_at_reset(&token).await;
        let content = match found {
            Ok(email) => {
                let error = Some(said.text()).filter(|text| !text.is_empty());
                view! {
                    <form class="card stack" method="post" action=ResetPassword::url()>
                        <input type="hidden" name="token" value=token />
                        <p>"For "<strong>{email.to_string()}</strong>". You are signed out everywhere, and sign in with the new one."</p>
                        <input class="unseen" id="email" type="email" autocomplete="username" value=email.to_string() readonly tabindex="-1" aria-hidden="true" />
                        <PasswordField new=true error focus=true />
                        <button class="button wide">"Set password"</button>
                    </form>
                }
                .into_any()
            }
            Err(ResetError::Spent(spent)) => view! {
                <div class="card stack">
                    <p class="notice" role="alert">{spent.told()?}</p>
                    <a class="button wide" href="/forgot-password">"Ask for another link"</a>
                </div>
            }
            .into_any(),
            Err(error) => return Err(error.told().err().unwrap_or(Fault::Internal)),
        };
        Ok(view! {
            <Frame title="New password" viewer class="page narrow">
                <h1>"Set a new password"</h1>
                {content}
            </Frame>
        })
    })
}
