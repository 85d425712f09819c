//! Webhook endpoints as the API and the page have them.

use crate::harness::{Answer, Customer, Product};
use axum::{body::Body, http::StatusCode};
use domain::{
    Actor, Scopes,
    webhook::{Network, REPLAYS_PENDING_MAX},
};
use serde_json::{Value, json};
use service::{KeyRequest, webhook::WebhookOptions};
use std::sync::{Arc, Mutex};
use store::{on_both_engines, testing::Engine};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

const EVENTS: [&str; 2] = ["video.completed", "video.failed"];

/// A program on this machine that answers 202, and the requests that it got.
pub async fn receiver() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut text = String::new();
            while !text.contains("\r\n\r\n") || !text.ends_with('}') {
                let mut part = [0; 4096];
                match stream.read(&mut part).await {
                    Ok(0) | Err(_) => break,
                    Ok(length) => text += &String::from_utf8_lossy(&part[..length]),
                }
            }
            told.lock().unwrap().push(text);
            stream.write_all(b"HTTP/1.1 202 Accepted\r\nx-who: zebrafinch\r\ncontent-length: 6\r\n\r\nthanks").await.ok();
        }
    });
    (url, seen)
}

async fn product(database: store::testing::TempDatabase) -> Product {
    let allow: Vec<Network> = vec!["127.0.0.0/8".parse().unwrap()];
    Product::new(database).await.changed(|services| services.with_webhooks(&WebhookOptions { webhook_allow: allow }))
}

async fn create(product: &Product, who: &Customer, url: &str) -> Value {
    let made = product.post(who, "/v1/webhook_endpoints", json!({ "name": "films", "url": url, "event_types": EVENTS })).await;
    assert_eq!(made.status, StatusCode::OK, "{made:?}");
    made.json()
}

async fn delete(product: &Product, who: &Customer, path: &str) -> Answer {
    product.send(who.request("DELETE", path).body(Body::empty()).unwrap()).await
}

pub async fn deliver(product: &Product) {
    product.services().deliver_events(Actor::System).await.unwrap();
    product.services().send_webhooks(Actor::System).await.unwrap();
}

/// What a browser sends that had `cookie` and got this answer.
fn with_cookies(cookie: &str, answer: &Answer) -> String {
    let kept =
        answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).filter_map(|value| value.split(';').next());
    kept.fold(cookie.to_owned(), |all, one| format!("{all}; {one}"))
}

