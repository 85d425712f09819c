//! Replicate's API.

use super::without_ids;
use crate::harness::{Answer, Customer, Product, content, hex};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{FailureCode, Scopes, Stage, job::AttemptFailure};
use serde_json::{Value, json};
use service::KeyRequest;
use store::{ArtifactKind, on_both_engines};

const MODEL: &str = "/replicate/v1/models/reelmill/vignette-1/predictions";

/// Below which address the product finds itself in these tests.
fn path(url: &Value) -> String {
    url.as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned()
}

async fn create(product: &Product, who: &Customer, prefer: &str, input: Value) -> Answer {
    let request = who.request("POST", MODEL).header("content-type", "application/json").header("prefer", prefer);
    product.send(request.body(Body::from(json!({ "input": input }).to_string())).unwrap()).await
}

on_both_engines! {
    async fn a_prediction_is_made_looked_at_and_fetched(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let input = json!({ "prompt": "a red ball", "seed": 7, "num_inference_steps": 4, "width": 96, "height": 96 });
        let made = product.post(&ada, "/replicate/v1/predictions", json!({ "version": hex(b"reelmill/vignette-1"), "input": input })).await;
        assert_eq!((made.status, &made.json()["status"]), (StatusCode::CREATED, &json!("starting")));
        let id = made.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(product.get(&ada, &path(&made.json()["urls"]["get"])).await.json()["status"], json!("starting"));
        product.finish().await;
        let ended = product.get(&ada, &path(&made.json()["urls"]["get"])).await.json();
        let output = path(&ended["output"]);
        let mut shown = ended.clone();
        shown["output"] = "[link]".into();
        insta::allow_duplicates! {
        insta::assert_snapshot!(without_ids(shown, &id), @r#"
        {
          "completed_at": "[moment]",
          "created_at": "[moment]",
          "data_removed": false,
          "error": null,
          "id": "[id]",
          "input": {
            "guidance": 3.0,
            "prompt": "a red ball",
            "seconds": "2",
            "seed": 7,
            "size": "96x96",
            "steps": 4
          },
          "logs": "Using seed: 7\n100%|██████████| 4/4\n",
          "metrics": {
            "predict_time": 0.15,
            "total_time": null
          },
          "model": "reelmill/vignette-1",
          "output": "[link]",
          "started_at": "[moment]",
          "status": "succeeded",
          "urls": {
            "cancel": "http://localhost/replicate/v1/predictions/[id]/cancel",
            "get": "http://localhost/replicate/v1/predictions/[id]",
            "stream": "http://localhost/replicate/v1/predictions/[id]/stream",
            "web": "http://localhost/videos/[id]"
          },
          "version": "f5fc52570ab587f37707871d9ce9357c211f287ef1db17867186a40947da661f"
        }
        "#);
        }
        let fetched = product.send(Request::get(&output).body(Body::empty()).unwrap()).await;
        assert_eq!((fetched.status, fetched.body, fetched.headers["content-type"].as_bytes()), (StatusCode::OK, content(ArtifactKind::Video), b"video/mp4".as_slice()));
        let listed = product.get(&ada, "/replicate/v1/predictions").await.json();
        assert_eq!((&listed["results"][0]["id"], &listed["next"], &listed["results"][1]), (&json!(id), &Value::Null, &Value::Null));
    }

    async fn who_prefers_to_wait_is_answered_when_it_has_ended_or_is_told_to_go_on_asking(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let (waited, ()) = tokio::join!(create(&product, &ada, "wait", json!({ "prompt": "a red ball" })), async {
            product.soon("a job", async || product.get(&ada, "/v1/videos").await.json()["data"][0]["id"].as_str().map(ToOwned::to_owned)).await;
            product.finish().await;
        });
        assert_eq!((waited.status, &waited.json()["status"]), (StatusCode::CREATED, &json!("succeeded")), "{:?}", waited.json());
        assert!(waited.json()["output"].is_string());
        let early = create(&product, &ada, "wait=1", json!({ "prompt": "a red ball" })).await;
        assert_eq!((early.status, &early.json()["status"], &early.json()["output"]), (StatusCode::CREATED, &json!("starting"), &Value::Null));
        product.claim(Stage::Sampling).await;
        let begun = product.get(&ada, &path(&early.json()["urls"]["get"])).await.json();
        assert_eq!((&begun["status"], begun["logs"].as_str().unwrap().contains("  0%|          | 0/24")), (&json!("processing"), true), "{begun}");
    }

    async fn only_some_of_a_tenants_requests_wait_and_the_others_are_answered_at_once(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let tenant = ada.user.tenant;
        let limits = &product.context.limits;
        let mut held = Vec::new();
        for _ in 0..limits.requests_per_tenant_max / 4 {
            held.push(product.context.shares.waiting(tenant).unwrap());
        }
        let answer = create(&product, &ada, "wait", json!({ "prompt": "a red ball" })).await;
        assert_eq!((answer.status, &answer.json()["status"]), (StatusCode::CREATED, &json!("starting")));
    }

    async fn who_may_only_write_is_shown_no_output(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let scopes = Some(Scopes::parse("videos:write").unwrap());
        let made = product.services().create_key_for(ada.user.actor(), KeyRequest { name: "w".into(), scopes, ..KeyRequest::default() }, "").await.unwrap();
        let writer = Customer { user: ada.user.clone(), key: made.secret };
        let made = create(&product, &writer, "wait", json!({ "prompt": "a red ball" })).await;
        assert_eq!((made.status, &made.json()["status"]), (StatusCode::CREATED, &json!("starting")));
        let refused = product.get(&writer, &path(&made.json()["urls"]["get"])).await;
        assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::FORBIDDEN, &json!("insufficient_scope")));
    }

    async fn what_cannot_be_is_refused_with_the_name_of_what_to_mend(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for (input, field, said) in [
            (json!({}), "input.prompt", "prompt"),
            (json!({ "prompt": "a", "lora": "x" }), "input", "`lora` is no input of `vignette-1`."),
            (json!({ "prompt": "a", "size": "1x1" }), "input.size", "1x1"),
            (json!({ "prompt": "a", "steps": 0 }), "input.steps", "`steps`"),
            (json!({ "prompt": "a", "input_reference": "https://example.com/a.png" }), "input.input_reference", "picture"),
        ] {
            let refused = create(&product, &ada, "", input.clone()).await;
            let json = refused.json();
            assert_eq!((refused.status, &json["title"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("Input validation failed")), "{input} {json}");
            assert_eq!(json["invalid_fields"][0]["field"], json!(field), "{json}");
            assert!(json["detail"].as_str().unwrap().contains(said), "{json}");
        }
        for (body, code) in [
            (json!({ "input": { "prompt": "a" } }), "invalid_input"),
            (json!({ "version": "0", "input": { "prompt": "a" } }), "version_not_found"),
            (json!({ "version": "reelmill/vignette-1", "input": { "prompt": "a" }, "webhook": "https://127.0.0.1/" }), "invalid_webhook_url"),
            (json!({ "version": "reelmill/vignette-1", "input": { "prompt": "a" }, "webhook": "https://example.com", "webhook_events_filter": ["begun"] }), "invalid_request"),
            (json!({ "version": "reelmill/vignette-1", "input": [] }), "invalid_request"),
        ] {
            let refused = product.post(&ada, "/replicate/v1/predictions", body.clone()).await;
            assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(code)), "{body}");
        }
        let unsupported = product.get(&ada, "/replicate/v1/deployments/a/b").await;
        assert_eq!((unsupported.status, &unsupported.json()["code"]), (StatusCode::NOT_IMPLEMENTED, &json!("not_supported")));
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
    }

    async fn pages_of_predictions_follow_one_another_and_end_early_where_they_grow_large(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        // In JSON a control character takes six bytes.
        let text = format!("a{}b", "\u{1}".repeat(31_998));
        let mut made = Vec::new();
        for _ in 0..3 {
            made.insert(0, create(&product, &ada, "", json!({ "prompt": text })).await.json()["id"].clone());
        }
        let (mut seen, mut next, mut pages) = (Vec::new(), "/replicate/v1/predictions".to_owned(), 0);
        loop {
            let page = product.get(&ada, &next).await.json();
            seen.extend(page["results"].as_array().unwrap().iter().map(|prediction| prediction["id"].clone()));
            pages += 1;
            if page["next"].is_null() {
                break;
            }
            next = path(&page["next"]);
        }
        assert_eq!((seen, pages), (made, 3));
        let refused = product.get(&ada, "/replicate/v1/predictions?cursor=nonsense").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }

    async fn a_stream_tells_the_output_and_that_it_is_done_or_why_not(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let made = create(&product, &ada, "", json!({ "prompt": "a red ball" })).await.json();
        let watched = path(&made["urls"]["stream"]);
        let (answer, ()) = tokio::join!(product.get(&ada, &watched), product.finish());
        let text = String::from_utf8(answer.body.to_vec()).unwrap();
        let names: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
        assert_eq!(names[names.len() - 2..], ["output", "done"], "{text}");
        assert!(text.contains("/outputs/") && text.contains("video.mp4"), "{text}");
        let cancelled = create(&product, &ada, "", json!({ "prompt": "a red ball" })).await.json();
        let answer = product.post(&ada, &path(&cancelled["urls"]["cancel"]), json!({})).await;
        assert_eq!((answer.status, &answer.json()["status"]), (StatusCode::OK, &json!("canceled")));
        let text = String::from_utf8(product.get(&ada, &path(&cancelled["urls"]["stream"])).await.body.to_vec()).unwrap();
        assert!(text.contains("event: done") && text.contains(r#"{"reason":"canceled"}"#), "{text}");
    }

    async fn a_prediction_that_failed_says_why_and_is_answered_like_any_other(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let made = create(&product, &ada, "", json!({ "prompt": "a red ball" })).await.json();
        let token = product.claim(Stage::Sampling).await;
        product.services().store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        let failed = product.get(&ada, &path(&made["urls"]["get"])).await;
        assert_eq!((failed.status, &failed.json()["status"], &failed.json()["output"]), (StatusCode::OK, &json!("failed"), &Value::Null));
        assert!(failed.json()["error"].as_str().is_some_and(|error| error.len() > 10), "{}", failed.json());
        let text = String::from_utf8(product.get(&ada, &path(&made["urls"]["stream"])).await.body.to_vec()).unwrap();
        assert!(text.contains("event: error") && text.contains(r#"{"reason":"error"}"#), "{text}");
        let id = made["id"].as_str().unwrap();
        let status = product.get(&ada, &format!("/fal/reelmill/vignette-1/requests/{id}/status")).await;
        assert_eq!((status.status, &status.json()["status"], &status.json()["error_type"]), (StatusCode::OK, &json!("COMPLETED"), &json!("engine_error")));
        let result = product.get(&ada, &format!("/fal/reelmill/vignette-1/requests/{id}")).await;
        assert_eq!((result.status, result.header("x-fal-error-type")), (StatusCode::INTERNAL_SERVER_ERROR, "engine_error"));
    }

    async fn a_model_says_what_it_takes(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let model = product.get(&ada, "/replicate/v1/models/reelmill/vignette-1").await.json();
        assert_eq!((&model["owner"], &model["name"], &model["latest_version"]["id"]), (&json!("reelmill"), &json!("vignette-1"), &json!(hex(b"reelmill/vignette-1"))));
        let inputs = &model["latest_version"]["openapi_schema"]["components"]["schemas"]["Input"];
        assert_eq!((&inputs["required"], &inputs["properties"]["steps"]["maximum"]), (&json!(["prompt"]), &json!(200)));
        assert_eq!(product.get(&ada, "/replicate/v1/models").await.json()["results"][0], model);
        assert_eq!(product.get(&ada, "/replicate/v1/account").await.json()["type"], json!("organization"));
        let token = Request::get("/replicate/v1/hardware").header("authorization", format!("Token {}", ada.key));
        assert_eq!(product.send(token.body(Body::empty()).unwrap()).await.json()[0]["sku"], json!("shared"));
    }
}
