//! Client tokens over HTTP: from a browser on another site, with a token and never with a cookie or a key.

use super::{list, scoped};
use crate::harness::{Answer, Customer, Product, within};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use service::KeyRequest;
use std::time::Duration;
use store::{on_both_engines, testing::Dial};
use tower::ServiceExt;

const SITE: &str = "https://shop.example";

impl Product {
    async fn token(&self, who: &Customer, body: Value) -> Customer {
        let answer = self.post(who, "/v1/client_tokens", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        Customer { user: who.user.clone(), key: answer.json()["token"].as_str().unwrap().to_owned() }
    }

    async fn sent_by_site(&self, who: &Customer, method: &str, path: &str, body: Value) -> Answer {
        let request = who.request(method, path).header("origin", SITE).header("sec-fetch-site", "cross-site");
        self.send(request.header("content-type", "application/json").body(Body::from(body.to_string())).unwrap()).await
    }
}

on_both_engines! {
    async fn a_browser_of_another_site_makes_and_watches_videos_with_a_token(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let made = product.post(&ada, "/v1/client_tokens", json!({"scopes": ["videos:write", "videos:read"], "end_user": "user-42", "expires_in": 60})).await;
        let said = made.json();
        assert_eq!((&said["object"], &said["scopes"], &said["end_user"]), (&json!("client_token"), &json!(["videos:read", "videos:write"]), &json!("user-42")));
        let token = Customer { user: ada.user.clone(), key: said["token"].as_str().unwrap().to_owned() };
        let video = product.sent_by_site(&token, "POST", "/v1/videos", json!({"prompt": "sea"})).await;
        assert_eq!((video.status, video.header("access-control-allow-origin"), video.header("access-control-allow-credentials")), (StatusCode::OK, "*", ""));
        assert!(video.header("access-control-expose-headers").contains("x-request-id"));
        let id = video.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(product.sent_by_site(&token, "GET", &format!("/v1/videos/{id}"), json!({})).await.status, StatusCode::OK);
        let usage = product.sent_by_site(&token, "GET", "/v1/usage", json!({})).await;
        assert_eq!((usage.code().as_str(), usage.header("access-control-allow-origin")), ("insufficient_scope", "*"));
        assert_eq!(product.sent_by_site(&token, "POST", "/v1/client_tokens", json!({})).await.code(), "api_key_required");
        let none = Customer { key: "ey.x.y".into(), user: ada.user.clone() };
        let refused = product.sent_by_site(&none, "GET", "/v1/videos", json!({})).await;
        assert_eq!((refused.code().as_str(), refused.header("access-control-allow-origin")), ("invalid_client_token", "*"), "a script can read why");
        // What a key is answered a script of another site does not get to read, and a cookie is nobody.
        assert_eq!(product.sent_by_site(&ada, "GET", "/v1/videos", json!({})).await.header("access-control-allow-origin"), "");
        let (narrow, id) = product.key(&ada, KeyRequest { requests_per_minute: Some(1), ..scoped("usage:read") }).await;
        for code in ["insufficient_scope", "rate_limit_exceeded"] {
            let refused = product.sent_by_site(&narrow, "GET", "/v1/videos", json!({})).await;
            assert_eq!((refused.code().as_str(), refused.header("access-control-allow-origin")), (code, ""));
        }
        product.services().revoke_key(ada.user.actor(), id, "").await.unwrap();
        let refused = product.sent_by_site(&narrow, "GET", "/v1/videos", json!({})).await;
        assert_eq!((refused.code().as_str(), refused.header("access-control-allow-origin")), ("invalid_api_key", ""));
        let cookie = product.cookie(&ada).await;
        let by_cookie = product.send(Request::get("/v1/videos").header("origin", SITE).header("cookie", cookie).body(Body::empty()).unwrap()).await;
        assert_eq!((by_cookie.status, by_cookie.header("access-control-allow-credentials")), (StatusCode::UNAUTHORIZED, ""));
    }

    async fn a_browser_is_told_beforehand_what_it_may_send(database: TempDatabase) {
        let product = Product::new(database).await;
        let asked = Request::options("/v1/videos").header("origin", SITE).header("access-control-request-method", "POST");
        let asked = asked.header("access-control-request-headers", "authorization,content-type,x-stainless-lang");
        let told = product.send(asked.body(Body::empty()).unwrap()).await;
        assert_eq!(told.status, StatusCode::NO_CONTENT);
        assert_eq!((told.header("access-control-allow-origin"), told.header("access-control-allow-methods")), ("*", "GET, HEAD, POST"));
        assert_eq!((told.header("access-control-allow-headers"), told.header("access-control-allow-credentials")), ("authorization,content-type,x-stainless-lang", ""));
        for page in ["/api/create-key", "/keys", "/live/videos/x/events"] {
            let asked = Request::options(page).header("origin", SITE).header("access-control-request-method", "POST").body(Body::empty()).unwrap();
            assert_eq!(product.send(asked).await.header("access-control-allow-origin"), "", "{page}");
        }
    }

    async fn a_token_ends_by_itself_and_with_its_key_also_where_a_stream_is_open(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let (parent, key) = product.key(&ada, scoped("videos:read")).await;
        let (token, short) = (product.token(&parent, json!({"expires_in": 3600})).await, product.token(&parent, json!({"expires_in": 1})).await);
        let open = async |who: &Customer| {
            let request = who.request("GET", &format!("/v1/videos/{id}/events")).body(Body::empty()).unwrap();
            product.router.clone().oneshot(request).await.unwrap().into_body()
        };
        let (of_token, of_short) = (open(&token).await, open(&short).await);
        // Without another look at the database's clock, which stands still.
        within(Duration::from_secs(10), of_short.collect()).await.expect("it should end with the token").unwrap();
        dial.advance_ms(1000);
        assert_eq!(product.send(list(&short)).await.code(), "expired_client_token");
        assert_eq!(product.send(list(&token)).await.status, StatusCode::OK);
        product.services().revoke_key(ada.user.actor(), key, "").await.unwrap();
        assert_eq!(product.send(list(&token)).await.code(), "invalid_client_token");
        within(Duration::from_secs(5), of_token.collect()).await.expect("it should end with the key").unwrap();
    }

    async fn what_cannot_be_made_is_named_and_public_keys_are_there_for_everybody(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let (reader, _) = product.key(&ada, scoped("videos:read")).await;
        for (body, param) in [
            (json!({"scopes": ["videos:write"]}), json!("scopes")),
            (json!({"scopes": []}), json!("scopes")),
            (json!({"scopes": ["keys:write"]}), json!("scopes")),
            (json!({"expires_in": 0}), json!("expires_in")),
            (json!({"expires_in": 3601}), json!("expires_in")),
            (json!({"end_user": "\n"}), json!("end_user")),
            (json!({"expires_in": "soon"}), Value::Null),
            (json!([1]), Value::Null),
        ] {
            let refused = product.post(&reader, "/v1/client_tokens", body.clone()).await;
            assert_eq!((refused.status, &refused.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &param), "{body}");
        }
        product.token(&reader, json!({})).await;
        let keys = product.send(Request::get("/.well-known/jwks.json").header("origin", SITE).body(Body::empty()).unwrap()).await;
        assert_eq!((keys.status, keys.header("access-control-allow-origin")), (StatusCode::OK, "*"));
        let cached = product.send(Request::get("/.well-known/jwks.json").body(Body::empty()).unwrap()).await;
        assert_eq!(cached.header("access-control-allow-origin"), "*", "a cache hands it to scripts");
        let key = keys.json()["keys"][0].clone();
        assert_eq!((&key["kty"], &key["crv"], &key["alg"], &key["d"]), (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA"), &Value::Null));
    }
}
