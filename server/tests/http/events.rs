//! Watching a video: the API's stream and the pages' stream.

use crate::harness::{Customer, Product};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use serde_json::Value;
use store::on_both_engines;

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
        product.services().cancel(ada.user.tenant, id).await.unwrap();
        let (_, seen) = watch(&product, &ada, &path, Some("0")).await;
        assert_eq!((seen.len(), seen[0].0.as_str()), (1, "video.cancelled"));
        let (status, again) = watch(&product, &ada, &path, Some(&seen[0].1)).await;
        assert_eq!((status, again.len()), (StatusCode::NO_CONTENT, 0));
        let (status, nonsense) = watch(&product, &ada, &path, Some("yesterday")).await;
        assert_eq!((status, nonsense.len()), (StatusCode::OK, 1));
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
        product.services().cancel(ada.user.tenant, id).await.unwrap();
        let ask = async |cookie: &str| {
            let request = Request::get(format!("/live/videos/{id}/events")).header("cookie", cookie);
            product.send(request.body(Body::empty()).unwrap()).await
        };
        let answer = ask(&product.cookie(&ada).await).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "text/event-stream"));
        let seen = parse(&answer.body);
        let view: domain::JobView = serde_json::from_value(seen[0].2.clone()).unwrap();
        assert_eq!((view.id, seen[0].0.as_str()), (id, "video.cancelled"));
        assert_eq!(ask(&product.cookie(&eve).await).await.status, StatusCode::NOT_FOUND);
        assert_eq!(ask("").await.status, StatusCode::UNAUTHORIZED);
    }
}
