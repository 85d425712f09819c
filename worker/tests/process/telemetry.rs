//! What a worker lets an operator see of itself: the trace of a job, its metrics, whether it is alive and ready, and its log.

use crate::plant::{Plant, eventually};
use serde_json::Value;
use service::telemetry::{TraceContext, trace};
use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use traces::testing::{Answering, Received, Receiver};

const TOKEN: &str = "correct horse battery";

/// `None`: nobody answers.
async fn ask(address: SocketAddr, path: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\nauthorization: Bearer {TOKEN}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    Some((status, answer.split_once("\r\n\r\n")?.1.to_owned()))
}

async fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap()
}

/// Every sample by its name and labels.
fn samples(text: &str) -> BTreeMap<String, f64> {
    let text = text.trim_end().strip_suffix("# EOF").unwrap_or_else(|| panic!("it ends as OpenMetrics does: {text}"));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit_once(' ').map(|(name, value)| (name.to_owned(), value.parse().unwrap())).unwrap()).collect()
}

store::on_both_engines! {
    async fn one_trace_leads_from_the_request_to_the_files(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let receiver = Receiver::start(Answering::With(200)).await;
        let (context, secret) = (TraceContext::root([0x4b; 16], [0x0f; 8], true), "northern lights over the mountains");
        let job = trace::scope("req_of_a_client".into(), context, plant.submit(secret, 7, 3)).await;
        let mut worker = plant.start_in("", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
        plant.until_succeeded(job).await;
        worker.signal("TERM");
        assert!(worker.exited().await.success(), "what it had to tell is told by then");

        let spans: Vec<Received> = receiver.spans().into_iter().filter(|span| span.trace == "4b".repeat(16)).collect();
        let names: BTreeSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
        let expected = [
            "artifacts.upload", "job.claim", "job.decode", "job.decoding", "job.denoise", "job.sampling", "latents.fetch", "model.load",
            "text.encode", "video.encode",
        ];
        assert_eq!(names, BTreeSet::from(expected), "{spans:?}");
        let ids: BTreeMap<&str, &Received> = spans.iter().map(|span| (span.span.as_str(), span)).collect();
        assert_eq!(ids.len(), spans.len(), "each has its own id");
        for span in &spans {
            assert_eq!(span.resource["service.name"], "reelmill-worker");
            match ids.get(span.parent.as_str()) {
                Some(parent) => {
                    assert!(["job.sampling", "job.decoding"].contains(&parent.name.as_str()), "{span:?}");
                    assert!(parent.begun_ns <= span.begun_ns && span.begun_ns <= span.ended_ns && span.ended_ns <= parent.ended_ns + 1_000_000, "{span:?} {parent:?}");
                }
                None => assert_eq!((span.parent.as_str(), span.attributes["job.id"].as_str()), (&*"0f".repeat(8), &*job.to_string())),
            }
        }
        assert!(!format!("{spans:?}").contains(secret));
        let told: Vec<Value> = worker.log().lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let done = told.iter().find(|line| line["fields"]["message"] == "the stage is done").unwrap_or_else(|| panic!("{told:?}"));
        let span = &done["span"];
        assert_eq!((&span["request.id"], &span["trace.id"], &span["job.id"]), (&"req_of_a_client".into(), &"4b".repeat(16).into(), &job.to_string().into()));
        assert_eq!(span["tenant.id"], plant.user.tenant.to_string());
        assert!(!worker.log().contains(secret), "{}", worker.log());
    }

    async fn a_collector_that_never_answers_holds_no_job_up(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let receiver = Receiver::start(Answering::Never).await;
        let context = TraceContext::root([0x4b; 16], [0x0f; 8], true);
        let job = trace::scope("req_of_a_client".into(), context, plant.submit("rain", 7, 3)).await;
        let mut worker = plant.start_in("", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
        plant.until_succeeded(job).await;
        worker.signal("TERM");
        assert!(worker.exited().await.success());
    }

    async fn a_worker_tells_how_it_fares_to_whoever_supervises_and_collects(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let address = free_address().await;
        let mut worker = plant.start(&format!("--metrics-listen {address} --metrics-token {} --device-memory 8000000000", TOKEN.replace(' ', "-")));
        let path = async |path: &str, status: u16| ask(address, path).await.filter(|(answered, _)| *answered == status).map(|(_, text)| text);
        eventually("it is ready", || path("/readyz", 200)).await;
        let job = plant.submit("a campfire at night", 8, 4).await;
        plant.until_succeeded(job).await;
        assert!(path("/livez", 200).await.is_some());
        assert!(path("/metrics", 401).await.is_some(), "that is another token");
        worker.signal("TERM");
        assert!(worker.exited().await.success());
    }

    async fn what_a_worker_counts_is_read_as_openmetrics(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let address = free_address().await;
        let variables = [("REELMILL_METRICS_TOKEN", TOKEN), ("REELMILL_DEVICE_NAME", "bench")];
        let _worker = plant.start_in(&format!("--metrics-listen {address} --device-memory 8000000000"), &variables);
        let read = async || ask(address, "/metrics").await.filter(|(status, _)| *status == 200).map(|(_, text)| samples(&text));
        eventually("metrics can be read", &read).await;
        let job = plant.submit("a campfire at night", 8, 4).await;
        plant.until_succeeded(job).await;
        let is_counted = |samples: &BTreeMap<String, f64>| samples.get("reelmill_jobs_ended_total{model=\"vignette-1\",outcome=\"succeeded\"}") == Some(&1.0);
        let samples = eventually("the job is counted", || async { read().await.filter(&is_counted) }).await;
        let sample = |name: &str| *samples.get(name).unwrap_or_else(|| panic!("{name}: {samples:?}"));
        // The job's, and those of the clip by which it was loaded, which no batch takes.
        assert_eq!(sample("reelmill_batch_steps_total{model=\"vignette-1\"}"), 4.0);
        assert_eq!(sample("reelmill_batch_step_samples_total{model=\"vignette-1\"}"), 4.0);
        assert!(sample("reelmill_model_memory_bytes{model=\"vignette-1\"}") > 0.0);
        assert_eq!(sample("reelmill_model_load_duration_seconds_count{model=\"vignette-1\"}"), 1.0);
        assert!(sample("reelmill_device_time_seconds_total{device=\"bench\",state=\"busy\"}") > 0.0);
        assert_eq!([sample("reelmill_device_memory_bytes{device=\"bench\"}"), sample("reelmill_worker_healthy{device=\"bench\"}")], [8e9, 1.0]);
        assert_eq!(sample("reelmill_claims_total{model=\"vignette-1\",stage=\"decoding\"}"), 1.0);
        assert!(!samples.keys().any(|name| name.contains("job_") && name.contains(&job.to_string())));
    }
}
