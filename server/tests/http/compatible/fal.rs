//! fal's queue API.

use crate::harness::{Answer, Customer, Product, content};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::Stage;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use server::{Context, config::HostName, router};
use std::sync::Arc;
use store::{ArtifactKind, on_both_engines};
use tower::ServiceExt;

fn path(url: &Value) -> String {
    url.as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned()
}

async fn submit(product: &Product, who: &Customer, input: Value) -> Answer {
    product.post(who, "/fal/reelmill/vignette-1", input).await
}

async fn cancel(product: &Product, who: &Customer, made: &Value) -> Answer {
    product.send(who.request("PUT", &path(&made["cancel_url"])).body(Body::empty()).unwrap()).await
}

on_both_engines! {
    async fn a_request_waits_in_its_queue_is_made_and_fetched(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let made = submit(&product, &ada, json!({ "prompt": "a red ball", "seed": 7, "image_size": { "width": 96, "height": 96 } })).await;
        assert_eq!((made.status, &made.json()["status"]), (StatusCode::OK, &json!("IN_QUEUE")));
        let made = made.json();
        let (status, result) = (path(&made["status_url"]), path(&made["response_url"]));
        let queued = product.get(&ada, &format!("{status}?logs=True")).await;
        assert_eq!((queued.status, &queued.json()["status"], &queued.json()["logs"]), (StatusCode::ACCEPTED, &json!("IN_QUEUE"), &json!([])));
        assert_eq!(queued.json()["queue_position"], json!(0), "0 is next");
        let early = product.get(&ada, &result).await;
        assert_eq!((early.status, &early.json()["error_type"]), (StatusCode::BAD_REQUEST, &json!("request_in_progress")));
        product.finish().await;
        let ended = product.get(&ada, &format!("{status}?logs=1")).await;
        assert_eq!((ended.status, &ended.json()["status"], &ended.json()["error"]), (StatusCode::OK, &json!("COMPLETED"), &Value::Null));
        assert_eq!(ended.json()["metrics"], json!({ "inference_time": 0.15 }));
        assert!(ended.json()["logs"][0]["message"].as_str().unwrap().ends_with("/24"));
        assert_eq!(product.get(&ada, &status).await.json()["logs"], Value::Null);
        let outcome = product.get(&ada, &result).await.json();
        assert_eq!((&outcome["seed"], &outcome["video"]["content_type"], &outcome["video"]["width"]), (&json!(7), &json!("video/mp4"), &json!(96)));
        assert_eq!(outcome["video"]["file_size"], json!(content(ArtifactKind::Video).len()));
        let fetched = product.send(Request::get(path(&outcome["video"]["url"])).body(Body::empty()).unwrap()).await;
        assert_eq!(fetched.body, content(ArtifactKind::Video));
        let late = cancel(&product, &ada, &made).await;
        assert_eq!((late.status, &late.json()["status"]), (StatusCode::BAD_REQUEST, &json!("ALREADY_COMPLETED")));
    }

    async fn a_cancelled_request_has_ended_without_a_result(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let made = submit(&product, &ada, json!({ "prompt": "a red ball" })).await.json();
        product.claim(Stage::Sampling).await;
        let running = product.get(&ada, &format!("{}?logs=1", path(&made["status_url"]))).await;
        assert_eq!((running.status, &running.json()["status"]), (StatusCode::ACCEPTED, &json!("IN_PROGRESS")));
        assert_eq!(running.json()["logs"][0]["message"], json!("  0%|          | 0/24"));
        let cancelled = cancel(&product, &ada, &made).await;
        assert_eq!((cancelled.status, &cancelled.json()["status"]), (StatusCode::ACCEPTED, &json!("CANCELLATION_REQUESTED")));
        let status = product.get(&ada, &path(&made["status_url"])).await.json();
        assert_eq!((&status["status"], &status["error_type"]), (&json!("COMPLETED"), &json!("request_cancelled")));
        let result = product.get(&ada, &path(&made["response_url"])).await;
        assert_eq!((result.status, result.header("x-fal-error-type")), (StatusCode::BAD_REQUEST, "request_cancelled"));
        let streamed = product.get(&ada, &format!("{}/stream", path(&made["status_url"]))).await;
        let text = String::from_utf8(streamed.body.to_vec()).unwrap();
        assert!(text.contains(r#"data: {"status":"COMPLETED""#) && !text.contains("event:"), "{text}");
    }

    async fn what_cannot_be_is_refused_and_nothing_is_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let refused = submit(&product, &ada, json!({ "prompt": "a", "num_frames": 81 })).await;
        let message = "`num_frames` cannot be 81: `vignette-1` makes videos of 16 frames.";
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.json()["detail"], json!([{ "loc": ["body"], "msg": message, "type": "invalid_input" }]));
        let refused = submit(&product, &ada, json!({ "prompt": " " })).await;
        assert_eq!((&refused.json()["detail"][0]["loc"], refused.header("x-fal-error-type")), (&json!(["body", "prompt"]), "prompt_empty"));
        for (path, header, code) in [
            ("/fal/reelmill/vignette-1?fal_webhook=https%3A%2F%2F169.254.169.254", None, "invalid_webhook_url"),
            ("/fal/reelmill/vignette-1?fal_max_queue_length=1", None, "unsupported_header"),
            ("/fal/reelmill/vignette-1", Some(("x-fal-queue-priority", "high")), "unsupported_header"),
            ("/fal/reelmill/vignette-1", Some(("x-fal-request-timeout", "soon")), "unsupported_header"),
        ] {
            let mut request = ada.request("POST", path);
            if let Some((name, value)) = header {
                request = request.header(name, value);
            }
            let refused = product.send(request.body(Body::from(r#"{"prompt":"a"}"#)).unwrap()).await;
            assert_eq!((refused.status, refused.header("x-fal-error-type")), (StatusCode::UNPROCESSABLE_ENTITY, code), "{path} {header:?}");
        }
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
        let urgent = ada.request("POST", "/fal/reelmill/vignette-1").header("x-fal-request-timeout", "30");
        let made = product.send(urgent.body(Body::from(r#"{"prompt":"a"}"#)).unwrap()).await;
        assert_eq!(made.status, StatusCode::OK);
        assert!(product.get(&ada, "/v1/videos").await.json()["data"][0]["start_by"].is_number());
        // Sent once more under the same key, it is the same though it would begin by another moment.
        let mut ids = Vec::new();
        for _ in 0..2 {
            let again = ada.request("POST", "/fal/reelmill/vignette-1").header("x-fal-request-timeout", "30").header("idempotency-key", "a");
            let made = product.send(again.body(Body::from(r#"{"prompt":"a"}"#)).unwrap()).await;
            assert_eq!(made.status, StatusCode::OK);
            ids.push(made.json()["request_id"].clone());
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        assert_eq!(ids[0], ids[1]);
    }

    async fn at_its_own_host_there_is_no_path_in_front_and_nothing_else(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let host: HostName = "queue.example.com".parse().unwrap();
        let router = router(&Context { fal_host: Some(Arc::new(host)), ..product.context.clone() }, product.folder());
        let send = async |method: &str, host: &str, path: &str| {
            let request = Request::builder().method(method).uri(path).header("host", host).header("authorization", format!("Key {}", ada.key));
            let response = router.clone().oneshot(request.body(Body::from(r#"{"prompt":"a red ball"}"#)).unwrap()).await.unwrap();
            let (parts, body) = response.into_parts();
            Answer { status: parts.status, headers: parts.headers, body: body.collect().await.unwrap().to_bytes() }
        };
        let made = send("POST", "Queue.Example.com", "/reelmill/vignette-1").await;
        assert_eq!(made.status, StatusCode::OK, "{made:?}");
        let id = made.json()["request_id"].as_str().unwrap().to_owned();
        assert_eq!(made.json()["status_url"], json!(format!("https://queue.example.com/reelmill/vignette-1/requests/{id}/status")));
        product.finish().await;
        let outcome = send("GET", "queue.example.com", &format!("/reelmill/vignette-1/requests/{id}")).await;
        let link = outcome.json()["video"]["url"].as_str().unwrap().strip_prefix("https://queue.example.com").unwrap().to_owned();
        assert_eq!(send("GET", "queue.example.com", &link).await.body, content(ArtifactKind::Video));
        for path in ["/", "/v1/videos", "/library", "/healthz", "/metrics", "/openapi.json"] {
            let there = send("GET", "queue.example.com", path).await;
            assert!([StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED].contains(&there.status) && there.json()["error_type"].is_string(), "{path} {there:?}");
        }
        assert_eq!(send("GET", "video.example.com", "/healthz").await.status, StatusCode::OK);
    }
}
