//! What the operator does with money over HTTP: looking through the ledger of all, giving back, and promo codes.

use crate::{
    forms::cookie_set,
    harness::{Answer, Product},
};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{Act, Actor, TenantId, billing::EntryKind};
use http_body_util::BodyExt;
use service::billing::Gift;
use store::{on_both_engines, testing::Engine};
use tower::ServiceExt;
use tower_sessions::{SessionStore, session::Id};

impl Product {
    /// The page to which a form has led, with what it says there.
    async fn after(&self, cookie: &str, page: &str, answer: &Answer) -> String {
        let note = cookie_set(answer, &format!("note{}", page.replace('/', "-"))).unwrap_or_default();
        self.page(&format!("{cookie}; {note}"), answer.header("location")).await
    }

    /// More than are read at once.
    async fn give_many(&self, tenant: TenantId) {
        self.services().set_plan(Actor::Operator, tenant, "payg").await.unwrap();
        for n in 0..1100 {
            let gift = store::NewGrant {
                kind: domain::billing::GrantKind::Gift,
                amount: domain::VideoTime::from_ms(1),
                expires_at: None,
                cause: format!("test:{n}"),
                price: None,
                note: None,
            };
            self.services().store.tenant(tenant).credits().grant(gift).await.unwrap();
        }
    }
}

