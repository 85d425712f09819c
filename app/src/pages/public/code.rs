//! The second step of signing in: a code of the app, or one for when it is lost.

use super::door::{arrive, leading_to};
use crate::{
    components::{field::Field, frame::Frame},
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, RefusedSignIn, SaidNotice, SignInProblem},
    told::Told,
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::account::CodeError;

const PAGE: &str = "/signin/code";

#[server(prefix = "/api", endpoint = "sign-in-code")]
pub async fn sign_in_code(code: String) -> Result<(), Fault> {
    let Some(pending) = session::pending().await? else {
        leptos_axum::redirect("/signin");
        return Ok(());
    };
    match session::services().check_code(pending.user, &pending.password, &code, &http::visitor_address()).await {
        Ok(user) => {
            session::end_pending().await?;
            session::begin(user.id).await?;
            session::remember_browser(&user).await;
            leptos_axum::redirect(http::local_path(&pending.next));
        }
        Err(CodeError::PasswordChanged) => {
            session::end_pending().await?;
            session::note("/signin", &RefusedSignIn { email: String::new(), problem: SignInProblem::PasswordChanged });
            leptos_axum::redirect(&leading_to("/signin", &pending.next));
        }
        Err(refused) => {
            session::say(PAGE, None, "code", Err(refused.told()?), "");
            leptos_axum::redirect(PAGE);
        }
    }
    Ok(())
}

#[component]
pub fn CodePage() -> impl IntoView {
    page(async move {
        let pending = session::pending().await?;
        let (viewer, _) = arrive("/create").await?;
        if viewer.is_none() && pending.is_none() {
            http::lead("/signin");
        }
        let said = session::said(PAGE, None);
        Ok(view! {
            <Frame title="Sign in" viewer class="page narrow">
                <h1>"One more step"</h1>
                <form class="card stack" method="post" action=SignInCode::url()>
                    <SaidNotice said=&said form="code" />
                    <Field name="code" label="Code" autocomplete="one-time-code" focus=true hint="The six digits that your authenticator app shows, or one of your recovery codes." />
                    <button class="button wide">"Sign in"</button>
                </form>
                <p class="aside">"Not you? "<a href="/signin">"Start again"</a></p>
            </Frame>
        })
    })
}
