//! Prompts that are made richer: what was typed and what the model gets are both kept.

use crate::harness::Product;
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Model, Stage, WorkerId,
    catalog::{Understands, testing::video_model},
    scheduling::Suspects,
};
use serde_json::{Value, json};
use store::on_both_engines;
use uuid::Uuid;

fn scenes() -> Model {
    Model { understands: Understands::Scenes, ..video_model() }
}

on_both_engines! {
    async fn both_prompts_are_kept_and_the_model_gets_the_richer_one(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[scenes()]).await;
        let ask = async |body: Value| product.post(&ada, "/v1/videos", body).await.json();
        let made = ask(json!({ "prompt": "a ball", "seed": 7, "enrich": true })).await;
        let richer = made["expanded_prompt"].as_str().unwrap();
        assert!(made["prompt"] == "a ball" && richer.contains("ball") && richer.len() > 12, "{made}");
        let words = |made: &Value, what: &str| made[what].as_array().unwrap().clone();
        let understood: Vec<Value> = words(&made, "understood").iter().map(|word| word["text"].clone()).collect();
        let added = words(&made, "added");
        assert!(!added.is_empty() && added.iter().all(|word| understood.contains(word) && word != "ball"), "{made}");
        assert!(understood.contains(&json!("ball")) && words(&made, "ignored").is_empty(), "{made}");
        let stored = product.get(&ada, &format!("/v1/videos/{}", made["id"].as_str().unwrap())).await.json();
        assert_eq!((&stored["expanded_prompt"], &stored["added"]), (&made["expanded_prompt"], &made["added"]));

        let worker = WorkerId::from_uuid(Uuid::now_v7());
        let claimed = product.services().store.queue().claim(Stage::Sampling, worker, &["vignette-1"], 60_000, Suspects::Take).await;
        let spec = claimed.unwrap().unwrap().job.spec;
        assert_eq!((spec.prompt.as_str(), spec.model_prompt()), ("a ball", richer));

        let same = ask(json!({ "prompt": "a ball", "seed": 7, "enrich": "true" })).await;
        assert_eq!(same["expanded_prompt"], made["expanded_prompt"], "the seed of the job is that of what is added");
        let plain = ask(json!({ "prompt": "a ball", "seed": 7 })).await;
        assert_eq!((&plain["expanded_prompt"], &plain["added"], &plain["cost"]), (&Value::Null, &json!([]), &made["cost"]));
        let without = ask(json!({ "prompt": "xqzvth", "enrich": true })).await;
        assert_eq!(without["error"]["code"], "prompt_not_understood", "what cannot be drawn is not made up for");
    }

    async fn a_remix_is_made_richer_as_its_source_was_unless_it_says_otherwise(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[scenes()]).await;
        let first = product.post(&ada, "/v1/videos", json!({ "prompt": "a ball", "seed": 7, "enrich": true })).await.json();
        let path = format!("/v1/videos/{}/remix", first["id"].as_str().unwrap());
        let remix = async |body: Value| product.post(&ada, &path, body).await.json();
        assert_eq!(remix(json!({ "prompt": "a ball", "seed": 7 })).await["expanded_prompt"], first["expanded_prompt"]);
        assert!(remix(json!({ "prompt": "a cat" })).await["expanded_prompt"].as_str().unwrap().contains("cat"));
        assert_eq!(remix(json!({ "prompt": "a cat", "enrich": false })).await["expanded_prompt"], Value::Null);
    }

    async fn what_cannot_be_made_richer_is_refused_and_the_document_says_the_field(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for (enrich, code) in [(json!(true), "enrich_unsupported"), (json!("perhaps"), "flag_invalid")] {
            let answer = product.post(&ada, "/v1/videos", json!({ "prompt": "a ball", "enrich": enrich })).await;
            assert_eq!((answer.status, &answer.json()["error"]["code"], &answer.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &json!(code), &json!("enrich")));
        }
        let number = product.post(&ada, "/v1/videos", json!({ "prompt": "a ball", "enrich": 1 })).await.json();
        assert_eq!(number["error"]["message"], "`enrich` must be true or false, not a number.");
        let document = product.send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await.json();
        let field = &document["components"]["schemas"]["CreateVideo"]["properties"]["enrich"];
        assert_eq!((&field["type"], &field["default"]), (&json!(["boolean", "null"]), &json!(false)), "{field}");
        product.offer(&[scenes()]).await;
        assert_eq!(product.get(&ada, "/v1/models/vignette-1").await.json()["enrich"], true);
    }
}
