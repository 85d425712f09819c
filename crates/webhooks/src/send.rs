//! One try of a delivery: a request, and what is kept of its answer.

use crate::{
    connect::{ConnectError, Guarded, NO_ADDRESS, Resolve, System},
    fal::FalKey,
    sign::Secret,
};
use bytes::Bytes;
use domain::{
    Timestamp,
    webhook::{Network, Receiver},
};
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, body::Incoming, header};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use std::{error::Error, sync::Arc, time::Duration, time::UNIX_EPOCH};
use tokio::time::timeout;

/// Until the head of the answer is there.
pub const ANSWERED_WITHIN: Duration = Duration::from_secs(15);
/// For as much of its body as is kept.
const BODY_WITHIN: Duration = Duration::from_secs(3);
const BODY_BYTES_MAX: usize = 4096;
/// What is kept of the headers.
const HEADERS_CHARS_MAX: usize = 2048;
/// A head with more than this is no answer.
const HEAD_BYTES_MAX: usize = 16 * 1024;
const AGENT: &str = "Reelmill-Webhooks/1";

/// What is sent.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// The same however often it is sent.
    pub id: &'a str,
    /// A JSON object.
    pub body: &'a str,
    /// When it is sent: receivers take no old ones.
    pub at: Timestamp,
    pub signing: Signing<'a>,
}

/// How a receiver tells our deliveries from others'.
#[derive(Debug, Clone, Copy)]
pub enum Signing<'a> {
    /// Of Standard Webhooks. Each signs; a receiver is content with one.
    Standard(&'a [Secret]),
    /// As fal signs: what is told of which request of whom.
    Fal { key: &'a FalKey, request: &'a str, user: &'a str },
}

/// What a receiver said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// How long it wants to be left alone, in milliseconds.
    pub retry_after_ms: Option<i64>,
    /// One a line, cut off where they are many.
    pub headers: String,
    /// Its beginning.
    pub body: String,
}

/// Whoever names a host is not to learn from this which ports of a network are open: what there may be is said in one sentence.
const NO_ANSWER: &str = "the host may take no connections at that port, its certificate may not be valid for it, or it may answer too late or \
     not by HTTP";

/// Why there was no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    #[error("{NO_ADDRESS}")]
    NoAddress,
    #[error("{NO_ANSWER}")]
    Refused,
    #[error("{NO_ANSWER}")]
    Encryption,
    #[error("{NO_ANSWER}")]
    TooSlow,
    /// The connection ended before there was an answer, or what came was no answer of HTTP.
    #[error("{NO_ANSWER}")]
    Broken,
}

/// Sends to receivers. Cheap to clone.
#[derive(Clone)]
pub struct Sender {
    client: Client<HttpsConnector<Guarded>, Full<Bytes>>,
}

impl Sender {
    /// `allowed`: the networks that may be reached beside the public internet.
    #[must_use]
    pub fn new(allowed: Arc<[Network]>) -> Self {
        Self::with_resolver(allowed, Arc::new(System::default()))
    }

    /// The same, where names lead elsewhere than this machine thinks.
    #[must_use]
    pub fn with_resolver(allowed: Arc<[Network]>, resolver: Arc<dyn Resolve>) -> Self {
        // Of a machine that trusts nobody, the roots that browsers trust.
        let encrypted = match HttpsConnectorBuilder::new().with_native_roots() {
            Ok(builder) => builder,
            Err(_) => HttpsConnectorBuilder::new().with_webpki_roots(),
        };
        let connector = encrypted.https_or_http().enable_http1().wrap_connector(Guarded { resolver, allowed });
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_max_idle_per_host(0).retry_canceled_requests(false).http1_max_buf_size(HEAD_BYTES_MAX);
        Self { client: builder.build(connector) }
    }

    /// # Errors
    /// [`SendError`]; it may have arrived all the same.
    pub async fn send(&self, receiver: &Receiver, message: Message<'_>) -> Result<Answer, SendError> {
        let seconds = message.at.unix_seconds();
        let request =
            Request::post(receiver.to_string()).header(header::CONTENT_TYPE, "application/json").header(header::USER_AGENT, AGENT);
        let request = match message.signing {
            Signing::Standard(secrets) => {
                let signatures: Vec<_> = secrets.iter().map(|secret| secret.sign(message.id, seconds, message.body)).collect();
                let request = request.header("webhook-id", message.id).header("webhook-timestamp", seconds);
                request.header("webhook-signature", signatures.join(" "))
            }
            Signing::Fal { key, request: id, user } => request
                .header("x-fal-webhook-request-id", id)
                .header("x-fal-webhook-user-id", user)
                .header("x-fal-webhook-timestamp", seconds)
                .header("x-fal-webhook-signature", key.sign(id, user, seconds, message.body)),
        };
        let request = request.body(Full::new(Bytes::from(message.body.to_owned()))).map_err(|_| SendError::Broken)?;
        let answered = timeout(ANSWERED_WITHIN, self.client.request(request)).await.map_err(|_| SendError::TooSlow)?;
        let (head, body) = answered.map_err(|error| why(&error))?.into_parts();
        Ok(Answer {
            status: head.status.as_u16(),
            retry_after_ms: head.headers.get(header::RETRY_AFTER).and_then(|asked| retry_after_ms(asked.to_str().ok()?, message.at)),
            headers: headers(&head.headers),
            body: beginning(body).await,
        })
    }
}

fn why(error: &hyper_util::client::legacy::Error) -> SendError {
    let mut cause = error.source();
    while let Some(error) = cause {
        match error.downcast_ref::<ConnectError>() {
            Some(ConnectError::NoAddress) => return SendError::NoAddress,
            Some(ConnectError::Refused) => return SendError::Refused,
            None => cause = error.source(),
        }
    }
    if error.is_connect() { SendError::Encryption } else { SendError::Broken }
}

/// Seconds, or a moment.
fn retry_after_ms(asked: &str, now: Timestamp) -> Option<i64> {
    if let Ok(seconds) = asked.parse::<u32>() {
        return Some(i64::from(seconds) * 1000);
    }
    let until = httpdate::parse_http_date(asked).ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(i64::try_from(until.as_millis()).ok()?.saturating_sub(now.ms()).max(0))
}

fn headers(headers: &HeaderMap) -> String {
    let mut text = String::new();
    for (name, value) in headers {
        let line = format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes()));
        let room = HEADERS_CHARS_MAX.saturating_sub(text.chars().count());
        text.extend(line.chars().map(readable).take(room));
    }
    text
}

/// What does not come in time is not waited for: the status says what became of the delivery.
async fn beginning(mut body: Incoming) -> String {
    let mut kept = Vec::new();
    let reading = async {
        while kept.len() < BODY_BYTES_MAX
            && let Some(Ok(frame)) = body.frame().await
        {
            let room = BODY_BYTES_MAX - kept.len();
            kept.extend(frame.data_ref().into_iter().flatten().take(room));
        }
    };
    // What was kept by then is the answer.
    let _ = timeout(BODY_WITHIN, reading).await;
    String::from_utf8_lossy(&kept).chars().map(readable).collect()
}

/// A database takes no NUL in a text.
const fn readable(sign: char) -> char {
    if sign == '\0' { '\u{fffd}' } else { sign }
}

#[cfg(test)]
mod tests;
