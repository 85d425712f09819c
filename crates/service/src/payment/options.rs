//! Which payment processor there is, if any.

use super::Processor;
use crate::job::new_idempotency_key;
use clap::Args;
use payments::{PaymentError, Stripe};
use std::{fmt, str::FromStr};
use tokio::sync::Mutex;

/// The pages to which Stripe's sessions lead.
const STRIPE_PAGES: &str = "https://checkout.stripe.com https://billing.stripe.com";

/// Stripe; without a key nothing can be paid, and the operator gives plans and credit.
#[derive(Clone, Default, Args)]
pub struct PaymentOptions {
    /// Secret key of Stripe, such as `sk_live_…`
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true, requires = "stripe_webhook_secret")]
    pub stripe_secret_key: Option<String>,
    /// Secret of the webhook endpoint at Stripe that calls `/webhooks/stripe`, such as `whsec_…`; while it is changed, both with a comma between
    #[arg(long, env = "STRIPE_WEBHOOK_SECRET", hide_env_values = true, value_delimiter = ',')]
    pub stripe_webhook_secret: Vec<String>,
    /// Has Stripe add taxes to what is paid
    #[arg(long, env = "STRIPE_TAX")]
    pub stripe_tax: bool,
    /// Address of the pages of Stripe's that your own domain has, such as `https://pay.example.com`
    #[arg(long, env = "STRIPE_PAGES_URL")]
    pub stripe_pages_url: Option<StripeUrl>,
    /// Address of a server that behaves like Stripe, for trying out
    #[arg(long, env = "STRIPE_URL")]
    pub stripe_url: Option<StripeUrl>,
}

impl fmt::Debug for PaymentOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaymentOptions").field("stripe_url", &self.stripe_url).finish_non_exhaustive()
    }
}

/// Scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripeUrl(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an address such as http://127.0.0.1:12111")]
pub struct StripeUrlError;

impl FromStr for StripeUrl {
    type Err = StripeUrlError;

    fn from_str(text: &str) -> Result<Self, StripeUrlError> {
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://")).ok_or(StripeUrlError)?;
        let host = rest.trim_end_matches('/');
        let is_host = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
        if is_host { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(StripeUrlError) }
    }
}

impl PaymentOptions {
    pub(super) fn processor(&self, origin: &str) -> Result<Option<Processor>, PaymentError> {
        let Some(key) = &self.stripe_secret_key else { return Ok(None) };
        let url = self.stripe_url.as_ref().map(|url| &*url.0);
        Ok(Some(Processor {
            stripe: Stripe::new(key, url, self.stripe_tax, new_idempotency_key)?,
            webhook_secrets: self
                .stripe_webhook_secret
                .iter()
                .map(|secret| secret.trim().to_owned())
                .filter(|secret| !secret.is_empty())
                .collect(),
            origin: origin.to_owned(),
            page_origins: self.stripe_pages_url.iter().fold(url.unwrap_or(STRIPE_PAGES).to_owned(), |all, own| format!("{all} {}", own.0)),
            metered: Mutex::new(false),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_scheme_host_and_port_alone() {
        assert_eq!("http://127.0.0.1:12111/".parse(), Ok(StripeUrl("http://127.0.0.1:12111".into())));
        for text in ["", "127.0.0.1", "http://", "http://a.b/path", "http://a b", "ftp://a.b", "http://a;b"] {
            assert_eq!(text.parse::<StripeUrl>(), Err(StripeUrlError), "{text}");
        }
    }
}
