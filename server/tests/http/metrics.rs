//! What `/metrics` tells, and whom.

use crate::harness::{Answer, Customer, Product};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use server::{Context, router};
use std::collections::{BTreeMap, BTreeSet};
use store::{on_both_engines, testing::TempDatabase};
use tower::ServiceExt;

const TOKEN: &str = "correct horse battery";

/// The product with a token for metrics.
async fn product(database: TempDatabase) -> Product {
    let mut product = Product::new(database).await;
    product.context = Context { metrics_token: Some(TOKEN.parse().unwrap()), ..product.context };
    product.router = router(&product.context, product.folder());
    product
}

async fn asked_with(product: &Product, authorization: Option<&str>) -> Answer {
    let request = authorization.iter().fold(Request::get("/metrics"), |request, value| request.header("authorization", *value));
    product.send(request.body(Body::empty()).unwrap()).await
}

/// Every sample by its name and labels. The text must be as OpenMetrics wants it.
async fn samples(product: &Product) -> BTreeMap<String, f64> {
    let answer = asked_with(product, Some(format!("Bearer {TOKEN}").as_str())).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert!(answer.header("content-type").starts_with("application/openmetrics-text"));
    parsed(str::from_utf8(&answer.body).unwrap())
}

fn parsed(text: &str) -> BTreeMap<String, f64> {
    let samples = text.strip_suffix("# EOF\n").expect("it ends as it should");
    let (mut found, mut described) = (BTreeMap::new(), BTreeSet::new());
    for line in samples.lines() {
        if let Some(description) = line.strip_prefix("# ") {
            let (kind, rest) = description.split_once(' ').unwrap();
            assert!(matches!(kind, "HELP" | "TYPE" | "UNIT"), "{line}");
            described.insert(rest.split_once(' ').unwrap().0.to_owned());
            continue;
        }
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        let family = name.split_once('{').map_or(name, |(family, labels)| {
            assert!(labels.ends_with('}'), "{line}");
            family
        });
        let endings = ["", "_total", "_sum", "_count", "_bucket"];
        let is_described = endings.iter().filter_map(|ending| family.strip_suffix(*ending)).any(|family| described.contains(family));
        assert!(family.starts_with("reelmill_") && is_described, "{line}");
        assert!(found.insert(name.to_owned(), value.parse().unwrap()).is_none(), "twice: {line}");
    }
    found
}

fn requests(samples: &BTreeMap<String, f64>, route: &str, method: &str, status: &str) -> f64 {
    let name = format!("reelmill_http_requests_total{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}}");
    samples.get(&name).copied().unwrap_or_default()
}

fn sample(samples: &BTreeMap<String, f64>, name: &str) -> Option<f64> {
    samples.get(name).copied()
}

async fn look(product: &Product, who: &Customer, times: usize, path: &str) {
    for _ in 0..times {
        product.get(who, path).await;
    }
}