on_both_engines! {
    async fn the_operator_sees_every_entry_filters_them_and_takes_them_along(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.cookie(&product.customer("operator").await).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        product.services().rename_team(ada.user.actor(), "=HYPERLINK(1)", "").await.unwrap();
        let hers = product.create(&ada, "sea").await;
        product.finish().await;
        let other = product.create(&eve, "sky").await;
        let page = product.page(&operator, "/admin/ledger").await;
        let (of_hers, of_other) = (format!("job={hers}"), format!("job={other}"));
        assert!(page.contains(&of_hers) && page.contains(&of_other) && page.contains("unlimited:"), "{page}");
        assert!(page.contains("it was made") && page.contains("plan unlimited, without a limit, since "), "{page}");
        for asked in ["tenant=ada%40example.com", "tenant=hyperlink", &format!("tenant={}", ada.user.tenant), &of_hers] {
            let page = product.page(&operator, &format!("/admin/ledger?{asked}")).await;
            assert!(page.contains(&of_hers) && !page.contains(&of_other), "{asked}: {page}");
        }
        let several = product.page(&operator, "/admin/ledger?tenant=example.com").await;
        assert!(several.contains("Which of these?") && several.contains("eve@example.com") && !several.contains(&of_hers), "{several}");
        assert!(product.page(&operator, "/admin/ledger?tenant=nobody").await.contains("No tenant has such a name"));
        assert!(product.page(&operator, "/admin/ledger?kind=refund").await.contains("There are no such entries."));
        assert!(product.page(&operator, "/admin/ledger?from=soon").await.contains("Give a day as 2026-12-31."));
        assert!(product.page(&operator, "/admin/ledger?until=1970-01-01").await.contains("There are no such entries."));
        let csv = product.open(&operator, &format!("/admin/ledger.csv?tenant={}", ada.user.tenant)).await;
        assert_eq!((csv.status, csv.header("content-type")), (StatusCode::OK, "text/csv; charset=utf-8"));
        let csv = String::from_utf8(csv.body.to_vec()).unwrap();
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[0], "time,tenant,tenant_name,kind,video_seconds,grant,cause,note,video");
        assert!(lines.len() == 4 && lines[1].contains(",\"'=HYPERLINK(1)\",capture,2,unlimited,\"unlimited:"), "{csv}");
        assert!(lines[1].ends_with(&format!(":unlimited\",\"succeeded\",{hers}")), "{csv}");
        assert_eq!(product.open(&operator, "/admin/ledger.csv?tenant=ada").await.status, StatusCode::NOT_FOUND);
        let checked = product.post_form(&operator, "/api/check-ledger", "query=kind%3Dhold").await;
        assert_eq!(checked.header("location"), "/admin/ledger?kind=hold");
        assert!(product.page(&operator, "/admin/ledger").await.contains("The ledger is true"), "for whoever looks later");
        product.services().rename_team(eve.user.actor(), "Émile_", "").await.unwrap();
        let found = product.page(&operator, "/admin/ledger?tenant=%C3%89mile_").await;
        assert!(found.contains(&of_other) && !found.contains(&of_hers), "{found}");
        assert!(product.after(&operator, "/admin/ledger", &checked).await.contains("The ledger is true: all rules hold for its 5 entries."));
    }

    async fn a_check_that_takes_longer_than_a_request_goes_on_without_it(database: TempDatabase) {
        if database.engine != Engine::Postgres {
            return;
        }
        let product = Product::new(database).await;
        let operator = product.cookie(&product.customer("operator").await).await;
        // The page itself reads nothing of this table.
        let hold = product.database().hold("", "LOCK TABLE spending_limits IN ACCESS EXCLUSIVE MODE").await;
        let begun = product.post_form(&operator, "/api/check-ledger", "").await;
        let page = product.after(&operator, "/admin/ledger", &begun).await;
        assert!(page.contains("The ledger is being checked since") && !page.contains("The ledger is true"), "{page}");
        let again = product.post_form(&operator, "/api/check-ledger", "").await;
        assert!(product.after(&operator, "/admin/ledger", &again).await.contains("It is being checked already."));
        drop(hold);
        while product.page(&operator, "/admin/ledger").await.contains("is being checked since") {
            tokio::task::yield_now().await;
        }
        assert!(product.page(&operator, "/admin/ledger").await.contains("The ledger is true"));
    }

    async fn a_file_of_a_long_ledger_has_every_entry_once(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.customer("operator").await;
        let cookie = product.cookie(&operator).await;
        product.give_many(operator.user.tenant).await;
        let csv = product.open(&cookie, "/admin/ledger.csv?kind=grant").await;
        let csv = String::from_utf8(csv.body.to_vec()).unwrap();
        let causes: std::collections::BTreeSet<_> = csv.lines().skip(1).filter_map(|line| line.split("test:").nth(1)).collect();
        assert_eq!((causes.len(), csv.lines().count()), (1100, 1101));
    }

    async fn a_file_of_the_ledger_is_cut_off_once_the_session_has_ended_that_asked_for_it(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.customer("operator").await;
        product.give_many(operator.user.tenant).await;
        for file in ["/admin/ledger.csv?kind=grant", "/ledger.csv"] {
            let cookie = product.cookie(&operator).await;
            let csv = Request::get(file).header("cookie", &cookie).body(Body::empty()).unwrap();
            let mut csv = product.router.clone().oneshot(csv).await.unwrap().into_body();
            assert!(csv.frame().await.unwrap().is_ok());
            let session: Id = cookie.split_once('=').unwrap().1.parse().unwrap();
            product.services().store.sessions().delete(&session).await.unwrap();
            assert!(csv.collect().await.is_err(), "{file}");
        }
    }

    async fn a_tenant_takes_its_whole_ledger_along_and_nobody_elses(database: TempDatabase) {
        let product = Product::new(database).await;
        let _operator = product.customer("operator").await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (cookie, hers) = (product.cookie(&ada).await, product.cookie(&eve).await);
        product.services().set_plan(Actor::Operator, ada.user.tenant, "payg").await.unwrap();
        let amount = domain::VideoTime::from_ms(12_000);
        let gift = Gift { amount, expires_at: None, note: Some("=HYPERLINK(1)".into()), once: None };
        product.services().give_credit(Actor::Operator, None, ada.user.tenant, gift).await.unwrap();
        let job = product.create(&ada, "sea").await;
        product.finish().await;
        product.give_many(ada.user.tenant).await;
        assert!(product.page(&cookie, "/plan").await.contains("href=\"/ledger.csv\""));
        let csv = product.open(&cookie, "/ledger.csv").await;
        assert_eq!((csv.status, csv.header("content-type")), (StatusCode::OK, "text/csv; charset=utf-8"));
        assert_eq!(csv.header("content-disposition"), "attachment; filename=\"ledger.csv\"");
        let csv = String::from_utf8(csv.body.to_vec()).unwrap();
        let rows = product.services().ledger(ada.user.actor(), None, 2000).await.unwrap().rows;
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!((lines[0], lines.len()), ("time,kind,video_seconds,grant,note,video", rows.len() + 1));
        for (line, row) in lines[1..].iter().zip(&rows) {
            assert_eq!(line.split(',').nth(1), Some(row.kind.as_str()), "in the order of the page");
        }
        assert_eq!(csv.matches(",grant,0.001,gift,\"\",\n").count(), 1100);
        assert!(csv.contains(",grant,12,gift,\"'=HYPERLINK(1)\",\n") && csv.contains(&format!(",\"succeeded\",{job}\n")), "{csv}");

        let other = product.create(&eve, "sky").await;
        let csv = String::from_utf8(product.open(&hers, "/ledger.csv").await.body.to_vec()).unwrap();
        assert!(csv.contains(",grant,,unlimited,") && csv.contains(&other.to_string()) && !csv.contains(&job.to_string()), "{csv}");
        assert_eq!(product.open("", "/ledger.csv").await.status, StatusCode::UNAUTHORIZED);
    }

    async fn a_refund_is_made_once_a_click_with_a_reason_that_the_tenant_sees(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.customer("operator").await;
        let cookie = product.cookie(&operator).await;
        let ada = product.customer("ada").await;
        product.services().set_plan(Actor::Operator, ada.user.tenant, "free").await.unwrap();
        let job = product.create(&ada, "sea").await;
        product.finish().await;
        assert!(product.page(&cookie, &format!("/admin/refunds?job={job}")).await.contains("At most 2. Empty: all of it."));
        assert!(product.page(&cookie, "/admin/refunds?job=job_1").await.contains("Nothing was ever charged for such a video."));
        for (form, said) in [
            (format!("job={job}&video_seconds=1&once=a"), "Say why"),
            (format!("job={job}&video_seconds=3&reason=late&once=a"), "2 video-seconds are still charged"),
            (format!("job={job}&video_seconds=-1&reason=late&once=a"), "Give video-seconds as a number"),
            (format!("job={job}&video_seconds=0&reason=late&once=a"), "more than nothing"),
            (format!("job={job}&video_seconds=1&reason=late"), "Load the page again"),
            ("job=x&reason=late&once=a".to_owned(), "Give the id of a video"),
        ] {
            let answer = product.post_form(&cookie, "/api/refund-video", &form).await;
            let page = product.after(&cookie, "/admin/refunds", &answer).await;
            assert!(page.contains(said) && page.contains("Nothing was given back."), "{form}: {page}");
        }
        let form = format!("job={job}&video_seconds=1.5&reason=six+fingers&once=a");
        let done = product.post_form(&cookie, "/api/refund-video", &form).await;
        assert!(product.after(&cookie, "/admin/refunds", &done).await.contains("1.5 video-seconds are given back."));
        let again = product.post_form(&cookie, "/api/refund-video", &form).await;
        assert!(product.after(&cookie, "/admin/refunds", &again).await.contains("Nothing more is given back"));
        assert_eq!(product.services().balance(ada.user.actor()).await.unwrap().left(|_| true).ms(), 119_500);
        let hers = product.page(&product.cookie(&ada).await, "/plan").await;
        assert!(hers.contains("Refunded") && hers.contains("six fingers"), "{hers}");
        let acts = product.services().team(ada.user.actor()).await.unwrap().acts;
        let refunded = acts.iter().find(|entry| entry.act == Act::Refunded).unwrap();
        assert!(refunded.subject.ends_with("1.5 video-seconds: six fingers") && refunded.user.as_deref() == Some("operator@example.com"));
        let rows = product.services().ledger(ada.user.actor(), None, 50).await.unwrap().rows;
        assert_eq!(rows.iter().filter(|row| row.kind == EntryKind::Refund).count(), 1);
    }

    async fn a_promo_code_is_made_used_and_archived_and_guesses_take_time(database: TempDatabase) {
        let product = Product::new(database).await;
        let cookie = product.cookie(&product.customer("operator").await).await;
        let ada = product.customer("ada").await;
        product.services().set_plan(Actor::Operator, ada.user.tenant, "free").await.unwrap();
        let form = "promo[code]=summer-26&promo[video_seconds]=60&promo[uses_max]=1&promo[audience]=everybody";
        let made = product.post_form(&cookie, "/api/create-promo-code", form).await;
        assert!(product.after(&cookie, "/admin/promo", &made).await.contains("The code SUMMER-26 is made."));
        let taken = product.post_form(&cookie, "/api/create-promo-code", form).await;
        assert!(product.after(&cookie, "/admin/promo", &taken).await.contains("There is, or was, a code of this name."));
        let drawn = product.post_form(&cookie, "/api/create-promo-code", "promo[video_seconds]=5&promo[audience]=new").await;
        assert!(product.after(&cookie, "/admin/promo", &drawn).await.contains("is made."));
        let hers = product.cookie(&ada).await;
        assert!(product.page(&hers, "/plan").await.contains("Promo code"));
        let used = product.post_form(&hers, "/api/use-promo-code", "promo_code=+summer-26").await;
        let page = product.after(&hers, "/plan", &used).await;
        assert!(page.contains("60 video-seconds of credit are yours.") && page.contains("promo code SUMMER-26"), "{page}");
        assert_eq!(product.services().balance(ada.user.actor()).await.unwrap().left(|_| true).ms(), 180_000);
        let listed = product.page(&cookie, "/admin/promo").await;
        assert!(listed.contains("1 of 1") && listed.contains(&format!("/admin/ledger?tenant={}", ada.user.tenant)), "{listed}");
        assert!(product.page(&cookie, "/admin/ledger").await.contains("promo:SUMMER-26"));
        let archived = product.post_form(&cookie, "/api/archive-promo-code", "code=SUMMER-26").await;
        assert!(product.after(&cookie, "/admin/promo", &archived).await.contains("Nobody can use this code any more."));
        let guess = async |guess: &str| {
            let answer = product.post_form(&hers, "/api/use-promo-code", &format!("promo_code={guess}")).await;
            product.after(&hers, "/plan", &answer).await
        };
        assert!(guess("summer-26").await.contains("You have used this promo code already."));
        assert!(guess("x").await.contains("A promo code has 4 to 32"));
        assert!(guess("GUESS-0").await.contains("There is no such promo code."));
        // Pauses grow, so that they are longer than a guess takes, however slow the machine is.
        let mut guesses = 0;
        while !guess("GUESS-1").await.contains("Too many tries.") {
            guesses += 1;
            assert!(guesses < 20, "anybody may guess on and on");
        }
        let eve = product.customer("eve").await;
        let late = product.services().redeem(eve.user.actor(), "SUMMER-26", "").await.unwrap_err();
        assert_eq!(late.to_string(), "this promo code is not valid any more");
        assert!(product.services().verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }
}
