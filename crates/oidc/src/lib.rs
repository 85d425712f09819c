//! Signing in at an OpenID provider, answered in our own terms: where to send somebody, and who has come back.
//!
//! The authorization code flow with PKCE. What a provider says counts only as far as its signed ID token says it.

mod http;
mod provider;

pub use provider::{Client, Provider};

use serde::{Deserialize, Serialize};

/// What one try at signing in is recognised by. It stays on our side, but for the state and the nonce, which travel to the provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Comes back with whoever comes back.
    pub state: String,
    /// Comes back inside the ID token.
    pub nonce: String,
    /// Shows that whoever exchanges the code is who asked for it. 43 to 128 letters and digits.
    pub verifier: String,
}

/// Who somebody is, as the provider says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name by which the provider knows them, which never changes.
    pub subject: String,
    pub email: Option<String>,
    /// The provider has seen that the address is theirs.
    pub is_verified: bool,
}

/// What a provider cannot be set up with.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("`{0}` is no issuer: give its address with https://, such as https://accounts.example.com")]
    Issuer(String),
    #[error("`{0}` is no address to come back to")]
    Redirect(String),
    #[error("the certificates of this machine cannot be read")]
    Certificates(#[source] std::io::Error),
}

/// Why nobody was recognised.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    #[error("the provider cannot be asked: {0}")]
    Unavailable(String),
    #[error("the provider refused the code: {0}")]
    Code(String),
    #[error("what the provider says of them is not to be believed: {0}")]
    Token(String),
}
