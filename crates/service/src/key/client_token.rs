//! Client tokens: what a server with a key gives to a browser, so that it can use the API for a short while without the key.
//!
//! A JSON web token (RFC 7519), signed with EdDSA and nothing else. It names the key by which it was made, and can do no more than that
//! key can at the moment at which it is used.

use super::{
    eddsa,
    signing::{self, SigningError},
};
use crate::Services;
use domain::{ApiKeyId, Scopes, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use store::{StoreError, chance};

use super::Opened;

/// Seconds for which a token is good.
pub const CLIENT_TOKEN_S_DEFAULT: u32 = 600;
pub const CLIENT_TOKEN_S_MAX: u32 = signing::TOKEN_S_MAX;
/// What they are for.
const AUDIENCE: &str = "reelmill/v1";
const END_USER_CHARS_MAX: usize = 100;
/// Longer ones are none of ours.
const TOKEN_BYTES_MAX: usize = 2048;

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    /// The key by which it was made.
    sub: String,
    /// With spaces between them.
    scope: String,
    /// Who the caller says it is given to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_user: Option<String>,
    jti: String,
    /// Unix seconds.
    iat: i64,
    nbf: i64,
    exp: i64,
}

/// A token that somebody wants.
#[derive(Debug, Clone)]
pub struct ClientTokenRequest {
    /// `None`: those of the key.
    pub scopes: Option<Scopes>,
    pub end_user: Option<String>,
    pub ttl_s: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientToken {
    pub token: String,
    pub scopes: Scopes,
    pub end_user: Option<String>,
    pub expires_at: Timestamp,
}

#[derive(Debug, thiserror::Error)]
pub enum MintError {
    #[error("a client token makes no others: ask for one with a key")]
    NotAKey,
    #[error("a token cannot have scopes that its key lacks: this key has {0}")]
    Scopes(Scopes),
    #[error("a token is good for 1 to {CLIENT_TOKEN_S_MAX} seconds")]
    Lifetime,
    #[error("an end user has a name of 1 to {END_USER_CHARS_MAX} characters, all of them visible")]
    EndUser,
    #[error("the token could not be written")]
    Encoding(#[from] jsonwebtoken::errors::Error),
    #[error(transparent)]
    Signing(#[from] SigningError),
}

/// Why a token is not good.
#[derive(Debug, thiserror::Error)]
pub(super) enum TokenError {
    #[error("it is not one of ours")]
    Invalid,
    #[error("it has expired")]
    Expired,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a good token says.
pub(super) struct Checked {
    pub key: ApiKeyId,
    pub scopes: Scopes,
    pub until: Timestamp,
}

/// Whether it is a token, good or not, and not a key.
pub(super) fn looks_like_one(secret: &str) -> bool {
    secret.starts_with("ey") && secret.bytes().filter(|byte| *byte == b'.').count() == 2
}

impl Services {
    /// A token that opens what `opened` opens, or less, in the name of this `issuer`.
    ///
    /// # Errors
    /// [`MintError`]; there is no token.
    pub async fn mint_client_token(&self, opened: Opened, request: ClientTokenRequest, issuer: &str) -> Result<ClientToken, MintError> {
        let Opened { owner, token_until: None } = opened else { return Err(MintError::NotAKey) };
        let ClientTokenRequest { scopes, end_user, ttl_s } = request;
        let scopes = scopes.unwrap_or(owner.scopes);
        if !scopes.is_within(owner.scopes) {
            return Err(MintError::Scopes(owner.scopes));
        }
        if !(1..=CLIENT_TOKEN_S_MAX).contains(&ttl_s) {
            return Err(MintError::Lifetime);
        }
        if end_user
            .as_ref()
            .is_some_and(|name| name.trim().is_empty() || name.chars().count() > END_USER_CHARS_MAX || name.chars().any(char::is_control))
        {
            return Err(MintError::EndUser);
        }
        eddsa::install();
        let (kid, seed) = self.signing_key().await?;
        let iat = self.store.now().await.map_err(SigningError::from)?.unix_seconds();
        let exp = iat + i64::from(ttl_s);
        let (jti, sub) = (chance::new_id().simple().to_string(), owner.key.to_string());
        let (iss, aud, scope) = (issuer.to_owned(), AUDIENCE.to_owned(), scopes.to_string());
        let claims = Claims { iss, aud, sub, scope, end_user: end_user.clone(), jti, iat, nbf: iat, exp };
        let header = Header { kid: Some(kid), ..Header::new(Algorithm::EdDSA) };
        let token = encode(&header, &claims, &EncodingKey::from_ed_der(&seed))?;
        tracing::info!(key.id = %owner.key, token.id = claims.jti, token.end_user = end_user.as_deref(), "a client token was made");
        Ok(ClientToken { token, scopes, end_user, expires_at: Timestamp::from_ms(exp * 1000) })
    }

    /// What a token says that is signed by one of our keys, for this API, by this issuer, and good now.
    pub(super) async fn check_client_token(&self, token: &str, issuer: &str) -> Result<Checked, TokenError> {
        let invalid = |_| TokenError::Invalid;
        if token.len() > TOKEN_BYTES_MAX {
            return Err(TokenError::Invalid);
        }
        eddsa::install();
        let header = decode_header(token).map_err(invalid)?;
        let (Algorithm::EdDSA, Some(kid)) = (header.alg, header.kid) else { return Err(TokenError::Invalid) };
        let key = self.usable_keys().await?.into_iter().find(|key| key.id == kid).ok_or(TokenError::Invalid)?;
        let key = DecodingKey::from_ed_components(&key.public_key).map_err(invalid)?;
        let Claims { sub, scope, end_user, jti, nbf, exp, .. } =
            decode::<Claims>(token, &key, &validation(issuer)).map_err(invalid)?.claims;
        // By the clock that all servers share, and not this machine's.
        let now = self.store.now().await?;
        if now.unix_seconds() < nbf {
            return Err(TokenError::Invalid);
        }
        if exp <= now.unix_seconds() {
            return Err(TokenError::Expired);
        }
        tracing::debug!(token.id = jti, token.end_user = end_user, "opened by a client token");
        let key = sub.parse().map_err(|_| TokenError::Invalid)?;
        Ok(Checked {
            key,
            scopes: Scopes::parse(&scope).map_err(|_| TokenError::Invalid)?,
            until: Timestamp::from_ms(exp.saturating_mul(1000)),
        })
    }
}

fn validation(issuer: &str) -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[AUDIENCE]);
    // Compared by whoever calls.
    validation.validate_exp = false;
    validation
}
