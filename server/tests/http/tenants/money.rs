//! Plans and credit, over HTTP: what is refused when there is none, what is shown, and that only the operator gives any.

use crate::harness::{Customer, Product};
use axum::http::{Request, StatusCode};
use domain::{Actor, VideoTime, billing::EntryKind};
use futures::future::join_all;
use serde_json::json;
use service::billing::Gift;
use store::on_both_engines;

impl Product {
    /// The customer has paid for so much, and nothing else.
    async fn prepaid(&self, who: &Customer, video_seconds: u64) {
        let (services, tenant) = (self.services(), who.user.tenant);
        services.set_plan(Actor::Operator, tenant, "payg").await.unwrap();
        if video_seconds > 0 {
            let gift =
                Gift { amount: VideoTime::from_ms(video_seconds * 1000), expires_at: None, note: Some("welcome".into()), once: None };
            services.give_credit(Actor::Operator, None, tenant, gift).await.unwrap();
        }
    }

    async fn left(&self, who: &Customer) -> u64 {
        self.services().balance(who.user.actor()).await.unwrap().left(|_| true).ms()
    }
}

on_both_engines! {
    async fn without_credit_a_program_is_told_what_is_missing(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.prepaid(&ada, 3).await;
        product.create(&ada, "sea").await;
        let refused = product.post(&ada, "/v1/videos", json!({"prompt": "sea"})).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::PAYMENT_REQUIRED, "insufficient_credits".into()));
        let error = refused.json()["error"].clone();
        assert_eq!(error["type"], "insufficient_quota");
        assert!(error["message"].as_str().unwrap().starts_with("This costs 2 video-seconds, and 1 are left."), "{error}");
        assert_eq!(product.left(&ada).await, 1000);
    }

    async fn what_three_keys_and_the_form_ask_for_at_once_is_taken_in_as_far_as_it_is_paid(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.prepaid(&ada, 100).await;
        let cookie = product.cookie(&ada).await;
        let mut keys = vec![ada.key.clone()];
        for name in ["second", "third"] {
            keys.push(product.services().create_key(ada.user.actor(), name, "").await.unwrap().secret);
        }
        let ask = async |number: usize| {
            // What is not answered in time on a busy machine is asked again, as the same submission.
            loop {
                let answer = match keys.get(number % 4) {
                    Some(key) => {
                        let request = Request::post("/v1/videos").header("authorization", format!("Bearer {key}"));
                        let request = request.header("content-type", "application/json").header("idempotency-key", number.to_string());
                        product.send(request.body(r#"{"prompt": "sea"}"#.into()).unwrap()).await
                    }
                    None => {
                        let form = format!("request[prompt]=sea&once=form-{number}&quoted_ms=2000");
                        product.post_form_for("application/json", &cookie, "/api/submit-video", &form).await
                    }
                };
                if !matches!(answer.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
                    return answer.status;
                }
            }
        };
        let answers = join_all((0..500).map(ask)).await;
        let count = |status| answers.iter().filter(|answer| **answer == status).count();
        assert_eq!((count(StatusCode::OK), count(StatusCode::PAYMENT_REQUIRED)), (50, 450), "{answers:?}");
        assert_eq!(product.left(&ada).await, 0);
        assert_eq!(product.services().store.check().ledger().await.unwrap().faults, []);
    }

    async fn a_plan_that_keeps_videos_for_a_while_says_so_and_each_video_until_when(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let kept = product.create(&ada, "sea").await;
        let path = format!("/v1/videos/{kept}");
        product.finish().await;
        assert_eq!(product.get(&ada, &path).await.json()["expires_at"], json!(null));
        assert!(!product.page(&cookie, "/plan").await.contains("Videos are kept for"));
        let form = "plan[id]=brief&plan[name]=Brief&plan[is_listed]=yes&plan[order]=5&plan[currency]=usd&plan[included]=unlimited&plan[lane]=batch\
                    &plan[weight]=1&plan[open_work]=60&plan[keys]=5&plan[retention]=30&plan[concurrency]=2&plan[batch]=500&plan[release]=1.5&plan[is_new]=yes";
        assert_eq!(product.post_form(&cookie, "/api/define-plan", form).await.header("location"), "/admin/plans?plan=brief#edit");
        let shown = product.page(&cookie, "/admin/plans?plan=brief").await;
        assert!(shown.contains("Kept for 30 days; Up to 2 videos made at once; Batches of up to 500 videos"), "{shown}");
        let stored = product.services().plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "brief").unwrap();
        assert_eq!((stored.retention_days, stored.concurrency, stored.batch_size_max), (Some(30), Some(2), Some(500)));
        assert_eq!(stored.release_rate, Some(VideoTime::from_ms(90_000)));
        product.services().set_plan(Actor::Operator, ada.user.tenant, "brief").await.unwrap();
        let other = product.create(&ada, "sea").await;
        assert_eq!(product.get(&ada, &format!("/v1/videos/{other}")).await.json()["expires_at"], json!(null), "it has not ended");
        product.finish().await;
        let video = product.get(&ada, &format!("/v1/videos/{other}")).await.json();
        assert_eq!(video["expires_at"].as_i64().unwrap() - video["completed_at"].as_i64().unwrap(), 30 * 86_400);
        assert!(product.page(&cookie, &format!("/videos/{other}")).await.contains("Kept until"));
        assert!(product.page(&cookie, "/plan").await.contains("Videos are kept for 30 days after they have ended."));
        assert!(product.page(&cookie, "/pricing").await.contains("Videos are kept for 30 days"));
    }

    async fn a_video_says_what_it_costs_and_from_what_it_is_paid(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.prepaid(&ada, 12).await;
        let id = product.create(&ada, "sea").await;
        let path = format!("/v1/videos/{id}");
        let held = product.get(&ada, &path).await.json()["cost"].clone();
        assert_eq!(held, json!({
            "video_seconds": 2.0, "max_video_seconds": 2.0, "status": "held", "charged_video_seconds": null,
            "reason": "The price is held until the video is made.", "plan": "payg", "lane": "interactive", "seconds": 2.0, "size_weight": 1.0, "steps": 24, "steps_default": 24,
            "paid_from": [{"source": "gift", "video_seconds": 2.0, "amount": null}],
        }));
        product.finish().await;
        let charged = product.get(&ada, &path).await.json()["cost"].clone();
        assert_eq!((&charged["status"], &charged["charged_video_seconds"], &charged["reason"]), (&json!("charged"), &json!(2.0), &json!("The video was made.")));
        let cancelled = product.create(&ada, "sea").await;
        let answer = product.post(&ada, &format!("/v1/videos/{cancelled}/cancel"), json!({})).await.json()["cost"].clone();
        assert_eq!((&answer["status"], &answer["charged_video_seconds"], &answer["paid_from"]), (&json!("not_charged"), &json!(0.0), &json!([])));
        assert_eq!(product.left(&ada).await, 10_000);
    }

    async fn a_form_without_credit_comes_back_with_what_was_typed_and_says_what_to_do(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.prepaid(&ada, 0).await;
        let cookie = product.cookie(&ada).await;
        assert!(product.page(&cookie, "/create").await.contains("2 video-seconds more than you have left."));
        let form = "request[prompt]=a+quiet+sea&once=abc&quoted_ms=2000";
        assert_eq!(product.post_form(&cookie, "/api/submit-video", form).await.header("location"), "/create");
        let page = product.page(&cookie, "/create").await;
        assert!(page.contains("a quiet sea") && page.contains("nothing has been charged: add credit or take a larger plan"), "{page}");
        let answer = product.post_form_for("application/json", &cookie, "/api/submit-video", form).await;
        assert_eq!(answer.status, StatusCode::PAYMENT_REQUIRED);
        product.prepaid(&ada, 3).await;
        assert!(product.page(&cookie, "/create").await.contains("Leaves 1 video-second of credit."));
    }

    async fn an_account_sees_its_plan_what_is_left_and_what_was_charged(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        product.prepaid(&ada, 12).await;
        product.create(&ada, "sea").await;
        product.finish().await;
        let page = product.page(&product.cookie(&ada).await, "/plan").await;
        for shown in ["Pay as you go", "10 of 12 video-seconds left", "welcome", "Charged", "Set aside", "Granted"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        let hers = product.page(&product.cookie(&eve).await, "/plan").await;
        assert!(hers.contains("Everything, without a limit") && !hers.contains("welcome"));
        assert_eq!(product.open("", "/plan").await.header("location"), "/signin?next=/plan");
        assert!(product.page("", "/pricing").await.contains("$29.00"));
    }

    async fn usage_and_costs_are_told_by_day_and_group_to_their_tenant_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        product.prepaid(&ada, 12).await;
        let id = product.create(&ada, "sea").await;
        product.finish().await;
        product.services().delete(ada.user.actor(), id).await.unwrap();
        let usage = product.get(&ada, "/v1/usage?group_by=model,lane").await.json();
        let days = usage["data"].as_array().unwrap();
        assert_eq!((days.len(), &usage["object"], &days[0]["results"]), (30, &json!("page"), &json!([])));
        let today = &days[29]["results"][0];
        assert_eq!((&today["model"], &today["lane"], &today["video_seconds"], &today["num_succeeded"]), (&json!("vignette-1"), &json!("interactive"), &json!(2.0), &json!(1)));
        assert_eq!(product.get(&ada, "/v1/costs").await.json()["data"][29]["results"], json!([]), "a gift costs nothing");
        let others = product.get(&eve, "/v1/usage").await.json();
        assert!(others["data"].as_array().unwrap().iter().all(|day| day["results"] == json!([])));
        for (query, param) in [("start_time=0", "start_time"), ("start_time=9&end_time=9", "start_time"), ("group_by=day", "group_by"), ("end_time=x", "end_time")] {
            let refused = product.get(&ada, &format!("/v1/usage?{query}")).await;
            assert_eq!((refused.status, &refused.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &json!(param)), "{query}");
        }
        let cookie = product.cookie(&ada).await;
        assert!(product.page(&cookie, "/usage?by=user_id&days=7").await.contains("2 video-seconds charged; 1 made."));
        let file = product.open(&cookie, "/usage.csv?by=model").await;
        let text = String::from_utf8(file.body.to_vec()).unwrap();
        assert!(text.starts_with("day,model,") && text.contains(",\"vignette-1\",2,1,0,0,,"), "{text}");
        assert_eq!(product.open("", "/usage.csv").await.status, StatusCode::UNAUTHORIZED);
        assert!(product.page(&product.cookie(&eve).await, "/usage").await.contains("Nothing was used in this time."));
    }

    async fn plans_and_credit_are_the_operators_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let (operator, ada) = (product.customer("operator").await, product.customer("ada").await);
        let (his, hers) = (product.cookie(&operator).await, product.cookie(&ada).await);
        let set = format!("tenant={}&plan=payg", ada.user.tenant);
        let give = format!("tenant={}&video_seconds=12.5&days=&note=hello&once=abc", ada.user.tenant);
        let define = "plan[id]=gold&plan[name]=Gold&plan[currency]=usd&plan[order]=1&plan[monthly]=99&plan[included]=2&plan[lane]=batch&plan[weight]=1\
            &plan[open_work]=10&plan[keys]=3";
        for page in ["/admin/tenants", "/admin/plans"] {
            assert_eq!(product.open(&hers, page).await.status, StatusCode::NOT_FOUND, "{page}");
        }
        for (route, form) in [("/api/set-plan", &*set), ("/api/give-credit", &give), ("/api/define-plan", define)] {
            for cookie in [&*hers, ""] {
                product.post_form(cookie, route, form).await;
            }
        }
        let services = product.services();
        assert_eq!(services.balance(ada.user.actor()).await.unwrap().plan, "Unlimited");
        assert_eq!(services.plans(Actor::Operator).await.unwrap().len(), 5);
        assert_eq!(product.post_form(&his, "/api/set-plan", &set).await.header("location"), "/admin/tenants");
        for _ in 0..3 {
            product.post_form(&his, "/api/give-credit", &give).await;
        }
        assert_eq!(product.left(&ada).await, 12_500, "sent again, it is given once");
        let page = product.page(&his, "/admin/tenants?search=ADA").await;
        assert!(page.contains("Plan of ada@example.com") && page.contains("12.5") && !page.contains("Plan of operator@example.com"), "{page}");
        product.post_form(&his, "/api/define-plan", define).await;
        let page = product.page(&his, "/admin/plans?plan=gold").await;
        assert!(page.contains("Change Gold") && page.contains("120 video-seconds a month"), "{page}");
        product.post_form(&his, "/api/define-plan", &format!("{define}&plan[is_new]=yes").replace("Gold", "Silver")).await;
        let gold = product.services().plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "gold").unwrap();
        assert_eq!(gold.name, "Gold", "a new plan replaces none");
        assert_eq!(product.open(&his, "/admin/tenants?search=%00").await.status, StatusCode::OK);
        assert_eq!(product.post_form(&his, "/api/set-plan", &format!("tenant={}&plan=%00", ada.user.tenant)).await.header("location"), "/admin/tenants");
    }

    async fn what_the_operator_mistypes_changes_nothing_and_comes_back(database: TempDatabase) {
        let product = Product::new(database).await;
        let operator = product.customer("operator").await;
        let cookie = product.cookie(&operator).await;
        for give in ["video_seconds=much", "video_seconds=0", "video_seconds=-5", "video_seconds=NaN", "video_seconds=5&days=soon"] {
            let form = format!("tenant={}&once=abc&{give}", operator.user.tenant);
            let answer = product.post_form(&cookie, "/api/give-credit", &form).await;
            let note = crate::forms::cookie_set(&answer, "note-admin-tenants").unwrap();
            assert!(product.page(&format!("{cookie}; {note}"), "/admin/tenants").await.contains("Nothing was given."), "{give}");
        }
        let rows = services_ledger(&product, &operator).await;
        assert!(rows.iter().all(|kind| *kind != EntryKind::Hold) && rows.len() <= 1, "{rows:?}");
        let define = "plan[id]=gold&plan[name]=Gold&plan[currency]=usd&plan[order]=1&plan[monthly]=much&plan[included]=2&plan[lane]=batch&plan[weight]=1\
            &plan[open_work]=10&plan[keys]=3";
        let answer = product.post_form(&cookie, "/api/define-plan", define).await;
        let note = crate::forms::cookie_set(&answer, "note-admin-plans").unwrap();
        let page = product.page(&format!("{cookie}; {note}"), "/admin/plans?plan=gold").await;
        assert!(page.contains("give an amount such as 29 or 0.50") && page.contains("value=\"much\""), "{page}");
    }
}

async fn services_ledger(product: &Product, who: &Customer) -> Vec<EntryKind> {
    let page = product.services().ledger(who.user.actor(), None, 50).await.unwrap();
    page.rows.into_iter().map(|row| row.kind).collect()
}
