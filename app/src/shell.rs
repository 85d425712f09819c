//! The document around every page, and the headers that guard it.
//!
//! Decided here: scripts and styles run only with this response's nonce or from our own origin, and the
//! theme is an attribute made from a cookie, so that no page flashes in the wrong colours.

use crate::{app::App, http};
use axum::http::{HeaderValue, header};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_axum::ResponseOptions;
use leptos_meta::{HashedStylesheet, MetaTags};
use service::Services;
use std::env;

#[must_use]
pub fn shell(options: LeptosOptions) -> impl IntoView {
    guard(&options);
    let theme = http::cookie("theme").filter(|theme| theme == "light" || theme == "dark");
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
                <meta name="color-scheme" content="dark light" />
                <meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)" />
                <meta name="theme-color" content="#f5f3ee" media="(prefers-color-scheme: light)" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="manifest" href="/manifest.webmanifest" />
                <link rel="preload" href="/fonts/familjen-grotesk.woff2" r#as="font" r#type="font/woff2" crossorigin="anonymous" />
                <HashedStylesheet options=options.clone() id="style" />
                <AutoReload options=options.clone() />
                <HydrationScripts options=options islands=true />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// Sends the Content-Security-Policy of this response. Under `cargo leptos watch` pages also listen for reloads.
fn guard(options: &LeptosOptions) {
    let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>()) else { return };
    let reload = if env::var_os("LEPTOS_WATCH").is_some() { format!(" ws://*:{}", options.reload_port) } else { String::new() };
    // A form that is answered with the way to a page of the payment processor.
    let leads_to = use_context::<Services>().map(|services| services.payment_origins().to_owned()).filter(|origins| !origins.is_empty());
    let leads_to = leads_to.map(|origins| format!(" {origins}")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self'; media-src 'self'; font-src 'self'; connect-src 'self'{reload}; manifest-src 'self'; \
         form-action 'self'{leads_to}; base-uri 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}
