//! What browsers rely on: headers, sessions, media, and that no other site acts in their user's name.

use crate::harness::{Product, content};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Model,
    catalog::{Understands, testing::video_model},
};
use futures::future::join_all;
use serde_json::json;
use std::time::{Duration, Instant};
use store::{ArtifactKind, on_both_engines};

on_both_engines! {
    async fn every_answer_is_hardened_and_has_an_id(database: TempDatabase) {
        let product = Product::new(database).await;
        for path in ["/", "/healthz", "/readyz", "/openapi.json", "/v1/videos", "/media/videos/x/video", "/live/videos/x/events", "/nowhere", "/pkg/x.js"] {
            let answer = product.send(Request::get(path).body(Body::empty()).unwrap()).await;
            for (name, value) in [("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"), ("referrer-policy", "same-origin")] {
                assert_eq!(answer.header(name), value, "{path}");
            }
            assert!(!answer.header("content-security-policy").is_empty() && answer.header("x-request-id").starts_with("req_"), "{path}");
            assert_eq!(answer.header("set-cookie"), "", "{path}");
        }
        let named = product.send(Request::get("/healthz").header("x-request-id", "trace-12345").body(Body::empty()).unwrap()).await;
        assert_eq!(named.header("x-request-id"), "trace-12345");
    }

    async fn readiness_names_what_is_missing(database: TempDatabase) {
        let product = Product::new(database).await;
        let ready = async || product.send(Request::get("/readyz").body(Body::empty()).unwrap()).await;
        // It waits three seconds for an answer, and where the machine stands still none comes so soon.
        let patience = Instant::now() + Duration::from_secs(60);
        let mut answer = ready().await;
        while ["not answering", "unknown"].iter().any(|late| answer.json().to_string().contains(late)) && Instant::now() < patience {
            tokio::time::sleep(Duration::from_millis(200)).await;
            answer = ready().await;
        }
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        insta::allow_duplicates! {
        insta::assert_snapshot!(answer.json().to_string(), @r#"{"checks":{"database":"ok","objects":"ok","server":"ok","workers":"no live worker for every stage"},"status":"unavailable"}"#);
        }
    }

    async fn another_site_cannot_act_on_any_route_outside_the_api(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for path in ["/", "/api/sign_out", "/sign-in", "/media/videos/x/video", "/nowhere"] {
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                for (name, value) in [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "http://evil.test"), ("origin", "http://here.test:1")] {
                    let request = Request::builder().method(method).uri(path).header("host", "here.test").header("cookie", &cookie).header(name, value);
                    let answer = product.send(request.body(Body::empty()).unwrap()).await;
                    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::FORBIDDEN, "cross_origin"), "{method} {path} {name}: {value}");
                }
            }
        }
        // A program with a key is no browser that could be abused.
        let request = ada.request("POST", "/v1/videos").header("origin", "http://evil.test").header("sec-fetch-site", "cross-site");
        let request = request.header("content-type", "application/json").body(Body::from("{\"prompt\":\"a\"}")).unwrap();
        assert_eq!(product.send(request).await.status, StatusCode::OK);
    }

    async fn who_must_sign_in_is_led_there_whatever_they_accept(database: TempDatabase) {
        let product = Product::new(database).await;
        for accept in ["text/html", "*/*", "application/json"] {
            let answer = product.send(Request::get("/library?after=x").header("accept", accept).body(Body::empty()).unwrap()).await;
            assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, "/signin?next=/library%3Fafter%3Dx"), "{accept}");
        }
    }

    async fn the_way_back_is_whole_whatever_is_in_its_query(database: TempDatabase) {
        let product = Product::new(database).await;
        product.customer("ada").await;
        // A prompt of spaces, `&`, `%` and `+`, written as browsers do.
        for query in ["prompt=a%20cat%20%26%20a%20dog&seed=7", "prompt=50%25%20a+b%2Bc", "prompt=100%2541&seed=1", "prompt=%E2%98%82%20%252525"] {
            let place = format!("/create?{query}");
            let stranger = product.open("", &place).await;
            let door = stranger.header("location");
            assert!(stranger.status == StatusCode::FOUND && door.starts_with("/signin?next=/create"), "{stranger:?}");
            for door in [door.to_owned(), door.replace("/signin", "/signup")] {
                let html = product.page("", &door).await;
                let field = html.split("name=\"next\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("the field");
                assert_eq!(field.replace("&amp;", "&"), place, "{door}");
            }
            let next = place.replace('%', "%25").replace('&', "%26").replace('+', "%2B");
            let form = format!("email=ada@example.com&password=correct+horse+battery&next={next}");
            let entered = product.post_form("", "/api/sign-in", &form).await;
            assert_eq!((entered.status, entered.header("location")), (StatusCode::FOUND, &*place));
        }
        for elsewhere in ["//evil.test", "%2F%2Fevil.test", "%252F%252Fevil.test", "https://evil.test", "/%5Cevil.test", "%5C%5Cevil.test", "/%0A/evil.test", "/%09/evil.test"] {
            let html = product.page("", &format!("/signin?next={elsewhere}")).await;
            assert!(html.contains("name=\"next\" value=\"/create\""), "{elsewhere}");
        }
    }

    async fn a_form_is_filled_in_as_its_address_says(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for (query, prompt) in [("100%25+cotton", "100% cotton"), ("a%20%2541", "a %41"), ("caf%C3%A9%252B", "café%2B")] {
            let html = product.page(&cookie, &format!("/create?prompt={query}")).await;
            assert!(html.contains(&format!(">{prompt}</textarea>")), "{query}");
        }
    }

    async fn a_video_leads_to_what_it_was_made_from_as_long_as_that_is_there(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let source = product.create(&ada, "a red ball").await;
        let remix = product.post(&ada, &format!("/v1/videos/{source}/remix"), json!({ "prompt": "a blue ball" })).await.json();
        let (page, link) = (format!("/videos/{}", remix["id"].as_str().unwrap()), format!("href=\"/videos/{source}\""));
        assert!(product.page(&cookie, &page).await.contains(&link));
        product.post_form(&cookie, "/api/delete-video", &format!("id={source}")).await;
        let html = product.page(&cookie, &page).await;
        assert!(!html.contains(&link) && html.contains("an earlier video, which was deleted"), "{html}");
    }

    async fn a_page_that_was_open_while_the_server_was_replaced_asks_on(database: TempDatabase) {
        let product = Product::new(database).await;
        product.offer(&[Model { understands: Understands::Scenes, ..video_model() }]).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let read = async |form: &str| {
            let answer = product.post_form_for("application/json", &cookie, "/api/read-prompt", form).await;
            assert_eq!(answer.status, StatusCode::OK, "{form} {answer:?}");
            answer.json().as_str().unwrap().to_owned()
        };
        let now = read("request[model]=vignette-1&request[prompt]=a+ball").await;
        assert!(now.contains("ball"), "{now}");
        for before in ["model=vignette-1&prompt=a+ball", "model=vignette-1&prompt=a+ball&is_typed=false"] {
            assert_eq!(read(before).await, now, "{before}");
        }
        let too_long = "a1 ".repeat(100_000);
        assert_eq!(read(&format!("request[model]=vignette-1&request[prompt]={too_long}")).await, "", "what could not be submitted is not read");
        assert_eq!(read("model=vignette-1&prompt=").await, read("request[model]=vignette-1&request[prompt]=").await);
        let eta = product.open(&cookie, "/api/expected-time?model=vignette-1&size=384x384&steps=4").await;
        assert_eq!(eta.status, StatusCode::OK, "{eta:?}");
    }

    async fn a_name_no_file_can_have_is_a_page_that_is_missing(database: TempDatabase) {
        let product = Product::new(database).await;
        for path in [format!("/{}", "a".repeat(300)), format!("/pkg/{}.js", "a".repeat(252))] {
            let request = Request::get(&path).header("accept-encoding", "br, gzip").body(Body::empty()).unwrap();
            assert_eq!(product.send(request).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    }

    async fn pages_are_kept_by_nobody(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for path in ["/", "/keys", "/library", "/nowhere"] {
            let answer = product.open(&cookie, path).await;
            assert_eq!(answer.header("cache-control"), "private, no-store", "{path}");
        }
    }

    async fn files_may_be_kept_and_pages_that_look_like_one_may_not(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        std::fs::write(product.folder().join("style.css"), "body {}").unwrap();
        for (path, kept) in [
            ("/style.css", "no-cache"),
            ("/style.css?v=1", "public, max-age=31536000, immutable"),
            ("/none.css?v=1", "private, no-store"),
            ("/library/.?v=1", "private, no-store"),
            ("/library/x.y/..?v=1", "private, no-store"),
            ("/library?x=style.css&v=1", "private, no-store"),
        ] {
            let answer = product.open(&cookie, path).await;
            assert_eq!(answer.header("cache-control"), kept, "{path}");
        }
        let posted = product.send(Request::post("/style.css").body(Body::empty()).unwrap()).await;
        assert_eq!((posted.status, posted.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD"));
    }

    async fn a_page_whose_query_cannot_be_read_is_shown_as_it_begins(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        product.create(&ada, "a red ball").await;
        for path in ["/library?after=abc", "/library?before=-1", "/library?after=%00&before=", "/queue?after=abc"] {
            let page = product.page(&cookie, path).await;
            assert!(page.contains("a red ball") && !page.contains(">Newest<") && !page.contains(">First page<"), "{path}: {page}");
        }
        assert!(product.page(&cookie, "/batches?after=-1").await.contains("How a file looks"));
        let remix = product.page(&cookie, "/create?from=abc&prompt=a+green+ball").await;
        assert!(remix.contains("a green ball") && remix.contains("<title>Create"), "{remix}");
        for path in [
            "/usage?days=x&by=x&project=x",
            "/overview?range=nonsense&phase=x",
            "/requests?after=abc",
            "/plan?before=x",
            "/keys?limits=x",
            "/admin/queue?after=x",
            "/admin/tenants?before=x",
            "/admin/costs?days=-1",
            "/admin/latency?range=nonsense&from=x&by=x",
            "/admin/ledger?before=x",
            "/admin/promo?before=x",
            "/admin/requests?after=1.x",
        ] {
            assert_eq!(product.open(&cookie, path).await.status, StatusCode::OK, "{path}");
        }
    }

    async fn what_is_no_id_is_not_found_as_an_id_that_nobody_has(database: TempDatabase) {
        let product = Product::new(database).await;
        let cookie = product.cookie(&product.customer("ada").await).await;
        for id in ["job_0190aaaabbbb7ccc8dddeeeeffff0001", "abc", "-1", "%00", "JOB_0190AAAABBBB7CCC8DDDEEEEFFFF0001"] {
            for path in ["/videos/ID", "/videos/ID/arrange", "/batches/ID", "/requests?id=ID", "/admin/requests?id=ID", "/webhooks?endpoint=ID", "/admin/alerts?rule=ID"] {
                let path = path.replace("ID", id);
                let answer = product.open(&cookie, &path).await;
                assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
                assert!(String::from_utf8_lossy(&answer.body).contains("Nothing is on this reel"), "{path}");
            }
        }
    }

    async fn a_prompt_is_text_wherever_it_stands(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let id = product.create(&ada, "</title></textarea><meta http-equiv=refresh content=0>&amp;<b>\"'").await;
        for path in [format!("/videos/{id}"), "/library".into(), format!("/create?from={id}")] {
            let answer = product.open(&cookie, &path).await;
            let text = String::from_utf8_lossy(&answer.body);
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            let place = text.find("<meta http-equiv=refresh").map(|at| &text[at.saturating_sub(200)..at]);
            assert_eq!(place, None, "{path}");
        }
    }

    async fn a_page_with_long_texts_is_not_several_times_their_size(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for character in ["\"", "\u{1}"] {
            let text = character.repeat(32_000);
            let answer = product.post(&ada, "/v1/videos", json!({ "prompt": text, "negative_prompt": text })).await;
            let id = answer.json()["id"].as_str().unwrap().to_owned();
            product.finish().await;
            let page = product.open(&cookie, &format!("/videos/{id}")).await;
            assert!(page.status == StatusCode::OK && page.body.len() < 900 * 1024, "{character:?}: {}", page.body.len());
            assert!(String::from_utf8_lossy(&page.body).contains("too long to be repeated here"));
        }
    }

    async fn a_stranger_leaves_nothing_behind(database: TempDatabase) {
        let product = Product::new(database).await;
        for length in [10, 500_000] {
            let form = format!("request[prompt]={}", "a".repeat(length));
            let request = Request::post("/api/submit-video").header("accept", "text/html").header("content-type", "application/x-www-form-urlencoded");
            let answer = product.send(request.body(Body::from(form)).unwrap()).await;
            assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, "/signin?next=/create"), "{answer:?}");
            let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
            assert!(cookies.iter().all(|cookie| !cookie.starts_with("reelmill_session") && cookie.len() < 4096), "{cookies:?}");
        }
    }

    async fn a_form_that_is_sent_twice_makes_one_video(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let send = async |prompt: &str| {
            let form = format!("request[prompt]={prompt}&once=abc123");
            product.post_form(&cookie, "/api/submit-video", &form).await.header("location").to_owned()
        };
        let (first, second) = (send("sea").await, send("sea").await);
        assert!(first.starts_with("/videos/job_"), "{first}");
        assert_eq!(first, second);
        // Found again in the browser's history, and filled in anew.
        let (other, again) = (send("sky").await, send("sky").await);
        assert!(other.starts_with("/videos/job_") && other != first, "{other}");
        assert_eq!(other, again);
    }

    async fn what_a_script_sends_wrongly_is_its_own_fault(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for (path, form) in [("/api/revoke-key", "id=x"), ("/api/delete-video", "id=x"), ("/api/submit-video", "request[prompt]="), ("/api/submit-video", "")] {
            let answer = product.post_form_for("application/json", &cookie, path, form).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path} {form} {answer:?}");
        }
    }

    async fn answers_made_at_the_same_time_do_not_mix(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        product.create(&ada, "a lighthouse").await;
        product.create(&eve, "a volcano").await;
        let (hers, others) = (product.cookie(&ada).await, product.cookie(&eve).await);
        let page = async |cookie: &str, own: &str, foreign: &str| {
            let answer = product.open(cookie, "/library").await;
            let text = String::from_utf8_lossy(&answer.body);
            assert!(answer.status == StatusCode::OK && text.contains(own) && !text.contains(foreign), "{text}");
            let policy = answer.header("content-security-policy");
            let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap_or_else(|| panic!("no nonce: {policy}"));
            assert!(text.contains(&format!("nonce=\"{nonce}\"")), "the page is that of another policy: {policy}");
        };
        let file = async || {
            let answer = product.send(Request::get("/none.js").body(Body::empty()).unwrap()).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND);
        };
        let call = async |cookie: &str, expected: StatusCode| {
            let uri = "/api/expected-time?model=vignette-1&size=384x384&duration_ms=2000&steps=4";
            let answer = product.open(cookie, uri).await;
            assert_eq!((answer.status, answer.header("location")), (expected, ""), "{answer:?}");
        };
        // As many as one tenant may make at once: beyond that they would wait, and not for long.
        join_all((0..30).map(|_| async {
            tokio::join!(
                page(&hers, "a lighthouse", "a volcano"),
                file(),
                call(&hers, StatusCode::OK),
                page(&others, "a volcano", "a lighthouse"),
                call("", StatusCode::UNAUTHORIZED),
            );
        }))
        .await;
    }

    async fn the_pages_get_media_by_session_and_only_their_own(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let id = product.create(&ada, "a red ball").await;
        product.finish().await;
        let get = async |cookie: &str, file: &str| {
            product.open(cookie, &format!("/media/videos/{id}/{file}")).await
        };
        let (hers, others) = (product.cookie(&ada).await, product.cookie(&eve).await);
        let video = get(&hers, "video").await;
        assert_eq!((video.status, &video.body), (StatusCode::OK, &content(ArtifactKind::Video)));
        assert!(video.header("content-disposition").starts_with("inline;"));
        let head = Request::head(format!("/media/videos/{id}/video")).header("cookie", &hers).header("range", "bytes=0-3").body(Body::empty()).unwrap();
        assert_eq!(product.send(head).await.status, StatusCode::OK);
        let saved = get(&hers, "video?download").await.header("content-disposition").to_owned();
        assert!(saved.starts_with("attachment; filename=\"a-red-ball-20") && saved.ends_with(".mp4\""), "{saved}");
        for file in ["video", "image", "thumbnail", "spritesheet", "preview", "latents"] {
            assert_eq!(get(&others, file).await.status, StatusCode::NOT_FOUND, "{file}");
            assert_eq!(get("", file).await.status, StatusCode::UNAUTHORIZED, "{file}");
        }
    }

    async fn texts_are_compressed_and_media_are_not(database: TempDatabase) {
        let product = Product::new(database).await;
        let document = product.send(Request::get("/openapi.json").header("accept-encoding", "br, gzip").body(Body::empty()).unwrap()).await;
        assert_eq!(document.header("content-encoding"), "gzip");
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        product.finish().await;
        for path in [format!("/v1/videos/{id}/content"), format!("/v1/videos/{id}/events")] {
            let answer = product.send(ada.request("GET", &path).header("accept-encoding", "br, gzip").body(Body::empty()).unwrap()).await;
            assert_eq!((answer.status, answer.header("content-encoding")), (StatusCode::OK, ""), "{path}");
        }
    }
}
