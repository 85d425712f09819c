//! Numbers over time and the log of requests, at pages, files and the API: each tenant's own, and all for the operator.

use crate::harness::{Customer, Product};
use axum::http::StatusCode;
use domain::{FailureCode, Scopes, Stage, job::AttemptFailure, metrics::Span};
use service::KeyRequest;
use store::on_both_engines;

impl Product {
    /// One video that was made and one that failed, counted.
    async fn some_numbers(&self, who: &Customer) -> [String; 2] {
        let made = Box::pin(self.create(who, "a secret ball")).await;
        Box::pin(self.finish()).await;
        let failed = Box::pin(self.create(who, "a failing ball")).await;
        let token = Box::pin(self.claim(Stage::Sampling)).await;
        Box::pin(self.services().store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::OutOfMemory))).await.unwrap();
        Box::pin(self.services().store.kept_numbers().count_ended()).await.unwrap();
        [made, failed].map(|id| id.to_string())
    }

    /// The operator with a key for the API.
    async fn desk(&self, operator: &Customer) -> Customer {
        let request = KeyRequest { name: "desk".into(), scopes: Scopes::parse("operator").ok(), ..KeyRequest::default() };
        let key = Box::pin(self.services().create_key_for(operator.user.actor(), request, "")).await.unwrap();
        Customer { user: operator.user.clone(), key: key.secret }
    }

    async fn html(&self, cookie: &str, path: &str) -> String {
        Box::pin(self.page(cookie, path)).await
    }
}

