//! Webhooks of single jobs, in the words of the service whose client asked for them.

use crate::{
    harness::{Customer, Product, content},
    webhooks::{deliver, receiver},
};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use domain::{Act, Actor, FailureCode, Scopes, Stage, job::AttemptFailure, webhook::Network};
use ring::{
    digest::{SHA256, digest},
    hmac,
    signature::{ED25519, UnparsedPublicKey},
};
use serde_json::{Value, json};
use server::api::compatible::callback_body;
use service::{KeyRequest, webhook::WebhookOptions};
use std::sync::{Arc, Mutex};
use store::{ActOfOperator, ArtifactKind, on_both_engines};

const MODEL: &str = "/replicate/v1/models/reelmill/vignette-1/predictions";
const SECRET: &str = "/replicate/v1/webhooks/default/secret";

const ROTATE: &str = "/replicate/v1/webhooks/default/secret/rotate";

type Seen = Arc<Mutex<Vec<String>>>;

async fn product(database: store::testing::TempDatabase) -> Product {
    let webhook_allow: Vec<Network> = vec!["127.0.0.0/8".parse().unwrap()];
    let told = |services: service::Services| services.with_webhooks(&WebhookOptions { webhook_allow }).with_callbacks(callback_body);
    Product::new(database).await.changed(told)
}

async fn predict(product: &Product, who: &Customer, url: &str, filter: Value) -> String {
    let body = json!({ "input": { "prompt": "a quokka" }, "webhook": url, "webhook_events_filter": filter });
    let made = product.post(who, MODEL, body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    made.json()["id"].as_str().unwrap().to_owned()
}

fn taken(seen: &Seen) -> Vec<(String, Value)> {
    let texts = std::mem::take(&mut *seen.lock().unwrap());
    texts
        .iter()
        .map(|text| text.split_once("\r\n\r\n").unwrap())
        .map(|(head, body)| (head.to_owned(), serde_json::from_str(body).unwrap()))
        .collect()
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap_or_else(|| panic!("{name}: {head}"))
}

fn bodies(seen: &Seen) -> Vec<Value> {
    taken(seen).into_iter().map(|(_, body)| body).collect()
}

/// Whether each of these secrets, and no other, has signed what was sent.
fn is_signed_by(text: &str, secrets: &[&str]) -> bool {
    let (head, sent) = text.split_once("\r\n\r\n").unwrap();
    let signed = format!("{}.{}.{sent}", header(head, "webhook-id"), header(head, "webhook-timestamp"));
    let signatures: Vec<_> = header(head, "webhook-signature").split(' ').map(|one| one.strip_prefix("v1,").unwrap()).collect();
    let has_signed = |secret: &str| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap());
        signatures.iter().any(|one| hmac::verify(&key, signed.as_bytes(), &BASE64_STANDARD.decode(one).unwrap()).is_ok())
    };
    signatures.len() == secrets.len() && secrets.iter().all(|secret| has_signed(secret))
}

/// Until all that is due soon has been sent.
async fn told(product: &Product, seen: &Seen, count: usize) {
    let sent = async || {
        deliver(product).await;
        (seen.lock().unwrap().len() >= count).then_some(())
    };
    product.soon("a delivery", sent).await;
}

