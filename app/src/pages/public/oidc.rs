//! Signing in by an OpenID provider: the way there, and what is said to whoever comes back. Pages, and no forms, as browsers follow no form
//! to another site.

use super::door::{admit, arrive, leading_to};
use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, OidcPurpose, OidcTry},
    words,
};
use axum::http::StatusCode;
use leptos::prelude::*;
use service::account::oidc::OidcError;

pub const PAGE: &str = "/signin/oidc";
/// Where a link of a signed-in user is allowed, and begins.
pub const LINK_PAGE: &str = "/security/link";
const SECURITY: &str = "/security";

/// Why somebody is not signed in, and how they can go on.
struct Problem {
    status: StatusCode,
    title: String,
    text: String,
    /// What each button says, and where it leads. The first is the likeliest.
    ways: Vec<(String, String)>,
}

/// The button by which one signs in at the provider, where there is one.
#[component]
pub fn ProviderButton(next: String) -> impl IntoView {
    let name = session::services().oidc_name().map(ToOwned::to_owned);
    name.map(|name| {
        view! { <p class="aside"><a class="button quiet wide" rel="nofollow" href=leading_to(PAGE, &next)>{format!("Continue with {name}")}</a></p> }
    })
}

/// Leads to the provider: to sign in, or, with `?link`, to link who is signed in.
#[component]
pub fn OidcPage() -> impl IntoView {
    let (links, next) = (http::query().get("link").is_some(), http::query().get("next").unwrap_or_default());
    page(async move {
        let name = provider_name()?;
        let (purpose, next) = if links {
            let viewer = session::require_viewer().await?;
            if !session::may_link().await? {
                http::lead(LINK_PAGE);
                return Ok(().into_any());
            }
            (OidcPurpose::Link(viewer.id), SECURITY.to_owned())
        } else {
            let (viewer, next) = arrive(&next).await?;
            if viewer.is_some() {
                return Ok(().into_any());
            }
            (OidcPurpose::SignIn, next)
        };
        match session::services().begin_oidc(&http::visitor_address()).await {
            Ok((attempt, leads_to)) => {
                session::keep_try(attempt, purpose, &next).await?;
                http::lead(&leads_to);
                Ok(().into_any())
            }
            Err(error) => said(problem(error, &name, purpose, &next)?).await,
        }
    })
}

/// Where the provider leads back to.
#[component]
pub fn CallbackPage() -> impl IntoView {
    let query = http::query();
    page(async move {
        let name = provider_name()?;
        let found = match query.get("state") {
            Some(state) => session::take_try(&state).await?,
            None => None,
        };
        let Some(found) = found else { return said(expired(&name)).await };
        let OidcTry { attempt, purpose, next, .. } = &found;
        // Where several providers are in use, one could pass for another.
        let is_foreign = query.get("iss").is_some_and(|issuer| !session::services().is_oidc_issuer(&issuer));
        let code = query.get("code").filter(|_| !is_foreign);
        let (Some(code), None) = (code, query.get("error")) else {
            return said(denied(&name, query.get("error").as_deref(), *purpose, next)).await;
        };
        let address = http::visitor_address();
        let done = match purpose {
            OidcPurpose::SignIn => match session::services().sign_in_by_oidc(attempt, &code, &address).await {
                Ok(user) => {
                    let leads_to = admit(&user, next).await?;
                    http::lead(leads_to);
                    Ok(())
                }
                Err(error) => Err(error),
            },
            OidcPurpose::Link(id) => {
                // Somebody else may have signed in meanwhile.
                let Some(viewer) = session::viewer().await?.filter(|viewer| viewer.id == *id) else { return said(expired(&name)).await };
                session::end_link().await?;
                let linked = session::services().link_oidc(&viewer, attempt, &code, &address).await;
                if linked.is_ok() {
                    http::lead(SECURITY);
                }
                linked
            }
        };
        match done {
            Ok(()) => Ok(().into_any()),
            Err(error) => said(problem(error, &name, *purpose, next)?).await,
        }
    })
}

fn provider_name() -> Result<String, Fault> {
    session::services().oidc_name().map(ToOwned::to_owned).ok_or(Fault::NotFound)
}

async fn said(Problem { status, title, text, ways }: Problem) -> Result<AnyView, Fault> {
    http::answer_in_place(status);
    let viewer = session::viewer().await?;
    let ways = ways.into_iter().enumerate().map(|(at, (label, href))| {
        let class = if at == 0 { "button wide" } else { "button quiet wide" };
        view! { <a class=class href=href>{label}</a> }
    });
    Ok(view! {
        <Frame title="Sign in" viewer class="page narrow">
            <h1>{title}</h1>
            <div class="card stack">
                <p class="notice" role="alert">{text}</p>
                {ways.collect_view()}
            </div>
        </Frame>
    }
    .into_any())
}

