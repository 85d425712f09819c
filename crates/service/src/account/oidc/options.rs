//! Which provider people sign in by, if any.

use super::{NAME_CHARS_MAX, OidcSetupError, SignInProvider};
use clap::Args;
use oidc::{Client, Provider};
use std::{fmt, fs, path::PathBuf};

/// Where people come back to, behind the public address.
const CALLBACK: &str = "/signin/oidc/callback";

/// An OpenID provider; without one people sign in by password alone.
#[derive(Clone, Default, Args)]
pub struct OidcOptions {
    /// Issuer of the OpenID provider by which people may sign in, such as `https://accounts.example.com`
    #[arg(long, env = "REELMILL_OIDC_ISSUER", requires = "oidc_client_id")]
    pub oidc_issuer: Option<String>,
    /// By which the provider knows this installation
    #[arg(long, env = "REELMILL_OIDC_CLIENT_ID", requires = "oidc_issuer")]
    pub oidc_client_id: Option<String>,
    /// Secret that the provider gave with the client id; none for a public client
    #[arg(long, env = "REELMILL_OIDC_CLIENT_SECRET", hide_env_values = true, requires = "oidc_issuer")]
    pub oidc_client_secret: Option<String>,
    /// File in which that secret lies, in place of giving it
    #[arg(long, env = "REELMILL_OIDC_CLIENT_SECRET_FILE", requires = "oidc_issuer", conflicts_with = "oidc_client_secret")]
    pub oidc_client_secret_file: Option<PathBuf>,
    /// What people call the provider: it stands on the button
    #[arg(long, env = "REELMILL_OIDC_NAME", default_value = "OpenID")]
    pub oidc_name: String,
}

impl fmt::Debug for OidcOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcOptions").field("oidc_issuer", &self.oidc_issuer).finish_non_exhaustive()
    }
}

impl OidcOptions {
    pub(super) fn provider(&self, origin: &str) -> Result<Option<SignInProvider>, OidcSetupError> {
        let (Some(issuer), Some(id)) = (self.oidc_issuer.clone(), self.oidc_client_id.clone()) else { return Ok(None) };
        let name = self.oidc_name.trim().to_owned();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
            return Err(OidcSetupError::Name);
        }
        let provider = Provider::new(Client { issuer, id, secret: self.secret()?, redirect_url: format!("{origin}{CALLBACK}") })?;
        Ok(Some(SignInProvider { provider, name }))
    }

    fn secret(&self) -> Result<Option<String>, OidcSetupError> {
        let Some(file) = &self.oidc_client_secret_file else { return Ok(self.oidc_client_secret.clone()) };
        let secret = fs::read_to_string(file).map_err(|cause| OidcSetupError::File { file: file.clone(), cause })?;
        Ok(Some(secret.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> OidcOptions {
        OidcOptions {
            oidc_issuer: Some("https://id.example.com".into()),
            oidc_client_id: Some("reelmill".into()),
            oidc_name: "Example".into(),
            ..OidcOptions::default()
        }
    }

    #[test]
    fn without_an_issuer_there_is_no_provider_and_with_one_it_needs_a_name() {
        assert!(OidcOptions::default().provider("https://video.example.com").unwrap().is_none());
        assert!(options().provider("https://video.example.com").unwrap().is_some());
        for name in ["", " ", "a\nb", &"x".repeat(NAME_CHARS_MAX + 1)] {
            let refused = OidcOptions { oidc_name: name.into(), ..options() }.provider("https://video.example.com");
            assert!(matches!(refused, Err(OidcSetupError::Name)), "{name:?}");
        }
    }

    #[test]
    fn the_secret_may_lie_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        let options = OidcOptions { oidc_client_secret_file: Some(file.clone()), ..options() };
        assert!(matches!(options.secret(), Err(OidcSetupError::File { .. })));
        fs::write(file, "hidden\n").unwrap();
        assert_eq!(options.secret().unwrap().as_deref(), Some("hidden"));
    }
}
