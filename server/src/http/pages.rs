//! The pages, their server functions and the files they load.

use crate::{
    context::Context,
    http::{answers, in_flight, in_words, sessions},
};
use app::{ApiReference, App, PublicOrigin, shell};
use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::{from_fn, from_fn_with_state, map_response},
    response::{IntoResponse, Response},
    routing::{MethodRouter, any},
};
use leptos::prelude::{LeptosOptions, provide_context};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};
use std::{path::Path, sync::Arc};
use tower::{ServiceBuilder, ServiceExt};
use tower_http::services::ServeDir;

/// What is asked for with `?v=` never changes its content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// A page shows what only its reader may see, and only as long as they are signed in.
const PERSONAL: HeaderValue = HeaderValue::from_static("private, no-store");
/// Of a file, without the endings of its compressed forms.
const LONGEST_NAME: usize = 200;
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// Every page and server function, the files of `site`, and the page for what is none of these.
pub fn router(context: &Context, site: &Path, reference: ApiReference) -> Router {
    let options = LeptosOptions::builder().output_name("reelmill").site_root(site.display().to_string()).site_pkg_dir("pkg").build();
    let (services, public_url) = (context.services.clone(), context.public_url.clone());
    let provide = move || {
        provide_context(services.clone());
        if let Some(url) = &public_url {
            provide_context(PublicOrigin(url.origin().to_owned()));
        }
        provide_context(reference.clone());
    };
    let (shown, unknown) = (options.clone(), options.clone());
    // Around everything that renders, whichever route leads there.
    let rendering = ServiceBuilder::new()
        .layer(map_response(kept_by_nobody))
        .layer(from_fn(in_words))
        .layer(from_fn_with_state(context.clone(), in_flight::of_session))
        .layer(from_fn_with_state(Arc::clone(&context.shares), answers::bound))
        .layer(from_fn_with_state(context.clone(), sessions::prolong));
    let missing = any(render_app_async_with_context(provide.clone(), move || shell(unknown.clone()))).layer(rendering.clone());
    Router::new()
        .leptos_routes_with_context(&options, generate_route_list(App), provide, move || shell(shown.clone()))
        .layer(rendering)
        .fallback_service(site_files(site, missing))
        .with_state(options)
}

/// The files of the site, compressed beforehand where they are; `instead` answers for what is not among them.
///
/// Not leptos' own file handler: under load it takes the headers of a page that another request is waiting for.
fn site_files(site: &Path, instead: MethodRouter) -> MethodRouter {
    let files = ServeDir::new(site)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false)
        .call_fallback_on_method_not_allowed(true)
        .fallback(instead.clone());
    any(async move |request: Request| {
        let path = request.uri().path();
        let is_file = path.rsplit('/').next().unwrap_or_default().contains('.');
        if is_file && !matches!(*request.method(), Method::GET | Method::HEAD) {
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
        }
        // The file system would call such a name an error, not a file that is missing.
        if path.split('/').any(|name| name.len() > LONGEST_NAME) {
            return instead.oneshot(request).await.into_response();
        }
        let is_versioned = request.uri().query().is_some_and(|query| form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "v"));
        let mut response = files.oneshot(request).await.into_response();
        if response.status() == StatusCode::OK && !response.headers().contains_key(header::CACHE_CONTROL) {
            response.headers_mut().insert(header::CACHE_CONTROL, if is_versioned { FOR_EVER } else { ASK_AGAIN });
            response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        response
    })
}

async fn kept_by_nobody(mut response: Response) -> Response {
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(PERSONAL);
    response
}
