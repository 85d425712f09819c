//! Signing in. A wrong password keeps the email address; a right one leads back to where the visitor came from.

use super::{
    door::{EmailField, arrive, enter, leading_to},
    fault::{Fault, page},
};
use crate::{components::frame::Frame, islands::password::PasswordField, session, words};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_query_map;
use serde::{Deserialize, Serialize};
use service::{SignIn as Attempt, SignInError, account::HashError};

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Refused {
    email: String,
    problem: Problem,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Problem {
    Wrong,
    TooManyTries {
        retry_after_s: u64,
    },
    Busy,
    /// While something was typed, which waits on the page one comes from.
    SignedOut,
}

impl Problem {
    fn text(self) -> String {
        match self {
            Self::Wrong => "Email address or password is wrong.".into(),
            Self::TooManyTries { retry_after_s } => {
                format!("Too many tries. Wait {} and try again.", words::about(retry_after_s * 1000))
            }
            Self::Busy => "Too many people are signing in at this moment. Please try again.".into(),
            Self::SignedOut => "You have been signed out. What you typed is kept: sign in, and you come back to it.".into(),
        }
    }
}

#[server(prefix = "/api", endpoint = "sign-in")]
pub async fn sign_in(email: String, password: String, #[server(default)] next: String) -> Result<(), Fault> {
    let (address, known_browser) = (session::visitor_address(), session::known_browser());
    let asked = Attempt { email: &email, password: &password, address: &address, known_browser: known_browser.as_deref() };
    let problem = match session::services().sign_in(asked).await {
        Ok(user) => return enter(user, &next).await,
        Err(SignInError::Wrong) => Problem::Wrong,
        Err(SignInError::TooManyTries { retry_after_s }) => Problem::TooManyTries { retry_after_s },
        Err(SignInError::Hash(HashError::Busy)) => Problem::Busy,
        Err(SignInError::Hash(error)) => return Err(Fault::internal(&error)),
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(SignInError::Browser(error)) => return Err(Fault::internal(&error)),
    };
    session::note("/signin", &Refused { email: session::noteworthy(&email), problem });
    leptos_axum::redirect(&leading_to("/signin", &next));
    Ok(())
}

/// Lets the next look at this page say that one was signed out, and that what was typed is kept.
pub fn say_signed_out() {
    session::note("/signin", &Refused { email: String::new(), problem: Problem::SignedOut });
}

#[component]
pub fn SignInPage() -> impl IntoView {
    let next = use_query_map().read_untracked().get("next").unwrap_or_default();
    page(async move {
        let (viewer, next) = arrive(&next).await?;
        let refused: Option<Refused> = session::noted("/signin");
        let error = refused.as_ref().map(|refused| refused.problem.text());
        let again = refused.as_ref().is_some_and(|refused| !refused.email.is_empty());
        let sign_up = leading_to("/signup", &next);
        Ok(view! {
            <Frame title="Sign in" viewer class="page narrow">
                <h1>"Sign in"</h1>
                <form class="card stack" method="post" action=SignIn::url()>
                    {error.map(|error| view! { <p class="notice" role="alert">{error}</p> })}
                    <input type="hidden" name="next" value=next />
                    <EmailField value=refused.map(|refused| refused.email).unwrap_or_default() error=None focus=!again />
                    <PasswordField new=false error=None focus=again />
                    <button class="button wide">"Sign in"</button>
                </form>
                <p class="aside">"No account yet? "<a href=sign_up>"Sign up"</a></p>
            </Frame>
        })
    })
}
