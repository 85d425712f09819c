//! Signing in by the form, keys that are shown once, submissions that are sent again, and the operator's page.

mod oidc;
mod teams;

use crate::harness::{Answer, Customer, Product};
use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Request, StatusCode},
};
use domain::{Actor, Clock, FailureCode, Stage, WorkerId, job::AttemptFailure};
use futures::{StreamExt, stream};
use serde_json::json;
use service::KeyError;
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use store::{Registration, SystemClock, WorkerRole, on_both_engines, testing::Dial};
use uuid::Uuid;

const PASSWORD: &str = "correct+horse+battery";
const FORM: &str = "application/x-www-form-urlencoded";

/// A browser, or a program that has no cookies.
struct Visitor<'a> {
    product: &'a Product,
    address: &'a str,
    cookies: String,
}

impl<'a> Visitor<'a> {
    fn new(product: &'a Product, address: &'a str) -> Self {
        Self { product, address, cookies: String::new() }
    }

    async fn send(&self, method: &str, path: &str, form: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("accept", "text/html").header("content-type", FORM);
        if !self.cookies.is_empty() {
            request = request.header("cookie", &self.cookies);
        }
        let mut request = request.body(Body::from(form.to_owned())).unwrap();
        let address: SocketAddr = format!("{}:4000", self.address).parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(address));
        self.product.send(request).await
    }

    /// Whether the form lets the visitor in.
    async fn signs_in(&self, mail: &str, password: &str) -> bool {
        self.sign_in(mail, password).await.header("location") == "/library"
    }

    async fn sign_in(&self, mail: &str, password: &str) -> Answer {
        let answer = self.send("POST", "/api/sign-in", &format!("email={mail}&password={password}&next=/library")).await;
        assert_eq!(answer.status, StatusCode::FOUND, "{answer:?}");
        answer
    }

    async fn page(&self, path: &str) -> (StatusCode, String) {
        let answer = self.send("GET", path, "").await;
        (answer.status, String::from_utf8(answer.body.to_vec()).unwrap())
    }
}

/// The value of a cookie that an answer sets.
fn set_cookie(answer: &Answer, name: &str) -> Option<String> {
    let cookies = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let mut named = cookies.filter_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='));
    named.find_map(|cookie| cookie.split(';').next().map(ToOwned::to_owned))
}

async fn asks(product: &Product, who: &Customer, method: &str, path: &str, body: serde_json::Value) -> Answer {
    let request = who.request(method, path).header("content-type", "application/json").header("idempotency-key", "once");
    product.send(request.body(Body::from(body.to_string())).unwrap()).await
}