on_both_engines! {
    async fn a_prediction_is_told_from_its_start_to_its_end_and_signed(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let id = predict(&product, &ada, &url, json!(["start", "output", "logs", "completed"])).await;
        product.services().follow_callbacks(Actor::System).await.unwrap();
        product.claim(Stage::Sampling).await;
        for _ in 0..3 {
            product.services().follow_callbacks(Actor::System).await.unwrap();
        }
        told(&product, &seen, 1).await;
        let first = seen.lock().unwrap()[0].clone();
        let started = bodies(&seen);
        assert_eq!((started.len(), &started[0]["status"], &started[0]["id"], &started[0]["output"]), (1, &json!("processing"), &json!(id), &Value::Null));
        product.post(&ada, &format!("/replicate/v1/predictions/{id}/cancel"), json!({})).await;
        told(&product, &seen, 1).await;
        let cancelled = bodies(&seen);
        assert_eq!((cancelled.len(), &cancelled[0]["status"]), (1, &json!("canceled")));
        let id = predict(&product, &ada, &url, json!(["start", "output", "logs", "completed"])).await;
        product.finish().await;
        told(&product, &seen, 3).await;
        let mut ended = taken(&seen);
        ended.sort_by_key(|(_, body)| (body["status"].as_str().map(ToOwned::to_owned), body["output"].is_string()));
        let statuses: Vec<_> = ended.iter().map(|(_, body)| (body["status"].as_str().unwrap(), body["output"].is_string())).collect();
        assert_eq!(statuses, [("processing", false), ("processing", true), ("succeeded", true)], "a start, an output, and the end");
        let ended = &ended[1..];
        let link = ended[0].1["output"].as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned();
        let fetched = product.send(Request::get(link).body(Body::empty()).unwrap()).await;
        assert_eq!(fetched.body, content(ArtifactKind::Video), "who is told needs no key");
        assert_eq!(ended[0].1["completed_at"], Value::Null);
        let shown = product.get(&ada, &format!("/replicate/v1/predictions/{id}")).await.json();
        for field in ["id", "input", "logs", "metrics", "urls", "completed_at", "version"] {
            assert_eq!(ended[1].1[field], shown[field], "{field}");
        }
        let secret = product.get(&ada, SECRET).await.json()["key"].as_str().unwrap().to_owned();
        assert!(is_signed_by(&first, &[&secret]), "{first}");
        deliver(&product).await;
        assert!(seen.lock().unwrap().is_empty(), "each once");
        let eve = product.customer("eve").await;
        assert_ne!(product.get(&eve, SECRET).await.json()["key"], json!(secret));
        assert_eq!(product.get(&ada, "/v1/webhook_endpoints").await.json()["data"], json!([]), "the line of a receiver is no endpoint");
    }

    async fn the_secret_is_rotated_and_the_one_of_before_signs_beside_it_for_a_day(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let sent = async || {
            let id = predict(&product, &ada, &url, json!(["completed"])).await;
            product.post(&ada, &format!("/replicate/v1/predictions/{id}/cancel"), json!({})).await;
            told(&product, &seen, 1).await;
            seen.lock().unwrap().remove(0)
        };
        let key = |answer: &Value| answer["key"].as_str().unwrap().to_owned();
        let first = key(&product.get(&ada, SECRET).await.json());
        let rotated = product.post(&ada, ROTATE, json!({ "keep_old_secret_active_for_24_hours": true })).await.json();
        let second = key(&rotated);
        assert!(first != second && rotated["old_key_active_until"].is_string(), "{rotated}");
        assert_eq!(product.get(&ada, SECRET).await.json(), rotated);
        let text = sent().await;
        assert!(is_signed_by(&text, &[&second, &first]), "{text}");
        let refused = product.post(&ada, ROTATE, json!({ "keep_old_secret_active_for_24_hours": true })).await;
        assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::CONFLICT, &json!("old_secret_still_signs")));
        assert_eq!(key(&product.get(&ada, SECRET).await.json()), second);
        // Its day is over.
        product.database().damage("UPDATE tenants SET old_callback_secret_until_ms = 1 WHERE callback_secret > 0").await;
        let text = sent().await;
        assert!(is_signed_by(&text, &[&second]), "{text}");
        assert_eq!(product.get(&ada, SECRET).await.json(), json!({ "key": second }));
        let third = key(&product.post(&ada, ROTATE, json!({})).await.json());
        assert!(![&first, &second].contains(&&third));
        let text = sent().await;
        assert!(is_signed_by(&text, &[&third]), "no overlap was asked for: {text}");
        let acts = product.services().team(ada.user.actor()).await.unwrap().acts;
        assert_eq!(acts.iter().filter(|entry| entry.act == Act::CallbackSecretRotated).count(), 2);
        let malformed = product.post(&ada, ROTATE, json!({ "keep_old_secret_active_for_24_hours": "yes" })).await;
        assert_eq!(malformed.status, StatusCode::UNPROCESSABLE_ENTITY);
    }

    async fn a_prediction_that_fails_or_is_cancelled_is_told_to_who_wants_to_hear_of_its_end(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let failing = predict(&product, &ada, &url, json!(["completed"])).await;
        let token = product.claim(Stage::Sampling).await;
        product.services().store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        told(&product, &seen, 1).await;
        let cancelled = predict(&product, &ada, &url, Value::Null).await;
        product.post(&ada, &format!("/replicate/v1/predictions/{cancelled}/cancel"), json!({})).await;
        told(&product, &seen, 2).await;
        let bodies = bodies(&seen);
        let told: Vec<_> = bodies.iter().map(|body| (body["id"].as_str().unwrap(), body["status"].as_str().unwrap())).collect();
        assert_eq!(told, [(&*failing, "failed"), (&*cancelled, "canceled")]);
        assert!(bodies[0]["error"].is_string() && bodies[0]["output"].is_null());
    }

    async fn a_request_of_fal_is_told_when_it_has_ended_and_its_signature_is_checked_by_the_published_key(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let submit = format!("/fal/reelmill/vignette-1?fal_webhook={}", url.replace(':', "%3A").replace('/', "%2F"));
        let made = product.post(&ada, &submit, json!({ "prompt": "a red ball" })).await.json();
        let id = made["request_id"].as_str().unwrap().to_owned();
        product.finish().await;
        told(&product, &seen, 1).await;
        let text = seen.lock().unwrap()[0].clone();
        let (head, sent) = text.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(sent).unwrap();
        assert_eq!((&body["request_id"], &body["gateway_request_id"], &body["status"]), (&json!(id), &json!(id), &json!("OK")));
        let shown = product.get(&ada, &format!("/fal/reelmill/vignette-1/requests/{id}")).await.json();
        assert_eq!((&body["payload"]["video"]["file_size"], &body["payload"]["seed"]), (&shown["video"]["file_size"], &shown["seed"]));
        let keys = product.send(Request::get("/fal/.well-known/jwks.json").body(Body::empty()).unwrap()).await.json();
        assert_eq!((&keys["keys"][0]["kty"], &keys["keys"][0]["crv"]), (&json!("OKP"), &json!("Ed25519")));
        let public = BASE64_URL_SAFE_NO_PAD.decode(keys["keys"][0]["x"].as_str().unwrap()).unwrap();
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let parts = ["request-id", "user-id", "timestamp"].map(|part| header(head, &format!("x-fal-webhook-{part}")));
        let signed = format!("{}\n{}", parts.join("\n"), hex(digest(&SHA256, sent.as_bytes()).as_ref()));
        let signature = header(head, "x-fal-webhook-signature");
        let bytes: Vec<u8> = (0..signature.len()).step_by(2).map(|at| u8::from_str_radix(&signature[at..at + 2], 16).unwrap()).collect();
        assert!(UnparsedPublicKey::new(&ED25519, public).verify(signed.as_bytes(), &bytes).is_ok());
        assert_eq!(parts[0], id);
        seen.lock().unwrap().clear();
        let made = product.post(&ada, &submit, json!({ "prompt": "a red ball" })).await.json();
        let cancel = made["cancel_url"].as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned();
        product.send(ada.request("PUT", &cancel).body(Body::empty()).unwrap()).await;
        told(&product, &seen, 1).await;
        let ended = bodies(&seen).remove(0);
        assert_eq!((&ended["status"], &ended["payload"]["error_type"], ended["error"].is_string()), (&json!("ERROR"), &json!("request_cancelled"), true));
    }

    async fn nothing_is_told_of_a_video_that_was_deleted_and_nothing_of_it_is_kept(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let id = predict(&product, &ada, &format!("{url}hook?token=quokka"), json!(["completed"])).await;
        product.finish().await;
        product.services().deliver_events(Actor::System).await.unwrap();
        assert_eq!(product.send(ada.request("DELETE", &format!("/v1/videos/{id}")).body(Body::empty()).unwrap()).await.status, StatusCode::OK);
        product.services().send_webhooks(Actor::System).await.unwrap();
        assert!(seen.lock().unwrap().is_empty());
        let blamed = "SELECT receiver FROM webhook_endpoints WHERE failing_since_ms IS NOT NULL OR is_slow";
        assert_eq!(product.database().texts(blamed).await, Vec::<String>::new(), "the receiver did nothing");
        let waiting = product.services().store.webhooks().callbacks_waiting(ada.user.tenant).await.unwrap();
        assert_eq!(waiting, 0, "it is not tried again");
    }

    async fn what_is_tried_once_more_has_not_ended_and_its_end_is_told_when_it_comes(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let submit = format!("/fal/reelmill/vignette-1?fal_webhook={}", url.replace(':', "%3A").replace('/', "%2F"));
        let made = product.post(&ada, &submit, json!({ "prompt": "a red ball" })).await.json();
        let token = product.claim(Stage::Sampling).await;
        product.services().store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        product.services().deliver_events(Actor::System).await.unwrap();
        let acts = product.services().store.tenant(ada.user.tenant).acts();
        acts.requeue(token.job, ActOfOperator { by: None, reason: "" }).await.unwrap();
        product.services().send_webhooks(Actor::System).await.unwrap();
        assert_eq!(bodies(&seen), Vec::<Value>::new(), "it is not told as made");
        product.finish().await;
        told(&product, &seen, 1).await;
        let ended: Vec<_> = bodies(&seen).into_iter().map(|body| (body["request_id"].clone(), body["status"].clone())).collect();
        assert_eq!(ended, [(made["request_id"].clone(), json!("OK"))]);
    }

    async fn one_key_is_for_one_address_that_is_told(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let send = async |webhook: Value| {
            let body = json!({ "input": { "prompt": "a quokka" }, "webhook": webhook });
            let request = ada.request("POST", MODEL).header("idempotency-key", "a").header("content-type", "application/json");
            product.send(request.body(Body::from(body.to_string())).unwrap()).await
        };
        let told = json!("https://a.example.com/hook");
        let first = send(told.clone()).await;
        assert_eq!(first.status, StatusCode::CREATED, "{first:?}");
        assert_eq!(send(told).await.json()["id"], first.json()["id"]);
        for other in [Value::Null, json!("https://b.example.com/hook")] {
            assert_eq!(send(other).await.json()["code"], "idempotency_key_reused");
        }
    }

    async fn who_may_not_see_a_video_has_it_told_to_nobody_and_only_managers_know_the_secret(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let key = async |scopes: &str| {
            let request = KeyRequest { name: "small".into(), scopes: Some(Scopes::parse(scopes).unwrap()), ..KeyRequest::default() };
            let key = product.services().create_key_for(ada.user.actor(), request, "").await.unwrap().secret;
            Customer { user: ada.user.clone(), key }
        };
        let wanted = json!({ "input": { "prompt": "a" }, "webhook": "https://a.example.com/" });
        let blind = key("videos:write").await;
        assert_eq!(product.post(&blind, MODEL, wanted.clone()).await.json()["code"], "insufficient_scope");
        let small = key("videos:read videos:write").await;
        for refused in [product.get(&small, SECRET).await, product.post(&small, ROTATE, json!({})).await] {
            assert_eq!(refused.json()["code"], "insufficient_scope");
        }
        let token = product.post(&ada, "/v1/client_tokens", json!({})).await.json()["token"].as_str().unwrap().to_owned();
        let token = Customer { user: ada.user.clone(), key: token };
        for refused in [product.post(&token, MODEL, wanted.clone()).await, product.get(&token, SECRET).await, product.post(&token, ROTATE, json!({})).await] {
            assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::FORBIDDEN, &json!("api_key_required")));
        }
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
    }

    async fn addresses_inside_or_too_long_and_more_than_may_wait_are_refused_before_anything_is_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let long = format!("https://a.example.com/{}", "x".repeat(2048));
        for url in ["https://10.0.0.1/", "https://169.254.169.254/", "https://[::ffff:127.0.0.1]/", "http://a.example.com/", "https://u@a.example.com/", "ftp://a.example.com/", "https://localhost/", &long, ""] {
            for (path, body, param) in [
                (MODEL.to_owned(), json!({ "input": { "prompt": "a" }, "webhook": url }), "webhook"),
                (format!("/fal/reelmill/vignette-1?fal_webhook={}", url.replace('&', "%26")), json!({ "prompt": "a" }), "fal_webhook"),
            ] {
                let refused = product.post(&ada, &path, body).await;
                let json = refused.json();
                assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{url} {json}");
                assert!(json["detail"].to_string().contains(&format!("`{param}` cannot be told anything")), "{url} {json}");
            }
        }
        let good = json!({ "input": { "prompt": "a" }, "webhook": "https://a.example.com/" });
        assert_eq!(product.post(&ada, MODEL, good.clone()).await.status, StatusCode::CREATED);
        let id = product.get(&ada, "/v1/videos").await.json()["data"][0]["id"].as_str().unwrap().to_owned();
        product.post(&ada, &format!("/v1/videos/{id}/cancel"), json!({})).await;
        let services = product.services().clone().with_webhooks(&WebhookOptions::default()).with_callbacks(callback_body);
        services.deliver_events(Actor::System).await.unwrap();
        product.database().damage("UPDATE webhook_endpoints SET pending = 10000").await;
        let refused = product.post(&ada, MODEL, good.clone()).await;
        assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_webhooks_waiting")));
        assert_eq!(refused.header("retry-after"), "120");
        let eve = product.customer("eve").await;
        assert_eq!(product.post(&eve, MODEL, good).await.status, StatusCode::CREATED, "another tenant's line is another's");
    }

    async fn the_end_of_what_was_tried_once_more_is_told_once_where_that_of_before_waits(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let submit = format!("/fal/reelmill/vignette-1?fal_webhook={}", url.replace(':', "%3A").replace('/', "%2F"));
        product.post(&ada, &submit, json!({ "prompt": "a red ball" })).await;
        let token = product.claim(Stage::Sampling).await;
        product.services().store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        product.services().deliver_events(Actor::System).await.unwrap();
        let acts = product.services().store.tenant(ada.user.tenant).acts();
        acts.requeue(token.job, ActOfOperator { by: None, reason: "" }).await.unwrap();
        product.finish().await;
        told(&product, &seen, 1).await;
        deliver(&product).await;
        let statuses: Vec<_> = bodies(&seen).into_iter().map(|body| body["status"].clone()).collect();
        assert_eq!(statuses, [json!("OK")]);
        let waiting = product.services().store.webhooks().callbacks_waiting(ada.user.tenant).await.unwrap();
        assert_eq!(waiting, 0, "the other one is not sent later");
    }

    async fn a_request_that_is_sent_again_finds_its_video_however_much_waits_to_be_told(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let send = async |(name, value): (&str, &str), prompt: &str| {
            let body = json!({ "input": { "prompt": prompt }, "webhook": "https://a.example.com/" });
            let request = ada.request("POST", MODEL).header(name, value).header("content-type", "application/json");
            product.send(request.body(Body::from(body.to_string())).unwrap()).await
        };
        let other = predict(&product, &ada, "https://a.example.com/", json!(["completed"])).await;
        product.post(&ada, &format!("/replicate/v1/predictions/{other}/cancel"), json!({})).await;
        product.services().deliver_events(Actor::System).await.unwrap();
        let (key, count) = ("idempotency-key", "x-stainless-retry-count");
        let first = [send((key, "a"), "a red ball").await, send((count, "0"), "a blue ball").await];
        product.database().damage("UPDATE webhook_endpoints SET pending = 10000").await;
        let again = [send((key, "a"), "a red ball").await, send((count, "1"), "a blue ball").await];
        for (first, again) in first.iter().zip(&again) {
            assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::CREATED), "{again:?}");
            assert_eq!(again.json()["id"], first.json()["id"]);
        }
        for refused in [send((key, "b"), "a red ball").await, send((count, "1"), "a green ball").await] {
            assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_webhooks_waiting")));
        }
    }
}
