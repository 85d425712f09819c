//! What one tenant or one address may hold at once, and that nobody else notices when they hold it.

use crate::{
    harness::{Customer, Product},
    process::{ask, get, head, read},
};
use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Request, StatusCode},
    response::Response,
};
use futures::future::join_all;
use serde_json::json;
use server::{Context, answer, config::Limits, listen, router};
use std::{net::SocketAddr, time::Duration};
use store::{on_both_engines, testing::TempDatabase};
use tower::ServiceExt;

/// The head of an answer whose body is not read as long as this is kept.
async fn unread(product: &Product, who: &Customer, path: &str) -> Response {
    product.router.clone().oneshot(who.request("GET", path).body(Body::empty()).unwrap()).await.unwrap()
}

/// What one connection too many is told. Without a request within two seconds it is closed unheard, which may happen
/// to this test where the machine stands still.
async fn refusal(address: SocketAddr, head: &str) -> String {
    let patience = tokio::time::Instant::now() + Duration::from_secs(60);
    loop {
        let said = read(&mut ask(address, head).await).await;
        if !said.is_empty() || tokio::time::Instant::now() > patience {
            return said;
        }
    }
}

/// A server on a port of its own, until the test ends.
async fn listening(product: &Product, limits: Limits) -> (SocketAddr, Context) {
    let context = product.context.clone().with_limits(limits);
    let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let (serving, router) = (context.clone(), router(&context, product.folder()));
    tokio::spawn(async move { answer(listener, router, &serving).await });
    (address, context)
}

