//! Signing in. A wrong password keeps the email address; a right one leads back to where the visitor came from.

use super::{
    door::{EmailField, arrive, enter, leading_to},
    oidc::ProviderButton,
};
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    islands::password::PasswordField,
    pages::fault::page,
    session::{self, RefusedSignIn, SignInProblem},
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{SignIn as Attempt, SignInError, account::HashError};

#[server(prefix = "/api", endpoint = "sign-in")]
pub async fn sign_in(email: String, password: String, #[server(default)] next: String) -> Result<(), Fault> {
    let (address, known_browser) = (http::visitor_address(), session::known_browser());
    let asked = Attempt { email: &email, password: &password, address: &address, known_browser: known_browser.as_deref() };
    let problem = match session::services().sign_in(asked).await {
        Ok(user) => return enter(user, &next).await,
        Err(SignInError::Wrong) => SignInProblem::Wrong,
        Err(SignInError::TooManyTries { retry_after_s }) => SignInProblem::TooManyTries { retry_after_s },
        Err(SignInError::Hash(HashError::Busy)) => SignInProblem::Busy,
        Err(SignInError::Hash(error)) => return Err(Fault::internal(&error)),
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(SignInError::Browser(error)) => return Err(Fault::internal(&error)),
    };
    session::note("/signin", &RefusedSignIn { email: session::noteworthy(&email), problem });
    leptos_axum::redirect(&leading_to("/signin", &next));
    Ok(())
}

#[component]
pub fn SignInPage() -> impl IntoView {
    let next = http::query().get("next").unwrap_or_default();
    page(async move {
        let (viewer, next) = arrive(&next).await?;
        let refused: Option<RefusedSignIn> = session::noted("/signin");
        let error = refused.as_ref().map(|refused| refused.problem.text());
        let again = refused.as_ref().is_some_and(|refused| !refused.email.is_empty());
        let sign_up = leading_to("/signup", &next);
        Ok(view! {
            <Frame title="Sign in" viewer class="page narrow">
                <h1>"Sign in"</h1>
                <form class="card stack" method="post" action=SignIn::url()>
                    {error.map(|error| view! { <p class="notice" role="alert">{error}</p> })}
                    <input type="hidden" name="next" value=next.clone() />
                    <EmailField value=refused.map(|refused| refused.email).unwrap_or_default() error=None focus=!again />
                    <PasswordField new=false error=None focus=again />
                    <button class="button wide">"Sign in"</button>
                </form>
                <ProviderButton next />
                <p class="aside"><a href="/forgot-password">"Forgot your password?"</a></p>
                <p class="aside">"No account yet? "<a href=sign_up>"Sign up"</a></p>
            </Frame>
        })
    })
}
