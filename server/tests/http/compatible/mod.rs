//! The APIs of other services: their shapes, their errors, and the links they give.

mod derived;
mod fal;
mod links;
mod replicate;
mod webhooks;

use crate::harness::Product;
use axum::{body::Body, http::Request};
use serde_json::Value;
use server::api::scopes::NEEDS_OF_OTHERS;
use std::collections::BTreeSet;
use store::on_both_engines;

/// What is the same in every run.
fn without_ids(mut value: Value, id: &str) -> String {
    for name in ["created_at", "started_at", "completed_at"] {
        if value[name].is_string() {
            value[name] = "[moment]".into();
        }
    }
    value["metrics"]["total_time"] = Value::Null;
    serde_json::to_string_pretty(&value).unwrap().replace(id, "[id]")
}

on_both_engines! {
    async fn every_route_of_another_service_declares_what_it_needs(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let notes = format!("{:?}", server::api::compatible::router(&product.context));
        let paths = notes.split('"').filter(|text| text.starts_with("/replicate/") || text.starts_with("/fal/"));
        // Whoever checks a delivery has no key.
        let paths: BTreeSet<_> = paths.filter(|path| !path.contains("/.well-known/")).collect();
        let mut routed = BTreeSet::new();
        for path in paths {
            let concrete = path.replace(['{', '}', '*'], "");
            let asked = product.send(ada.request("TRACE", &concrete).body(Body::empty()).unwrap()).await;
            let methods: Vec<_> = asked.header("allow").split(',').filter(|method| !["", "HEAD"].contains(method)).map(ToOwned::to_owned).collect();
            // Whatever takes every method does nothing.
            assert!(!methods.is_empty() || [404, 501].contains(&asked.status.as_u16()), "{path}");
            routed.extend(methods.into_iter().map(|method| (method, path.to_owned())));
        }
        let declared: BTreeSet<_> = NEEDS_OF_OTHERS.iter().map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned())).collect();
        assert_eq!(declared, routed);
    }

    async fn an_error_is_said_as_each_service_says_it_wherever_it_was_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let too_large = format!(r#"{{"input":{{"prompt":"{}"}}}}"#, "x".repeat(1024 * 1024));
        for (path, is_problem) in [("/replicate/v1/models/reelmill/vignette-1/predictions", true), ("/fal/reelmill/vignette-1", false)] {
            for (request, status, code) in [
                (Request::post(path), 401, "invalid_api_key"),
                (Request::post(path).header("authorization", "Bearer nonsense"), 401, "invalid_api_key"),
                (ada.request("PATCH", path), 405, "method_not_allowed"),
                (ada.request("POST", &path.replace("vignette", "none")), 404, "model_not_found"),
                (ada.request("POST", &path.replace("reelmill", "somebody")), 404, "model_not_found"),
                (ada.request("POST", path), 413, "body_too_large"),
            ] {
                let body = if status == 413 { too_large.clone() } else { "{}".to_owned() };
                let answer = product.send(request.body(Body::from(body)).unwrap()).await;
                let json = answer.json();
                assert_eq!(answer.status.as_u16(), status, "{path} {answer:?}");
                assert!(answer.header("x-request-id").starts_with("req_"));
                if is_problem {
                    assert_eq!(answer.header("content-type"), "application/problem+json");
                    assert_eq!((&json["status"], &json["code"], json["detail"].is_string()), (&status.into(), &code.into(), true), "{json}");
                } else {
                    assert_eq!((answer.header("x-fal-error-type"), &json["error_type"]), (code, &code.into()), "{json}");
                    assert!(json["detail"].is_string(), "{json}");
                }
            }
        }
    }
}