on_both_engines! {
    async fn an_endpoint_is_made_changed_rotated_tested_and_deleted(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let made = create(&product, &ada, &url).await;
        let id = made["id"].as_str().unwrap();
        let at = format!("/v1/webhook_endpoints/{id}");
        let secret = made["signing_secret"].as_str().unwrap();
        assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
        assert_eq!((&made["object"], &made["event_types"], &made["enabled"]), (&json!("webhook_endpoint"), &json!(EVENTS), &json!(true)));
        let shown = product.get(&ada, &at).await.json();
        assert_eq!((shown.get("signing_secret"), &shown["name"], &shown["url"]), (None, &json!("films"), &json!(url)));
        let listed = product.get(&ada, "/v1/webhook_endpoints").await.json();
        assert_eq!((&listed["data"], &listed["has_more"], &listed["first_id"]), (&json!([shown]), &json!(false), &json!(id)));
        let changed = product.post(&ada, &at, json!({ "event_types": ["batch.failed", "batch.failed"], "enabled": false })).await.json();
        assert_eq!((&changed["event_types"], &changed["disabled_reason"], &changed["name"]), (&json!(["batch.failed"]), &json!("by_user"), &json!("films")));
        let rotated = product.post(&ada, &format!("{at}/rotate_secret"), json!({ "keep_old_secret_active_for_24_hours": true })).await.json();
        assert_ne!(rotated["signing_secret"], made["signing_secret"]);
        assert_ne!(rotated["signing_secret_hint"], made["signing_secret_hint"]);
        let tested = product.post(&ada, &format!("{at}/test"), json!({ "event_type": "batch.completed" })).await.json();
        assert_eq!((&tested["success"], &tested["status_code"], &tested["event_type"], &tested["object"]), (&json!(true), &json!(202), &json!("batch.completed"), &json!("webhook_endpoint.test")));
        let request = seen.lock().unwrap().pop().unwrap();
        assert!(request.contains("webhook-signature: v1,") && request.contains(" v1,"), "both secrets sign: {request}");
        assert_eq!(product.get(&ada, "/v1/webhook_event_types").await.json()["data"].as_array().unwrap().len(), 6);
        let gone = delete(&product, &ada, &at).await.json();
        assert_eq!(gone, json!({ "id": id, "object": "webhook_endpoint.deleted", "deleted": true }));
        let unknown = product.get(&ada, &at).await;
        assert_eq!((unknown.status, unknown.code().as_str()), (StatusCode::NOT_FOUND, "webhook_endpoint_not_found"));
    }

    async fn a_video_that_is_completed_is_told_and_what_was_answered_is_shown_and_replayed(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let (url, seen) = receiver().await;
        let made = create(&product, &ada, &url).await;
        let at = format!("/v1/webhook_endpoints/{}/deliveries", made["id"].as_str().unwrap());
        let video = product.create(&ada, "sea").await;
        product.finish().await;
        deliver(&product).await;
        let listed = product.get(&ada, &format!("{at}?status=delivered")).await.json();
        let delivery = listed["data"][0].clone();
        let body: Value = serde_json::from_str(delivery["body"].as_str().unwrap()).unwrap();
        assert_eq!((&body["type"], &body["data"]), (&json!("video.completed"), &json!({ "id": video.to_string() })));
        assert_eq!((&delivery["status_code"], &delivery["attempt_count"], &delivery["event_id"]), (&json!(202), &json!(1), &body["id"]));
        assert!(seen.lock().unwrap()[0].contains(delivery["event_id"].as_str().unwrap()));
        let one = format!("{at}/{}", delivery["id"].as_str().unwrap());
        let found = product.get(&ada, &one).await.json();
        assert_eq!((&found["attempts"][0]["response_body"], found["attempts"].as_array().unwrap().len()), (&json!("thanks"), 1));
        assert!(found["attempts"][0]["response_headers"].as_str().unwrap().contains("x-who: zebrafinch"));
        assert_eq!(product.post(&ada, &format!("{one}/replay"), json!({})).await.json()["replayed"], 1);
        deliver(&product).await;
        assert_eq!(product.post(&ada, &format!("{at}/replay"), json!({ "include_delivered": true, "from": 0 })).await.json(), json!({ "object": "webhook_replay", "replayed": 1, "has_more": false }));
        assert_eq!(product.post(&ada, &format!("{at}/replay"), json!({ "to": 0 })).await.json()["replayed"], 0);
        let refused = product.post(&ada, &format!("{at}/replay"), json!({ "cursor": "x" })).await;
        assert_eq!((refused.status, &refused.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &json!("cursor")));
        let later = json!({ "include_delivered": true, "cursor": "1" });
        assert_eq!(product.post(&ada, &format!("{at}/replay"), later).await.json()["replayed"], 0, "all were sent since");
        deliver(&product).await;
        let attempts = product.get(&ada, &one).await.json()["attempt_count"].as_u64();
        assert_eq!((seen.lock().unwrap().len(), attempts), (3, Some(3)));
        let eve = product.customer("eve").await;
        for path in [&at, &one] {
            assert_eq!(product.get(&eve, path).await.code(), "webhook_endpoint_not_found", "{path}");
        }
        for (query, param) in [("limit=0", "limit"), ("limit=x", "limit"), ("after=x", "after"), ("status=lost", "status")] {
            assert_eq!(product.get(&ada, &format!("{at}?{query}")).await.json()["error"]["param"], param, "{query}");
        }
    }

    async fn what_cannot_be_is_refused_in_words_and_only_a_key_with_the_scope_may(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for (body, code, param) in [
            (json!({ "url": "https://a.example.com", "event_types": EVENTS }), "invalid_request", "name"),
            (json!({ "name": "a", "event_types": EVENTS }), "invalid_webhook_url", "url"),
            (json!({ "name": "a", "url": "https://127.0.0.1/", "event_types": EVENTS }), "invalid_webhook_url", "url"),
            (json!({ "name": "a", "url": "http://a.example.com/", "event_types": EVENTS }), "invalid_webhook_url", "url"),
            (json!({ "name": "a", "url": "https://a.example.com/", "event_types": [] }), "invalid_event_type", "event_types"),
            (json!({ "name": "a", "url": "https://a.example.com/", "event_types": ["response.completed"] }), "invalid_event_type", "event_types"),
        ] {
            let refused = product.post(&ada, "/v1/webhook_endpoints", body.clone()).await;
            assert_eq!((refused.status, refused.code().as_str(), &refused.json()["error"]["param"]), (StatusCode::BAD_REQUEST, code, &json!(param)), "{body}");
        }
        let malformed = product.post(&ada, "/v1/webhook_endpoints", json!({ "name": 5 })).await;
        assert_eq!(malformed.status, StatusCode::BAD_REQUEST);
        let made = create(&product, &ada, "https://unreachable.example.com/").await;
        let scopes = Some(Scopes::parse("videos:read videos:write usage:read").unwrap());
        let request = KeyRequest { name: "small".into(), scopes, ..KeyRequest::default() };
        let small = product.services().create_key_for(ada.user.actor(), request, "").await.unwrap().secret;
        let small = Customer { user: ada.user.clone(), key: small };
        assert_eq!(product.get(&small, "/v1/webhook_endpoints").await.code(), "insufficient_scope");
        let token = product.post(&ada, "/v1/client_tokens", json!({})).await.json()["token"].as_str().unwrap().to_owned();
        let token = Customer { user: ada.user.clone(), key: token };
        assert_eq!(product.get(&token, "/v1/webhook_endpoints").await.code(), "api_key_required");
        // Whatever answers there now, it is not on the public internet.
        product.database().damage("UPDATE webhook_endpoints SET url = 'https://127.0.0.1:9/'").await;
        let test = format!("/v1/webhook_endpoints/{}/test", made["id"].as_str().unwrap());
        let refused = product.post(&ada, &test, json!({ "event_type": "video.failed" })).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::FAILED_DEPENDENCY, "webhook_not_answered"));
    }

    async fn the_page_makes_an_endpoint_shows_its_secret_once_and_what_it_answered(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let (url, seen) = receiver().await;
        assert!(product.page(&cookie, "/webhooks").await.contains("No webhook endpoints yet."));
        let form = |url: &str| format!("name=films&url={}&video_completed=yes", url.replace(':', "%3A").replace('/', "%2F"));
        let cookies = |answer: &Answer| with_cookies(&cookie, answer);
        let refused = product.post_form(&cookie, "/api/create-webhook", &form("https://10.0.0.1/")).await;
        let page = product.page(&cookies(&refused), "/webhooks").await;
        assert!(page.contains("it is not on the public internet") && page.contains("value=\"https://10.0.0.1/\""), "{page}");
        let made = product.post_form(&cookie, "/api/create-webhook", &form(&url)).await;
        let page = product.page(&cookies(&made), "/webhooks").await;
        assert!(page.contains("whsec_") && page.contains("It is shown this once."), "{page}");
        assert!(!product.page(&cookies(&made), "/webhooks").await.contains("Copy it now."));
        let id = product.services().webhooks(ada.user.actor()).await.unwrap()[0].id;
        let tested = product.post_form(&cookie, "/api/test-webhook", &format!("id={id}&event=video.completed")).await;
        assert_eq!(tested.header("location"), format!("/webhooks?endpoint={id}"));
        let page = product.page(&cookies(&tested), &format!("/webhooks?endpoint={id}")).await;
        assert!(page.contains("It answered 202.") && page.contains("(test)"), "{page}");
        let at = format!("/v1/webhook_endpoints/{id}/deliveries?limit=1");
        let of_test = product.get(&ada, &at).await.json()["data"][0]["id"].as_str().unwrap().to_owned();
        let shown = product.page(&cookie, &format!("/webhooks?endpoint={id}&delivery={of_test}")).await;
        assert!(shown.contains("video.completed (test)") && !shown.contains("action=\"/api/replay-webhook\""), "{shown}");
        let groups: Vec<&str> = page.split("class=\"webhook-group\"").skip(1).collect();
        let [test, secret, end] = groups[..] else { panic!("{page}") };
        assert!(test.contains("Send a test") && !test.contains("type=\"checkbox\""), "{test}");
        assert!(secret.contains("name=\"keep\"") && secret.contains("Rotate the secret") && !secret.contains("Disable"), "{secret}");
        assert!(end.contains("Disable or delete") && !end.contains("Rotate the secret"), "{end}");
        product.create(&ada, "sea").await;
        product.finish().await;
        deliver(&product).await;
        let delivery = product.get(&ada, &at).await.json()["data"][0]["id"].as_str().unwrap().to_owned();
        let page = product.page(&cookie, &format!("/webhooks?endpoint={id}&delivery={delivery}")).await;
        for shown in ["video.completed", "Answered 202", "thanks", "x-who: zebrafinch", "Replay"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        for unknown in ["delivery_0190aaaabbbb7ccc8dddeeeeffff0001", "odd"] {
            let answer = product.open(&cookie, &format!("/webhooks?endpoint={id}&delivery={unknown}")).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{unknown}");
        }
        for (form, said) in [
            (format!("replay-webhook id={id}&delivery={delivery}"), "It is on its way once more."),
            (format!("replay-webhooks id={id}&from=2020-01-01&to=2099-12-31&delivered=yes"), "Nothing of these days is to be sent again"),
            (format!("change-webhook id={id}&name=clips&url=http%3A%2F%2F127.0.0.1%3A9%2F&batch_failed=yes"), "Saved."),
            (format!("switch-webhook id={id}&enabled=false"), "The endpoint is disabled"),
            (format!("replay-webhook id={id}&delivery={delivery}"), "The webhook endpoint is disabled"),
            (format!("delete-webhook id={id}"), "The endpoint is deleted."),
            (format!("delete-webhook id={id}"), "There is no such webhook endpoint in this team"),
        ] {
            let (name, form) = form.split_once(' ').unwrap();
            let done = product.post_form(&cookie, &format!("/api/{name}"), form).await;
            let page = product.page(&cookies(&done), done.header("location")).await;
            assert!(page.contains(said), "{name}: {page}");
        }
        assert_eq!(seen.lock().unwrap().len(), 2, "what was replayed waited when it was disabled");
        assert_eq!(product.open(&cookie, &format!("/webhooks?endpoint={id}")).await.status, StatusCode::NOT_FOUND);
        assert!(product.page(&cookie, "/keys").await.contains("href=\"/webhooks\""));
        product.database().damage("UPDATE memberships SET role = 'member'").await;
        assert_eq!(product.open(&cookie, "/webhooks").await.status, StatusCode::FORBIDDEN);
    }

    async fn a_replay_that_broke_off_goes_on_with_those_that_were_not_sent_since(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let made = create(&product, &ada, "https://unreachable.example.com/").await;
        let (id, database) = (made["id"].as_str().unwrap(), product.database());
        let number = match database.engine {
            Engine::Sqlite => "randomblob(16)",
            Engine::Postgres => "gen_random_uuid()",
        };
        // One more than are sent again by one request.
        let arrived = format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001) INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, \
             event_id, event_type, body, is_test, state, tries, attempts, due_at_ms, created_at_ms, last_at_ms) \
             SELECT {number}, tenant_id, id, 'evt_' || i, 'video.completed', '{{}}', FALSE, 'delivered', 1, 1, 0, i, 1 FROM n, webhook_endpoints"
        );
        database.damage(&arrived).await;
        database.damage(&format!("UPDATE webhook_endpoints SET pending = {}", REPLAYS_PENDING_MAX - 1)).await;
        let all = format!("id={id}&from=1970-01-01&to=1970-01-01&delivered=yes");
        let replay = async |form: &str| {
            let done = product.post_form(&cookie, "/api/replay-webhooks", form).await;
            let at = done.header("location").to_owned();
            (product.page(&with_cookies(&cookie, &done), &at).await, at)
        };
        let arrive = async |at_ms: i64| {
            database.damage(&format!("UPDATE webhook_deliveries SET state = 'delivered', last_at_ms = {at_ms} WHERE state = 'pending'")).await;
            database.damage("UPDATE webhook_endpoints SET pending = 0").await;
        };
        let (page, at) = replay(&all).await;
        assert!(page.contains("Then it broke off") && page.contains("without what was sent since"), "{page}");
        arrive(product.services().store.now().await.unwrap().ms()).await;
        let (_, left) = at.split_once(&format!("endpoint={id}&")).unwrap();
        assert!(product.page(&cookie, &at).await.contains("without what was sent since"), "also when it is looked at again");
        let (page, at) = replay(&format!("id={id}&{left}")).await;
        assert!(page.contains("1 delivery is on the way once more.") && !page.contains("without what was sent since"), "{page}");
        assert_eq!(at, format!("/webhooks?endpoint={id}"));
        arrive(1).await;
        database.damage("UPDATE webhook_deliveries SET last_at_ms = 1").await;
        replay(&all).await;
        let waiting = database.texts("SELECT CAST(COUNT(*) AS TEXT) FROM webhook_deliveries WHERE state = 'pending'").await;
        assert_eq!(waiting, ["1001"], "whoever wants all of them once more has them sent");
    }

    async fn a_replay_of_days_in_wrong_order_keeps_them_and_one_of_nothing_says_so(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let made = create(&product, &ada, "https://unreachable.example.com/").await;
        let id = made["id"].as_str().unwrap();
        let replayed = async |range: &str| {
            let done = product.post_form(&cookie, "/api/replay-webhooks", &format!("id={id}&{range}")).await;
            product.page(&with_cookies(&cookie, &done), done.header("location")).await
        };
        let page = replayed("from=2020-02-02&to=2020-01-01").await;
        for shown in ["The range ends before it begins", "value=\"2020-02-02\"", "value=\"2020-01-01\""] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        let page = replayed("from=2020-01-01&to=2020-02-02").await;
        assert!(page.contains("Nothing of these days is to be sent again: tests are never replayed."), "{page}");
        assert!(!page.contains("0 deliveries") && !page.contains("value=\"2020-01-01\""), "{page}");
    }

    async fn the_page_rotates_the_secret_of_predictions_and_shows_the_new_one_once(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let secret = async || {
            let told = product.get(&ada, "/replicate/v1/webhooks/default/secret").await.json();
            told["key"].as_str().unwrap().to_owned()
        };
        let hint = |secret: &str| format!("whsec_…{}", &secret[secret.len() - 4..]);
        let first = secret().await;
        let page = product.page(&cookie, "/webhooks").await;
        assert!(page.contains("Webhooks of predictions") && page.contains(&hint(&first)) && !page.contains(&first), "{page}");
        let rotated = product.post_form(&cookie, "/api/rotate-callback-secret", "keep=yes").await;
        let second = secret().await;
        let page = product.page(&with_cookies(&cookie, &rotated), "/webhooks").await;
        for shown in ["It is shown this once.", "The one before it signs too until", &second, &hint(&second)] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(first != second && !product.page(&with_cookies(&cookie, &rotated), "/webhooks").await.contains(&second));
        let refused = product.post_form(&cookie, "/api/rotate-callback-secret", "keep=yes").await;
        assert!(product.page(&with_cookies(&cookie, &refused), "/webhooks").await.contains("The secret of before still signs"));
        assert_eq!(secret().await, second);
        product.post_form(&cookie, "/api/rotate-callback-secret", "").await;
        assert!(!product.page(&cookie, "/webhooks").await.contains("The one before it signs too until"));
        assert_ne!(secret().await, second);
    }
}
