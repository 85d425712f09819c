//! Links to outputs: who has one needs no key, for a while.

use crate::harness::{Product, content};
use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use serde_json::json;
use server::config::Limits;
use std::net::SocketAddr;
use store::{
    ArtifactKind, on_both_engines,
    testing::{Dial, TempDatabase},
};
use tower::ServiceExt;

#[tokio::test]
async fn who_reads_a_link_slowly_keeps_nobody_from_the_api_and_no_other_from_the_link() {
    let limits = Limits { requests_per_tenant_max: 4, ..Limits::default() };
    let product = Product::with(TempDatabase::sqlite(), limits).await;
    let ada = product.customer("ada").await;
    let id = product.create(&ada, "a red ball").await;
    product.finish().await;
    let prediction = product.get(&ada, &format!("/replicate/v1/predictions/{id}")).await.json();
    let link = prediction["output"].as_str().unwrap().strip_prefix("http://localhost").unwrap().to_owned();
    let unread = async |address: [u8; 4]| {
        let request = Request::get(&link).extension(ConnectInfo(SocketAddr::from((address, 9))));
        product.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let mut held = Vec::new();
    for site in 1..=4 {
        held.push(unread([192, 0, 2, site]).await);
        if site == 1 {
            assert_eq!(unread([192, 0, 2, site]).await.status(), StatusCode::TOO_MANY_REQUESTS, "one site has a quarter");
        }
    }
    assert!(held.iter().all(|answer| answer.status() == StatusCode::OK));
    assert_eq!(unread([192, 0, 2, 99]).await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(product.get(&ada, "/v1/videos").await.status, StatusCode::OK);
    drop(held);
    assert_eq!(unread([192, 0, 2, 99]).await.status(), StatusCode::OK);
}

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

    async fn a_link_that_is_told_at_the_end_of_a_long_stream_is_good_from_then_on(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        product.services().store.models().offer(domain::catalog::testing::catalog().models()).await.unwrap();
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let watched = ada.request("GET", &format!("/replicate/v1/predictions/{id}/stream")).body(Body::empty()).unwrap();
        let stream = product.router.clone().oneshot(watched).await.unwrap();
        // It waits for longer than a link is good.
        dial.advance_ms(2 * 3_600_000);
        product.finish().await;
        let text = String::from_utf8(stream.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap();
        let told = text.lines().filter_map(|line| line.strip_prefix("data:")).find_map(|data| data.trim().strip_prefix("http://localhost"));
        dial.advance_ms(3_600_000);
        let fetched = product.send(Request::get(told.expect(&text)).body(Body::empty()).unwrap()).await;
        assert_eq!((fetched.status, &fetched.body), (StatusCode::OK, &content(ArtifactKind::Video)));
    }
}
