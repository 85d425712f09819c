//! One provider: found by its issuer, looked for again while it is away, and asked who somebody is.

use crate::{
    Attempt, Identity, ProviderError, SetupError,
    http::{Http, chain},
};
use chrono::DateTime;
use openidconnect::{
    AccessToken, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, IssuerUrl, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SubjectIdentifier,
    core::{
        CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdTokenClaims, CoreJwsSigningAlgorithm, CoreProviderMetadata,
        CoreTokenResponse, CoreUserInfoClaims,
    },
    url::{Host, Url},
};
use std::{fmt, time::Duration};
use tokio::{sync::Mutex, time::timeout};

const PATIENCE_WHEN_KNOWN: Duration = Duration::from_secs(2);
/// A provider that was away is looked for again after so long.
const LOOK_AGAIN_MS: i64 = 60_000;
/// Well below a request's deadline, so that whoever waits is told what they waited for.
const PATIENCE: Duration = Duration::from_secs(6);
/// After so long the provider is asked for its keys and addresses again, in milliseconds.
const FOUND_FOR_MS: i64 = 60 * 60 * 1000;
/// By a key of the provider's own. A shared secret signs nothing, and `none` is no signature.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 4] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];
const SCOPES: [&str; 2] = ["email", "profile"];

type Found = CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// What a provider knows us by.
#[derive(Clone)]
pub struct Client {
    /// Without a path, or with one, exactly as the provider writes it.
    pub issuer: String,
    pub id: String,
    /// `None`: the provider lets clients in without.
    pub secret: Option<String>,
    /// Where people come back to.
    pub redirect_url: String,
}

pub struct Provider {
    issuer: IssuerUrl,
    id: ClientId,
    secret: Option<ClientSecret>,
    redirect_url: RedirectUrl,
    http: Http,
    /// One look at a time; the others wait for it.
    known: Mutex<Option<Known>>,
}

struct Known {
    metadata: CoreProviderMetadata,
    at_ms: i64,
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

impl Provider {
    /// Asks nobody yet.
    ///
    /// # Errors
    /// [`SetupError`] when an address cannot be one.
    pub fn new(client: Client) -> Result<Self, SetupError> {
        let issuer = IssuerUrl::new(client.issuer.clone()).map_err(|_| SetupError::Issuer(client.issuer.clone()))?;
        let is_encrypted = match issuer.url().scheme() {
            "https" => true,
            "http" if is_here(issuer.url()) => false,
            _ => return Err(SetupError::Issuer(client.issuer)),
        };
        let redirect_url = RedirectUrl::new(client.redirect_url.clone()).map_err(|_| SetupError::Redirect(client.redirect_url))?;
        let (id, secret) = (ClientId::new(client.id), client.secret.map(ClientSecret::new));
        Ok(Self { issuer, id, secret, redirect_url, http: Http::new(is_encrypted)?, known: Mutex::new(None) })
    }

    #[must_use]
    pub fn issuer(&self) -> &str {
        self.issuer.as_str()
    }

    /// Where somebody is sent to say at the provider who they are.
    ///
    /// # Errors
    /// [`ProviderError::Unavailable`] when the provider was never found.
    pub async fn address_for(&self, attempt: &Attempt, now_ms: i64) -> Result<String, ProviderError> {
        let found = self.found(now_ms).await?;
        let (state, nonce) = (CsrfToken::new(attempt.state.clone()), Nonce::new(attempt.nonce.clone()));
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(attempt.verifier.clone()));
        let asked = found.authorize_url(CoreAuthenticationFlow::AuthorizationCode, move || state, move || nonce);
        let asked = asked.add_scopes(SCOPES.map(|scope| Scope::new(scope.to_owned()))).set_pkce_challenge(challenge);
        Ok(asked.url().0.into())
    }

    /// Who has come back with this code. Its time is that of `now_ms`, in unix milliseconds.
    ///
    /// # Errors
    /// [`ProviderError`] says why that is not known.
    pub async fn identity(&self, attempt: &Attempt, code: &str, now_ms: i64) -> Result<Identity, ProviderError> {
        timeout(PATIENCE, self.ask(attempt, code, now_ms)).await.map_err(|_| slow())?
    }