on_both_engines! {
    async fn a_tenant_with_too_many_requests_waits_for_itself_alone(database: TempDatabase) {
        let product = Product::with(database, Limits { requests_per_tenant_max: 1, ..Limits::default() }).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let held = unread(&product, &ada, "/v1/videos").await;
        let refused = product.get(&ada, "/v1/videos").await;
        assert_eq!((refused.status, refused.code().as_str(), refused.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "1"));
        let cookie = product.cookie(&ada).await;
        let page = async |path| {
            let request = Request::get(path).header("accept", "text/html").header("cookie", &cookie);
            (path, product.send(request.body(Body::empty()).unwrap()).await)
        };
        for (path, page) in join_all(["/library", "/library/", "/x/../library", "/videos/job_1/", "/nowhere"].map(page)).await {
            assert_eq!((page.status, page.header("content-type")), (StatusCode::TOO_MANY_REQUESTS, "text/html; charset=utf-8"), "{path}");
        }
        assert_eq!(product.get(&eve, "/v1/videos").await.status, StatusCode::OK);
        drop(held);
        assert_eq!(product.get(&ada, "/v1/videos").await.status, StatusCode::OK);
    }

    async fn streams_are_counted_for_themselves(database: TempDatabase) {
        let limits = Limits { requests_per_tenant_max: 1, streams_per_tenant_max: 2, ..Limits::default() };
        let product = Product::with(database, limits).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (hers, others) = (product.create(&ada, "a red ball").await, product.create(&eve, "a sea").await);
        let path = format!("/v1/videos/{hers}/events");
        let streams = [unread(&product, &ada, &path).await, unread(&product, &ada, &path).await];
        assert!(streams.iter().all(|stream| stream.status() == StatusCode::OK));
        let refused = product.get(&ada, &path).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"));
        assert_eq!(product.get(&ada, "/v1/videos").await.status, StatusCode::OK);
        assert_eq!(unread(&product, &eve, &format!("/v1/videos/{others}/events")).await.status(), StatusCode::OK);
        drop(streams);
        assert_eq!(unread(&product, &ada, &path).await.status(), StatusCode::OK);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_too_many_is_told_so_and_closed() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    let (address, _) = listening(&product, Limits { connections_per_address_max: 2, ..Limits::default() }).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        held.push(ask(address, "GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").await);
        held.last().unwrap().readable().await.unwrap();
    }
    let refused = refusal(address, &head("/v1/videos", &ada, "")).await;
    assert!(
        refused.starts_with("HTTP/1.1 503") && refused.contains("\"too_many_connections\"") && refused.contains("retry-after: 5"),
        "{refused}"
    );
    let page = refusal(address, &head("/", &ada, "accept: text/html\r\n")).await;
    assert!(page.starts_with("HTTP/1.1 503") && page.contains("<h1>") && page.contains("retry-after: 5"), "{page}");
    assert!(refusal(address, &head("/healthz", &ada, "connection: close\r\n")).await.starts_with("HTTP/1.1 200"));
    drop(held);
    let patience = tokio::time::Instant::now() + Duration::from_secs(60);
    while !get(address, "/v1/videos", &ada).await.starts_with("HTTP/1.1 200") {
        assert!(tokio::time::Instant::now() < patience, "closed connections should make room");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visitors_behind_a_proxy_are_counted_by_request() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    let trusted = Context { trusted_proxies: vec!["127.0.0.1/32".parse::<ipnet::IpNet>().unwrap()].into(), ..product.context.clone() };
    let context = trusted.with_limits(Limits { connections_per_address_max: 1, ..Limits::default() });
    let router = router(&context, product.folder());
    let send = async |visitor: &str| {
        let proxy: SocketAddr = "127.0.0.1:9".parse().unwrap();
        let request = ada.request("GET", "/v1/videos").header("x-forwarded-for", visitor).extension(ConnectInfo(proxy));
        router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let held = send("192.0.2.1").await;
    assert_eq!(send("192.0.2.1").await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(send("192.0.2.2").await.status(), StatusCode::OK);
    drop(held);
    assert_eq!(send("192.0.2.1").await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_share_is_held_until_the_last_of_an_answer_is_on_its_way() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    // In JSON a control character takes six bytes: more than the kernel keeps, and written as one frame.
    let text = format!("a{}b", "\u{1}".repeat(31_998));
    let made = product.post(&ada, "/v1/videos", json!({ "prompt": text, "negative_prompt": text })).await.json();
    let path = format!("/v1/videos/{}", made["id"].as_str().unwrap());
    let (address, _) = listening(&product, Limits { requests_per_tenant_max: 1, ..Limits::default() }).await;
    let mut unread = ask(address, &head(&path, &ada, "connection: close\r\n")).await;
    unread.readable().await.unwrap();
    assert!(get(address, "/v1/models", &ada).await.starts_with("HTTP/1.1 429"));
    let whole = read(&mut unread).await;
    assert!(whole.contains("content-length: ") && whole.ends_with('}'), "{} bytes", whole.len());
    assert!(get(address, "/v1/models", &ada).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_without_a_body_keep_their_heads() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    let (address, _) = listening(&product, Limits::default()).await;
    let whole = get(address, "/v1/models", &ada).await;
    let (its_head, body) = whole.split_once("\r\n\r\n").unwrap();
    let length = format!("content-length: {}", body.len());
    assert!(its_head.contains(&length), "{its_head}");
    let asked = head("/v1/models", &ada, "connection: close\r\n").replacen("GET", "HEAD", 1);
    let only_head = read(&mut ask(address, &asked).await).await;
    assert!(only_head.starts_with("HTTP/1.1 200") && only_head.contains(&length) && only_head.ends_with("\r\n\r\n"), "{only_head}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_stops_reading_loses_its_connection() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    let text = "🎞".repeat(16_000);
    for _ in 0..10 {
        product.post(&ada, "/v1/videos", json!({ "prompt": text, "negative_prompt": text })).await;
    }
    let limits = Limits { write_timeout: Duration::from_millis(300), requests_per_tenant_max: 1, ..Limits::default() };
    let (address, _) = listening(&product, limits).await;
    let mut stuck = ask(address, &head("/v1/videos", &ada, "")).await;
    stuck.readable().await.unwrap();
    // The share of the stuck one is free again, before the timeout that others have.
    let patience = tokio::time::Instant::now() + Limits::default().write_timeout * 5 / 6;
    while !get(address, "/v1/models", &ada).await.starts_with("HTTP/1.1 200") {
        assert!(tokio::time::Instant::now() < patience, "a stuck connection should be given up");
    }
    assert!(!read(&mut stuck).await.contains("\"has_more\""));
}
