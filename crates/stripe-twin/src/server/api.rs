//! One request of the API, from its headers to its answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::time::sleep;

use super::Shared;
use super::expand::expand;
use super::idempotency::Kept;
use super::routes::route;
use crate::wire::answer::StripeError;
use crate::wire::request::{Params, parse};
use crate::world::{API_VERSION, Cause};

pub async fn answer(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let request_id = shared.with_world(|world| world.new_id("req_", 14));
    let call = Call::read(method, &uri, &headers, &body, request_id);
    let latency = shared.with_deliveries(|all| all.faults.api_latency_ms);
    let (kept, replayed) = match check_key(&headers) {
        Err(error) => (call.kept(Err(error)), false),
        Ok(()) => match begin(&shared, &call) {
            Err(error) => (call.kept(Err(error)), false),
            Ok(Some(kept)) => (kept, true),
            Ok(None) => {
                sleep(Duration::from_millis(latency)).await;
                (work(&shared, &call), false)
            }
        },
    };
    respond(&call, &kept, replayed)
}

struct Call {
    method: String,
    path: String,
    params: Params,
    key: Option<String>,
    version: String,
    request_id: String,
}

impl Call {
    fn read(method: Method, uri: &Uri, headers: &HeaderMap, body: &Bytes, request_id: String) -> Self {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let mut text = uri.query().unwrap_or_default().as_bytes().to_vec();
        if !body.is_empty() {
            text.push(b'&');
            text.extend_from_slice(body);
        }
        Self {
            key: header("idempotency-key").filter(|_| method == Method::POST),
            method: method.to_string(),
            path: uri.path().to_owned(),
            params: Params::new(parse(&text)),
            version: header("stripe-version").unwrap_or_else(|| API_VERSION.to_owned()),
            request_id,
        }
    }

    fn kept(&self, outcome: Result<Value, StripeError>) -> Kept {
        let (status, body) = match outcome {
            Ok(body) => (200, body),
            Err(error) => (error.status, error.to_json(&self.request_id)),
        };
        Kept { status, body, request_id: self.request_id.clone() }
    }
}

/// A test key, as a bearer or as the user of basic authentication.
fn check_key(headers: &HeaderMap) -> Result<(), StripeError> {
    let given = headers.get("authorization").and_then(|value| value.to_str().ok()).ok_or_else(StripeError::unauthorized)?;
    let key = match given.split_once(' ') {
        Some(("Bearer", key)) => key.to_owned(),
        Some(("Basic", encoded)) => {
            let decoded = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            decoded.and_then(|pair| pair.split(':').next().map(str::to_owned)).ok_or_else(StripeError::unauthorized)?
        }
        _ => return Err(StripeError::unauthorized()),
    };
    if key.starts_with("sk_test_") || key.starts_with("rk_test_") { Ok(()) } else { Err(StripeError::wrong_key(&key)) }
}

fn begin(shared: &Shared, call: &Call) -> Result<Option<Kept>, StripeError> {
    let Some(key) = &call.key else { return Ok(None) };
    let request = format!("{} {} {}", call.method, call.path, call.params.to_value());
    let now = shared.with_world(|world| world.now());
    shared.with_keys(|keys| keys.begin(key, &request, now))
}

/// Does what was asked for, unless a fault is wanted.
fn work(shared: &Shared, call: &Call) -> Kept {
    let changes = call.method != "GET";
    let (before, after) = shared.with_deliveries(|all| {
        let before = changes && take(&mut all.faults.api_fail_before);
        (before, changes && !before && take(&mut all.faults.api_fail_after))
    });
    let path: Vec<_> = call.path.trim_start_matches("/v1/").split('/').filter(|part| !part.is_empty()).collect();
    let outcome = if before {
        Err(StripeError::internal())
    } else {
        shared.with_world(|world| {
            world.set_cause(Cause { request: Some(call.request_id.clone()), idempotency_key: call.key.clone() });
            let outcome = route(world, &call.method, &path, &call.params);
            world.set_cause(Cause::default());
            outcome.and_then(|answer| expand(world, answer, &call.params))
        })
    };
    let forget = before || outcome.as_ref().is_err_and(StripeError::is_of_validation);
    let kept = call.kept(outcome);
    if let Some(key) = &call.key {
        shared.with_keys(|keys| keys.finish(key, (!forget).then(|| kept.clone())));
    }
    if after { call.kept(Err(StripeError::internal())) } else { kept }
}

/// Takes one of so many that are left.
fn take(left: &mut u64) -> bool {
    let some = *left > 0;
    *left = left.saturating_sub(1);
    some
}

fn respond(call: &Call, kept: &Kept, replayed: bool) -> Response {
    let status = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(&kept.body)).into_response();
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    };
    set("request-id", &call.request_id);
    set("stripe-version", &call.version);
    if let Some(key) = &call.key {
        set("idempotency-key", key);
        set("original-request", &kept.request_id);
    }
    if replayed {
        set("idempotent-replayed", "true");
    }
    set("stripe-should-retry", if kept.status == 409 || kept.status >= 500 { "true" } else { "false" });
    response
}
