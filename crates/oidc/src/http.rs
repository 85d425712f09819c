//! Requests to the provider: bounded in size, never redirected, and encrypted unless the provider is on this machine.

use crate::SetupError;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use std::{error::Error, pin::Pin};

/// Of an answer: documents of keys are a few kilobytes.
const ANSWER_BYTES_MAX: usize = 512 * 1024;

pub struct Http {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Also to endpoints that the provider names itself.
    is_encrypted: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("`{0}` is not encrypted")]
    Plain(String),
    #[error("the request failed: {0}")]
    Request(String),
    #[error("the answer could not be read: {0}")]
    Answer(String),
}

impl Http {
    pub fn new(is_encrypted: bool) -> Result<Self, SetupError> {
        let connector = HttpsConnectorBuilder::new().with_native_roots().map_err(SetupError::Certificates)?;
        let connector = connector.https_or_http().enable_http1().build();
        Ok(Self { client: Client::builder(TokioExecutor::new()).build(connector), is_encrypted })
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if self.is_encrypted && request.uri().scheme_str() != Some("https") {
            return Err(HttpError::Plain(request.uri().to_string()));
        }
        let (head, body) = request.into_parts();
        let request = openidconnect::http::Request::from_parts(head, Full::new(Bytes::from(body)));
        let (head, body) = self.client.request(request).await.map_err(|error| HttpError::Request(chain(&error)))?.into_parts();
        let body = Limited::new(body, ANSWER_BYTES_MAX).collect().await.map_err(|error| HttpError::Answer(error.to_string()))?;
        Ok(openidconnect::http::Response::from_parts(head, body.to_bytes().to_vec()))
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

/// An error with its causes, in one line for the log.
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
