//! Running the server: listen, answer, and stop in good order.

use crate::{
    api::{JsonLines, compatible::callback_body},
    config::{Limits, PublicUrl, ServeOptions},
    connections::{answer, listen},
    context::Context,
    http::panics,
    routes::router,
};
use anyhow::{Context as _, Result};
use domain::{Actor, VideoTime};
use rlimit::increase_nofile_limit;
use service::{Mailer, Services, operator::Setup, telemetry::trace, understanding::prepare};
use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::spawn_blocking,
};

/// The socket, and what it is sent from.
const FILES_PER_CONNECTION: usize = 2;
/// For the database, the object store, refusals and standard output.
const OTHER_FILES: usize = 400;
/// Spans that were not sent by then are lost.
const FLUSHED_WITHIN: Duration = Duration::from_secs(2);
/// As few as a server is of use with, even where it may open next to no files.
const CONNECTIONS_MIN: usize = 8;

/// Serves until the process is told to stop.
pub async fn serve(services: Services, options: ServeOptions) -> Result<()> {
    panics::log_panics();
    services.store.migrate().await.context("the database could not be brought up to date")?;
    if services.store.passes_row_level_security().await? {
        tracing::warn!(
            "the role of DATABASE_URL is a superuser or has BYPASSRLS: tenants are kept apart by this program alone, and not by PostgreSQL"
        );
    }
    offer_models(&services, &options.models.models).await?;
    // The first prompt would wait for them.
    spawn_blocking(prepare).await.context("the word lists could not be read")?;
    let listener = listen((options.host, options.port).into());
    let listener = listener.with_context(|| format!("cannot listen on {}:{}", options.host, options.port))?;
    let address = listener.local_addr()?;
    let mailer = Mailer::new(&options.mail, origin(options.public_url.as_ref(), address));
    if mailer.sends() && options.public_url.is_none() {
        tracing::warn!("links in mails lead to {}: name the address that people use with --public-url", mailer.origin);
    }
    if options.payments.stripe_secret_key.is_some() && options.public_url.is_none() {
        tracing::warn!("whoever has paid is led back to {}: name the address that people use with --public-url", mailer.origin);
    }
    if options.oidc.oidc_issuer.is_some() && options.public_url.is_none() {
        tracing::warn!(
            "whoever signs in by the OpenID provider is led back to {}: name the address that people use with --public-url",
            mailer.origin
        );
    }
    let services = services.with_payments(&options.payments, &mailer.origin).context("payments cannot be taken")?;
    let services =
        services.with_oidc(&options.oidc, &mailer.origin).context("nobody can sign in by the OpenID provider")?.with_mailer(mailer);
    let services = services.with_webhooks(&options.webhooks).with_callbacks(callback_body);
    let services = services.with_queue_max(VideoTime::from_minutes(options.queue_max_minutes));
    let services = services.with_files_max(options.files_max_gib * 1024 * 1024 * 1024).with_line_format(Arc::new(JsonLines));
    let traces = trace::start("reelmill").context("spans cannot be sent")?;
    let limits = fitted(options.limits.clone());
    let services = services.with_setup(setup(&options, &limits)).with_traces(traces.clone());
    let (trusted_proxies, metrics_token) = (options.trusted_proxies.into(), options.metrics_token);
    let context = Context { trusted_proxies, metrics_token, ..Context::new(services.clone(), options.public_url) };
    let context = Context { fal_host: options.fal_host.map(Arc::new), ..context.with_limits(limits) };
    let router = router(&context, &options.site);
    let stopping = context.stopping.clone();
    tokio::spawn(async move {
        told_to_stop().await;
        stopping.cancel();
    });
    let looking = services.clone();
    tokio::spawn(async move { looking.find_oidc_provider().await });
    let reconcilers = tokio::spawn(service::reconcile(services));
    tracing::info!(http.address = %address, "listening on http://{address}");
    answer(listener, router, &context).await;
    reconcilers.abort();
    traces.flush(FLUSHED_WITHIN).await;
    tracing::info!("stopped");
    Ok(())
}

/// Where links in mails lead: as the operator says, else to this machine.
fn origin(public: Option<&PublicUrl>, address: SocketAddr) -> String {
    public.map_or_else(
        || {
            let host = if address.ip().is_unspecified() { "localhost".to_owned() } else { address.ip().to_string() };
            let host = if address.is_ipv6() && !address.ip().is_unspecified() { format!("[{host}]") } else { host };
            format!("http://{host}:{}", address.port())
        },
        |url| url.origin().to_owned(),
    )
}

/// What the page of the operator judges this server by.
fn setup(options: &ServeOptions, limits: &Limits) -> Setup {
    let token = options.metrics_token.as_ref().map(|token| ("the token for metrics", token.chars()));
    let webhooks =
        options.payments.stripe_webhook_secret.iter().map(|secret| ("the secret of Stripe’s webhook", secret.trim().chars().count()));
    let provider = options.oidc.oidc_client_secret.iter().map(|secret| ("the secret of the OpenID provider", secret.chars().count()));
    Setup {
        public_url: options.public_url.as_ref().map(|url| url.origin().to_owned()),
        secrets: token.into_iter().chain(webhooks.filter(|(_, chars)| *chars > 0)).chain(provider).collect(),
        connections_max: Some(limits.connections_max as u64),
        has_metrics_token: options.metrics_token.is_some(),
    }
}

/// From now on all servers offer what lies in this server's folder.
async fn offer_models(services: &Services, folder: &Path) -> Result<()> {
    let offered = services.offer_models(Actor::System, folder).await;
    let offered = offered.with_context(|| format!("the models in {} cannot be offered", folder.display()))?;
    tracing::info!(models.offered = ?offered, "the models in {} are on offer", folder.display());
    Ok(())
}

/// As many open files as this process may have, and as few connections as that allows.
fn fitted(limits: Limits) -> Limits {
    // Where that cannot be told there is no limit.
    let files = increase_nofile_limit(u64::MAX).ok().and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
    let room = (files.saturating_sub(OTHER_FILES) / FILES_PER_CONNECTION).max(CONNECTIONS_MIN);
    if room < limits.connections_max {
        tracing::warn!("at most {room} connections at once, because this process may open {files} files only");
    }
    Limits { connections_max: limits.connections_max.min(room), ..limits }
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
