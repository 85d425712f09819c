//! What this process counts and times, told to Prometheus, and whether it is alive and ready, told to whoever supervises it: at an address of
//! its own. Nobody listens there unless the operator names one.

use crate::{engine::ServedModel, options::Options, work::station::Station};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, HeaderName, StatusCode, header},
    routing::get,
};
use serde_json::{Value, json};
use service::telemetry::{CONTENT_TYPE, MetricsToken, ModelGauges, WorkerGauges};
use std::{
    error::Error,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use store::clock::Instant;
use tokio::{net::TcpListener, task::JoinHandle, time::timeout};
use tokio_util::task::AbortOnDropHandle;

/// A database that does not answer by then is away.
const PATIENCE: Duration = Duration::from_secs(3);
/// Whoever asks within this is told the same.
const GOOD_FOR: Duration = Duration::from_secs(1);

type Text = Result<([(HeaderName, &'static str); 1], String), StatusCode>;
type Probe = (StatusCode, Json<Value>);

/// What probes look at: nothing, until the models are loaded. Cheap to clone.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Inner>);

#[derive(Default)]
struct Inner {
    running: Mutex<Option<Running>>,
    /// Whether the database answered, and when that was looked at.
    database: tokio::sync::Mutex<Option<(Instant, bool)>>,
}

#[derive(Clone)]
struct Running {
    station: Arc<Station>,
    batch: u64,
    memory_bytes: Option<u64>,
}

impl Readiness {
    /// From now on the worker takes jobs.
    pub fn begin(&self, station: &Arc<Station>, options: &Options) {
        let (batch, memory_bytes) = (options.batch.get() as u64, options.device_memory);
        let running = Running { station: Arc::clone(station), batch, memory_bytes };
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
    }

    fn running(&self) -> Option<Running> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One look a second, however many ask.
    async fn has_database(&self, running: &Running) -> bool {
        let mut last = self.0.database.lock().await;
        if let Some((_, answered)) = last.filter(|(since, _)| since.elapsed() < GOOD_FOR) {
            return answered;
        }
        let answered = timeout(PATIENCE, running.station.services.store.ping()).await.is_ok_and(|answer| answer.is_ok());
        *last = Some((Instant::now(), answered));
        answered
    }
}

impl Running {
    /// What the device is like: `ok`, or what is wrong.
    fn device(&self) -> &'static str {
        if self.station.shutdown.defect().is_some() {
            "failing"
        } else if self.station.watchdog.is_stalled() {
            "not answering"
        } else {
            "ok"
        }
    }

    fn gauges(&self) -> WorkerGauges {
        let (busy, idle) = self.station.sharing.busy_and_idle();
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let model = |served: &ServedModel| ModelGauges {
            model: served.entry.id.clone(),
            memory_bytes: served.memory.loaded_model_bytes(),
            steps: count(&served.counts.steps),
            step_samples: count(&served.counts.samples),
        };
        WorkerGauges {
            device: self.station.device_name.clone(),
            busy,
            idle,
            memory_bytes: self.memory_bytes,
            batch_size_max: self.batch,
            jobs: self.station.slots.jobs() as u64,
            is_healthy: self.device() == "ok" && !self.station.shutdown.closing.is_cancelled(),
            models: self.station.engine.models().iter().map(model).collect(),
        }
    }
}

/// Answers at the address that the operator named, if any, until dropped.
pub async fn listen(options: &Options, readiness: &Readiness) -> io::Result<Option<AbortOnDropHandle<()>>> {
    let Some(address) = options.metrics_listen else { return Ok(None) };
    let listener = TcpListener::bind(address).await?;
    tracing::info!(http.address = %listener.local_addr()?, "/livez and /readyz answer, and metrics can be read with a token");
    Ok(Some(AbortOnDropHandle::new(answer(listener, options.metrics_token.clone(), readiness.clone()))))
}

fn answer(listener: TcpListener, token: Option<MetricsToken>, readiness: Readiness) -> JoinHandle<()> {
    let router =
        Router::new().route("/livez", get(alive)).route("/readyz", get(ready)).route("/metrics", get(show)).with_state((readiness, token));
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(error = &error as &dyn Error, "nobody is told any more how this worker fares");
        }
    })
}

/// Whether the process is to be left alone: while it loads models, and as long as its device answers. One that hangs ends by itself.
async fn alive(State((readiness, _)): State<(Readiness, Option<MetricsToken>)>) -> Probe {
    let device = readiness.running().map_or("loading models", |running| running.device());
    probe(matches!(device, "ok" | "loading models"), json!({ "device": device }))
}

/// Whether it takes jobs.
async fn ready(State((readiness, _)): State<(Readiness, Option<MetricsToken>)>) -> Probe {
    let Some(running) = readiness.running() else { return probe(false, json!({ "models": "loading" })) };
    let device = running.device();
    let database = if readiness.has_database(&running).await { "ok" } else { "not answering" };
    let models = if running.station.residency.claimable().borrow().is_empty() { "none in memory" } else { "ok" };
    let worker = if running.station.shutdown.closing.is_cancelled() { "ending" } else { "ok" };
    let is_ready = [device, database, models, worker].iter().all(|check| *check == "ok");
    probe(is_ready, json!({ "device": device, "database": database, "models": models, "worker": worker }))
}

fn probe(is_good: bool, checks: Value) -> Probe {
    let (status, code) = if is_good { ("ok", StatusCode::OK) } else { ("unavailable", StatusCode::SERVICE_UNAVAILABLE) };
    (code, Json(json!({ "status": status, "checks": checks })))
}

async fn show(State((readiness, token)): State<(Readiness, Option<MetricsToken>)>, headers: HeaderMap) -> Text {
    let token = token.ok_or(StatusCode::NOT_FOUND)?;
    if !token.is_in(headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok())) {
        return Err(StatusCode::UNAUTHORIZED);
    }
    // Prometheus takes that for a worker that cannot be asked, which it is.
    let running = readiness.running().ok_or(StatusCode::SERVICE_UNAVAILABLE)?;
    let text = running.station.services.metrics.text_of_worker(&running.gauges()).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
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

    async fn ask(address: SocketAddr, path: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn while_models_are_loaded_the_worker_is_alive_and_not_ready() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let token = Some("correct horse battery".parse().unwrap());
        let _endpoint = AbortOnDropHandle::new(answer(listener, token, Readiness::default()));
        assert!(ask(address, "/livez", "").await.starts_with("HTTP/1.1 200 "));
        assert!(ask(address, "/readyz", "").await.starts_with("HTTP/1.1 503 "));
        assert!(ask(address, "/metrics", "another horse battery").await.starts_with("HTTP/1.1 401 "));
        assert!(ask(address, "/metrics", "correct horse battery").await.starts_with("HTTP/1.1 503 "));
    }

    #[tokio::test]
    async fn without_a_token_there_are_no_metrics() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let _endpoint = AbortOnDropHandle::new(answer(listener, None, Readiness::default()));
        assert!(ask(address, "/metrics", "correct horse battery").await.starts_with("HTTP/1.1 404 "));
    }
}
