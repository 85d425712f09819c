//! Who calls: a program, by its API key or a client token. Cookies mean nothing here.

use super::{ApiError, cors::ByKey, scopes};
use crate::{
    context::Context,
    http::{FAL_PATH, REPLICATE_PATH, in_flight::unless_stream},
    pace,
};
use axum::{
    extract::{FromRequestParts, MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, JobId};
use service::{BatchRepetition, NotOpened, Opened, Submission, deadline::Instant};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The SDKs of OpenAI send no key: they count.
const RETRY_COUNT: HeaderName = HeaderName::from_static("x-stainless-retry-count");
const RETRY_COUNT_MAX: u32 = 1000;
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;

/// Lets only requests through that bring a key with what their route needs, so many a minute, and so many of one tenant at once. Wrapped
/// around all routes, so that none can forget it. What a key is answered is marked, refusals too.
pub async fn authenticate(State(context): State<Context>, request: Request, next: Next) -> Response {
    let Some(secret) = secret(request.headers(), request.uri().path()) else { return ApiError::KeyMissing.into_response() };
    let opened = context.services.open(secret, context.issuer()).await;
    let is_by_key = match &opened {
        Ok(opened) => opened.token_until.is_none(),
        Err(refused) => matches!(refused, NotOpened::Key | NotOpened::KeyExpired),
    };
    let answered = match opened {
        Ok(opened) => answer(&context, opened, request, next).await,
        Err(refused) => Err(refused.into()),
    };
    let mut response = answered.unwrap_or_else(IntoResponse::into_response);
    if is_by_key {
        response.extensions_mut().insert(ByKey);
    }
    response
}

async fn answer(context: &Context, opened: Opened, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let (tenant, key) = (opened.owner.membership.tenant, opened.owner.key);
    tracing::debug!(tenant.id = %tenant, key.id = %key, "authenticated");
    let passage = context.pace.ask(&opened.owner, context.services.requests_per_minute(tenant).await?);
    if passage.arrival_ns.is_none() {
        return Err(ApiError::RateLimited(passage));
    }
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let need = path.and_then(|path| scopes::need(request.method(), path));
    // A method that the route does not know is told so behind this.
    need.map_or(Ok(()), |need| scopes::require(need, &opened))?;
    let share = context.shares.request(tenant).await.ok_or(ApiError::TooManyRequests)?;
    request.extensions_mut().insert(Caller(opened));
    let mut response = unless_stream(share, next.run(request).await);
    let room = response.extensions().get().map(|pace::Room(room)| *room);
    response.headers_mut().extend(pace::headers(&passage, room));
    Ok(response)
}

/// The scheme's case does not matter (RFC 9110, section 11.1). Clients of other services have their own words for it.
fn secret<'a>(headers: &'a HeaderMap, path: &str) -> Option<&'a str> {
    let (scheme, key) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let own = match path {
        path if path.starts_with(REPLICATE_PATH) => "token",
        path if path.starts_with(FAL_PATH) => "key",
        _ => "bearer",
    };
    ["bearer", own].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then(|| key.trim())
}

/// By whose key the request was opened.
#[derive(Debug, Clone, Copy)]
pub struct Caller(pub Opened);

impl Caller {
    pub const fn actor(self) -> Actor {
        Actor::Key(self.0.owner)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().copied().ok_or(ApiError::KeyMissing)
    }
}

/// The `Idempotency-Key` header: in quotes as the standard wants it, or bare as many clients send it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdempotencyKey {
    key: Option<String>,
    /// How often a client that sends none says that it has sent the request before.
    retry_count: Option<u32>,
}

impl IdempotencyKey {
    pub fn as_deref(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Of a batch.
    pub fn repetition(self) -> BatchRepetition {
        BatchRepetition { key: self.key, retry_count: self.retry_count.unwrap_or_default() }
    }

    pub fn submission(self, request: domain::JobRequest, remixed_from: Option<JobId>, due: Instant) -> Submission {
        let Self { key: idempotency_key, retry_count } = self;
        Submission { request, remixed_from, idempotency_key, retry_count, due: Some(due), ..Submission::default() }
    }

    fn of(headers: &HeaderMap) -> Option<Self> {
        let retry_count =
            headers.get(RETRY_COUNT).and_then(|count| count.to_str().ok()?.trim().parse().ok().filter(|count| *count <= RETRY_COUNT_MAX));
        let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Some(Self { key: None, retry_count }) };
        let text = value.to_str().ok()?.trim();
        let key = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        let valid = (1..=IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) && !key.contains('"');
        valid.then(|| Self { key: Some(key.to_owned()), retry_count })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::of(&parts.headers).ok_or_else(|| ApiError::Invalid {
            param: Some("idempotency-key"),
            message: format!("An Idempotency-Key has 1 to {IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII characters, in quotes or bare."),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<IdempotencyKey> {
        IdempotencyKey::of(&HeaderMap::from_iter([(IDEMPOTENCY_KEY, text.try_into().unwrap())]))
    }

    #[test]
    fn a_key_is_sent_as_the_api_has_it() {
        let given = |scheme: &str, path| {
            secret(&HeaderMap::from_iter([(header::AUTHORIZATION, format!("{scheme} rm_1").try_into().unwrap())]), path)
                .map(ToOwned::to_owned)
        };
        for (path, schemes) in [("/v1/videos", "100"), ("/replicate/v1/predictions", "110"), ("/fal/reelmill/tiny-1", "101")] {
            for (scheme, known) in ["bearer", "Token", "Key"].into_iter().zip(schemes.chars()) {
                assert_eq!(given(scheme, path).is_some(), known == '1', "{scheme} {path}");
            }
        }
    }

    #[test]
    fn an_idempotency_key_is_the_same_with_and_without_quotes() {
        assert_eq!(key("\"a-1\""), Some(IdempotencyKey { key: Some("a-1".into()), retry_count: None }));
        assert_eq!(key("a-1"), key("\"a-1\""));
        assert_eq!(IdempotencyKey::of(&HeaderMap::new()), Some(IdempotencyKey::default()));
    }

    #[test]
    fn a_key_that_is_empty_too_long_or_no_ascii_is_refused() {
        for text in ["", "\"\"", "\"", "é", &"k".repeat(256)] {
            assert_eq!(key(text), None, "{text}");
        }
        assert!(key(&"k".repeat(255)).is_some());
    }
}
