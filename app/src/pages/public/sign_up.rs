//! Making an account: an email address and a password that is not easily guessed, nothing else.

use super::{
    door::{EmailField, arrive, enter, leading_to},
    oidc::ProviderButton,
};
use crate::{components::frame::Frame, fault::Fault, http, islands::password::PasswordField, pages::fault::page, session, words};
use leptos::{prelude::*, server_fn::ServerFn};
use serde::{Deserialize, Serialize};
use service::{SignUpError, account::HashError};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Refused {
    notice: Option<String>,
    email: String,
    email_error: Option<String>,
    password_error: Option<String>,
}

#[server(prefix = "/api", endpoint = "sign-up")]
pub async fn sign_up(email: String, password: String, #[server(default)] next: String) -> Result<(), Fault> {
    let kept = session::noteworthy(&email);
    let refused = match session::services().sign_up_from(&http::visitor_address(), &email, &password).await {
        Ok(user) => return enter(user, &next).await,
        Err(SignUpError::Email(_)) => {
            Refused { email_error: Some("That does not look like an email address.".into()), email: kept, ..Refused::default() }
        }
        Err(SignUpError::EmailTaken) => {
            let taken = "There is an account with this email address already. Sign in instead, or use another address.";
            Refused { email_error: Some(taken.into()), email: kept, ..Refused::default() }
        }
        Err(SignUpError::Password(problem)) => {
            Refused { password_error: Some(format!("Choose another password: {problem}.")), email: kept, ..Refused::default() }
        }
        Err(SignUpError::TooManyTries { retry_after_s }) => {
            let notice = format!("Too many new accounts from your network. Wait {} and try again.", words::about(retry_after_s * 1000));
            Refused { notice: Some(notice), email: kept, ..Refused::default() }
        }
        Err(SignUpError::TooManyWithEmail { retry_after_s }) => {
            let notice = format!("Too many tries with this address. Wait {} and try again.", words::about(retry_after_s * 1000));
            Refused { notice: Some(notice), email: kept, ..Refused::default() }
        }
        Err(SignUpError::Hash(HashError::Busy)) => {
            let notice = "Too many people are signing up at this moment. Please try again.";
            Refused { notice: Some(notice.into()), email: kept, ..Refused::default() }
        }
        Err(SignUpError::Store(error)) => return Err(error.into()),
        Err(error @ SignUpError::Hash(_)) => return Err(Fault::internal(&error)),
    };
    session::note("/signup", &refused);
    leptos_axum::redirect(&leading_to("/signup", &next));
    Ok(())
}

#[component]
pub fn SignUpPage() -> impl IntoView {
    let next = http::query().get("next").unwrap_or_default();
    page(async move {
        let (viewer, next) = arrive(&next).await?;
        let refused: Refused = session::noted("/signup").unwrap_or_default();
        let sign_in = leading_to("/signin", &next);
        Ok(view! {
            <Frame title="Sign up" viewer class="page narrow">
                <h1>"Sign up"</h1>
                <form class="card stack" method="post" action=SignUp::url()>
                    {refused.notice.map(|notice| view! { <p class="notice" role="alert">{notice}</p> })}
                    <input type="hidden" name="next" value=next.clone() />
                    <EmailField value=refused.email error=refused.email_error focus=refused.password_error.is_none() />
                    <PasswordField new=true focus=refused.password_error.is_some() error=refused.password_error />
                    <button class="button wide">"Create account"</button>
                </form>
                <ProviderButton next />
                <p class="aside">"Have an account? "<a href=sign_in>"Sign in"</a></p>
            </Frame>
        })
    })
}