    async fn ask(&self, attempt: &Attempt, code: &str, now_ms: i64) -> Result<Identity, ProviderError> {
        let found = self.found(now_ms).await?;
        let response = self.exchange(&found, attempt, code).await?;
        let claims = match claims(&found, &response, attempt, now_ms) {
            // The provider may have changed its keys since.
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                let anew = self.look(now_ms).await?;
                claims(&anew, &response, attempt, now_ms)
            }
            claims => claims,
        };
        let claims = claims.map_err(|error| ProviderError::Token(chain(&error)))?;
        let subject = claims.subject().clone();
        match (claims.email(), claims.email_verified()) {
            (Some(email), Some(is_verified)) => Ok(identity(&subject, Some(email.as_str()), Some(is_verified))),
            _ => self.ask_more(&found, response.access_token().clone(), subject).await,
        }
    }

    async fn exchange(&self, found: &Found, attempt: &Attempt, code: &str) -> Result<CoreTokenResponse, ProviderError> {
        let request = found.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(|error| unavailable(&error))?;
        let request = request.set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.clone()));
        request.request_async(&self.http).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(refused) => ProviderError::Code(refused.to_string()),
            error => unavailable(&error),
        })
    }

    /// Providers may say the address at another door only.
    async fn ask_more(&self, found: &Found, token: AccessToken, subject: SubjectIdentifier) -> Result<Identity, ProviderError> {
        // One that has no such door says no address.
        let Ok(request) = found.user_info(token, Some(subject.clone())) else { return Ok(identity(&subject, None, None)) };
        let claims: CoreUserInfoClaims = request.request_async(&self.http).await.map_err(|error| match error {
            openidconnect::UserInfoError::ClaimsVerification(error) => ProviderError::Token(chain(&error)),
            error => unavailable(&error),
        })?;
        Ok(identity(&subject, claims.email().map(|email| email.as_str()), claims.email_verified()))
    }

    /// The provider as it was found within the hour, or before if it is away now.
    async fn found(&self, now_ms: i64) -> Result<Found, ProviderError> {
        let look = async {
            let mut known = self.known.lock().await;
            let before = known.as_ref().map(|known| (known.metadata.clone(), now_ms - known.at_ms < FOUND_FOR_MS));
            if let Some((metadata, true)) = before {
                return Ok(metadata);
            }
            // What is known does while the provider keeps silent.
            let patience = if before.is_some() { PATIENCE_WHEN_KNOWN } else { PATIENCE };
            match (timeout(patience, self.discover()).await.unwrap_or_else(|_| Err(slow())), before) {
                (Ok(metadata), _) => {
                    *known = Some(Known { metadata: metadata.clone(), at_ms: now_ms });
                    Ok(metadata)
                }
                (Err(error), Some((metadata, _))) => {
                    tracing::warn!(%error, "the OpenID provider is taken for what it was");
                    // For a minute nobody else waits for it.
                    *known = Some(Known { metadata: metadata.clone(), at_ms: now_ms - FOUND_FOR_MS + LOOK_AGAIN_MS });
                    Ok(metadata)
                }
                (Err(error), None) => Err(error),
            }
        };
        timeout(PATIENCE, look).await.map_err(|_| slow())?.map(|metadata| self.client(metadata))
    }

    /// The provider as it is now.
    async fn look(&self, now_ms: i64) -> Result<Found, ProviderError> {
        let metadata = self.discover().await?;
        *self.known.lock().await = Some(Known { metadata: metadata.clone(), at_ms: now_ms });
        Ok(self.client(metadata))
    }

    async fn discover(&self) -> Result<CoreProviderMetadata, ProviderError> {
        CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await.map_err(|error| unavailable(&error))
    }

    fn client(&self, metadata: CoreProviderMetadata) -> Found {
        let basic = CoreClientAuthMethod::ClientSecretBasic;
        // What is not said is the basic one.
        let takes_basic = metadata.token_endpoint_auth_methods_supported().is_none_or(|methods| methods.contains(&basic));
        let auth_type = if takes_basic { AuthType::BasicAuth } else { AuthType::RequestBody };
        let client = CoreClient::from_provider_metadata(metadata, self.id.clone(), self.secret.clone());
        client.set_auth_type(auth_type).set_redirect_uri(self.redirect_url.clone())
    }
}

fn claims<'a>(
    found: &Found,
    response: &'a CoreTokenResponse,
    attempt: &Attempt,
    now_ms: i64,
) -> Result<&'a CoreIdTokenClaims, ClaimsVerificationError> {
    let token = response.extra_fields().id_token();
    let token = token.ok_or_else(|| ClaimsVerificationError::Other("there is no ID token".to_owned()))?;
    let verifier = found.id_token_verifier().set_allowed_algs(ALGORITHMS);
    let verifier = verifier.set_time_fn(move || DateTime::from_timestamp_millis(now_ms).unwrap_or_default());
    token.claims(&verifier, &Nonce::new(attempt.nonce.clone()))
}

fn identity(subject: &SubjectIdentifier, email: Option<&str>, is_verified: Option<bool>) -> Identity {
    let (subject, email) = (subject.as_str().to_owned(), email.map(ToOwned::to_owned));
    Identity { subject, email, is_verified: is_verified == Some(true) }
}

/// Only on this machine nobody listens between.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn unavailable(error: &(dyn std::error::Error + 'static)) -> ProviderError {
    ProviderError::Unavailable(chain(error))
}

fn slow() -> ProviderError {
    ProviderError::Unavailable(format!("no answer within {} s", PATIENCE.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    fn setup(issuer: &str) -> Result<Provider, SetupError> {
        let (id, redirect_url) = ("reelmill".into(), "https://video.example.com/signin/oidc/callback".into());
        Provider::new(Client { issuer: issuer.into(), id, secret: None, redirect_url })
    }

    #[tokio::test]
    async fn one_that_takes_the_call_and_never_answers_is_away() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = setup(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let attempt = Attempt { state: "1".into(), nonce: "2".into(), verifier: "3".repeat(43) };
        let asked = provider.address_for(&attempt, 0).await;
        assert!(matches!(asked, Err(ProviderError::Unavailable(_))), "{asked:?}");
    }

    #[test]
    fn an_issuer_is_encrypted_unless_it_is_on_this_machine() {
        for issuer in [
            "https://accounts.example.com",
            "https://id.example.com/realms/films",
            "http://127.0.0.1:9000",
            "http://[::1]:1",
            "http://localhost/a",
        ] {
            assert!(setup(issuer).is_ok_and(|provider| provider.issuer() == issuer), "{issuer}");
        }
        for issuer in ["", "accounts.example.com", "http://accounts.example.com", "http://10.0.0.1", "ftp://127.0.0.1"] {
            assert!(matches!(setup(issuer), Err(SetupError::Issuer(_))), "{issuer}");
        }
    }
}
