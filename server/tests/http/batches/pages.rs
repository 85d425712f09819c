//! Batches in a browser: a file is sent, quoted, started, and what came of it is taken away.

use super::{BOUNDARY, ended, line, part, uploaded};
use crate::{
    forms::cookie_set,
    harness::{Answer, Customer, Product},
    matrix::join,
};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Actor, Role, VideoTime,
    billing::{Plan, Spender, SpendingLimits},
};
use http_body_util::BodyExt;
use serde_json::json;
use store::on_both_engines;
use tower::ServiceExt;
use tower_sessions::{SessionStore, session::Id};

const TABLE: &str = "prompt,custom_id\r\na red ball,clip/1\r\n\"a blue\nball\",clip/2\r\n";

async fn send(product: &Product, cookie: &str, name: &str, text: &str) -> Answer {
    let parts = [part("window", None, "24h"), part("file", Some(name), text)];
    let form = format!("{}--{BOUNDARY}--\r\n", parts.concat());
    let pieces: Vec<_> = form.as_bytes().chunks(77).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
    let request = Request::post("/batches/upload").header("accept", "text/html").header("cookie", cookie);
    let request = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
    product.send(request.body(Body::from_stream(futures::stream::iter(pieces))).unwrap()).await
}

/// The id that an answer leads to.
fn led_to(answer: &Answer) -> String {
    assert!(answer.status.is_redirection(), "{answer:?}");
    answer.header("location").strip_prefix("/batches/").unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

async fn quoted(product: &Product, customer: &Customer, cookie: &str, name: &str, text: &str) -> String {
    let id = led_to(&send(product, cookie, name, text).await);
    ended(product, customer, &id).await;
    id
}

async fn start(product: &Product, cookie: &str, quote: &str) -> String {
    led_to(&product.post_form(cookie, "/api/start-batch", &format!("id={quote}")).await)
}

on_both_engines! {
    async fn a_table_is_quoted_started_once_and_taken_away(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (cookie, hers) = (product.cookie(&ada).await, product.cookie(&eve).await);
        let quote = quoted(&product, &ada, &cookie, "שלום <b>.csv", TABLE).await;
        let page = product.page(&cookie, &format!("/batches/{quote}")).await;
        assert!(page.contains("שלום &lt;b&gt;.csv") && page.contains("2 videos") && page.contains(">Start<"), "{page}");
        assert_eq!(product.database().texts("SELECT state FROM jobs").await.len(), 0, "nothing is made");

        let id = start(&product, &cookie, &quote).await;
        assert_eq!(start(&product, &cookie, &quote).await, id, "a second click is the first one");
        let page = product.page(&cookie, &format!("/batches/{quote}")).await;
        assert!(page.contains("Quoted and started.") && page.contains(&format!("href=\"/batches/{id}\"")) && !page.contains(">Start<"), "{page}");
        assert!(!product.page(&cookie, "/batches").await.contains(&quote), "it is listed once");
        let batch = ended(&product, &ada, &id).await;
        assert_eq!((&batch["status"], &batch["request_counts"]["completed"]), (&json!("completed"), &json!(2)));
        let page = product.page(&cookie, &format!("/batches/{id}")).await;
        assert_eq!(page.matches("/thumbnail").count(), 2, "{page}");
        let zip = product.open(&cookie, &format!("/batches/{id}/videos.zip")).await;
        assert_eq!((zip.status, zip.header("content-type")), (StatusCode::OK, "application/zip"));
        let (bytes, mut names) = (zip.body, Vec::new());
        for name in ["clip_1.mp4", "clip_2.mp4"] {
            // In front of its data, and in the directory.
            names.push(bytes.windows(name.len()).filter(|window| *window == name.as_bytes()).count());
        }
        assert_eq!((&bytes[..4], names), (&b"PK\x03\x04"[..], vec![2, 2]));
        let output = product.open(&cookie, &format!("/batches/{id}/output.jsonl")).await;
        assert_eq!((output.status, std::str::from_utf8(&output.body).unwrap().lines().count()), (StatusCode::OK, 2));
        assert_eq!(product.open(&cookie, &format!("/batches/{id}/errors.jsonl")).await.status, StatusCode::NOT_FOUND);

        for path in ["", "/videos.zip", "/output.jsonl", "/errors.jsonl"] {
            assert_eq!(product.open(&hers, &format!("/batches/{id}{path}")).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert!(!product.page(&hers, "/batches").await.contains(&id));
        assert!(product.page(&cookie, "/batches").await.contains(&format!("/batches/{id}")));
        assert!(page.contains("Output file") && !page.contains("Error file"), "{page}");
        let file = format!("/v1/files/{}", batch["output_file_id"].as_str().unwrap());
        assert_eq!(product.send(ada.request("DELETE", &file).body(Body::empty()).unwrap()).await.status, StatusCode::OK);
        let page = product.page(&cookie, &format!("/batches/{id}")).await;
        assert!(!page.contains("Output file") && page.contains("Download all as a zip"), "{page}");
    }

    async fn a_quote_says_where_no_machine_runs_for_its_model(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let mut page = String::new();
        for _ in 0..50 {
            page = product.page(&cookie, &format!("/batches/{quote}")).await;
            if page.contains("No machine is running for its model") {
                break;
            }
        }
        assert!(page.contains("No machine is running for its model") && !page.contains("cannot be told"), "{page}");
    }

    async fn videos_are_cut_off_once_the_session_has_ended_that_asked_for_them(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        // More than are packed before anybody reads.
        let text: String = (0..4).map(|n| line(&format!("clip-{n}"), json!({"prompt": "sea"}))).collect();
        let input = uploaded(&product, &ada, &text).await;
        let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h"});
        let id = product.post(&ada, "/v1/batches", asked).await.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(ended(&product, &ada, &id).await["request_counts"]["completed"], 4);
        let zip = Request::get(format!("/batches/{id}/videos.zip")).header("cookie", &cookie).body(Body::empty()).unwrap();
        let mut zip = product.router.clone().oneshot(zip).await.unwrap().into_body();
        assert!(zip.frame().await.unwrap().is_ok());
        let session: Id = cookie.split_once('=').unwrap().1.parse().unwrap();
        product.services().store.sessions().delete(&session).await.unwrap();
        assert!(zip.collect().await.is_err());
    }

    async fn what_cannot_be_read_is_said_by_line_and_nothing_is_kept(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for (name, text, said) in [
            ("a.csv", "colour,prompt\nred,sea\n", "There is no field <code>colour<"),
            ("a.csv", "prompt\nsea, blue\n\nfine\n", "Line 2"),
            ("a.csv", "prompt,seconds\nsea,2\n\"sun,2\nrain,2\n", "Line 3"),
            ("a.csv", "PK\u{3}\u{4}xl", "This is a spreadsheet"),
            ("a.png", "\u{89}PNG\r\n\u{1a}\n\0\0\0\rIHDR\0\0\u{1}\u{80}\u{8}\u{6}", "This is neither a table nor JSON lines."),
            ("a.csv", "p\0r\0o\0m\0p\0t\0\n\0s\0e\0a\0", "This is not UTF-8 text."),
            ("a.txt", "just words\n", "no column <code>prompt<"),
            ("a.jsonl", "", "The file is empty."),
            ("a.jsonl", "\n\r\n \n", "The file is empty."),
            ("a.csv", "prompt,seconds\n\n", "no row below the names of its columns"),
            ("", "", "Choose a file first."),
        ] {
            let answer = send(&product, &cookie, name, text).await;
            assert_eq!((answer.status, answer.header("location")), (StatusCode::SEE_OTHER, "/batches"), "{answer:?}");
            let page = product.page(&cookie, "/batches").await;
            assert!(page.contains(said), "{said}: {page}");
            assert!(!product.page(&cookie, "/batches").await.contains(said), "it is said once");
        }
        assert_eq!(product.get(&ada, "/v1/files").await.json()["data"], json!([]));
        assert_eq!(product.get(&ada, "/v1/batches").await.json()["data"], json!([]));
    }

    async fn lines_that_cannot_be_made_are_told_by_their_lines_of_the_table(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", "prompt,size\nsea,\n\nsun,1x1\n").await;
        let page = product.page(&cookie, &format!("/batches/{quote}")).await;
        let list = product.page(&cookie, "/batches").await;
        assert!([&page, &list].iter().all(|page| page.contains("class=\"page wide\"")), "both begin at the same edge: {list}");
        assert!(page.contains("Line 4") && page.contains("size_unsupported") && !page.contains(">Start<"), "{page}");
        // What it was sent for is not there any more afterwards, and the list is empty.
        let discarded = product.post_form(&cookie, "/api/discard-quote", &format!("id={quote}")).await;
        assert_eq!(discarded.header("location"), "/batches");
        assert!(!product.page(&cookie, "/batches").await.contains(&quote));
        assert_eq!(product.get(&ada, "/v1/files").await.json()["data"], json!([]));
    }

    async fn a_file_that_is_named_as_lines_is_read_as_lines_however_it_begins(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let text = format!("not json\n{}prompt\n", line("a", json!({"prompt": "sea"})));
        let quote = quoted(&product, &ada, &cookie, "a.JSONL", &text).await;
        let page = product.page(&cookie, &format!("/batches/{quote}")).await;
        assert!(page.contains("Line 1") && page.contains("Line 3") && page.contains("The line is no JSON object"), "{page}");
    }

    async fn the_list_says_what_is_wrong_with_a_file_as_a_whole(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let store = product.services().store.clone();
        let credits = store.tenant(ada.user.tenant).credits();
        let plan = Plan { id: "own".into(), batch_size_max: Some(1), ..credits.plan().await.unwrap() };
        store.plans().define(&plan, None).await.unwrap();
        credits.set_plan("own").await.unwrap();
        quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let list = product.page(&cookie, "/batches").await;
        assert!(list.contains("Has errors") && list.contains("lines here. Split the file."), "{list}");
    }

    async fn a_page_of_discarded_quotes_says_that_there_are_older_batches(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let first = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        for _ in 0..20 {
            let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
            product.post_form(&cookie, "/api/discard-quote", &format!("id={quote}")).await;
        }
        let page = product.page(&cookie, "/batches").await;
        assert!(page.contains("There are older batches.") && !page.contains("How a file looks"), "{page}");
        let (_, rest) = page.split_once("href=\"/batches?after=").unwrap();
        let older = product.page(&cookie, &format!("/batches?after={}", rest.split('"').next().unwrap())).await;
        assert!(older.contains(&first), "{older}");
    }

    async fn a_place_among_lines_that_cannot_be_read_is_the_beginning(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", "prompt,size\nsun,1x1\n").await;
        for query in ["wrong=abc", "wrong=-1", "made=4294967295", "made=&wrong="] {
            let page = product.page(&cookie, &format!("/batches/{quote}?{query}")).await;
            assert!(page.contains("size_unsupported") && !page.contains("First page"), "{query}: {page}");
        }
        assert_eq!(product.open(&cookie, "/batches/abc").await.status, StatusCode::NOT_FOUND);
    }

    async fn the_library_tells_what_was_made_singly_from_what_batches_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (cookie, hers) = (product.cookie(&ada).await, product.cookie(&eve).await);
        product.create(&ada, "a single lantern").await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let library = product.page(&cookie, "/library").await;
        assert!(library.contains("a single lantern") && !library.contains("Made singly"), "there is nothing to choose among: {library}");
        let id = start(&product, &cookie, &quote).await;
        ended(&product, &ada, &id).await;
        let shown = async |path: &str| {
            let page = product.page(&cookie, path).await;
            assert!(page.contains(">Made singly<"), "{page}");
            ["a single lantern", "a red ball", "a blue"].map(|prompt| page.contains(prompt))
        };
        let of_batch = format!("/library?batch={id}");
        for (path, expected) in [
            ("/library", [true, false, false]),
            ("/library?of=odd", [true, false, false]),
            (of_batch.as_str(), [false, true, true]),
            ("/library?of=all", [true; 3]),
        ] {
            assert_eq!(shown(path).await, expected, "{path}");
        }
        assert!(product.page(&cookie, "/library").await.contains("Without what batches made"), "it is said");
        assert!(product.page(&cookie, &of_batch).await.contains(&format!("href=\"/batches/{id}\"")), "and which batch it is");
        assert!(product.page(&cookie, &format!("/batches/{id}")).await.contains(&format!("href=\"{of_batch}\"")));
        assert!(!product.page(&cookie, &format!("/batches/{quote}")).await.contains("/library?batch="), "a quote has no videos");
        for path in ["/library?batch=odd", "/library?batch=batch_0190aaaabbbb7ccc8dddeeeeffff0001"] {
            assert_eq!(product.open(&cookie, path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(product.open(&hers, &of_batch).await.status, StatusCode::NOT_FOUND);
        assert!(!product.page(&hers, "/library?of=all").await.contains("a red ball"));
    }

    async fn limits_are_told_before_anything_is_started(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.jsonl", &line("a", json!({"prompt": "sea"}))).await;
        let path = format!("/batches/{quote}");
        assert!(!product.page(&cookie, &path).await.contains("spending limit"));
        let limits = SpendingLimits { hard: Some(VideoTime::from_ms(1)), soft: None };
        product.services().set_spending_limits(ada.user.actor(), Spender::Tenant, limits, "").await.unwrap();
        let page = product.page(&cookie, &path).await;
        assert!(page.contains("A spending limit of this month is reached before all of it is made"), "{page}");
        assert!(page.contains("Your credit"), "{page}");
        start(&product, &cookie, &quote).await;
        let page = product.page(&cookie, &path).await;
        assert!(page.contains("Quoted and started.") && !page.contains("Your credit"), "its price is taken off already: {page}");
    }

    async fn one_whose_file_is_gone_is_called_after_its_id_and_says_either_how_to_start_it_or_that_it_was(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let forget_file = async |batch: &str| {
            let input = product.get(&ada, &format!("/v1/batches/{batch}")).await.json()["input_file_id"].as_str().unwrap().to_owned();
            let deleted = ada.request("DELETE", &format!("/v1/files/{input}")).body(Body::empty()).unwrap();
            assert_eq!(product.send(deleted).await.status, StatusCode::OK);
        };
        let started = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let id = start(&product, &cookie, &started).await;
        ended(&product, &ada, &id).await;
        forget_file(&started).await;
        for batch in [&started, &id] {
            let page = product.page(&cookie, &format!("/batches/{batch}")).await;
            assert!(page.contains(&format!("<title>{batch}")) && !page.contains("Send it again to start it."), "{page}");
        }
        assert!(product.page(&cookie, &format!("/batches/{started}")).await.contains("It was started: "));
        let open = quoted(&product, &ada, &cookie, "b.csv", TABLE).await;
        forget_file(&open).await;
        let page = product.page(&cookie, &format!("/batches/{open}")).await;
        assert!(page.contains("Send it again to start it.") && !page.contains("It was started: "), "{page}");
        assert!(["Nothing is made before", "if it is started now", "kept for a day", ">Start<"].iter().all(|said| !page.contains(said)), "{page}");
    }

    async fn a_viewer_watches_and_a_stranger_signs_in(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let viewer = join(&product, &ada, "viewer", Role::Viewer).await;
        let (cookie, watching) = (product.cookie(&ada).await, product.cookie(&viewer).await);
        let empty = product.page(&watching, "/batches").await;
        assert!(empty.contains("Your team has no batches.") && !empty.contains("How a file looks"), "{empty}");
        let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let page = product.page(&watching, &format!("/batches/{quote}")).await;
        assert!(page.contains("Your role lets you watch") && !page.contains(">Start<") && !page.contains(">Discard<"), "{page}");
        assert!(!product.page(&watching, "/batches").await.contains("type=\"file\""));
        assert_eq!(send(&product, &watching, "a.csv", TABLE).await.status, StatusCode::FORBIDDEN);
        let stranger = send(&product, "", "a.csv", TABLE).await;
        assert_eq!((stranger.status, stranger.header("location")), (StatusCode::SEE_OTHER, "/signin?next=/batches"));
        let told = cookie_set(&stranger, "note-signin").expect("the sign-in page says what became of the file");
        assert!(product.page(&told, "/signin?next=/batches").await.contains("so the file was not kept"));
    }

    async fn one_that_is_cancelled_while_it_is_read_has_no_lines(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let id = start(&product, &cookie, &quote).await;
        product.post_form(&cookie, "/api/cancel-batch", &format!("id={id}")).await;
        assert_eq!(ended(&product, &ada, &id).await["status"], "cancelled");
        let page = product.page(&cookie, &format!("/batches/{id}")).await;
        assert!(page.contains("Cancelled before all of it was read") && !page.contains("Not made") && !page.contains("0 of 0"), "{page}");
    }

    async fn one_that_is_cancelled_between_two_looks_at_its_file_says_that_the_rest_was_never_read(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let id = start(&product, &cookie, &quote).await;
        product.services().step_batches(Actor::System).await.unwrap();
        // As where its file has more lines than are read at once.
        product.database().damage("UPDATE batches SET status = 'validating', in_progress_at_ms = NULL WHERE NOT is_dry_run").await;
        product.post_form(&cookie, "/api/cancel-batch", &format!("id={id}")).await;
        assert_eq!(ended(&product, &ada, &id).await["status"], "cancelled");
        let page = product.page(&cookie, &format!("/batches/{id}")).await;
        assert!(page.contains("2 lines were read, and the rest of the file never was") && page.contains("Never read"), "{page}");
        assert!(page.contains("Try the 2 lines that were read") && !page.contains("Try 2 lines again"), "{page}");
        assert!(product.page(&cookie, "/batches").await.contains("0 of 2 lines made, 2 not made, the rest not read"));
    }

    async fn a_batch_is_cancelled_and_what_was_not_made_is_tried_again(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let quote = quoted(&product, &ada, &cookie, "a.csv", TABLE).await;
        let id = start(&product, &cookie, &quote).await;
        // Its lines are read.
        product.services().step_batches(Actor::System).await.unwrap();
        let page = product.page(&cookie, &format!("/batches/{id}")).await;
        assert!(page.contains("data-unfinished") && page.contains("Cancel the batch"), "{page}");
        let listed = product.page(&cookie, "/batches").await;
        assert!(listed.contains("To be begun by") && !listed.contains("Promised by"), "{listed}");
        assert!(page.contains("To be begun by"), "what is being made then is waited for: {page}");
        assert_eq!(led_to(&product.post_form(&cookie, "/api/cancel-batch", &format!("id={id}")).await), id);
        assert_eq!(ended(&product, &ada, &id).await["status"], "cancelled");
        let page = product.page(&cookie, &format!("/batches/{id}")).await;
        assert!(!page.contains("data-unfinished") && !page.contains("Cancel the batch"), "{page}");
        assert!(page.contains("Try 2 lines again") && page.contains("It costs at most ") && page.contains("Try them again?"), "{page}");
        assert!(page.contains("<button class=\"button\">Try them again") && !page.contains("button danger"), "nothing is lost by it: {page}");
        assert!(!page.contains("ever read"), "all of it was: {page}");
        assert!(page.contains("0 failed, 2 not made"), "what was cancelled has not failed: {page}");
        let again = led_to(&product.post_form(&cookie, "/api/retry-batch", &format!("id={id}")).await);
        assert_ne!(again, id);
        let page = product.page(&cookie, &format!("/batches/{again}")).await;
        assert!(page.contains(&format!("href=\"/batches/{id}\"")) && page.contains("Right now no machine is working on any."), "{page}");
        let first = product.page(&cookie, &format!("/batches/{id}")).await;
        assert!(first.contains("What was not made was tried again") && first.contains(&format!("href=\"/batches/{again}\"")), "{first}");
        assert!(!first.contains("Try 2 lines again"), "once is enough: {first}");
        let listed = product.page(&cookie, "/batches").await;
        assert!(listed.matches("Tries lines again").count() == 1 && listed.matches("data-head=\"Sent\"").count() == 2, "{listed}");
        assert_eq!(ended(&product, &ada, &again).await["status"], "completed");
    }
}
