//! A database that does not answer: every request is refused in time, and served again afterwards.

use crate::harness::{Answer, Customer, Product};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use futures::future::join_all;
use serde_json::json;
use server::config::Limits;
use std::time::{Duration, Instant};
use store::{
    on_both_engines,
    testing::{Engine, TempDatabase},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

const DEADLINE: Duration = Duration::from_secs(1);
/// More than any pool has connections.
const AT_ONCE: usize = 24;

async fn product(database: TempDatabase) -> Product {
    Product::with(database, Limits { request_deadline: DEADLINE, ..Limits::default() }).await
}

fn form(cookie: &str) -> Request<Body> {
    let request = Request::post("/api/submit-video").header("accept", "text/html").header("cookie", cookie);
    request.header("content-type", "application/x-www-form-urlencoded").body(Body::from("request[prompt]=sea")).unwrap()
}

#[track_caller]
fn assert_unavailable(answer: &Answer, asked: Instant, what: &str) {
    assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "5"), "{what}: {answer:?}");
    // The database's own limits are longer.
    assert!(asked.elapsed() < 9 * DEADLINE, "{what}: {:?}", asked.elapsed());
}

/// On a busy machine an answer may not be there in time, but one of many is; with something in the way none would be.
async fn in_some_try(ask: impl AsyncFn() -> Answer) -> Answer {
    for _ in 0..20 {
        let answer = ask().await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer;
        }
    }
    ask().await
}

async fn until_served(product: &Product, who: &Customer) {
    let patience = Instant::now() + Duration::from_secs(120);
    loop {
        let made = product.post(who, "/v1/videos", json!({ "prompt": "a red ball" })).await;
        let listed = product.get(who, "/v1/videos").await;
        if made.status == StatusCode::OK && listed.status == StatusCode::OK {
            return;
        }
        assert!(Instant::now() < patience, "{made:?} {listed:?}");
    }
}

on_both_engines! {
    async fn what_waits_for_a_lock_is_refused_in_time_and_served_when_it_is_gone(database: TempDatabase) {
        let product = product(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let id = product.create(&ada, "a red ball").await;
        let hold = product.database().hold("BEGIN IMMEDIATE", "LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE").await;
        let asked = Instant::now();
        let post = async || product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball" })).await;
        for answer in join_all((0..AT_ONCE).map(|_| post())).await {
            assert_unavailable(&answer, asked, "create");
            assert_eq!(answer.code(), "unavailable");
        }
        let asked = Instant::now();
        let cancel = format!("/v1/videos/{id}/cancel");
        let (cancelled, page) = tokio::join!(product.post(&ada, &cancel, json!({})), product.send(form(&cookie)));
        assert_unavailable(&cancelled, asked, "cancel");
        // A busy machine may notice before the deadline that there is no connection, and then says so above the form.
        if page.status == StatusCode::FOUND {
            assert_eq!((page.header("location"), &page.body[..]), ("/create", &b"\"Unavailable\""[..]), "{page:?}");
        } else {
            assert_unavailable(&page, asked, "a form");
            assert!(String::from_utf8_lossy(&page.body).contains("<h1>"), "{page:?}");
        }
        assert_eq!(product.send(Request::get("/healthz").body(Body::empty()).unwrap()).await.status, StatusCode::OK);
        drop(hold);
        until_served(&product, &ada).await;
    }

    async fn a_video_that_was_taken_in_is_answered_without_its_estimate(database: TempDatabase) {
        // No more than the estimate may take: it gets a share of that.
        let limits = Limits { request_deadline: Duration::from_secs(2), ..Limits::default() };
        let product = Product::with(database, limits).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        // On PostgreSQL the look-up hangs, on SQLite it fails.
        let hold = match product.database().engine {
            Engine::Postgres => product.database().hold("", "LOCK TABLE stage_timings IN ACCESS EXCLUSIVE MODE").await,
            Engine::Sqlite => product.database().hold("DROP TABLE stage_timings", "").await,
        };
        for _ in 0..12 {
            let made = in_some_try(async || product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball" })).await).await;
            assert_eq!((made.status, &made.json()["eta"]), (StatusCode::OK, &json!(null)), "{made:?}");
        }
        for (method, path) in [("GET", format!("/v1/videos/{id}")), ("GET", "/v1/videos".into()), ("POST", format!("/v1/videos/{id}/cancel"))] {
            let answer = in_some_try(async || product.send(ada.request(method, &path).body(Body::empty()).unwrap()).await).await;
            assert_eq!(answer.status, StatusCode::OK, "{method} {path} {answer:?}");
        }
        drop(hold);
    }
}

/// The way to the database, which can be closed: what is sent meanwhile waits.
struct Gate {
    open: watch::Sender<bool>,
}

impl Gate {
    async fn before(database: &mut TempDatabase) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().to_string();
        let (start, rest) = database.url.rsplit_once('@').map_or(("postgres://", database.url.as_str()), |(start, rest)| (start, rest));
        let (behind, name) = rest.split_once('/').unwrap();
        let (behind, start) = (behind.to_owned(), start.to_owned());
        database.url = format!("{start}@{own}/{name}");
        let open = watch::Sender::new(true);
        let gate = open.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&behind).await.unwrap();
                let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
                tokio::spawn(pass(from_client, to_server, gate.subscribe()));
                tokio::spawn(pass(from_server, to_client, gate.subscribe()));
            }
        });
        Self { open }
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut open: watch::Receiver<bool>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let passed = open.wait_for(|open| *open).await.is_ok();
        if !passed || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_falls_silent_is_waited_for_until_the_deadline() {
    let Some(mut database) = TempDatabase::new(Engine::Postgres).await else { return };
    let gate = Gate::before(&mut database).await;
    let product = product(database).await;
    let ada = product.customer("ada").await;
    let cookie = product.cookie(&ada).await;
    product.create(&ada, "a red ball").await;
    gate.open.send_replace(false);
    let library = || Request::get("/library").header("accept", "text/html").header("cookie", &cookie).body(Body::empty()).unwrap();
    for _ in 0..2 {
        let asked = Instant::now();
        let (listed, page) = tokio::join!(join_all((0..AT_ONCE).map(|_| product.get(&ada, "/v1/videos"))), product.send(library()));
        listed.iter().for_each(|answer| assert_unavailable(answer, asked, "list"));
        assert_unavailable(&page, asked, "a page");
        assert!(String::from_utf8_lossy(&page.body).contains("<h1>"), "{page:?}");
    }
    gate.open.send_replace(true);
    until_served(&product, &ada).await;
    assert_eq!(product.send(library()).await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_database_processes_keep_nobody_beyond_the_deadline() {
    let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
    let product = product(database).await;
    let ada = product.customer("ada").await;
    product.create(&ada, "a red ball").await;
    let stopped = product.database().stop_processes().await;
    for _ in 0..2 {
        let asked = Instant::now();
        for answer in join_all((0..AT_ONCE).map(|_| product.get(&ada, "/v1/videos"))).await {
            // On a new connection the database answers.
            if answer.status != StatusCode::OK {
                assert_unavailable(&answer, asked, "list");
            }
        }
    }
    drop(stopped);
    until_served(&product, &ada).await;
}
