//! One call to Stripe: its time limit, its repetition, and what went wrong in our terms.

use domain::Timestamp;
use sha2::{Digest, Sha256};
use std::time::Duration;
use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError};
use stripe_shared::{ApiErrorsCode, ApiErrorsType};

/// Of a single look.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Of a single change: who gives up sooner does not know whether a card was charged.
const CHANGE_TIMEOUT: Duration = Duration::from_secs(40);
/// Tries of a call that Stripe does not answer.
const TRIES: u32 = 2;

/// Stripe, by one of its secret keys. Cheap to clone.
#[derive(Clone)]
pub struct Stripe {
    client: Client,
    /// Makes a text that nobody has made before.
    fresh: fn() -> String,
    /// Whether Stripe is to add taxes, and to ask for what it needs to know for them.
    pub(crate) with_tax: bool,
}

/// Why a call came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// The card, or the bank behind it, says no. In words for whoever pays.
    #[error("{0}")]
    Declined(String),
    /// It is gone, or belongs to another account.
    #[error("Stripe does not know it: {0}")]
    Unknown(String),
    /// Stripe will not do this, however often it is asked.
    #[error("Stripe refuses: {0}")]
    Refused(String),
    /// Stripe does not answer, or asks for patience.
    #[error("Stripe does not answer: {0}")]
    Unavailable(String),
    #[error("Stripe's answer cannot be read: {0}")]
    Unreadable(String),
}

impl Stripe {
    /// `url`: another address than Stripe's own, with or without a slash at its end. `fresh` makes a text that nobody has made before.
    ///
    /// # Errors
    /// [`PaymentError::Refused`] when the key or the address cannot be one.
    pub fn new(secret_key: &str, url: Option<&str>, with_tax: bool, fresh: fn() -> String) -> Result<Self, PaymentError> {
        let builder = ClientBuilder::new(secret_key).timeout(TIMEOUT);
        let builder = match url {
            Some(url) => builder.url(format!("{}/", url.trim_end_matches('/'))),
            None => builder,
        };
        Ok(Self { client: builder.build().map_err(told)?, fresh, with_tax })
    }

    /// Asks, and once more where nobody answers.
    pub(crate) async fn ask<R: stripe::StripeRequest>(&self, request: &R) -> Result<R::Output, PaymentError>
    where
        R::Output: miniserde::Deserialize,
    {
        self.send(request, RequestStrategy::Once, TIMEOUT).await
    }

    /// Has something changed: with the same `key` it is changed once, however often it is asked for within a day.
    pub(crate) async fn change<R: stripe::StripeRequest>(&self, request: &R, key: &str) -> Result<R::Output, PaymentError>
    where
        R::Output: miniserde::Deserialize,
    {
        // Of whatever letters it is made, it goes into a header.
        let key = hex::encode(Sha256::digest(key.as_bytes()));
        let key = IdempotencyKey::new(key).map_err(|error| PaymentError::Refused(error.to_string()))?;
        self.send(request, RequestStrategy::Idempotent(key), CHANGE_TIMEOUT).await
    }

    /// Has something made that was looked for and not found. Another wish is another one: Stripe repeats what it answered to a key, its own
    /// failures too.
    pub(crate) async fn make<R: stripe::StripeRequest>(&self, request: &R) -> Result<R::Output, PaymentError>
    where
        R::Output: miniserde::Deserialize,
    {
        self.change(request, &(self.fresh)()).await
    }

    async fn send<R: stripe::StripeRequest>(
        &self,
        request: &R,
        strategy: RequestStrategy,
        timeout: Duration,
    ) -> Result<R::Output, PaymentError>
    where
        R::Output: miniserde::Deserialize,
    {
        let mut tries = 1;
        loop {
            let request = request.customize().request_strategy(strategy.clone()).timeout(timeout);
            let answer = request.send(&self.client).await.map_err(told);
            match answer {
                Err(PaymentError::Unavailable(_)) if tries < TRIES => tries += 1,
                answer => return answer,
            }
        }
    }
}

fn told(error: StripeError) -> PaymentError {
    match error {
        StripeError::Stripe(error, status) => {
            let text = error.message.clone().unwrap_or_else(|| format!("status {status}"));
            match status {
                _ if error.code == Some(ApiErrorsCode::ResourceMissing) => PaymentError::Unknown(text),
                _ if matches!(error.type_, ApiErrorsType::CardError) => PaymentError::Declined(text),
                402 => PaymentError::Declined(text),
                404 => PaymentError::Unknown(text),
                // Of the key, or of another request for the same: the next one may be answered.
                401 | 403 | 409 | 424 | 429 | 500.. => PaymentError::Unavailable(text),
                _ => PaymentError::Refused(text),
            }
        }
        StripeError::JSONDeserialize(text) => PaymentError::Unreadable(text),
        StripeError::ClientError(text) => PaymentError::Unavailable(text),
        StripeError::Timeout => PaymentError::Unavailable("in time".to_owned()),
        StripeError::ConfigError(text) => PaymentError::Refused(text),
    }
}

/// Stripe counts seconds.
pub fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_ms(seconds.saturating_mul(1000))
}
