//! What is shown or done instead of a page that cannot be answered as asked.

use crate::{components::frame::Frame, fault::Fault, http, session};
use axum::http::{HeaderValue, StatusCode, header};
use leptos::{either::Either, prelude::*};
use leptos_axum::ResponseOptions;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::future::Future;

/// A page whose content is looked up first. A visitor who must sign in is sent there and comes back.
pub fn page<V: IntoView + 'static>(content: impl Future<Output = Result<V, Fault>> + Send + 'static) -> impl IntoView {
    let content = async move {
        match content.await {
            Ok(view) => Either::Left(view),
            Err(fault) => Either::Right(instead(fault).await),
        }
    };
    view! { <Suspense>{Suspend::new(content)}</Suspense> }
}

async fn instead(fault: Fault) -> impl IntoView {
    let status = match fault {
        Fault::SignInFirst => {
            http::lead(&sign_in_and_return());
            return ().into_any();
        }
        Fault::NotFound => StatusCode::NOT_FOUND,
        Fault::Forbidden => StatusCode::FORBIDDEN,
        Fault::Malformed => StatusCode::BAD_REQUEST,
        Fault::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Fault::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    };
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
        if fault == Fault::Unavailable {
            response.insert_header(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
    }
    let viewer = if status.is_server_error() { None } else { session::viewer().await.unwrap_or_default() };
    let (title, code, text) = match fault {
        Fault::Internal => {
            ("Something broke", "500", "It is our fault, not yours, and it has been written down. Please try again in a moment.")
        }
        Fault::Unavailable => (
            "Back in a moment",
            "503",
            "The service cannot answer right now. That is not your fault, and nothing is lost. Please load this page again in a moment.",
        ),
        Fault::Forbidden if viewer.as_ref().is_some_and(|viewer| viewer.viewed.is_some()) => (
            "Not while you look at a team",
            "403",
            "You see what its viewers see: payments, keys and settings stay with the team. End the view to be back on your own pages.",
        ),
        Fault::NotFound if http::here().starts_with("/admin") && viewer.as_ref().is_some_and(|viewer| viewer.viewed.is_some()) => {
            ("Not while you look at a team", "404", "The pages of the operator are here again once you end the view.")
        }
        Fault::Forbidden => {
            ("Not with your role", "403", "Your role in this team does not allow that. An owner or an admin of the team can change it.")
        }
        Fault::Malformed => ("That was not understood", "400", "The address or the form lacks something. Go back and try again."),
        _ => ("Page not found", "404", "Nothing is on this reel: it was deleted, never existed, or belongs to someone else."),
    };
    view! {
        <Frame title viewer class="page fault">
            <p class="fault-code" aria-hidden="true">{code}</p>
            <h1>{title}</h1>
            <p class="lead">{text}</p>
            <p class="row"><a class="button" href="/">"To the start page"</a></p>
        </Frame>
    }
    .into_any()
}

/// The sign-in page's address, from which one comes back here.
pub fn sign_in_and_return() -> String {
    format!("/signin?next={}", escaped(&http::here()))
}

/// Text made safe inside a query.
pub fn escaped(text: &str) -> String {
    const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(text, &ESCAPED).to_string()
}

#[component]
pub fn NotFoundPage() -> impl IntoView {
    page(async { Err::<(), _>(Fault::NotFound) })
}
