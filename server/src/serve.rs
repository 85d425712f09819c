//! Running the server: listen, answer, and stop in good order.

use crate::{Context, config::ServeOptions, http::panics, routes::router};
use anyhow::{Context as _, Result};
use axum::{Router, body::Body, extract::ConnectInfo, http::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use service::Services;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    signal::unix::{SignalKind, signal},
    time::{sleep, timeout},
};
use tower::ServiceExt;

/// For the head of a request, and for a connection on which nothing is asked.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// For requests that are being answered when the server is told to stop.
const GRACE: Duration = Duration::from_secs(10);
const PAUSE_AFTER_ACCEPT_ERROR: Duration = Duration::from_millis(100);

/// Serves until the process is told to stop.
pub async fn serve(services: Services, options: ServeOptions) -> Result<()> {
    panics::log_panics();
    services.store.migrate().await.context("the database could not be brought up to date")?;
    let listener = TcpListener::bind((options.host, options.port)).await;
    let listener = listener.with_context(|| format!("cannot listen on {}:{}", options.host, options.port))?;
    let address = listener.local_addr()?;
    let context = Context { trusted_proxies: options.trusted_proxies.into(), ..Context::new(services.clone(), options.public_url) };
    let router = router(&context, &options.site);
    let stopping = context.stopping.clone();
    tokio::spawn(async move {
        told_to_stop().await;
        stopping.cancel();
    });
    let reconcilers = tokio::spawn(service::reconcile(services));
    tracing::info!(http.address = %address, "listening on http://{address}");
    answer(listener, router, &context).await;
    reconcilers.abort();
    tracing::info!("stopped");
    Ok(())
}

async fn answer(listener: TcpListener, router: Router, context: &Context) {
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = context.stopping.cancelled() => break,
        };
        match accepted {
            Ok((stream, address)) => drop(tokio::spawn(connection(stream, address, router.clone(), &graceful))),
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "a connection could not be accepted");
                sleep(PAUSE_AFTER_ACCEPT_ERROR).await;
            }
        }
    }
    drop(listener);
    tracing::info!("stopping: finishing what is being answered");
    if timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests took longer than {} s and were cut off", GRACE.as_secs());
    }
}

fn connection(stream: TcpStream, address: SocketAddr, router: Router, graceful: &GracefulShutdown) -> impl Future<Output = ()> + use<> {
    // Small events must not wait for more; a socket that cannot be told so works all the same.
    let _ = stream.set_nodelay(true);
    let service = tower::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        router.clone().oneshot(request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let watched = graceful.watch(connection);
    async move {
        if let Err(error) = watched.await {
            tracing::debug!(error = &error as &dyn std::error::Error, "a connection broke off");
        }
    }
}

async fn told_to_stop() {
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) else {
        tracing::warn!("cannot listen for signals: the server can only be killed");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
