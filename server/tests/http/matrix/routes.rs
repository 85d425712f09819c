//! Every route that the router knows, as it says itself.

use crate::harness::Product;
use axum::{body::Body, http::Request};
use std::collections::BTreeSet;

/// Method and path, such as `GET /videos/{id}`; `ANY` where a path answers every method.
pub async fn all(product: &Product) -> BTreeSet<String> {
    let mut routes = BTreeSet::new();
    for path in paths(&format!("{:?}", product.router)) {
        let concrete = path.replace(['{', '}', '*'], "");
        let asked = product.send(Request::builder().method("TRACE").uri(&concrete).body(Body::empty()).unwrap()).await;
        let allowed: Vec<_> = asked.header("allow").split(',').filter(|method| !["", "HEAD"].contains(method)).collect();
        let methods = if allowed.is_empty() { vec!["ANY"] } else { allowed };
        routes.extend(methods.into_iter().map(|method| format!("{method} {path}")));
    }
    routes
}

/// The paths in the router's own notes, where each stands in quotes behind the number of its route.
fn paths(notes: &str) -> BTreeSet<String> {
    let behind_number = notes.split("RouteId(").skip(1).filter_map(|rest| rest.split_once("): \"/")?.0.parse::<u32>().ok().map(|_| rest));
    let paths = behind_number.filter_map(|rest| Some(rest.split('"').nth(1)?.to_owned()));
    // What is no route leads to the files of the site and the page for what is missing.
    paths.filter(|path| !path.contains("__private__axum_fallback")).collect()
}
