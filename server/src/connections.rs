//! Connections: how many there may be, what each may cost, and the answer for those that are too many.
//!
//! A connection buffers little here and in the kernel, and ends when its client stops reading. Whoever is
//! refused is told so; when even that is asked for too often, the connection is closed without a word.

use crate::{context::Context, routes::refusing, shares::Share};
use axum::{Router, body::Body, extract::ConnectInfo, http::Request, response::Response};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{
    convert::Infallible,
    error::Error,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;
use tower::{ServiceExt, util::BoxCloneService};

/// For the head of a request, and for a connection on which nothing is asked.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
const BUFFER_BYTES: usize = 32 * 1024;
/// What the kernel may keep of an answer that is not read, for one connection.
const KERNEL_BUFFER_BYTES: u32 = 128 * 1024;
const BACKLOG: u32 = 1024;
/// For requests that are being answered when the server is told to stop.
const GRACE: Duration = Duration::from_secs(10);
const PAUSE_AFTER_ACCEPT_ERROR: Duration = Duration::from_millis(100);
/// For a request on a connection too many.
const REFUSAL_HEAD_TIMEOUT: Duration = Duration::from_secs(2);
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(5);

/// Takes an address.
///
/// # Errors
/// When it is taken already, or not ours.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    // Connections inherit this.
    socket.set_send_buffer_size(KERNEL_BUFFER_BYTES)?;
    socket.set_recv_buffer_size(KERNEL_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers until the server is to stop, and then what has been begun.
pub async fn answer(listener: TcpListener, router: Router, context: &Context) {
    let graceful = GracefulShutdown::new();
    let refusing = refusing(context);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = context.stopping.cancelled() => break,
        };
        match accepted {
            Ok((stream, address)) => match admit(context, address.ip()) {
                Some(shares) => drop(tokio::spawn(connection(stream, address, router.clone(), &graceful, context, shares))),
                None => refuse(stream, address, &refusing, context),
            },
            Err(error) => {
                tracing::warn!(error = &error as &dyn Error, "a connection could not be accepted");
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

/// `None`: the server is full, or this visitor has enough.
fn admit(context: &Context, address: IpAddr) -> Option<(Share, Option<(Share, Share)>)> {
    let visitor = if context.is_proxy(address) { None } else { Some(context.shares.visitor(address)?) };
    Some((context.shares.connection()?, visitor))
}

fn connection<S: Send + 'static>(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    graceful: &GracefulShutdown,
    context: &Context,
    shares: S,
) -> impl Future<Output = ()> + use<S> {
    let service = service(router, address);
    let io = TokioIo::new(ending_when_stuck(stream, context.limits.write_timeout));
    let watched = graceful.watch(protocol(HEAD_TIMEOUT).serve_connection(io, service));
    async move {
        if let Err(error) = watched.await {
            tracing::debug!(error = &error as &dyn Error, "a connection broke off");
        }
        drop(shares);
    }
}

/// Answers one request with a refusal, if there is a turn left for that.
fn refuse(stream: TcpStream, address: SocketAddr, refusing: &Router, context: &Context) {
    let Some(turn) = context.shares.refusal(address.ip()) else { return };
    let service = service(refusing.clone(), address);
    let io = TokioIo::new(ending_when_stuck(stream, REFUSAL_TIMEOUT));
    tokio::spawn(async move {
        let connection = protocol(REFUSAL_HEAD_TIMEOUT).keep_alive(false).serve_connection(io, service);
        let _ = timeout(REFUSAL_TIMEOUT, connection).await;
        drop(turn);
    });
}

type Answering = BoxCloneService<Request<Incoming>, Response, Infallible>;

fn service(router: Router, address: SocketAddr) -> TowerToHyperService<Answering> {
    let answering = tower::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        router.clone().oneshot(request.map(Body::new))
    });
    TowerToHyperService::new(BoxCloneService::new(answering))
}

fn protocol(head_timeout: Duration) -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(head_timeout).max_buf_size(BUFFER_BYTES);
    protocol
}

/// A connection on which nothing could be written for so long is given up.
fn ending_when_stuck(stream: TcpStream, patience: Duration) -> Pin<Box<TimeoutStream<TcpStream>>> {
    // Small events must not wait for more; a socket that cannot be told so works all the same.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(patience));
    Box::pin(stream)
}
