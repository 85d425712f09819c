//! Why a page or a form cannot be answered as asked, and what is shown or done instead.

use crate::{components::frame::Frame, session};
use axum::http::{HeaderValue, StatusCode, header};
use leptos::{
    either::Either,
    prelude::*,
    server_fn::{codec::JsonEncoding, error::ServerFnErrorErr},
};
use leptos_axum::ResponseOptions;
use serde::{Deserialize, Serialize};
use std::{error::Error, future::Future};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    SignInFirst,
    NotFound,
    /// The form lacks a field or holds one that cannot be read.
    Malformed,
    /// The database is away; it will be back.
    Unavailable,
    /// Ours to mend; the cause is in the log.
    Internal,
}

impl Fault {
    fn unavailable(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "a page cannot be answered right now");
        session::answer_with(StatusCode::SERVICE_UNAVAILABLE);
        Self::Unavailable
    }

    pub fn internal(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "a page could not be answered");
        Self::Internal
    }
}

impl From<service::StoreError> for Fault {
    fn from(error: service::StoreError) -> Self {
        if matches!(error, service::StoreError::Database(_)) { Self::unavailable(&error) } else { Self::internal(&error) }
    }
}

impl From<tower_sessions::session::Error> for Fault {
    fn from(error: tower_sessions::session::Error) -> Self {
        Self::unavailable(&error)
    }
}

impl FromServerFnError for Fault {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                session::answer_with(StatusCode::BAD_REQUEST);
                Self::Malformed
            }
            _ => Self::Internal,
        }
    }
}

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
            session::lead(&sign_in_and_return());
            return ().into_any();
        }
        Fault::NotFound => StatusCode::NOT_FOUND,
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
    format!("/signin?next={}", escaped(&session::here()))
}

/// Text made safe inside a query.
pub fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[component]
pub fn NotFoundPage() -> impl IntoView {
    page(async { Err::<(), _>(Fault::NotFound) })
}
