//! A request names another model, which makes the video where its own cannot.

use crate::{
    batches::{ended, line, uploaded},
    harness::{Answer, Customer, Product},
};
use axum::http::StatusCode;
use domain::{
    JobId, JobState, Model, Stage,
    catalog::{
        Bounds,
        testing::{image_model, video_model},
    },
    job::FailureClass,
};
use serde_json::{Value, json};
use store::{on_both_engines, testing::TempDatabase};

/// Like the usual model, with half of its steps unless more are asked for; twice as dear for as many.
fn other() -> Model {
    Model { id: "tiny-1".into(), order: image_model().order, steps: Bounds { default: 12, ..video_model().steps }, ..video_model() }
}

async fn with_two_models(database: TempDatabase) -> (Product, Customer) {
    let product = Product::new(database).await;
    product.offer(&[video_model(), other()]).await;
    let ada = product.customer("ada").await;
    (product, ada)
}

#[track_caller]
fn assert_refused(answer: &Answer, code: &str, words: &str) {
    let error = &answer.json()["error"];
    assert_eq!((answer.status, &error["code"], &error["param"]), (StatusCode::BAD_REQUEST, &json!(code), &json!("fallback_model")));
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
}

on_both_engines! {
    async fn a_video_that_its_model_cannot_make_is_made_by_the_other_and_says_so(database: TempDatabase) {
        let (product, ada) = with_two_models(database).await;
        let made = product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball", "fallback_model": "tiny-1", "steps": 24 })).await;
        let said = made.json();
        assert_eq!(made.status, StatusCode::OK, "{said}");
        assert_eq!((&said["model"], &said["fallback_model"], &said["requested_model"]), (&json!("vignette-1"), &json!("tiny-1"), &Value::Null));
        assert_eq!((&said["cost"]["video_seconds"], &said["cost"]["max_video_seconds"]), (&json!(2.0), &json!(4.0)));
        let token = product.claim(Stage::Sampling).await;
        product.services().store.queue().report_failure(&token, FailureClass::BrokenWeights).await.unwrap();
        let path = format!("/v1/videos/{}", said["id"].as_str().unwrap());
        let waits = product.get(&ada, &path).await.json();
        assert_eq!((&waits["model"], &waits["requested_model"], &waits["status"]), (&json!("tiny-1"), &json!("vignette-1"), &json!("queued")));
        let tried = &waits["failed_attempts"][0];
        assert_eq!(tried["decision"], "other_model");
        let words = "The model could not be loaded on the machine. It is made with the other model that you allowed.";
        assert_eq!(tried["message"], words);
        let page = product.page(&product.cookie(&ada).await, &path.replace("/v1", "")).await;
        assert!(page.contains(words) && page.contains("In place of") && page.contains("vignette-1"), "{page}");
        let id: JobId = said["id"].as_str().unwrap().parse().unwrap();
        product
            .soon("the pause is over", async || {
                let store = &product.services().store;
                let job = store.tenant(ada.user.tenant).jobs().get(id).await.unwrap().unwrap();
                let JobState::Retrying { not_before, .. } = job.lifecycle.state else { return None };
                (not_before <= store.now().await.unwrap()).then_some(())
            })
            .await;
        product.finish().await;
        let done = product.get(&ada, &path).await.json();
        assert_eq!((&done["status"], &done["model"], &done["cost"]["charged_video_seconds"]), (&json!("completed"), &json!("tiny-1"), &json!(4.0)));
    }

    async fn one_that_cannot_make_the_same_is_refused_and_nothing_is_stored(database: TempDatabase) {
        let (product, ada) = with_two_models(database).await;
        let ask = async |fallback: Value| product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball", "fallback_model": fallback })).await;
        assert_refused(&ask(json!("vignette-1")).await, "fallback_unsupported", "name another");
        assert_refused(&ask(json!("sora-9")).await, "model_not_found", "The model `sora-9` does not exist.");
        assert_refused(&ask(json!(["tiny-1"])).await, "invalid_request", "must be a string");
        assert_refused(&ask(json!(7)).await, "invalid_request", "must be a string");
        product.offer(&[video_model(), image_model()]).await;
        assert_refused(&ask(json!("tiny-1")).await, "fallback_unsupported", "`tiny-1` cannot make size '384x384'");
        assert_eq!(product.services().waiting(ada.user.actor()).await.unwrap().jobs, 0);
        let without = ask(json!("")).await;
        assert_eq!((without.status, &without.json()["fallback_model"]), (StatusCode::OK, &Value::Null));
    }

    async fn it_is_a_part_of_what_was_asked_for_and_comes_as_a_form_too(database: TempDatabase) {
        let (product, ada) = with_two_models(database).await;
        let once = |content_type: &str, body: String| {
            let request = ada.request("POST", "/v1/videos").header("idempotency-key", "once").header("content-type", content_type);
            product.send(request.body(body.into()).unwrap())
        };
        let part = |name: &str, value: &str| format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        let parts = [part("prompt", "a red ball"), part("fallback_model", "tiny-1"), "--b--\r\n".to_owned()].concat();
        let made = once("multipart/form-data; boundary=b", parts).await;
        assert_eq!((made.status, &made.json()["fallback_model"]), (StatusCode::OK, &json!("tiny-1")), "{}", made.json());
        let form = "application/x-www-form-urlencoded";
        let again = once(form, "prompt=a+red+ball&fallback_model=tiny-1".to_owned()).await;
        assert_eq!(again.json()["id"], made.json()["id"]);
        let other = once(form, "prompt=a+red+ball".to_owned()).await;
        assert_eq!((other.status, other.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"));
    }

    async fn programs_of_other_services_name_it_among_their_inputs(database: TempDatabase) {
        let (product, ada) = with_two_models(database).await;
        let (replicate, fal) = ("/replicate/v1/models/reelmill/vignette-1/predictions", "/fal/reelmill/vignette-1");
        let input = |other: &str| json!({ "prompt": "a red ball", "fallback_model": other });
        let made = product.post(&ada, replicate, json!({ "input": input("tiny-1") })).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.json());
        let made = product.post(&ada, fal, input("tiny-1")).await;
        assert_eq!(made.status, StatusCode::OK, "{}", made.json());
        let refused = product.post(&ada, replicate, json!({ "input": input("sora-9") })).await;
        assert_eq!((refused.status, &refused.json()["invalid_fields"][0]["field"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("input.fallback_model")));
        let refused = product.post(&ada, fal, input("sora-9")).await;
        assert_eq!((refused.status, &refused.json()["detail"][0]["loc"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(["body", "fallback_model"])));
        let videos = product.get(&ada, "/v1/videos").await.json();
        let others: Vec<_> = videos["data"].as_array().unwrap().iter().map(|video| &video["fallback_model"]).collect();
        assert_eq!(others, [&json!("tiny-1"), &json!("tiny-1")]);
    }

    async fn a_line_of_a_batch_is_quoted_by_the_dearer_model_and_charged_by_what_made_it(database: TempDatabase) {
        let (product, ada) = with_two_models(database).await;
        let body = |other: &str| json!({ "prompt": "a red ball", "fallback_model": other, "steps": 24 });
        let create = async |text: String| {
            let input = uploaded(&product, &ada, &text).await;
            let asked = json!({ "input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h" });
            product.post(&ada, "/v1/batches", asked).await.json()["id"].as_str().unwrap().to_owned()
        };
        let wrong = create(line("a", body("tiny-1")) + &line("b", body("vignette-1")) + &line("c", body("sora-9"))).await;
        let wrong = ended(&product, &ada, &wrong).await;
        let told: Vec<_> = wrong["errors"]["data"].as_array().unwrap().iter().map(|error| (&error["line"], &error["code"], &error["param"])).collect();
        let param = json!("body.fallback_model");
        assert_eq!(told, [(&json!(2), &json!("fallback_unsupported"), &param), (&json!(3), &json!("model_not_found"), &param)]);
        let batch = create(line("a", body("tiny-1")) + &line("b", body(" "))).await;
        let done = ended(&product, &ada, &batch).await;
        assert_eq!((&done["status"], &done["price"]["quoted_seconds"], &done["price"]["charged_seconds"]), (&json!("completed"), &json!(6.0), &json!(4.0)));
        let videos = product.get(&ada, "/v1/videos?order=asc").await.json();
        let cost = |at: usize| (videos["data"][at]["fallback_model"].clone(), videos["data"][at]["cost"]["max_video_seconds"].clone());
        assert_eq!((cost(0).0, cost(1).0), (json!("tiny-1"), Value::Null));
        assert_eq!(cost(0).1, json!(4.0));
    }
}
