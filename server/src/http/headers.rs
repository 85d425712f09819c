//! The headers that make browsers careful with what we send.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// For everything that is not a page: it loads nothing and nobody frames it. Pages bring their own.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
];

/// Who may show what is sent; kept where an answer has its own.
pub const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

pub async fn protect(State(is_https): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    harden(response.headers_mut(), is_https);
    response
}

fn harden(headers: &mut HeaderMap, is_https: bool) {
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NOTHING);
    let own = headers.get(RESOURCE_POLICY).cloned();
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    if let Some(own) = own {
        headers.insert(RESOURCE_POLICY, own);
    }
    if is_https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_its_own_policy_and_everything_else_gets_the_strict_one() {
        let own = HeaderValue::from_static("default-src 'self'");
        let mut page = HeaderMap::from_iter([(header::CONTENT_SECURITY_POLICY, own.clone())]);
        harden(&mut page, false);
        assert_eq!(page[header::CONTENT_SECURITY_POLICY], own);
        let mut other = HeaderMap::new();
        harden(&mut other, true);
        assert_eq!(other[header::CONTENT_SECURITY_POLICY], NOTHING);
        assert_eq!((&other[header::X_CONTENT_TYPE_OPTIONS], &other[header::STRICT_TRANSPORT_SECURITY]), (&ALWAYS[0].1, &HSTS));
    }
}
