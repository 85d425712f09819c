//! Files and batches over HTTP: how they are sent, and what is answered.

mod pages;

use crate::harness::{Answer, Customer, Product};
use axum::{body::Body, http::StatusCode};
use domain::Actor;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use store::on_both_engines;
use tower::ServiceExt;

const BOUNDARY: &str = "----sea";

pub fn line(name: &str, body: Value) -> String {
    json!({"custom_id": name, "method": "POST", "url": "/v1/videos", "body": body}).to_string() + "\n"
}

/// One part of a form.
fn part(name: &str, file: Option<&str>, text: &str) -> String {
    let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
    format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{text}\r\n")
}

async fn upload(product: &Product, customer: &Customer, parts: &[String]) -> Answer {
    let form = format!("{}--{BOUNDARY}--\r\n", parts.concat());
    // In pieces, as over a wire.
    let pieces: Vec<_> = form.as_bytes().chunks(777).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
    let request = customer.request("POST", "/v1/files").header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
    product.send(request.body(Body::from_stream(futures::stream::iter(pieces))).unwrap()).await
}

pub async fn uploaded(product: &Product, customer: &Customer, text: &str) -> String {
    let answer = upload(product, customer, &[part("purpose", None, "batch"), part("file", Some("a.jsonl"), text)]).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// Goes on with it until it has ended.
pub async fn ended(product: &Product, customer: &Customer, id: &str) -> Value {
    for _ in 0..600 {
        let batch = product.get(customer, &format!("/v1/batches/{id}")).await.json();
        if ["completed", "failed", "expired", "cancelled"].contains(&batch["status"].as_str().unwrap()) {
            return batch;
        }
        if product.services().step_batches(Actor::System).await.unwrap() == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        for _ in product.database().texts("SELECT state FROM jobs WHERE state = 'ready'").await {
            product.finish().await;
        }
    }
    panic!("it does not end");
}

on_both_engines! {
    async fn a_file_counts_when_it_is_whole_whatever_comes_first(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let text = line("a", json!({"prompt": "sea"}));
        let (file, purpose) = (part("file", Some("C:\\dir\\a b.jsonl"), &text), part("purpose", None, "batch"));
        for parts in [[file.clone(), purpose.clone()], [purpose.clone(), file.clone()]] {
            let answer = upload(&product, &ada, &parts).await;
            let json = answer.json();
            assert_eq!((answer.status, &json["filename"], &json["bytes"], &json["purpose"]), (StatusCode::OK, &json!("a b.jsonl"), &json!(text.len()), &json!("batch")));
            let id = json["id"].as_str().unwrap();
            let content = product.get(&ada, &format!("/v1/files/{id}/content")).await;
            assert_eq!((content.body, content.headers["content-disposition"].to_str().unwrap()), (text.clone().into(), "attachment; filename=\"a_b.jsonl\""));
        }
        for (parts, code) in [
            (vec![file.clone()], "invalid_purpose"),
            (vec![purpose.clone()], "invalid_request"),
            (vec![file.clone(), part("purpose", None, "fine-tune")], "invalid_purpose"),
            (vec![purpose.clone(), file.clone(), file.clone()], "invalid_request"),
            (vec![purpose, file, part("expires_after[anchor]", None, "created_at"), part("expires_after[seconds]", None, "1")], "invalid_expiry"),
        ] {
            let answer = upload(&product, &ada, &parts).await;
            assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, code));
        }
        assert_eq!(product.get(&ada, "/v1/files").await.json()["data"].as_array().unwrap().len(), 2, "what was refused is not there");
    }

    async fn a_batch_is_made_and_read_line_by_line(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let text = [line("a", json!({"prompt": "a red ball"})), line("b", json!({"prompt": "a blue ball", "seed": 7}))].concat();
        let input = uploaded(&product, &ada, &text).await;
        let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h", "metadata": {"k": "v"}});
        let created = product.post(&ada, "/v1/batches", asked).await;
        assert_eq!((created.status, &created.json()["status"]), (StatusCode::OK, &json!("validating")));
        let id = created.json()["id"].as_str().unwrap().to_owned();
        let batch = ended(&product, &ada, &id).await;
        assert_eq!((&batch["status"], &batch["request_counts"]), (&json!("completed"), &json!({"total": 2, "completed": 2, "failed": 0, "open": 0})));
        assert_eq!(batch["price"]["quoted_seconds"], batch["price"]["charged_seconds"]);
        let results = product.get(&ada, &format!("/v1/batches/{id}/results")).await;
        assert_eq!(results.header("content-type"), "application/jsonl");
        let lines: Vec<Value> = std::str::from_utf8(&results.body).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.iter().map(|line| line["cursor"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2]);
        assert!(lines.iter().all(|line| line["response"]["body"]["status"] == "completed" && line["error"].is_null()));
        let rest = product.get(&ada, &format!("/v1/batches/{id}/results?after=1")).await;
        assert_eq!(std::str::from_utf8(&rest.body).unwrap().lines().count(), 1);
        let output = batch["output_file_id"].as_str().unwrap();
        let content = product.get(&ada, &format!("/v1/files/{output}/content")).await;
        assert_eq!(std::str::from_utf8(&content.body).unwrap().lines().count(), 2);
        assert_eq!(product.get(&ada, "/v1/files?purpose=batch_output").await.json()["data"][0]["id"], json!(output));
    }

    async fn a_batch_that_is_made_twice_on_purpose_is_two_also_where_the_second_is_tried_again(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let input = uploaded(&product, &ada, &line("a", json!({"prompt": "sea"}))).await;
        let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h"}).to_string();
        // As the SDK of OpenAI sends it, which has no key.
        let create = async |retry_count: u32| {
            let request = ada.request("POST", "/v1/batches").header("x-stainless-retry-count", retry_count).header("content-type", "application/json");
            product.send(request.body(Body::from(asked.clone())).unwrap()).await.json()["id"].as_str().unwrap().to_owned()
        };
        let first = create(0).await;
        assert_eq!(create(1).await, first, "the answer was lost");
        let second = create(0).await;
        assert_ne!(second, first);
        for id in [&first, &second] {
            assert_eq!(product.get(&ada, &format!("/v1/batches/{id}")).await.json()["id"], json!(id));
        }
        let third = create(2).await;
        assert!(third != first && third != second, "its client knows the other two");
    }

    async fn what_cannot_be_made_is_told_by_line(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let text = ["{\n".to_owned(), line("a", json!({"prompt": "sea", "size": "1x1"})), line("a", json!({"prompt": "sea"})), line("a", json!({"prompt": "sun"}))].concat();
        let input = uploaded(&product, &ada, &text).await;
        let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "1h", "dry_run": true});
        let id = product.post(&ada, "/v1/batches", asked).await.json()["id"].as_str().unwrap().to_owned();
        let batch = ended(&product, &ada, &id).await;
        let told: Vec<_> = batch["errors"]["data"].as_array().unwrap().iter().map(|error| (&error["line"], &error["code"], &error["param"])).collect();
        assert_eq!(
            told,
            [
                (&json!(1), &json!("invalid_json_line"), &Value::Null),
                (&json!(2), &json!("size_unsupported"), &json!("body.size")),
                (&json!(3), &json!("duplicate_custom_id"), &json!("custom_id")),
                (&json!(4), &json!("duplicate_custom_id"), &json!("custom_id")),
            ]
        );
        assert_eq!((&batch["status"], &batch["dry_run"]), (&json!("failed"), &json!(true)));
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
    }

    async fn a_field_that_no_request_has_changes_nothing_in_a_line_as_in_a_request_and_is_told_before_anything_is_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let misspelled = json!({"prompt": "sea", "sise": "96x96"});
        let alone = product.post(&ada, "/v1/videos", misspelled.clone()).await;
        assert_eq!((alone.status, &alone.json()["size"]), (StatusCode::OK, &json!("384x384")));
        let sound = line("a", json!({"prompt": "sea", "quality": null}));
        let dry = async |text: &str| {
            let input = uploaded(&product, &ada, text).await;
            let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h", "dry_run": true});
            let id = product.post(&ada, "/v1/batches", asked).await.json()["id"].as_str().unwrap().to_owned();
            ended(&product, &ada, &id).await
        };
        let quote = dry(&[sound.clone(), line("b", misspelled.clone()), line("c", misspelled)].concat()).await;
        assert_eq!((&quote["status"], &quote["unknown_fields"]), (&json!("completed"), &json!({"lines": 2, "line": 2, "param": "body.sise"})));
        let cookie = product.cookie(&ada).await;
        let page = product.page(&cookie, &format!("/batches/{}", quote["id"].as_str().unwrap())).await;
        assert!(page.contains("2 lines have a field that no request has") && page.contains(">sise<") && page.contains(", in line 2."), "{page}");
        let other = dry(&sound).await;
        assert_eq!((&other["status"], &other["unknown_fields"]), (&json!("completed"), &json!(null)));
        let page = product.page(&cookie, &format!("/batches/{}", other["id"].as_str().unwrap())).await;
        assert!(!page.contains("a field that no request has"), "{page}");
    }

    async fn a_misspelt_field_of_a_batch_is_refused_and_what_no_batch_has_is_not(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let input = uploaded(&product, &ada, &line("a", json!({"prompt": "sea"}))).await;
        let asked = async |name: &str| {
            let mut body = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h"});
            body[name] = json!(true);
            product.post(&ada, "/v1/batches", body).await
        };
        for (name, param) in [("dryRun", "dry_run"), ("dry-run", "dry_run"), ("dry_rnu", "dry_run"), ("is_dry_run", "dry_run"), ("meta_data", "metadata")] {
            let answer = asked(name).await;
            let error = &answer.json()["error"];
            assert_eq!((answer.status, &error["param"]), (StatusCode::BAD_REQUEST, &json!(param)), "{name}");
            assert!(error["message"].as_str().unwrap().contains(name), "{error}");
        }
        assert_eq!(product.get(&ada, "/v1/batches").await.json()["data"].as_array().unwrap().len(), 0);
        for name in ["priority", "x", &"dry_run".repeat(9)] {
            assert_eq!(asked(name).await.status, StatusCode::OK, "{name}");
        }
    }

    async fn results_are_cut_off_once_the_key_is_revoked_that_asked_for_them(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let key = product.services().create_key(ada.user.actor(), "second", "").await.unwrap();
        let second = Customer { user: ada.user.clone(), key: key.secret };
        // More than are read at once.
        let input = uploaded(&product, &ada, &"{\n".repeat(120)).await;
        let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "1h"});
        let id = product.post(&ada, "/v1/batches", asked).await.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(ended(&product, &ada, &id).await["status"], "failed");
        let results = second.request("GET", &format!("/v1/batches/{id}/results")).body(Body::empty()).unwrap();
        let mut results = product.router.clone().oneshot(results).await.unwrap().into_body();
        assert!(results.frame().await.unwrap().is_ok());
        assert!(product.services().revoke_key(ada.user.actor(), key.key.id, "").await.unwrap());
        assert!(results.frame().await.unwrap().is_err());
    }

    async fn what_is_asked_of_batches_wrongly_is_named(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let input = uploaded(&product, &ada, "x\n").await;
        let good = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h"});
        for (field, value, code) in [
            ("input_file_id", json!("file_0190aaaabbbb7ccc8dddeeeeffff0001"), "file_not_found"),
            ("input_file_id", json!("nonsense"), "file_not_found"),
            ("endpoint", json!("/v1/images/generations"), "unsupported_endpoint"),
            ("completion_window", json!("1w"), "invalid_request"),
            ("metadata", json!({"": "v"}), "invalid_request"),
            ("output_expires_after", json!({"anchor": "created_at", "seconds": 1}), "invalid_request"),
        ] {
            let mut asked = good.clone();
            asked[field] = value;
            let answer = product.post(&ada, "/v1/batches", asked).await;
            assert_eq!((answer.status, answer.code().as_str(), &answer.json()["error"]["param"]), (StatusCode::BAD_REQUEST, code, &json!(field)));
        }
        for (field, value, said) in [
            ("input_file_id", Value::Null, "`input_file_id` is missing."),
            ("endpoint", json!(7), "`endpoint` must be a string."),
            ("completion_window", json!(24), "`completion_window` must be a string, such as \"24h\"."),
            ("metadata", json!({"k": 1}), "`metadata` must be an object whose values are strings."),
            ("output_expires_after", json!({"anchor": "created_at"}), "`output_expires_after` must be an object with `anchor`"),
            ("dry_run", json!("yes"), "`dry_run` must be true or false."),
        ] {
            let mut asked = good.clone();
            asked[field] = value;
            let answer = product.post(&ada, "/v1/batches", asked).await;
            let error = &answer.json()["error"];
            assert_eq!((answer.status, &error["param"]), (StatusCode::BAD_REQUEST, &json!(field)));
            assert!(error["message"].as_str().unwrap().starts_with(said), "{error}");
        }
        for (body, said) in [
            ("", "The body is no JSON object."),
            ("[]", "The body is a list: send one JSON object."),
            ("{\"endpoint\": ", "The body ends before its JSON object does."),
            ("{endpoint: 1}", "The body is no JSON: it cannot be read from line 1, column 2 on."),
            ("{}", "`input_file_id` is missing."),
        ] {
            let request = ada.request("POST", "/v1/batches").header("content-type", "application/json").body(Body::from(body)).unwrap();
            let answer = product.send(request).await;
            assert_eq!((answer.status, &answer.json()["error"]["message"]), (StatusCode::BAD_REQUEST, &json!(said)));
        }
        assert_eq!(product.get(&ada, "/v1/batches/nonsense").await.code(), "batch_not_found");
        assert_eq!(product.get(&ada, "/v1/batches?limit=101").await.status, StatusCode::BAD_REQUEST);
    }
}