on_both_engines! {
    async fn keys_have_a_limit_and_their_page_stays_small(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let visitor = Visitor { cookies: product.cookie(&ada).await, ..Visitor::new(&product, "198.51.100.7") };
        let keys = product.services().list_keys(ada.user.actor()).await.unwrap();
        for _ in 0..150 {
            let made = product.services().create_key(ada.user.actor(), &"&".repeat(100), "").await.unwrap();
            assert!(product.services().revoke_key(ada.user.actor(), made.key.id, "").await.unwrap());
        }
        let (status, text) = visitor.page("/keys").await;
        assert_eq!((status, text.matches("class=\"badge\"").count()), (StatusCode::OK, 50));
        for _ in keys.len()..100 {
            product.services().create_key(ada.user.actor(), "another", "").await.unwrap();
        }
        let (_, text) = visitor.page("/keys").await;
        assert!(text.contains("class=\"badge\"") && text.len() < 256 * 1024, "{}", text.len());
        let answer = visitor.send("POST", "/api/create-key", "name=one+more").await;
        assert_eq!((answer.header("location"), set_cookie(&answer, "flash-keys")), ("/keys", None));
        let note = set_cookie(&answer, "note-keys").expect("it is said why");
        let visitor = Visitor { cookies: format!("{}; note-keys={note}", visitor.cookies), ..visitor };
        let (_, text) = visitor.page("/keys").await;
        assert!(text.contains("At most 100 keys") && text.contains("one more"), "{text}");
    }

    async fn a_right_password_passes_beside_a_thousand_wrong_ones(database: TempDatabase) {
        let product = Product::new(database).await;
        product.customer("ada").await;
        let (attacker, owner) = (Visitor::new(&product, "203.0.113.9"), Visitor::new(&product, "198.51.100.7"));
        let attack = stream::iter(0..1000).for_each_concurrent(20, |n| {
            let attacker = &attacker;
            async move { assert!(!attacker.signs_in("ada@example.com", &format!("guess+{n}")).await) }
        });
        let owner = async {
            for _ in 0..10 {
                let answer = owner.sign_in("ada@example.com", PASSWORD).await;
                assert_eq!(answer.header("location"), "/library", "{answer:?}");
            }
        };
        tokio::join!(attack, owner);
    }

    async fn a_browser_that_was_signed_in_waits_for_its_own_mistakes_only(database: TempDatabase) {
        // Time stands still, however long the hashing takes.
        let product = Product::on(database, &Dial::at(SystemClock.now().ms())).await;
        product.customer("ada").await;
        let mut visitor = Visitor::new(&product, "203.0.113.9");
        let answer = visitor.send("POST", "/api/sign-in", &format!("email=ada@example.com&password={PASSWORD}")).await;
        let line = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).find(|line| line.starts_with("reelmill_browser="));
        let line = line.expect("the browser is remembered");
        assert!(line.contains("Path=/api;") && line.contains("HttpOnly") && line.contains("SameSite=Strict") && line.contains("Max-Age=34560000"), "{line}");
        let known = set_cookie(&answer, "reelmill_browser").unwrap();
        for _ in 0..5 {
            assert!(!visitor.signs_in("ada@example.com", "guess").await);
        }
        assert!(!visitor.signs_in("ada@example.com", PASSWORD).await, "this network has to wait");
        visitor.cookies = format!("reelmill_browser={known}");
        assert!(visitor.signs_in("ada@example.com", PASSWORD).await);
        visitor.cookies.push('0');
        assert!(!visitor.signs_in("ada@example.com", PASSWORD).await);
    }

    async fn who_tries_an_address_too_often_is_told_that_it_is_the_address(database: TempDatabase) {
        let product = Product::on(database, &Dial::at(SystemClock.now().ms())).await;
        product.customer("ada").await;
        let said = async |address: &str| {
            let visitor = Visitor::new(&product, address);
            let answer = visitor.send("POST", "/api/sign-up", &format!("email=ada@example.com&password={PASSWORD}")).await;
            let cookies = format!("note-signup={}", set_cookie(&answer, "note-signup").unwrap());
            Visitor { cookies, ..visitor }.page("/signup").await.1
        };
        for network in 0..3 {
            assert!(said(&format!("203.0.113.{network}")).await.contains("There is an account with this email address already."));
        }
        let text = said("198.51.100.7").await;
        assert!(text.contains("Too many tries with this address.") && !text.contains("your network"), "{text}");
    }

    async fn a_new_key_is_shown_once_within_a_minute_and_in_its_own_session(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let product = Product::on(database, &dial).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (hers, others) = (product.cookie(&ada).await, product.cookie(&eve).await);
        let make = async || {
            let visitor = Visitor { cookies: hers.clone(), ..Visitor::new(&product, "198.51.100.7") };
            let answer = visitor.send("POST", "/api/create-key", "name=ci").await;
            assert_eq!(answer.header("location"), "/keys");
            let hidden = set_cookie(&answer, "flash-keys").expect("the key travels to the page");
            assert!(!hidden.contains(&hex::encode("rm_live_")) && !hidden.contains("rm_live_"), "in clear: {hidden}");
            hidden
        };
        let shows = async |session: &str, hidden: &str| {
            let visitor = Visitor { cookies: format!("{session}; flash-keys={hidden}"), ..Visitor::new(&product, "198.51.100.7") };
            let (status, text) = visitor.page("/keys").await;
            assert_eq!(status, StatusCode::OK);
            text.contains("Copy it now")
        };
        let hidden = make().await;
        assert!(!shows(&others, &hidden).await, "in another session");
        assert!(shows(&hers, &hidden).await);
        assert!(!shows(&hers, &hidden).await, "a second time");
        let late = make().await;
        assert!(!shows(&hers, &hidden).await, "with the key to another one");
        let lost = make().await;
        dial.advance_ms(60_000);
        assert!(!shows(&hers, &lost).await && !shows(&hers, &late).await, "after a minute");
    }

    async fn a_session_is_prolonged_in_the_browser_as_it_is_in_its_row(database: TempDatabase) {
        let product = Product::new(database).await;
        product.customer("ada").await;
        let mut visitor = Visitor::new(&product, "198.51.100.7");
        let line = |answer: &Answer| {
            let lines = answer.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
            lines.filter(|line| line.starts_with("reelmill_session=")).map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        let set = line(&visitor.send("POST", "/api/sign-in", &format!("email=ada@example.com&password={PASSWORD}")).await);
        visitor.cookies = set[0].split(';').next().unwrap().to_owned();
        assert!(line(&visitor.send("GET", "/library", "").await).is_empty(), "not before a day has passed");
        product.database().damage("UPDATE sessions SET expires_at_ms = expires_at_ms - 172800000").await;
        let sorted = |line: &str| line.split("; ").map(ToOwned::to_owned).collect::<std::collections::BTreeSet<_>>();
        let again = line(&visitor.send("GET", "/library", "").await);
        assert_eq!(again.iter().map(|line| sorted(line)).collect::<Vec<_>>(), [sorted(&set[0])]);
        assert!(line(&visitor.send("GET", "/library", "").await).is_empty());
    }

    async fn a_submission_sent_again_finds_its_video_or_that_it_was_deleted(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let body = json!({ "prompt": "a red ball" });
        let id = asks(&product, &ada, "POST", "/v1/videos", body.clone()).await.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(asks(&product, &ada, "POST", "/v1/videos", body.clone()).await.json()["id"], json!(id));
        assert_eq!(product.send(ada.request("DELETE", &format!("/v1/videos/{id}")).body(Body::empty()).unwrap()).await.status, StatusCode::OK);
        for _ in 0..2 {
            let again = asks(&product, &ada, "POST", "/v1/videos", body.clone()).await;
            assert_eq!((again.status, again.code().as_str()), (StatusCode::GONE, "video_deleted"));
            assert!(again.json()["error"]["message"].as_str().unwrap().contains(&id));
            product.services().remove_garbage(Actor::System, 0).await.unwrap();
        }
        let other = asks(&product, &ada, "POST", "/v1/videos", json!({ "prompt": "another" })).await;
        assert_eq!(other.code(), "idempotency_key_reused");
    }

    async fn a_remix_sent_again_finds_its_video_when_its_source_is_gone(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let settings = json!({ "prompt": "a red ball", "steps": 9, "size": "384x384", "negative_prompt": "blue" });
        let source = product.post(&ada, "/v1/videos", settings).await.json()["id"].as_str().unwrap().to_owned();
        let remix = format!("/v1/videos/{source}/remix");
        let first = asks(&product, &ada, "POST", &remix, json!({ "prompt": "a green ball", "steps": 10 })).await.json()["id"].clone();
        product.send(ada.request("DELETE", &format!("/v1/videos/{source}")).body(Body::empty()).unwrap()).await;
        for _ in 0..2 {
            let again = asks(&product, &ada, "POST", &remix, json!({ "prompt": "a green ball", "steps": 10 })).await;
            assert_eq!((again.status, &again.json()["id"], again.header("idempotent-replayed")), (StatusCode::OK, &first, "true"));
            product.services().remove_garbage(Actor::System, 0).await.unwrap();
        }
        let other = asks(&product, &ada, "POST", &remix, json!({ "prompt": "a yellow ball" })).await;
        assert_eq!(other.code(), "idempotency_key_reused");
        let unknown = product.post(&ada, &remix, json!({ "prompt": "a green ball" })).await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    }

    async fn every_page_below_admin_is_for_operators_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        assert!(operator.user.is_operator && !eve.user.is_operator);
        let get = async |cookies: String, page: &str| Visitor { cookies, ..Visitor::new(&product, "198.51.100.7") }.send("GET", page, "").await;
        let routes = leptos_axum::generate_route_list(app::App);
        let pages: Vec<_> = routes.iter().map(|route| route.path()).filter(|path| path.starts_with("/admin")).collect();
        assert!(pages.contains(&"/admin"));
        for page in pages {
            let stranger = get(String::new(), page).await;
            assert_eq!((stranger.status, stranger.header("location")), (StatusCode::FOUND, &*format!("/signin?next={page}")));
            let others = get(product.cookie(&eve).await, page).await;
            assert_eq!(others.status, StatusCode::NOT_FOUND, "{page}");
            assert!(!String::from_utf8_lossy(&others.body).contains("/admin\""), "{page}");
            let shown = get(product.cookie(&operator).await, page).await;
            assert_eq!(shown.status, StatusCode::OK, "{page}");
            let text = String::from_utf8_lossy(&shown.body);
            let bar = text.split("aria-label=\"Operator’s pages\"").nth(1).and_then(|rest| rest.split("</nav>").next()).expect(page);
            assert!(bar.contains(&format!("href=\"{page}\" aria-current=\"page\"")), "{page}: {bar}");
            assert_eq!(bar.matches("aria-current").count(), 1, "{page}: {bar}");
        }
        let shown = get(product.cookie(&operator).await, "/admin").await;
        let text = String::from_utf8_lossy(&shown.body);
        assert!(text.contains("Rows that cannot be read") && text.contains("href=\"/admin\""), "{text}");
    }

    async fn the_menu_has_one_way_to_the_operators_pages(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let of = async |who: &Customer| product.page(&product.cookie(who).await, "/library").await;
        let (operators, others) = (of(&operator).await, of(&eve).await);
        let ways = |page: &str| page.split("<main").next().unwrap_or_default().matches("href=\"/admin").count();
        assert_eq!((ways(&operators), ways(&others)), (1, 0), "{operators}");
        assert!(!operators.contains("Operator’s pages") && others.contains("href=\"/webhooks\""), "{operators}");
    }

    async fn an_address_that_is_not_confirmed_is_asked_for_at_the_end_of_every_page(database: TempDatabase) {
        let product = Product::new(database).await;
        product.customer("ada").await;
        let eve = product.customer("eve").await;
        product.database().damage("UPDATE users SET email_verified_at_ms = NULL WHERE email = 'eve@example.com'").await;
        let cookie = product.cookie(&eve).await;
        let made = product.post(&eve, "/v1/videos", json!({ "prompt": "a red ball" })).await.json();
        let video = format!("/videos/{}", made["id"].as_str().expect("it is taken in"));
        for page in ["/create", "/library", "/queue", "/keys", "/plan", "/team", video.as_str()] {
            let shown = product.page(&cookie, page).await;
            assert_eq!(shown.matches("Please confirm your address").count(), 1, "{page}");
            let behind = shown.split("Please confirm your address").nth(1).and_then(|rest| rest.split_once("</form>")).expect(page).1;
            let rest = behind.split("</main>").next().unwrap_or_default();
            assert!(!rest.contains("</"), "{page}: {rest}");
        }
    }

    async fn a_member_makes_videos_and_leaves_the_keys_to_the_owner(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.database().damage("UPDATE memberships SET role = 'member'").await;
        let member = product.services().user(ada.user.id, None).await.unwrap().unwrap();
        assert!(matches!(product.services().create_key(member.actor(), "mine", "").await, Err(KeyError::Forbidden(_))));
        let visitor = Visitor { cookies: product.cookie(&ada).await, ..Visitor::new(&product, "198.51.100.7") };
        assert_eq!(visitor.send("GET", "/keys", "").await.status, StatusCode::FORBIDDEN);
        visitor.send("POST", "/api/create-key", "name=mine").await;
        assert_eq!(product.services().list_keys(ada.user.actor()).await.unwrap().len(), 1);
        product.create(&ada, "a red ball").await;
        assert_eq!(visitor.send("GET", "/library", "").await.status, StatusCode::OK);
    }

    async fn the_overview_shows_what_works_what_was_finished_what_failed_and_what_was_answered(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (product.customer("ada").await, product.customer("eve").await);
        let visitor = Visitor { cookies: product.cookie(&operator).await, ..Visitor::new(&product, "198.51.100.7") };
        let store = &product.services().store;
        let worker = WorkerId::from_uuid(Uuid::now_v7());
        store.workers().register(worker, Registration::new(WorkerRole::All, "a device of its own", &["vignette-1"])).await.unwrap();
        product.create(&eve, "a red ball").await;
        product.finish().await;
        let failed = product.create(&eve, "a green ball").await;
        let token = product.claim(Stage::Sampling).await;
        store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::OutOfMemory)).await.unwrap();
        product.create(&eve, "a ball that waits").await;
        let (status, mut text) = visitor.page("/admin").await;
        assert_eq!(status, StatusCode::OK);
        // It waits four seconds for each part, and where the machine stands still none comes so soon.
        let patience = Instant::now() + Duration::from_secs(60);
        while text.contains("could not be read just now") && Instant::now() < patience {
            (_, text) = visitor.page("/admin").await;
        }
        let (job, tenant, worker) = (failed.to_string(), eve.user.tenant.to_string(), worker.to_string());
        for expected in [
            "a device of its own",
            &worker,
            "Of 1 job finished within the last 24 hours.",
            "by 1 job in 24 hours",
            "id=\"failed-title\"",
            "out_of_memory",
            "100 %",
            &job,
            &tenant,
            "POST /v1/videos",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        assert!(!text.contains("could not be read just now") && !text.contains("a green ball"), "{text}");
    }

    async fn an_object_store_that_is_not_ours_is_named_by_readiness(database: TempDatabase) {
        let product = Product::new(database).await;
        product.services().objects.ping().await.unwrap();
        std::fs::rename(product.folder().join("objects"), product.folder().join("elsewhere")).unwrap();
        std::fs::create_dir(product.folder().join("objects")).unwrap();
        let visitor = Visitor::new(&product, "198.51.100.7");
        let (_, mut text) = visitor.page("/readyz").await;
        // It waits three seconds for an answer, and where the machine stands still none comes so soon.
        let patience = Instant::now() + Duration::from_secs(60);
        while text.contains(r#""objects":"not answering""#) && Instant::now() < patience {
            tokio::time::sleep(Duration::from_millis(200)).await;
            (_, text) = visitor.page("/readyz").await;
        }
        assert!(text.contains(r#""objects":"not the store of this database""#), "{text}");
    }
}