fn again(purpose: OidcPurpose, next: &str) -> (String, String) {
    let again = match purpose {
        OidcPurpose::SignIn => leading_to(PAGE, next),
        OidcPurpose::Link(_) => LINK_PAGE.to_owned(),
    };
    ("Try again".into(), again)
}

fn otherwise(purpose: OidcPurpose, next: &str) -> (String, String) {
    match purpose {
        OidcPurpose::SignIn => ("Sign in with a password".into(), leading_to("/signin", next)),
        OidcPurpose::Link(_) => ("Back to security".into(), SECURITY.into()),
    }
}

/// Nobody knows any more what it was for: it took too long, was used, or began in another browser.
fn expired(name: &str) -> Problem {
    Problem {
        status: StatusCode::BAD_REQUEST,
        title: "This sign-in is over".into(),
        text: format!("It took too long, was used already, or began in another browser. Nothing was changed here, nor at {name}."),
        ways: vec![("Start again".into(), "/signin".into())],
    }
}

/// By its own words, which whoever makes the link may choose, and which are therefore not shown.
fn denied(name: &str, error: Option<&str>, purpose: OidcPurpose, next: &str) -> Problem {
    let text = match error {
        Some("access_denied") => format!("{name} says that you did not agree, or may not. Nothing was changed."),
        _ => format!("{name} did not say who you are. Nothing was changed."),
    };
    if error != Some("access_denied") {
        tracing::warn!(error, "the OpenID provider says nobody");
    }
    let ways = vec![again(purpose, next), otherwise(purpose, next)];
    Problem { status: StatusCode::BAD_REQUEST, title: format!("Not signed in by {name}"), text, ways }
}

fn problem(error: OidcError, name: &str, purpose: OidcPurpose, next: &str) -> Result<Problem, Fault> {
    let (again, otherwise) = (again(purpose, next), otherwise(purpose, next));
    let (status, title, text, ways) = match error {
        OidcError::Absent => return Err(Fault::NotFound),
        OidcError::Forbidden(error) => return Err(error.into()),
        OidcError::Store(error) => return Err(error.into()),
        OidcError::Random(error) => return Err(Fault::internal(&error)),
        OidcError::Provider(error) => {
            tracing::warn!(%error, "nobody is signed in by the OpenID provider");
            let is_away = matches!(error, service::account::oidc::ProviderError::Unavailable(_));
            let (status, title, text) = if is_away {
                let text = format!("{name} cannot be reached right now. Nothing is lost: please try again in a moment.");
                (StatusCode::SERVICE_UNAVAILABLE, format!("{name} is away"), text)
            } else {
                let text = format!("What {name} answered could not be checked, so nobody was signed in. Nothing was changed.");
                (StatusCode::BAD_REQUEST, format!("Not signed in by {name}"), text)
            };
            (status, title, text, vec![again, otherwise])
        }
        OidcError::Unverified => {
            let text = format!(
                "{name} does not confirm that your email address is yours, so no account is made for it. Confirm the address there, or sign up with a password here."
            );
            (
                StatusCode::FORBIDDEN,
                "Your address is not confirmed".into(),
                text,
                vec![again, ("Sign up with a password".into(), leading_to("/signup", next))],
            )
        }
        OidcError::EmailTaken(email) => {
            let text = format!(
                "There is an account with the address {email} already. Sign in to it with its password, and link {name} to it: from then on you come in by {name} too."
            );
            let ways = vec![
                ("Sign in and link".into(), leading_to("/signin", LINK_PAGE)),
                ("I have no password".into(), "/forgot-password".into()),
            ];
            (StatusCode::CONFLICT, "You have an account already".into(), text, ways)
        }
        OidcError::OfAnother => {
            let text = format!(
                "What you are at {name} is linked to another account here. Unlink it there first, or choose another identity at {name}."
            );
            (StatusCode::CONFLICT, "Linked to another account".into(), text, vec![again, otherwise])
        }
        OidcError::HasAnother => {
            let text = format!("Your account is linked to another identity at {name}. Unlink that one first.");
            (StatusCode::CONFLICT, "Linked already".into(), text, vec![otherwise])
        }
        OidcError::Unconfirmed => {
            let text = format!("Confirm the email address of your account first, by the link that we mailed to you. Then link {name}.");
            (StatusCode::FORBIDDEN, "Your address is not confirmed".into(), text, vec![otherwise])
        }
        OidcError::TooManyTries { retry_after_s } => {
            let text = format!(
                "Too many people from your network sign in at this moment. Wait {} and try again.",
                words::about(retry_after_s * 1000)
            );
            (StatusCode::TOO_MANY_REQUESTS, "Please wait".into(), text, vec![again, otherwise])
        }
    };
    Ok(Problem { status, title, text, ways })
}
