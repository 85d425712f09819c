//! An OpenID provider in the test's own process that signs with a real key, and says whatever a test has it say.

use axum::{
    Form, Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::Clock;
use ring::{
    digest::{SHA256, digest},
    hmac,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};
use service::account::oidc::OidcOptions;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use store::SystemClock;
use tokio::net::TcpListener;

pub const CLIENT: &str = "reelmill";
const SECRET: &str = "a secret of the client";
/// Where the product of the tests is reached.
pub const ORIGIN: &str = "https://video.test";
pub const CALLBACK: &str = "https://video.test/signin/oidc/callback";

/// How an ID token is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    Properly,
    /// By a key that the provider does not publish, under the name of its own.
    ByAnotherKey,
    /// By the client's secret.
    BySecret,
    Not,
}

/// What the provider answers to who comes with a code.
#[derive(Clone)]
struct Answer {
    challenge: String,
    claims: Value,
    user_info: Value,
    signed: Signed,
}

struct Shared {
    issuer: String,
    key: Mutex<EcdsaKeyPair>,
    other: EcdsaKeyPair,
    answers: Mutex<HashMap<String, Answer>>,
}

#[derive(Clone)]
pub struct Provider(Arc<Shared>);

/// Somebody at the provider.
#[derive(Debug, Clone)]
pub struct Person {
    pub subject: &'static str,
    pub email: &'static str,
    pub is_verified: bool,
}

pub const ADA: Person = Person { subject: "ada-1", email: "ada@example.com", is_verified: true };

/// Where the product leads somebody, as the provider reads it.
pub struct Request(HashMap<String, String>);

impl Request {
    pub fn of(address: &str) -> Self {
        let query = address.split_once('?').unwrap_or_else(|| panic!("no way to a provider: {address}")).1;
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

impl Provider {
    pub async fn start() -> Self {
        Self::start_on(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    pub fn start_on(listener: TcpListener) -> Self {
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let provider = Self(Arc::new(Shared { issuer, key: Mutex::new(new_key()), other: new_key(), answers: Mutex::default() }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(configuration))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(user_info))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        provider
    }

    pub fn options(&self) -> OidcOptions {
        options(self.issuer())
    }

    pub fn issuer(&self) -> &str {
        &self.0.issuer
    }

    /// From now on it signs with a new key, and publishes that one alone.
    pub fn change_key(&self) {
        *self.0.key.lock().unwrap() = new_key();
    }

    /// Somebody says who they are: the code with which they come back.
    pub fn admit(&self, request: &Request, person: &Person) -> String {
        self.admit_with(request, person, Signed::Properly, |_| ())
    }

    /// The same with claims that a test has changed.
    pub fn admit_with(&self, request: &Request, person: &Person, signed: Signed, change: impl FnOnce(&mut Value)) -> String {
        let now_s = SystemClock.now().ms() / 1000;
        let mut claims = json!({
            "iss": self.0.issuer, "sub": person.subject, "aud": CLIENT, "exp": now_s + 300, "iat": now_s, "nonce": request.get("nonce"),
            "email": person.email, "email_verified": person.is_verified,
        });
        change(&mut claims);
        let user_info = json!({ "sub": person.subject, "email": person.email, "email_verified": person.is_verified });
        let answer = Answer { challenge: request.get("code_challenge").to_owned(), claims, user_info, signed };
        let mut answers = self.0.answers.lock().unwrap();
        let code = format!("code-{}", answers.len());
        answers.insert(code.clone(), answer);
        code
    }

    fn signed(&self, Answer { claims, signed, .. }: &Answer) -> String {
        let algorithm = match signed {
            Signed::Properly | Signed::ByAnotherKey => "ES256",
            Signed::BySecret => "HS256",
            Signed::Not => "none",
        };
        let header = json!({ "alg": algorithm, "kid": kid(&self.0.key.lock().unwrap()), "typ": "JWT" });
        let text = format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
        let by = |key: &EcdsaKeyPair| key.sign(&SystemRandom::new(), text.as_bytes()).unwrap().as_ref().to_vec();
        let signature = match signed {
            Signed::Properly => by(&self.0.key.lock().unwrap()),
            Signed::ByAnotherKey => by(&self.0.other),
            Signed::BySecret => hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), text.as_bytes()).as_ref().to_vec(),
            Signed::Not => Vec::new(),
        };
        format!("{text}.{}", encoded(signature))
    }
}

/// Of a product that knows the provider of this issuer.
pub fn options(issuer: &str) -> OidcOptions {
    OidcOptions {
        oidc_issuer: Some(issuer.to_owned()),
        oidc_client_id: Some(CLIENT.into()),
        oidc_client_secret: Some(SECRET.into()),
        oidc_client_secret_file: None,
        oidc_name: "Example ID".into(),
    }
}

async fn configuration(State(Provider(shared)): State<Provider>) -> Json<Value> {
    let issuer = &shared.issuer;
    Json(json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"), "jwks_uri": format!("{issuer}/keys"), "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
    }))
}

async fn keys(State(Provider(shared)): State<Provider>) -> Json<Value> {
    let key = shared.key.lock().unwrap();
    // Uncompressed: 4, then the coordinates.
    let point = key.public_key().as_ref();
    let (x, y) = (encoded(&point[1..33]), encoded(&point[33..65]));
    Json(json!({ "keys": [{ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": kid(&key), "x": x, "y": y }] }))
}

/// A code is good once, for who has its verifier and the client's secret.
async fn token(State(provider): State<Provider>, headers: HeaderMap, Form(form): Form<HashMap<String, String>>) -> Response {
    let sent = |name: &str| form.get(name).map_or("", String::as_str);
    let basic = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Basic "));
    let basic = basic.and_then(|basic| base64::engine::general_purpose::STANDARD.decode(basic).ok()).unwrap_or_default();
    // Both are form-encoded first.
    let secret = form_urlencoded::byte_serialize(SECRET.as_bytes()).collect::<String>();
    if basic != format!("{CLIENT}:{secret}").as_bytes() {
        return (StatusCode::UNAUTHORIZED, Json(json!({ "error": "invalid_client" }))).into_response();
    }
    let answer = provider.0.answers.lock().unwrap().get(sent("code")).cloned();
    let verifier = encoded(digest(&SHA256, sent("code_verifier").as_bytes()));
    let Some(answer) = answer.filter(|answer| sent("redirect_uri") == CALLBACK && answer.challenge == verifier) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
    };
    let token = provider.signed(&answer);
    Json(json!({ "access_token": sent("code"), "token_type": "Bearer", "expires_in": 60, "id_token": token })).into_response()
}

async fn user_info(State(Provider(shared)): State<Provider>, headers: HeaderMap) -> Response {
    let code = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    match code.and_then(|code| shared.answers.lock().unwrap().get(code).cloned()) {
        Some(answer) => Json(answer.user_info).into_response(),
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}

fn new_key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap()
}

fn kid(key: &EcdsaKeyPair) -> String {
    encoded(&digest(&SHA256, key.public_key().as_ref()).as_ref()[..8])
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