on_both_engines! {
    async fn a_tenant_sees_how_its_requests_fare_and_nobody_elses(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_operator, eve, mallory) =
            (Box::pin(product.customer("ada")).await, Box::pin(product.customer("eve")).await, Box::pin(product.customer("mallory")).await);
        let (cookie, others) = (product.cookie(&eve).await, product.cookie(&mallory).await);
        assert!(product.html(&cookie, "/overview").await.contains("No request ended in this time."));
        assert!(product.html(&cookie, "/requests").await.contains("Nothing was asked for yet."));
        let [made, failed] = product.some_numbers(&eve).await;

        let overview = product.soon("the numbers are there", async || Some(product.html(&cookie, "/overview?range=1h").await).filter(|page| page.contains("50.0 %"))).await;
        assert!(overview.contains("1 failed, 0 cancelled") && overview.contains("From submitting to done"), "{overview}");
        assert!(overview.contains("Waiting for a worker") && overview.contains("phase=decoder_wait#over-time"), "{overview}");
        assert!(overview.contains("the price, by length, size and steps") && overview.contains("video-second"), "{overview}");
        assert!(overview.contains("/requests?ended_from=") && overview.matches("/numbers.csv?range=1h").count() == 2, "{overview}");
        assert!(overview.contains(": Made 1; Failed "), "the tip of a chart: {overview}");
        assert!(product.html(&others, "/overview").await.contains("No request ended in this time."));

        let log = product.html(&cookie, "/requests").await;
        assert!(log.contains(">waiting or being made<"), "the filter has the words of the list: {log}");
        assert!(log.contains("a secret ball") && log.contains("out_of_memory") && log.contains(&made), "{log}");
        let filtered = product.html(&cookie, "/requests?status=failed&text=FAILING").await;
        assert!(filtered.contains(&failed) && !filtered.contains(&made), "{filtered}");
        assert!(product.html(&cookie, "/requests?status=cancelled").await.contains("No request is like that."));
        for (path, said) in [
            ("/overview?range=zzz", "There is no such range of time."),
            ("/overview?phase=zzz", "There is no such phase."),
            ("/usage?days=zzz", "Choose 7, 30 or 90 days."),
            ("/usage?by=zzz", "Nothing of that name tells usage apart."),
            ("/usage?project=zzz", "There is no such project."),
        ] {
            assert!(product.html(&cookie, path).await.contains(said), "{path}");
        }
        let wrong = product.html(&cookie, "/requests?from=monday").await;
        assert!(wrong.contains("Give days as 2026-12-31") && !wrong.contains(&made), "{wrong}");
        for query in ["text=%00", "model=a%00", "device=%00"] {
            let wrong = product.html(&cookie, &format!("/requests?{query}")).await;
            assert!(wrong.contains("cannot be read") && !wrong.contains(&made), "{query}: {wrong}");
        }
        assert!(!product.html(&others, "/requests").await.contains("a secret ball"));

        // What took no time has no row.
        product.database().damage("UPDATE jobs SET sampling_ms = 900, sampled_at_ms = started_at_ms + 900, ended_at_ms = started_at_ms + 1800 WHERE state = 'succeeded'").await;
        let detail = product.html(&cookie, &format!("/requests?id={made}")).await;
        assert!(detail.contains("Where its time went") && detail.contains("Denoising") && detail.contains("Charged"), "{detail}");
        let detail = product.html(&cookie, &format!("/requests?id={failed}")).await;
        assert!(detail.contains(">Sampling<") && detail.contains(">Not tried again<") && detail.contains(">Lane<"), "{detail}");
        assert!(detail.contains("Attempts that failed") && detail.contains("It is not tried again."), "{detail}");
        for id in [made.as_str(), "job_0190aaaabbbb7ccc8dddeeeeffff0001", "odd"] {
            assert_eq!(Box::pin(product.open(&others, &format!("/requests?id={id}"))).await.status, StatusCode::NOT_FOUND, "{id}");
        }

        let file = Box::pin(product.open(&cookie, "/numbers.csv?range=1h")).await;
        let text = String::from_utf8(file.body.to_vec()).unwrap();
        assert!(file.header("content-disposition").contains("numbers.csv") && text.starts_with("time,group,succeeded,failed,"), "{text}");
        let empty = Box::pin(product.open(&others, "/numbers.csv")).await;
        assert_eq!(String::from_utf8(empty.body.to_vec()).unwrap().lines().count(), 1);

        // The page has asked for the same day before anything had ended.
        let overview = async || Box::pin(product.get(&eve, "/v1/usage/overview?group_by=model")).await.json();
        let told = product.soon("they are told of the day too", async || Some(overview().await).filter(|told| told["total"]["num_failed"] == 1)).await;
        assert_eq!((told["total"]["num_succeeded"].as_u64(), told["total"]["success_rate"].as_f64()), (Some(1), Some(0.5)), "{told}");
        assert_eq!(told["total"]["failures"]["out_of_memory"], 1);
        let buckets = told["data"].as_array().unwrap();
        assert!(buckets.len() == 25 && buckets.iter().any(|bucket| bucket["results"][0]["group"] == "vignette-1"), "{told}");
        assert_eq!(Box::pin(product.get(&mallory, "/v1/usage/overview")).await.json()["total"]["num_succeeded"], 0);
        for query in ["group_by=tenant_id", "start_time=5&end_time=4", "start_time=1"] {
            assert_eq!(Box::pin(product.get(&eve, &format!("/v1/usage/overview?{query}"))).await.status, StatusCode::BAD_REQUEST, "{query}");
        }
    }

    async fn a_number_is_compared_with_that_of_as_long_a_time_before(database: TempDatabase) {
        let product = Product::new(database).await;
        let (_operator, eve) = (Box::pin(product.customer("ada")).await, Box::pin(product.customer("eve")).await);
        let cookie = product.cookie(&eve).await;
        product.some_numbers(&eve).await;
        product.soon("they are counted", async || Some(product.html(&cookie, "/overview").await).filter(|page| page.contains("50.0 %"))).await;
        // As if these had ended the day before: 25 hours are shown, of which one has just begun.
        product.database().damage("UPDATE job_tallies SET start_ms = start_ms - 25 * 3600000 WHERE span = 'hour'").await;
        product.some_numbers(&eve).await;
        let told = "against 2 in as long a time earlier (no change)";
        product.soon("what has just ended is compared", async || Some(product.html(&cookie, "/overview").await).filter(|page| page.contains(told))).await;
    }

    async fn the_operator_sees_all_in_numbers_and_nothing_that_anybody_wrote(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, eve) = (Box::pin(product.customer("ada")).await, Box::pin(product.customer("eve")).await);
        let cookie = product.cookie(&operator).await;
        let empty = product.html(&cookie, "/admin/latency").await;
        assert!(empty.contains("No request ended in this time.") && empty.contains("Nothing waited when it was looked at."), "{empty}");
        assert!(product.html(&cookie, "/admin/requests").await.contains("No request is like that, as far as was looked."));
        let [made, failed] = product.some_numbers(&eve).await;

        let path = "/admin/latency?range=1h&by=tenant_id&phase=denoise";
        let page = product.soon("the numbers are there", async || Some(product.html(&cookie, path).await).filter(|page| page.contains("50.0 %"))).await;
        assert!(page.contains(">Waiting for a decoder<"), "{page}");
        assert!(page.contains("By tenant") && page.contains("eve") && page.contains("out_of_memory") && page.contains("/admin/requests?ended_from="), "{page}");
        assert!(product.html(&cookie, "/admin/latency?model=another").await.contains("No request ended in this time."));
        let nobody = product.html(&cookie, "/admin/latency?tenant=nope").await;
        assert!(nobody.contains("Give the id of a tenant") && nobody.contains("value=\"nope\"") && !nobody.contains("Requests</dt>"), "{nobody}");
        assert_eq!(Box::pin(product.open(&cookie, "/admin/numbers.csv?tenant=nope")).await.status, StatusCode::BAD_REQUEST);
        assert!(product.html(&cookie, "/admin/latency?model=another").await.contains("a name that nothing has fits none"));
        let long = product.html(&cookie, "/admin/latency?from=2023-01-01&until=2024-12-31").await;
        assert!(long.contains("more than can be told at once") && long.contains("the last 24 hours"), "{long}");
        assert_eq!(Box::pin(product.open(&cookie, "/admin/numbers.csv?from=2023-01-01&until=2024-12-31")).await.status, StatusCode::BAD_REQUEST);
        for path in ["/admin/latency?model=%00", "/admin/numbers.csv?device=%00", "/admin/requests?model=%00"] {
            assert_eq!(Box::pin(product.open(&cookie, path)).await.status, StatusCode::OK, "{path}");
        }
        let log = product.html(&cookie, "/admin/requests?status=failed").await;
        assert!(log.contains(&failed) && !log.contains(&made) && !log.contains("a failing ball"), "{log}");
        assert!(log.contains(">Waiting for a decoder<"), "{log}");
        let guessed = product.html(&cookie, "/admin/requests?text=nothing+like+it").await;
        assert!(guessed.contains(&made), "a text is not looked for: {guessed}");
        let detail = product.html(&cookie, &format!("/admin/requests?id={made}")).await;
        assert!(detail.contains("Where its time went") && !detail.contains("a secret ball"), "{detail}");
        assert!(detail.contains("<dt>Price</dt><dd>2 video-seconds") && detail.contains("<dt>Charged</dt><dd>2 video-seconds"), "{detail}");
        let theirs = format!("/admin/requests?tenant={}", eve.user.membership().tenant);
        assert!(detail.contains(&theirs) && detail.contains(">eve"), "whose it is: {detail}");
        assert!(log.contains(">Tenant<") && !product.html(&cookie, "/requests").await.contains(">Tenant<"), "{log}");
        let file = Box::pin(product.open(&cookie, "/admin/numbers.csv?range=1h&by=model")).await;
        assert!(String::from_utf8(file.body.to_vec()).unwrap().contains("\"vignette-1\""));

        assert_eq!(Box::pin(product.get(&operator, "/v1/operator/metrics")).await.status, StatusCode::FORBIDDEN, "an ordinary key");
        let desk = product.desk(&operator).await;
        let told = Box::pin(product.get(&desk, "/v1/operator/metrics?group_by=tenant_id")).await.json();
        assert_eq!((told["total"]["num_succeeded"].as_u64(), told["total"]["num_failed"].as_u64()), (Some(1), Some(1)), "{told}");
        let tenant = eve.user.membership().tenant.to_string();
        assert!(told["data"].as_array().unwrap().iter().any(|bucket| bucket["results"][0]["group"] == tenant), "{told}");
        for phase in ["total", "decoder_wait"] {
            assert_eq!(told["total"]["latency"][phase]["count"], 1, "{phase}: {told}");
        }
    }

    async fn the_log_of_all_finds_a_tenant_by_what_it_is_called(database: TempDatabase) {
        let product = Product::new(database).await;
        let cookie = product.cookie(&Box::pin(product.customer("ada")).await).await;
        let (eve, mallory) = (Box::pin(product.customer("eve")).await, Box::pin(product.customer("mallory")).await);
        Box::pin(product.services().rename_team(eve.user.actor(), "Marble & Sons", "")).await.unwrap();
        let [hers, other] = [Box::pin(product.create(&eve, "sea")).await, Box::pin(product.create(&mallory, "sky")).await].map(|id| id.to_string());
        let tenant = eve.user.membership().tenant;
        let alone = format!("/admin/requests?status=open&tenant={tenant}");
        for name in ["marble", "eve%40example.com", "+Marble+%26+sons+"] {
            let led = Box::pin(product.open(&cookie, &format!("/admin/requests?tenant={name}&status=open"))).await;
            assert_eq!((led.status, led.header("location")), (StatusCode::FOUND, &*alone), "{name}");
        }
        let log = product.html(&cookie, &alone).await;
        assert!(log.contains(&hers) && !log.contains(&other), "{log}");
        assert!(log.contains("Those of ") && log.replace("&amp;", "&").contains("Marble & Sons") && log.contains(&format!("value=\"{tenant}\"")), "{log}");
        let several = product.html(&cookie, "/admin/requests?tenant=example.com&status=open").await;
        assert!(several.contains("Which of these?") && several.contains("value=\"example.com\""), "{several}");
        assert!(several.replace("&amp;", "&").contains(&alone) && !several.contains(&hers), "{several}");
        let nobody = product.html(&cookie, "/admin/requests?tenant=nobody").await;
        assert!(nobody.contains("No tenant has such a name") && nobody.contains("value=\"nobody\"") && !nobody.contains(&hers), "{nobody}");
        for (typed, wrong) in [("a%00b", "cannot be read"), (&*"x".repeat(201), "too long")] {
            let page = product.html(&cookie, &format!("/admin/requests?tenant={typed}")).await;
            assert!(page.contains(wrong) && !page.contains(&hers), "{page}");
        }
        let gone = product.html(&cookie, "/admin/requests?tenant=tenant_0190aaaabbbb7ccc8dddeeeeffff0001").await;
        assert!(gone.contains("Those of a tenant that is gone.") && !gone.contains(&hers), "{gone}");
    }

    async fn load_is_that_of_what_was_asked_for_and_a_line_counts_once(database: TempDatabase) {
        let product = Product::new(database).await;
        let desk = product.desk(&Box::pin(product.customer("ada")).await).await;
        // Yesterday, when nobody else looked.
        let start = Span::Minute.start(product.services().store.now().await.unwrap().plus_ms(-24 * 60 * 60 * 1000));
        let rows = [
            ("looks", "", "", "", 2),
            ("workers", "", "", "h100", 4),
            ("workers", "", "", "h200", 2),
            ("slots", "", "", "h100", 8),
            ("slots", "", "", "h200", 8),
            ("busy", "", "", "h100", 4),
            ("waiting_ms", "m", "batch", "h100", 6000),
            ("waiting_ms", "m", "batch", "h200", 6000),
            ("waiting_ms", "n", "batch", "h200", 1000),
        ];
        for (gauge, model, lane, device, total) in rows {
            let values = format!("'minute', {}, '{gauge}', '{model}', '{lane}', '{device}', {total}, {total}", start.ms());
            product.database().damage(&format!("INSERT INTO gauges (span, start_ms, gauge, model, lane, device, total, highest) VALUES ({values})")).await;
        }
        let begins = start.unix_seconds();
        for (narrowed, utilization, workers, waiting) in [
            ("", 0.25, 3.0, 3.5),
            ("&device=h100", 0.5, 2.0, 3.0),
            ("&model=n", 0.25, 3.0, 0.5),
            ("&lane=interactive", 0.25, 3.0, 0.0),
        ] {
            let path = format!("/v1/operator/metrics?start_time={begins}&end_time={}{narrowed}", begins + 60);
            let told = Box::pin(product.get(&desk, &path)).await.json();
            let load = &told["data"][0]["load"];
            let numbers = ["utilization", "workers", "waiting_video_seconds"].map(|name| load[name].as_f64());
            assert_eq!(numbers, [Some(utilization), Some(workers), Some(waiting)], "{narrowed}: {told}");
        }
    }

    async fn what_members_used_is_told_by_their_addresses(database: TempDatabase) {
        let product = Product::new(database).await;
        let eve = Box::pin(product.customer("eve")).await;
        let cookie = product.cookie(&eve).await;
        product.some_numbers(&eve).await;
        let page = product.html(&cookie, "/usage?by=user_id").await;
        assert!(page.contains("<bdi>eve@example.com") && !page.contains(&format!("<bdi>{}", eve.user.id)), "{page}");
    }

    async fn more_gauges_than_can_be_told_take_no_other_number_away(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = Box::pin(product.customer("ada")).await;
        let (cookie, desk) = (product.cookie(&operator).await, product.desk(&operator).await);
        product.some_numbers(&operator).await;
        product.services().store.kept_numbers().note_look(&[]).await.unwrap();
        let start = Span::Minute.start(product.services().store.now().await.unwrap());
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50001) SELECT i FROM n";
        product.database().damage(&format!(
            "INSERT INTO gauges (span, start_ms, gauge, model, lane, device, total, highest) \
             SELECT 'minute', {}, 'waiting_ms', 'm' || CAST(i AS TEXT), 'batch', 'h100', 1, 1 FROM ({many}) AS numbers", start.ms()
        )).await;
        let page = product.html(&cookie, "/admin/latency?range=1h").await;
        assert!(page.contains("50.0 %") && page.contains("More was seen than can be told at once."), "{page}");
        let narrowed = product.html(&cookie, "/admin/latency?range=1h&model=m7").await;
        assert!(narrowed.contains("m7, h100") && !narrowed.contains("More was seen than can be told at once."), "{narrowed}");
        let file = Box::pin(product.open(&cookie, "/admin/numbers.csv?range=1h&by=model")).await;
        assert!(String::from_utf8(file.body.to_vec()).unwrap().contains("\"vignette-1\""));
        let at = start.unix_seconds();
        let told = Box::pin(product.get(&desk, &format!("/v1/operator/metrics?start_time={}&end_time={}", at - 3600, at + 60))).await;
        assert_eq!(told.status, StatusCode::OK);
    }
}
