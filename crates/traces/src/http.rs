//! Requests to the collector: bounded in time and in size, never redirected.

use crate::TraceOptions;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Request, Response, StatusCode, Uri,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, Error, connect::HttpConnector},
    rt::TokioExecutor,
};
use std::{io, time::Duration};
use tokio::time::timeout;

/// What is said of an answer beyond this is not read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("`{0}` is no address of a collector, such as http://localhost:4318")]
    Address(String),
    #[error("the header `{0}` cannot be sent")]
    Header(String),
    #[error("the certificates of this machine cannot be read")]
    Certificates(#[source] io::Error),
}

/// What became of some spans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    Taken,
    /// It may be taken another time.
    NotNow(String),
    Refused(String),
}

pub struct Collector {
    client: HttpClient,
    endpoint: Uri,
    headers: Vec<(HeaderName, HeaderValue)>,
    timeout: Duration,
}

/// A machine without certificates can do without TLS.
enum HttpClient {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Secure(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl HttpClient {
    fn to(endpoint: &Uri) -> Result<Self, SetupError> {
        let mut client = Client::builder(TokioExecutor::new());
        client.pool_max_idle_per_host(1);
        if endpoint.scheme_str() != Some("https") {
            return Ok(Self::Plain(client.build(HttpConnector::new())));
        }
        let connector = HttpsConnectorBuilder::new().with_native_roots().map_err(SetupError::Certificates)?;
        Ok(Self::Secure(client.build(connector.https_only().enable_http1().build())))
    }

    async fn request(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Error> {
        match self {
            Self::Plain(client) => client.request(request).await,
            Self::Secure(client) => client.request(request).await,
        }
    }
}

impl Collector {
    pub fn new(options: &TraceOptions) -> Result<Self, SetupError> {
        let endpoint: Uri = options.endpoint.parse().map_err(|_| SetupError::Address(options.endpoint.clone()))?;
        if !matches!(endpoint.scheme_str(), Some("http" | "https")) || endpoint.host().is_none() {
            return Err(SetupError::Address(options.endpoint.clone()));
        }
        let header = |(name, value): &(String, String)| {
            let refused = || SetupError::Header(name.clone());
            let mut value = HeaderValue::try_from(value).map_err(|_| refused())?;
            value.set_sensitive(true);
            Ok((HeaderName::try_from(name).map_err(|_| refused())?, value))
        };
        let headers = options.headers.iter().map(header).collect::<Result<_, SetupError>>()?;
        let client = HttpClient::to(&endpoint)?;
        Ok(Self { client, endpoint, headers, timeout: options.timeout })
    }

    pub async fn send(&self, body: Bytes) -> Sent {
        match timeout(self.timeout, self.answer(body)).await {
            Ok(sent) => sent,
            Err(_) => Sent::NotNow("no answer in time".to_owned()),
        }
    }

    async fn answer(&self, body: Bytes) -> Sent {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = hyper::Method::POST;
        *request.uri_mut() = self.endpoint.clone();
        request.headers_mut().extend(self.headers.iter().cloned());
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let response = match self.client.request(request).await {
            Ok(response) => response,
            Err(error) => return Sent::NotNow(error.to_string()),
        };
        let status = response.status();
        // Read to its end, so that the connection can be used again.
        let _ = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
        match status {
            status if status.is_success() => Sent::Taken,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                Sent::NotNow(format!("answered {status}"))
            }
            status => Sent::Refused(format!("answered {status}")),
        }
    }
}
