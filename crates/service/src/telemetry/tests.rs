//! What the files in `docs/deploy/` say of metrics, held against those that there are.

use super::{
    gauges::{LedgerTotals, Line, ModelGauges, Shared, WorkerGauges},
    metrics::{Delivered, Metrics},
};
use domain::{
    Stage, VideoTime,
    scheduling::{Fleet, StageJobs},
};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path, time::Duration};
use store::{Transition, TransitionKind};

/// Everything that a server and a worker can tell.
fn everything() -> String {
    let metrics = Metrics::default();
    metrics.note_request(Some("/v1/videos"), "GET", 200, Duration::ZERO);
    let stage = Stage::Sampling;
    for kind in [
        TransitionKind::Submitted,
        TransitionKind::Claimed { stage, waited_ms: Some(1) },
        TransitionKind::StageDone { stage, took_ms: 1 },
        TransitionKind::Requeued { stage },
        TransitionKind::Succeeded { waited_ms: Some(1) },
    ] {
        metrics.note_transition(&Transition { model: "vignette-1".into(), kind });
    }
    metrics.note_run("tidy up", true);
    metrics.note_delivery("mail", Delivered::Yes);
    metrics.note_claim_error(stage);
    metrics.note_lease_lost(stage);
    metrics.note_load("vignette-1", Some(Duration::ZERO));
    metrics.note_load("vignette-1", None);
    let line = Line {
        model: "vignette-1".into(),
        device: None,
        lane: "batch",
        billed: VideoTime::default(),
        longest_wait: Duration::from_millis(1500),
    };
    let shared = Shared {
        stages: Some([(Stage::Sampling, StageJobs::default()), (Stage::Decoding, StageJobs::default())]),
        open_work: Some(VideoTime::default()),
        fleet: Some(Fleet { samplers: 1, decoders: 1 }),
        workers_wanted: Some(("cpu".into(), 1)),
        lines: Some(vec![line]),
        utilisation: Some(0.25),
        ledger: Some(LedgerTotals::default()),
    };
    let worker = WorkerGauges {
        device: "cpu".into(),
        busy: Duration::from_millis(2500),
        idle: Duration::from_secs(1),
        memory_bytes: Some(1),
        batch_size_max: 4,
        jobs: 1,
        is_healthy: true,
        models: vec![ModelGauges { model: "vignette-1".into(), memory_bytes: 1, steps: 2, step_samples: 3 }],
    };
    metrics.text_with(|list| shared.register(list)).unwrap() + &metrics.text_of_worker(&worker).unwrap()
}

/// Names as queries know them.
fn told(text: &str) -> BTreeSet<String> {
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples.filter_map(|line| line.split(['{', ' ']).next()).map(str::to_owned).collect()
}

/// Whatever begins as our metrics do.
fn named(text: &str) -> BTreeSet<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !is_of_name(c)).filter(|word| word.starts_with("reelmill_")).map(str::to_owned).collect()
}

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../docs/deploy").join(name)).unwrap()
}

#[test]
fn dashboard_and_alerts_ask_for_metrics_that_there_are_and_leave_none_out() {
    let told = told(&everything());
    let (board, alerts) = (named(&file("dashboard.json")), named(&file("alerts.yml")));
    let unknown: Vec<_> = board.union(&alerts).filter(|name| !told.contains(*name)).collect();
    assert!(unknown.is_empty(), "nobody tells {unknown:?}");
    // A histogram is asked for by one of its series.
    let stem = |name: &str| {
        ["_bucket", "_count", "_sum"].iter().fold(name.to_owned(), |name, end| name.strip_suffix(end).unwrap_or(&name).to_owned())
    };
    let shown: BTreeSet<String> = board.iter().map(|name| stem(name)).collect();
    let missing: Vec<_> = told.iter().map(|name| stem(name)).filter(|name| !shown.contains(name)).collect();
    assert!(missing.is_empty(), "the dashboard does not show {missing:?}");
}

#[test]
fn the_dashboard_can_be_read_and_each_of_its_panels_asks_something() {
    let board: Value = serde_json::from_str(&file("dashboard.json")).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let ids: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        let targets = panel["targets"].as_array().unwrap();
        assert!(!targets.is_empty() && targets.iter().all(|target| !target["expr"].as_str().unwrap().is_empty()), "{panel}");
    }
}

#[test]
fn what_scales_workers_takes_the_number_of_all_for_what_it_is() {
    // By `Value` it would be multiplied by how many there are.
    assert!(file("keda.yaml").contains("metricType: AverageValue"));
}

#[test]
fn what_scales_workers_waits_no_second_time_keeps_none_that_the_server_drains_and_ends_none_for_silence() {
    for said in ["cooldownPeriod: 0", "stabilizationWindowSeconds: 0", "minReplicaCount: 0", "ignoreNullValues: \"false\""] {
        assert!(file("keda.yaml").contains(said), "{said}");
    }
}

#[test]
fn what_is_measured_is_told_in_its_unit() {
    let text = everything();
    for line in [
        "reelmill_queue_oldest_wait_seconds{model=\"vignette-1\",lane=\"batch\"} 1.5",
        "reelmill_queue_depth_video_milliseconds{model=\"vignette-1\",device=\"none\",lane=\"batch\"} 0",
        "reelmill_workers_utilisation_ratio 0.25",
        "reelmill_device_time_seconds_total{device=\"cpu\",state=\"busy\"} 2.5",
        "reelmill_batch_step_samples_total{model=\"vignette-1\"} 3",
        "reelmill_worker_healthy{device=\"cpu\"} 1",
        "reelmill_leases_lost_total{stage=\"sampling\"} 1",
    ] {
        assert!(text.lines().any(|told| told == line), "{line} is not in {text}");
    }
}

#[test]
fn a_device_whose_name_has_quotes_spoils_nothing_that_is_told() {
    let device = "the \"big\" one\\\n";
    let worker = WorkerGauges { device: device.into(), ..WorkerGauges::default() };
    let shared = Shared { workers_wanted: Some((device.into(), 2)), ..Shared::default() };
    let metrics = Metrics::default();
    let text = metrics.text_of_worker(&worker).unwrap() + &metrics.text_with(|list| shared.register(list)).unwrap();
    let named = r#"{device="the \"big\" one\\\n"}"#;
    for line in [format!("reelmill_worker_healthy{named} 0"), format!("reelmill_workers_wanted{named} 2")] {
        assert!(text.lines().any(|told| told == line), "{line} is not in {text}");
    }
}

#[test]
fn what_has_not_happened_yet_is_told_so_that_the_first_time_is_a_rise() {
    let metrics = Metrics::default();
    metrics.expect_deliveries("mail");
    metrics.expect_loads("vignette-1");
    let text = metrics.text().unwrap();
    for line in [
        r#"reelmill_event_deliveries_total{kind="mail",outcome="given_up"} 0"#,
        r#"reelmill_model_load_failures_total{model="vignette-1"} 0"#,
    ] {
        assert!(text.lines().any(|told| told == line), "{line} is not in {text}");
    }
}
