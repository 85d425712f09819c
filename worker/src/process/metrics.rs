//! What this process counts and times, told to Prometheus at an address of its own. Nobody listens there unless the
//! operator names one.

use crate::options::Options;
use axum::{
    Router,
    extract::State,
    http::{HeaderMap, HeaderName, StatusCode, header},
    routing::get,
};
use service::telemetry::{CONTENT_TYPE, Metrics, MetricsToken};
use std::{error::Error, io, sync::Arc};
use tokio::net::TcpListener;

type Answer = Result<([(HeaderName, &'static str); 1], String), StatusCode>;

/// Where metrics are asked for, and the token that has to be sent.
pub struct Endpoint {
    listener: TcpListener,
    token: MetricsToken,
}

/// Takes the address, if the operator named one.
pub async fn listen(options: &Options) -> io::Result<Option<Endpoint>> {
    let Some((address, token)) = options.metrics_listen.zip(options.metrics_token.clone()) else { return Ok(None) };
    let listener = TcpListener::bind(address).await?;
    tracing::info!(http.address = %listener.local_addr()?, "metrics can be read at /metrics");
    Ok(Some(Endpoint { listener, token }))
}

/// Answers until dropped.
pub async fn serve(endpoint: Option<Endpoint>, metrics: Arc<Metrics>) {
    if let Some(Endpoint { listener, token }) = endpoint {
        let router = Router::new().route("/metrics", get(show)).with_state((metrics, token));
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(error = &error as &dyn Error, "metrics cannot be read any more");
        }
    }
    std::future::pending().await
}

async fn show(State((metrics, token)): State<(Arc<Metrics>, MetricsToken)>, headers: HeaderMap) -> Answer {
    if !token.is_in(headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok())) {
        return Err(StatusCode::UNAUTHORIZED);
    }
    let text = metrics.text().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::SocketAddr;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    async fn ask(address: SocketAddr, token: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET /metrics HTTP/1.1\r\nhost: test\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn metrics_are_told_to_who_has_the_token() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (metrics, token) = (Arc::new(Metrics::default()), "correct horse battery".parse().unwrap());
        metrics.note_request(None, "GET", 200, std::time::Duration::ZERO);
        let asked = async { (ask(address, "correct horse battery").await, ask(address, "another horse battery").await) };
        let (told, refused) = tokio::select! {
            () = serve(Some(Endpoint { listener, token }), Arc::clone(&metrics)) => unreachable!(),
            answers = asked => answers,
        };
        assert!(told.starts_with("HTTP/1.1 200 ") && told.contains("reelmill_http_requests_total{"), "{told}");
        assert!(refused.starts_with("HTTP/1.1 401 ") && !refused.contains("reelmill_"), "{refused}");
    }
}
