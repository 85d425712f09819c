//! Keeps other sites from acting in the name of whoever is signed in.
//!
//! The rule is the one of Go 1.25's `CrossOriginProtection`: browsers say in `Sec-Fetch-Site` or `Origin`
//! where a request comes from; what is no browser says neither, and carries no ambient cookie worth stealing.

use super::Audience;
use crate::{config::PublicUrl, context::Context, error::ApiError};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, Uri, header},
    middleware::Next,
    response::Response,
};

pub async fn protect(State(context): State<Context>, request: Request, next: Next) -> Response {
    let audience = Audience::of(&request);
    if is_allowed(request.method(), request.headers(), context.public_url.as_deref()) {
        next.run(request).await
    } else {
        audience.refuse(ApiError::CrossOrigin)
    }
}

fn is_allowed(method: &Method, headers: &HeaderMap, public_url: Option<&PublicUrl>) -> bool {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return true;
    }
    match (headers.get("sec-fetch-site"), headers.get(header::ORIGIN)) {
        (Some(site), _) => matches!(site.as_bytes(), b"same-origin" | b"none"),
        (None, None) => true,
        (None, Some(origin)) => public_url.is_some_and(|url| url.is_origin(origin)) || is_same_host(origin, headers.get(header::HOST)),
    }
}

/// The port belongs to the comparison: another port is another origin.
fn is_same_host(origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let origin = origin.to_str().ok().and_then(|text| text.parse::<Uri>().ok());
    match (origin.as_ref().and_then(Uri::authority), host.and_then(|host| host.to_str().ok())) {
        (Some(authority), Some(host)) => authority.as_str().eq_ignore_ascii_case(host),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(method: Method, sent: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("video.test:3000"))]);
        for (name, value) in sent {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        is_allowed(&method, &headers, "https://public.test".parse().ok().as_ref())
    }

    #[test]
    fn browsers_may_act_from_our_own_pages_only() {
        for (sent, expected) in [
            (&[("sec-fetch-site", "same-origin")][..], true),
            (&[("sec-fetch-site", "none")], true),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("sec-fetch-site", "cross-site")], false),
            (&[("sec-fetch-site", "")], false),
            (&[("sec-fetch-site", "cross-site"), ("origin", "http://video.test:3000")], false),
            (&[("origin", "http://video.test:3000")], true),
            (&[("origin", "http://video.test:3001")], false),
            (&[("origin", "http://video.test")], false),
            (&[("origin", "https://public.test")], true),
            (&[("origin", "https://public.test.evil.test")], false),
            (&[("origin", "http://evil.test")], false),
            (&[("origin", "null")], false),
            (&[("origin", "")], false),
            (&[], true),
        ] {
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                assert_eq!(allowed(method.clone(), sent), expected, "{method} {sent:?}");
            }
        }
    }

    #[test]
    fn looking_is_allowed_from_anywhere() {
        for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
            assert!(allowed(method, &[("sec-fetch-site", "cross-site"), ("origin", "http://evil.test")]));
        }
    }
}
