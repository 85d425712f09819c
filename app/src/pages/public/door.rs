//! What signing in and signing up share: where one came from, the way back to a refused form, the email field.

use crate::{components::field::Field, fault::Fault, http, pages::fault::escaped, session};
use leptos::prelude::*;
use service::User;

/// Who stands there, and the place on this server that `next` names; who is signed in is led on at once.
pub async fn arrive(next: &str) -> Result<(Option<User>, String), Fault> {
    let (viewer, next) = (session::viewer().await?, http::local_path(next));
    if viewer.is_some() {
        http::lead(next);
    }
    Ok((viewer, next.to_owned()))
}

/// The address of `door` from which one comes to `next`.
pub fn leading_to(door: &str, next: &str) -> String {
    format!("{door}?next={}", escaped(http::local_path(next)))
}

/// Signs the user in and leads on; who has a second factor is asked for it first.
pub async fn enter(user: User, next: &str) -> Result<(), Fault> {
    let leads_to = admit(&user, next).await?;
    if !user.has_second_factor {
        session::remember_browser(&user).await;
    }
    leptos_axum::redirect(leads_to);
    Ok(())
}

/// Makes the session the user's, unless they have a second factor: then it waits for that. Where they are to be led.
pub async fn admit<'a>(user: &User, next: &'a str) -> Result<&'a str, Fault> {
    if user.has_second_factor {
        session::begin_pending(user, next).await?;
        return Ok("/signin/code");
    }
    session::begin(user.id).await?;
    Ok(http::local_path(next))
}

#[component]
pub fn EmailField(value: String, error: Option<String>, focus: bool) -> impl IntoView {
    view! { <Field name="email" label="Email address" kind="email" autocomplete="username" focus value error /> }
}
