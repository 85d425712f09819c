//! Links to outputs: who has one needs no key, for a while.

use crate::harness::{Product, content};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use serde_json::json;
use store::{ArtifactKind, on_both_engines, testing::Dial};

on_both_engines! {
    async fn a_link_opens_one_file_until_it_ends_or_the_video_goes(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        product.services().store.models().offer(domain::catalog::testing::catalog().models()).await.unwrap();
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        product.finish().await;
        let link = async || {
            let prediction = product.get(&ada, &format!("/replicate/v1/predictions/{id}")).await.json();
            prediction["output"].as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned()
        };
        let fetch = async |path: &str| product.send(Request::get(path).body(Body::empty()).unwrap()).await;
        let first = link().await;
        assert_eq!(first, link().await, "the same for a while, so that browsers keep what they fetched");
        let whole = fetch(&first).await;
        assert_eq!((whole.status, &whole.body), (StatusCode::OK, &content(ArtifactKind::Video)));
        assert_eq!((whole.header("cross-origin-resource-policy"), whole.header("access-control-allow-origin")), ("cross-origin", "*"));
        let part = product.send(Request::get(&first).header("range", "bytes=4-8").body(Body::empty()).unwrap()).await;
        assert_eq!((part.status, &part.body[..]), (StatusCode::PARTIAL_CONTENT, &content(ArtifactKind::Video)[4..=8]));
        for changed in [first.replace("video.mp4", "thumbnail.webp"), first.replace("/outputs/", "/outputs/0"), "/outputs/0/video.mp4".to_owned()] {
            let refused = fetch(&changed).await;
            assert_eq!((refused.status, refused.code().as_str()), (StatusCode::NOT_FOUND, "unknown_url"), "{changed}");
        }
        dial.advance_ms(3_600_000);
        assert_eq!(fetch(&first).await.status, StatusCode::OK, "an hour at least");
        dial.advance_ms(900_000);
        let expired = fetch(&first).await;
        assert_eq!((expired.status, expired.code().as_str()), (StatusCode::GONE, "link_expired"));
        let fresh = link().await;
        assert_eq!(product.send(ada.request("DELETE", &format!("/v1/videos/{id}")).body(Body::empty()).unwrap()).await.json()["deleted"], json!(true));
        let gone = fetch(&fresh).await;
        assert_eq!((gone.status, gone.code().as_str()), (StatusCode::NOT_FOUND, "video_not_found"));
    }
}
