//! Watching a video: the API's stream and the pages' stream.

use crate::harness::{Customer, Product, redacted, within};
use axum::{
    body::Body,
    http::{Request, StatusCode, request::Builder},
};
use futures::future::join_all;
use http_body_util::BodyExt;
use serde_json::Value;
use std::{pin::pin, time::Duration};
use store::on_both_engines;
use tokio::time::timeout;
use tower::ServiceExt;
use tower_sessions::{SessionStore, session::Id};

/// One event, as (name, id, data).
type Seen = (String, String, Value);

fn parse(body: &[u8]) -> Vec<Seen> {
    let text = String::from_utf8(body.to_vec()).unwrap();
    let blocks = text.split("\n\n").filter(|block| block.contains("data:"));
    blocks
        .map(|block| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
            (field("event:"), field("id:"), serde_json::from_str(&field("data:")).unwrap())
        })
        .collect()
}

async fn watch(product: &Product, who: &Customer, path: &str, last: Option<&str>) -> (StatusCode, Vec<Seen>) {
    let mut request = who.request("GET", path);
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let answer = product.send(request.body(Body::empty()).unwrap()).await;
    (answer.status, parse(&answer.body))
}

on_both_engines! {
    async fn a_watcher_sees_the_video_move_until_it_is_completed(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let path = format!("/v1/videos/{id}/events");
        let ((status, seen), ()) = tokio::join!(watch(&product, &ada, &path, None), product.finish());
        assert_eq!(status, StatusCode::OK);
        let (last, before) = seen.split_last().unwrap();
        assert!(before.iter().all(|(name, _, _)| name == "video.updated"), "{seen:?}");
        assert_eq!((last.0.as_str(), &last.2["status"], &last.2["object"]), ("video.completed", &"completed".into(), &"video".into()));
    }

    async fn a_watcher_who_comes_back_is_told_only_what_is_new(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let path = format!("/v1/videos/{id}/events");
        product.services().cancel(ada.user.actor(), id).await.unwrap();
        let (_, seen) = watch(&product, &ada, &path, Some("0")).await;
        assert_eq!((seen.len(), seen[0].0.as_str()), (1, "video.cancelled"));
        let (status, again) = watch(&product, &ada, &path, Some(&seen[0].1)).await;
        assert_eq!((status, again.len()), (StatusCode::NO_CONTENT, 0));
        let (status, nonsense) = watch(&product, &ada, &path, Some("yesterday")).await;
        assert_eq!((status, nonsense.len()), (StatusCode::OK, 1));
    }

    async fn an_event_has_what_changes_and_none_of_the_texts(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        product.services().cancel(ada.user.actor(), id).await.unwrap();
        let (_, mut seen) = watch(&product, &ada, &format!("/v1/videos/{id}/events"), None).await;
        insta::allow_duplicates! {
        insta::assert_snapshot!(redacted(seen.remove(0).2), @r#"
        {
          "attempts": 0,
          "completed_at": null,
          "created_at": "[moment]",
          "error": null,
          "eta": null,
          "id": "[id]",
          "object": "video",
          "progress": 0,
          "queue_position": null,
          "stage": null,
          "status": "cancelled",
          "step": 0,
          "steps": 24,
          "waiting": null
        }
        "#);
        }
    }

    async fn streams_end_with_the_right_to_them_and_with_their_video(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (hers, others) = (product.create(&ada, "a red ball").await, product.create(&eve, "a sea").await);
        let key = product.services().create_key(ada.user.actor(), "second", "").await.unwrap();
        let (second, cookie) = (Customer { user: ada.user.clone(), key: key.secret }, product.cookie(&ada).await);
        let open = async |request: Builder| product.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let by_key = open(second.request("GET", &format!("/v1/videos/{hers}/events"))).await;
        let by_session = open(Request::get(format!("/live/videos/{hers}/events")).header("cookie", &cookie)).await;
        let of_deleted = open(eve.request("GET", &format!("/v1/videos/{others}/events"))).await;
        let mut kept = open(ada.request("GET", &format!("/v1/videos/{hers}/events"))).await.into_body();
        assert!(kept.frame().await.is_some());
        assert!(product.services().revoke_key(ada.user.actor(), key.key.id, "").await.unwrap());
        let session: Id = cookie.split_once('=').unwrap().1.parse().unwrap();
        product.services().store.sessions().delete(&session).await.unwrap();
        assert!(product.services().delete(eve.user.actor(), others).await.unwrap());
        let ended = join_all([by_key, by_session, of_deleted].map(|stream| stream.into_body().collect()));
        let ended = within(Duration::from_secs(5), ended).await.expect("streams should end within five seconds");
        assert!(ended.iter().all(Result::is_ok));
        // The other key's stream goes on.
        assert!(!matches!(timeout(Duration::from_millis(200), kept.frame()).await, Ok(None)));
    }

    async fn a_stream_outlives_a_moment_in_which_its_right_cannot_be_looked_at(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let cookie = product.cookie(&ada).await;
        let request = Request::get(format!("/live/videos/{id}/events")).header("cookie", &cookie);
        let stream = product.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        product.database().damage(&format!("UPDATE sessions SET expires_at_ms = {}", i64::MAX)).await;
        let mut ended = pin!(stream.into_body().collect());
        assert!(timeout(Duration::from_secs(5), &mut ended).await.is_err(), "an error is no refusal");
        product.database().damage("DELETE FROM sessions").await;
        assert!(timeout(Duration::from_secs(60), &mut ended).await.is_ok());
    }

    async fn open_streams_end_when_the_server_stops(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        product.context.stopping.cancel();
        let (status, seen) = watch(&product, &ada, &format!("/v1/videos/{id}/events"), None).await;
        assert!(status == StatusCode::OK && seen.len() <= 1, "{seen:?}");
    }

    async fn the_pages_get_the_same_stream_with_their_own_data(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let eve = product.customer("eve").await;
        let id = product.create(&ada, "a red ball").await;
        product.services().cancel(ada.user.actor(), id).await.unwrap();
        let ask = async |cookie: &str| {
            let request = Request::get(format!("/live/videos/{id}/events")).header("cookie", cookie);
            product.send(request.body(Body::empty()).unwrap()).await
        };
        let answer = ask(&product.cookie(&ada).await).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "text/event-stream"));
        let seen = parse(&answer.body);
        let update: domain::JobUpdate = serde_json::from_value(seen[0].2.clone()).unwrap();
        assert_eq!((update.id, seen[0].0.as_str()), (id, "video.cancelled"));
        assert_eq!(ask(&product.cookie(&eve).await).await.status, StatusCode::NOT_FOUND);
        assert_eq!(ask("").await.status, StatusCode::UNAUTHORIZED);
    }
}
