//! Forms of the pages as a browser without a script posts them: charged is what was shown, and what was meant.

use crate::harness::{Answer, Customer, Product};
use axum::http::StatusCode;
use domain::Stage;
use store::{Order, PageQuery, on_both_engines};
use tower_sessions::{SessionStore, session::Id};

/// What a browser sends back of a cookie that an answer sets.
pub fn cookie_set(answer: &Answer, name: &str) -> Option<String> {
    let cookies = answer.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let mut pairs = cookies.filter_map(|cookie| cookie.split(';').next());
    pairs.find(|pair| pair.split('=').next() == Some(name)).map(ToOwned::to_owned)
}

async fn statuses(product: &Product, who: &Customer) -> Vec<&'static str> {
    let query = PageQuery { after: None, limit: 50, order: Order::OldestFirst };
    let (jobs, _) = product.services().jobs(who.user.actor(), query).await.unwrap();
    jobs.iter().map(|job| job.status.as_str()).collect()
}

on_both_engines! {
    async fn a_price_that_was_not_shown_is_asked_about_before_it_is_charged(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let form = |quoted: &str| format!("request[prompt]=sea&request[steps]=48&once=abc&quoted_ms={quoted}");
        // Shown for 24 steps, or not at all because a field was wrong.
        for quoted in ["2000", "0"] {
            assert_eq!(product.post_form(&cookie, "/api/submit-video", &form(quoted)).await.header("location"), "/create");
            let html = product.page(&cookie, "/create").await;
            assert!(html.contains("4 video-seconds") && html.contains("Nothing has been charged"), "{quoted}");
            assert!(html.contains("name=\"quoted_ms\" value=\"4000\""), "{quoted}");
        }
        assert!(statuses(&product, &ada).await.is_empty());
        let answer = product.post_form(&cookie, "/api/submit-video", &form("4000")).await;
        assert!(answer.header("location").starts_with("/videos/job_"), "{answer:?}");
    }

    async fn a_draft_comes_back_to_its_author_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (hers, others) = (product.cookie(&ada).await, product.cookie(&eve).await);
        let form = format!("request[prompt]=a+secret+garden&author={}", ada.user.id);
        assert!(product.page(&hers, "/create").await.contains(&format!("name=\"author\" value=\"{}\"", ada.user.id)));
        // Her session has ended, or somebody else is signed in by now.
        for session in ["", others.as_str()] {
            let answer = product.post_form(session, "/api/submit-video", &form).await;
            assert_eq!(answer.header("location"), "/signin?next=/create", "{answer:?}");
            let note = cookie_set(&answer, "note-create").expect("the draft is kept in the browser");
            // Whoever looks first sees nothing of it, and leaves it there.
            let seen = product.open(&format!("{others}; {note}"), "/create").await;
            assert!(!String::from_utf8_lossy(&seen.body).contains("a secret garden"));
            assert_eq!(cookie_set(&seen, "note-create"), None);
            let taken = product.open(&format!("{hers}; {note}"), "/create").await;
            assert!(String::from_utf8_lossy(&taken.body).contains("a secret garden"));
            assert_eq!(cookie_set(&taken, "note-create").as_deref(), Some("note-create="), "the second look finds nothing");
            let told = cookie_set(&answer, "note-signin").expect("the sign-in page says that the draft is kept");
            assert!(product.page(&told, "/signin?next=/create").await.contains("What you typed is kept"));
        }
        assert!(statuses(&product, &eve).await.is_empty());
        let nobodys = product.post_form("", "/api/submit-video", "request[prompt]=a+secret+garden").await;
        assert_eq!(cookie_set(&nobodys, "note-create"), None);
    }

    async fn of_two_drafts_that_were_kept_the_second_stays_for_the_next_look(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let form = |prompt: &str| format!("request[prompt]={prompt}&quoted_ms=0&author={}", ada.user.id);
        product.post_form(&cookie, "/api/submit-video", &form("in+the+session")).await;
        let noted = product.post_form("", "/api/submit-video", &form("in+the+browser")).await;
        let both = format!("{cookie}; {}", cookie_set(&noted, "note-create").expect("the draft is kept in the browser"));
        let first = product.open(&both, "/create").await;
        assert!(String::from_utf8_lossy(&first.body).contains("in the session"));
        assert_eq!(cookie_set(&first, "note-create"), None);
        assert!(product.page(&both, "/create").await.contains("in the browser"));
    }

    async fn a_form_that_comes_back_is_the_same_submission_until_its_video_is_deleted(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let form = |steps: u32, quoted: u32| {
            format!("request[prompt]=sea&request[steps]={steps}&once=abc&quoted_ms={quoted}&author={}", ada.user.id)
        };
        // It is taken in, and its answer is lost.
        let taken_in = product.post_form(&cookie, "/api/submit-video", &form(24, 2000)).await.header("location").to_owned();
        // Sent again, it leads there, whatever the price is by now: it has been charged.
        assert_eq!(product.post_form(&cookie, "/api/submit-video", &form(24, 0)).await.header("location"), taken_in);
        // What is refused is kept in the session, and in the browser when that has ended.
        for session in [cookie.as_str(), ""] {
            let answer = product.post_form(session, "/api/submit-video", &form(12, 0)).await;
            let note = cookie_set(&answer, "note-create").unwrap_or_default();
            let html = product.page(&format!("{cookie}; {note}"), "/create").await;
            assert!(html.contains("name=\"once\" value=\"abc\""), "kept for {session:?}");
        }
        assert_eq!(product.post_form(&cookie, "/api/submit-video", &form(24, 2000)).await.header("location"), taken_in);
        let changed = product.post_form(&cookie, "/api/submit-video", &form(12, 1000)).await;
        assert!(changed.header("location").starts_with("/videos/job_") && changed.header("location") != taken_in, "{changed:?}");
        assert_eq!(statuses(&product, &ada).await.len(), 2);
        for action in ["cancel-video", "delete-video"] {
            product.post_form(&cookie, &format!("/api/{action}"), &format!("id={}", taken_in.trim_start_matches("/videos/"))).await;
        }
        assert_eq!(product.post_form(&cookie, "/api/submit-video", &form(24, 2000)).await.header("location"), "/create");
        let html = product.page(&cookie, "/create").await;
        assert!(html.contains("you deleted it") && !html.contains("value=\"abc\""), "the next one makes another video");
    }

    async fn a_form_is_the_same_submission_with_and_without_a_script(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let sent = async |line_end: &str| {
            let form = format!("request[prompt]=a{line_end}b&once=abc&author={}", ada.user.id);
            product.post_form(&cookie, "/api/submit-video", &form).await.header("location").to_owned()
        };
        let taken_in = sent("%0A").await;
        assert!(taken_in.starts_with("/videos/job_"), "{taken_in}");
        assert_eq!(sent("%0D%0A").await, taken_in);
    }

    async fn a_draft_that_no_cookie_holds_is_not_left(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let form = format!("request[prompt]={}&author={}", "a".repeat(3000), ada.user.id);
        let answer = product.post_form("", "/api/submit-video", &form).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{answer:?}");
        let html = String::from_utf8_lossy(&answer.body);
        assert!(html.starts_with("<!doctype html>") && html.contains("too long to be kept"), "{answer:?}");
        // Sent once more after signing in, it is taken in.
        let cookie = product.cookie(&ada).await;
        assert!(product.post_form(&cookie, "/api/submit-video", &form).await.header("location").starts_with("/videos/job_"));
    }

    async fn a_name_that_is_too_long_for_a_key_comes_back_whole_with_its_length(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let others = product.cookie(&product.customer("eve").await).await;
        for (chars, said) in [(500, "This name has 500 characters. Use 1 to 100."), (5000, "Only the beginning of it is shown.")] {
            let name = "a".repeat(chars);
            let answer = product.post_form(&cookie, "/api/create-key", &format!("name={name}")).await;
            let note = cookie_set(&answer, "note-keys").expect("what was typed");
            let html = product.page(&format!("{cookie}; {note}"), "/keys").await;
            assert!(html.contains(said), "{said}");
            let anothers = product.page(&format!("{others}; {note}"), "/keys").await;
            assert!(!anothers.contains("aaaa"), "{said}");
            assert_eq!(html.contains(&name), chars == 500);
        }
    }

    async fn signing_in_as_another_leaves_nothing_of_the_session_before(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, _) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = product.cookie(&ada).await;
        product.post_form(&cookie, "/api/submit-video", "request[prompt]=a+secret+garden&quoted_ms=0").await;
        let answer = product.post_form(&cookie, "/api/sign-in", "email=eve@example.com&password=correct+horse+battery").await;
        let others = cookie_set(&answer, "reelmill_session").expect("a new session");
        assert!(!product.page(&others, "/create").await.contains("a secret garden"));
    }

    async fn what_is_kept_of_a_form_is_no_longer_than_what_is_allowed(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let id: Id = cookie.trim_start_matches("reelmill_session=").parse().unwrap();
        for character in ["%01", "a", "%F0%9F%8E%AC"] {
            let long = character.repeat(900_000 / character.len() / 3);
            let form = format!("request[prompt]={long}&request[negative_prompt]={long}&request[seed]={long}");
            let answer = product.post_form(&cookie, "/api/submit-video", &form).await;
            assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, "/create"));
            let session = product.services().store.sessions().load(&id).await.unwrap().unwrap();
            let bytes = serde_json::to_vec(&session.data).unwrap().len();
            assert!(bytes < 400 * 1024, "{bytes}");
            assert!(product.page(&cookie, "/create").await.contains("has been shortened"));
        }
    }

    async fn a_form_that_cannot_be_kept_is_not_left(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        product.database().damage("UPDATE sessions SET data = 'nothing that can be read'").await;
        let answer = product.post_form(&cookie, "/api/submit-video", "request[prompt]=a+secret+garden").await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        assert!(String::from_utf8_lossy(&answer.body).contains("<h1>"), "{answer:?}");
        // Nor is anybody called signed out whose session cannot be read.
        let answer = product.post_form_for("application/json", &cookie, "/api/read-prompt", "request[prompt]=a+secret+garden").await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
    }

    async fn all_that_waits_is_cancelled_and_what_runs_goes_on(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = product.cookie(&ada).await;
        product.create(&ada, "the first").await;
        let running = product.claim(Stage::Sampling).await;
        for prompt in ["the second", "the third"] {
            product.create(&ada, prompt).await;
        }
        product.create(&eve, "hers").await;
        let html = product.page(&cookie, "/library").await;
        assert!(html.contains("2 waiting videos") && html.contains("4 video-seconds"), "the question names both");
        assert_eq!(product.post_form(&cookie, "/api/cancel-waiting", "").await.header("location"), "/library");
        assert_eq!(statuses(&product, &ada).await, ["in_progress", "cancelled", "cancelled"]);
        assert_eq!(statuses(&product, &eve).await, ["queued"]);
        assert!(!product.page(&cookie, "/library").await.contains("waiting videos"));
        let report = store::ProgressReport { token: running, step: 1, decoded_permille: 0, device_ms: 0, preview: None };
        assert_eq!(product.services().store.queue().progress(vec![report]).await.unwrap(), []);
    }

    async fn a_library_goes_back_and_forth(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let mut ids = Vec::new();
        for number in 0..50 {
            ids.push(product.create(&ada, &format!("number {number}")).await);
        }
        ids.reverse();
        let shown = async |path: &str| {
            let html = product.page(&cookie, path).await;
            let cards = ids.iter().filter(|id| html.contains(&format!("id=\"card-{id}\""))).copied().collect::<Vec<_>>();
            let leads = |rel: &str| html.split("<a ").find(|link| link.contains(&format!("rel=\"{rel}\""))).map(|link| {
                link.split("href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
            });
            (cards, leads("prev"), leads("next"))
        };
        let (first, newer, older) = shown("/library").await;
        assert_eq!((first, newer), (ids[..24].to_vec(), None));
        let (second, newer, last) = shown(&older.unwrap()).await;
        assert_eq!(second, ids[24..48]);
        assert_eq!(shown(&newer.unwrap()).await.0, ids[..24]);
        let (third, newer_still, none) = shown(&last.unwrap()).await;
        assert_eq!((third, none), (ids[48..].to_vec(), None));
        assert_eq!(shown(&newer_still.unwrap()).await.0, ids[24..48]);
        // A page that would begin in the middle of the newest is the newest.
        let answer = product.open(&cookie, &format!("/library?before={}", ids[5])).await;
        assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, "/library"));
    }
}
