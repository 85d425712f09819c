//! Nobody sees what is another's: every operation of the document, for everyone who must not.

mod costs;
mod ledger;
mod metering;
mod money;
mod numbers;
mod paid_once;
mod payments;
mod plan_changes;

use crate::harness::{Answer, Customer, Product};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::on_both_engines;

/// Method and path of every operation in the document.
async fn operations(product: &Product) -> Vec<(String, String)> {
    let document = product.send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await.json();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys().filter(|key| ["get", "post", "put", "patch", "delete"].contains(&key.as_str())) {
            operations.push((method.to_uppercase(), path.clone()));
        }
    }
    operations
}

/// With ids of what is not there, but for the video.
fn concrete(path: &str) -> String {
    let names = [
        ("{model}", "vignette-1"),
        ("{webhook_endpoint_id}", "webhook_0190aaaabbbb7ccc8dddeeeeffff0001"),
        ("{delivery_id}", "delivery_0190aaaabbbb7ccc8dddeeeeffff0001"),
        ("{alert_rule_id}", "alert_0190aaaabbbb7ccc8dddeeeeffff0001"),
    ];
    names.into_iter().fold(path.to_owned(), |path, (name, id)| path.replace(name, id))
}

async fn call(product: &Product, key: Option<&str>, method: &str, path: &str) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    if let Some(key) = key {
        request = request.header("authorization", format!("Bearer {key}"));
    }
    product.send(request.body(Body::from(json!({ "prompt": "mine now" }).to_string())).unwrap()).await.without_request_id()
}

async fn views(product: &Product, who: &Customer) -> Value {
    product.get(who, "/v1/videos").await.json()
}

on_both_engines! {
    async fn another_tenants_video_is_answered_exactly_like_one_that_is_not_there(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let id = product.create(&ada, "a secret").await.to_string();
        product.finish().await;
        let before = views(&product, &ada).await;
        let mut covered = 0;
        for (method, path) in operations(&product).await.iter().filter(|(_, path)| path.contains("{video_id}")) {
            let at = |id: &str| path.replace("{video_id}", id);
            let foreign = call(&product, Some(&eve.key), method, &at(&id)).await;
            assert_eq!((foreign.status, foreign.code().as_str()), (StatusCode::NOT_FOUND, "video_not_found"), "{method} {path}");
            for absent in ["job_0190aaaabbbb7ccc8dddeeeeffff0001", "video_123", "%00", "..%2f..%2fetc", "%ff", &"x".repeat(4000)] {
                assert_eq!(call(&product, Some(&eve.key), method, &at(absent)).await, foreign, "{method} {path} {absent}");
            }
            covered += 1;
        }
        assert_eq!(covered, 8);
        assert_eq!(views(&product, &ada).await, before);
        assert_eq!(views(&product, &eve).await["data"], json!([]));
    }

    async fn without_a_valid_key_every_operation_is_refused_and_nothing_happens(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a secret").await.to_string();
        let revoked = product.services().create_key(ada.user.actor(), "old", "").await.unwrap();
        assert!(product.services().revoke_key(ada.user.actor(), revoked.key.id, "").await.unwrap());
        let before = views(&product, &ada).await;
        for (method, path) in operations(&product).await {
            let path = concrete(&path.replace("{video_id}", &id));
            for key in [None, Some(revoked.secret.as_str()), Some("rm_live_nonsense")] {
                let answer = call(&product, key, &method, &path).await;
                assert_eq!((answer.status, answer.code().as_str()), (StatusCode::UNAUTHORIZED, "invalid_api_key"), "{method} {path}");
            }
        }
        assert_eq!(views(&product, &ada).await, before);
    }

    async fn every_route_is_in_the_document_with_all_its_methods(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let documented = operations(&product).await;
        let paths: BTreeSet<_> = documented.iter().map(|(_, path)| path.clone()).collect();
        // The router's own notes name every path that it knows.
        let (api, _) = server::api::router(&product.context);
        let notes = format!("{api:?}");
        let routed: BTreeSet<_> = notes.split('"').filter(|text| text.starts_with("/v1/") && *text != "/v1/" && !text.contains('*')).map(str::to_owned).collect();
        assert_eq!(routed, paths);
        for path in paths {
            let concrete = concrete(&path.replace("{video_id}", "job_0190aaaabbbb7ccc8dddeeeeffff0001"));
            let allowed = product.send(ada.request("TRACE", &concrete).body(Body::empty()).unwrap()).await;
            let allowed: BTreeSet<_> = allowed.header("allow").split(',').filter(|method| *method != "HEAD").map(str::to_owned).collect();
            let expected: BTreeSet<_> = documented.iter().filter(|(_, at)| *at == path).map(|(method, _)| method.clone()).collect();
            assert_eq!(allowed, expected, "{path}");
        }
    }

    async fn every_operation_is_described_with_its_answers_and_errors(database: TempDatabase) {
        let product = Product::new(database).await;
        let document = product.send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await.json();
        assert_eq!(document["openapi"], json!("3.1.0"));
        assert_eq!(document["components"]["securitySchemes"]["api_key"]["scheme"], json!("bearer"));
        for (method, path) in operations(&product).await {
            let operation = &document["paths"][&path][method.to_lowercase()];
            assert!(operation["summary"].is_string(), "{method} {path}");
            assert!(operation["responses"]["200"].is_object(), "{method} {path}");
            let error = &operation["responses"]["401"]["content"]["application/json"]["schema"]["$ref"];
            assert_eq!(error, &json!("#/components/schemas/ErrorBody"), "{method} {path}");
        }
    }
}