on_both_engines! {
    async fn requests_are_counted_by_route_and_no_visitor_makes_the_list_longer(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        look(&product, &ada, 3, "/v1/videos").await;
        let before = samples(&product).await;
        assert_eq!(requests(&before, "/v1/videos", "GET", "2xx"), 3.0);
        for n in 0..20 {
            look(&product, &ada, 1, &format!("/v1/videos/job_{n}")).await;
            look(&product, &ada, 1, &format!("/nowhere/{n}.txt")).await;
            let request = Request::builder().method(format!("M{n}").as_str()).uri("/v1/videos").body(Body::empty()).unwrap();
            product.router.clone().oneshot(request).await.unwrap();
        }
        let after = samples(&product).await;
        assert_eq!(requests(&after, "/v1/videos", "GET", "2xx"), 3.0);
        assert_eq!(requests(&after, "/v1/videos/{video_id}", "GET", "4xx"), 20.0);
        assert_eq!(requests(&after, "other", "GET", "4xx"), 20.0);
        assert_eq!(requests(&after, "/v1/videos", "other", "4xx"), 20.0);
        assert_eq!(requests(&after, "/metrics", "GET", "2xx"), 1.0, "the one before this");
        assert!(after.len() < 200, "{} samples", after.len());
        let text = after.keys().cloned().collect::<String>();
        assert!(!text.contains(&ada.user.tenant.to_string()) && !text.contains("nowhere"));
    }

    async fn a_job_is_counted_at_each_step_of_its_way(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let samples_of = async |name: &str| sample(&samples(&product).await, name).unwrap_or_default();
        product.create(&ada, "a red ball").await;
        product.finish().await;
        let cancelled = product.create(&ada, "a blue ball").await;
        product.services().cancel(ada.user.actor(), cancelled).await.unwrap();
        for (name, count) in [
            ("reelmill_jobs_submitted_total{model=\"vignette-1\"}", 2.0),
            ("reelmill_claims_total{model=\"vignette-1\",stage=\"sampling\"}", 1.0),
            ("reelmill_claims_total{model=\"vignette-1\",stage=\"decoding\"}", 1.0),
            ("reelmill_job_wait_seconds_count{model=\"vignette-1\"}", 1.0),
            ("reelmill_decoder_wait_seconds_count{model=\"vignette-1\"}", 1.0),
            ("reelmill_stage_duration_seconds_count{model=\"vignette-1\",stage=\"sampling\"}", 1.0),
            ("reelmill_stage_duration_seconds_sum{model=\"vignette-1\",stage=\"sampling\"}", 0.1),
            ("reelmill_stage_duration_seconds_sum{model=\"vignette-1\",stage=\"decoding\"}", 0.05),
            ("reelmill_jobs_ended_total{model=\"vignette-1\",outcome=\"succeeded\"}", 1.0),
            ("reelmill_jobs_ended_total{model=\"vignette-1\",outcome=\"cancelled\"}", 1.0),
            ("reelmill_jobs_ended_total{model=\"vignette-1\",outcome=\"failed\"}", 0.0),
        ] {
            assert_eq!(samples_of(name).await, count, "{name}");
        }
    }

    async fn the_queue_is_shown_in_jobs_and_in_video_time(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        for prompt in ["one", "two", "three"] {
            product.create(&ada, prompt).await;
        }
        let open_ms = product.services().store.open_work().of_all().await.unwrap().ms();
        assert!(open_ms > 0);
        let shown = [
            ("reelmill_jobs_waiting{stage=\"sampling\"}", 3.0),
            ("reelmill_jobs_waiting{stage=\"decoding\"}", 0.0),
            ("reelmill_jobs_running{stage=\"sampling\"}", 0.0),
            ("reelmill_open_work_video_milliseconds", open_ms as f64),
            ("reelmill_workers_alive{stage=\"sampling\"}", 0.0),
            ("reelmill_ledger_video_milliseconds{state=\"held\"}", open_ms as f64),
        ];
        // It comes from answers that are shared for a while.
        let begun = std::time::Instant::now();
        loop {
            let samples = samples(&product).await;
            let depth = samples.iter().find(|(name, _)| name.starts_with("reelmill_queue_depth_video_milliseconds{model=\"vignette-1\",device=\"none\""));
            let is_deep = depth.is_some_and(|(_, depth)| *depth == open_ms as f64);
            if is_deep && shown.iter().all(|(name, value)| sample(&samples, name) == Some(*value)) {
                break;
            }
            assert!(begun.elapsed().as_secs() < 60, "{samples:?}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    async fn metrics_are_not_there_without_a_token_and_not_told_to_strangers(database: TempDatabase) {
        let closed = Product::new(database).await;
        for authorization in [None, Some("Bearer "), Some("Bearer correct horse battery")] {
            let answer = asked_with(&closed, authorization).await;
            assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "unknown_url"));
        }
        let context = Context { metrics_token: Some(TOKEN.parse().unwrap()), ..closed.context.clone() };
        let open = router(&context, closed.folder());
        for authorization in ["", "Bearer", "Bearer correct horse", "Basic correct horse battery"] {
            let request = Request::get("/metrics").header("authorization", authorization).body(Body::empty()).unwrap();
            assert_eq!(open.clone().oneshot(request).await.unwrap().status(), StatusCode::UNAUTHORIZED, "{authorization:?}");
        }
    }

    async fn a_job_keeps_the_id_of_its_request(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let request = ada.request("POST", "/v1/videos").header("content-type", "application/json").header("x-request-id", "req_of_a_client");
        let answer = product.send(request.body(Body::from("{\"prompt\":\"a red ball\"}")).unwrap()).await;
        assert_eq!(answer.header("x-request-id"), "req_of_a_client");
        let id = answer.json()["id"].as_str().unwrap().parse().unwrap();
        let job = product.services().store.tenant(ada.user.tenant).jobs().get(id).await.unwrap().unwrap();
        assert_eq!(job.trace_id.as_deref(), Some("req_of_a_client"));
    }
}

#[test]
#[should_panic(expected = "it ends as it should")]
fn a_text_that_breaks_off_is_seen() {
    parsed("# TYPE reelmill_claims counter\nreelmill_claims_total 1\n");
}
