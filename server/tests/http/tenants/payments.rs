//! Plans and credit that are paid at a Stripe that behaves like it: from the form, over its pages and webhooks, to what a job is charged.

use crate::harness::{Answer, Customer, Product};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Actor, Clock, VideoTime,
    billing::{GrantKind, PAYMENT_GRACE_MS, Plan},
};
use http_body_util::{BodyExt, Full};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use serde_json::json;
use service::{billing::Refund, payment::PaymentOptions};
use std::{net::SocketAddr, time::Duration};
use store::{SystemClock, on_both_engines, testing::Dial};
use stripe_twin::{Faults, Options, Twin, Webhook};
use tokio::net::TcpListener;

const SECRET: &str = "whsec_of_the_tests";
pub(super) const GOOD_CARD: &str = "4242424242424242";
pub(super) const SUBSCRIBE: (&str, &str) = ("/api/choose-plan", "plan=pro&shown=subscribe");
const PATIENCE: Duration = Duration::from_secs(60);

/// A product that takes payments, and the twin that it takes them with.
pub(super) struct Shop {
    pub product: Product,
    pub twin: Twin,
}

impl Shop {
    pub async fn open(database: store::testing::TempDatabase, dial: Option<&Dial>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let webhook = Webhook { url: format!("{origin}/webhooks/stripe"), secret: SECRET.into() };
        let twin = Twin::start(Options { seed: Some(1), webhook: Some(webhook), ..Options::default() }).await.unwrap();
        let options = PaymentOptions {
            stripe_secret_key: Some("sk_test_1".into()),
            stripe_webhook_secret: vec!["whsec_of_before".into(), SECRET.into()],
            stripe_url: Some(twin.base_url().parse().unwrap()),
            ..PaymentOptions::default()
        };
        let product = match dial {
            Some(dial) => Product::on(database, dial).await,
            None => Product::new(database).await,
        };
        let product = product.changed(|services| services.with_payments(&options, &origin).unwrap());
        let router = product.router.clone().into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        product.services().set_default_plan(Actor::Operator, "free").await.unwrap();
        Self { product, twin }
    }

    /// Posts a form to a page of the twin.
    pub async fn pay(&self, page: &str, form: &str) -> StatusCode {
        let client = Client::builder(TokioExecutor::new()).build_http::<Full<bytes::Bytes>>();
        let request =
            Request::post(page).header("content-type", "application/x-www-form-urlencoded").body(Full::new(form.to_owned().into()));
        let answer = client.request(request.unwrap()).await.unwrap();
        let status = answer.status();
        answer.into_body().collect().await.unwrap();
        status
    }

    /// Goes through a form that leads to the twin, and pays there.
    pub async fn buy(&self, cookie: &str, form: (&str, &str), card: &str) -> StatusCode {
        let answer = self.product.post_form(cookie, form.0, form.1).await;
        let page = answer.header("location").to_owned();
        assert!(page.starts_with(self.twin.base_url()), "{answer:?}");
        self.pay(&page, &format!("card={card}")).await
    }

    /// The page to which a form has led, with what it says there.
    pub async fn page_after(&self, cookie: &str, answer: &Answer) -> String {
        assert_eq!(answer.header("location"), "/billing", "{answer:?}");
        let said = answer.header("set-cookie").split(';').next().unwrap_or_default();
        self.product.page(&format!("{cookie}; {said}"), "/billing").await
    }

    /// Works off what the twin has told, as the reconciler does.
    pub async fn settle(&self) {
        assert!(self.twin.wait_until_idle(PATIENCE).await, "{:?}", self.twin.deliveries().last());
        self.product.services().deliver_events(Actor::System).await.unwrap();
    }

    pub async fn plan_of(&self, who: &Customer) -> String {
        self.product.services().store.payments().account(who.user.tenant, 0).await.unwrap().plan
    }

    pub async fn left(&self, who: &Customer, kind: GrantKind) -> u64 {
        self.product.services().balance(who.user.actor()).await.unwrap().left(|of| of == kind).ms()
    }

    pub async fn differences(&self) -> Vec<service::payment::Difference> {
        self.product.services().reconcile_payments(Actor::Operator).await.unwrap().differences
    }
}

on_both_engines! {
    async fn a_plan_is_subscribed_to_paid_used_changed_and_cancelled(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        let page = shop.product.page(&cookie, "/billing").await;
        assert!(page.contains("Other plans") && page.contains("There is no invoice yet."), "{page}");
        assert!(shop.product.page(&cookie, "/billing/plan?plan=pro").await.contains("$29.00 a month"));
        // Where the card declines, nothing has changed.
        let form = SUBSCRIBE;
        assert_eq!(shop.buy(&cookie, form, "4000000000000002").await, StatusCode::OK);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "free");
        assert_eq!(shop.buy(&cookie, form, GOOD_CARD).await, StatusCode::SEE_OTHER);
        let page = shop.product.page(&cookie, "/billing?checkout=done").await;
        assert!(page.contains("The next payment is on") && page.contains("Paid"), "{page}");
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        let account = shop.product.services().store.payments().account(ada.user.tenant, 9).await.unwrap();
        let (plan, paid) = (account.invoices[0].plan.unwrap(), &account.subscriptions[0]);
        assert_eq!((plan.amount, plan.from, plan.until), (paid.monthly, paid.period_starts_at, paid.period_ends_at));
        assert_eq!(shop.left(&ada, GrantKind::Included).await, 3_600_000);
        let id = shop.product.create(&ada, "sea").await;
        let cost = shop.product.get(&ada, &format!("/v1/videos/{id}")).await.json()["cost"].clone();
        assert_eq!((&cost["plan"], &cost["lane"], &cost["paid_from"][0]["source"]), (&json!("pro"), &json!("interactive"), &json!("included")));
        assert_eq!(shop.buy(&cookie, ("/api/buy-credit", "minutes=10"), GOOD_CARD).await, StatusCode::SEE_OTHER);
        shop.settle().await;
        assert_eq!(shop.left(&ada, GrantKind::Purchase).await, 600_000);
        // Nobody pays twice for it.
        let again = shop.product.post_form(&cookie, "/api/choose-plan", "plan=pro&shown=subscribe").await;
        assert!(shop.page_after(&cookie, &again).await.contains("You have this plan already."));
        shop.product.post_form(&cookie, "/api/end-subscription", "").await;
        assert!(shop.product.page(&cookie, "/billing").await.contains("It is cancelled, and ends on"));
        shop.product.post_form(&cookie, "/api/end-subscription", "goes_on=true").await;
        assert!(!shop.product.page(&cookie, "/billing").await.contains("It is cancelled"));
        shop.product.post_form(&cookie, "/api/end-subscription", "").await;
        shop.twin.advance(32 * 86_400);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "free");
        assert_eq!(shop.differences().await, []);
    }

    async fn credit_is_given_once_for_each_purchase_however_often_it_is_told(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.product.post_form(&cookie, "/api/choose-plan", "plan=payg&shown=free").await;
        assert_eq!(shop.plan_of(&ada).await, "payg");
        shop.twin.set_faults(Faults { copies: 5, shuffle_ms: 200, parallel: 8, ..Faults::default() });
        for _ in 0..2 {
            assert_eq!(shop.buy(&cookie, ("/api/buy-credit", "minutes=60"), GOOD_CARD).await, StatusCode::SEE_OTHER);
        }
        shop.settle().await;
        shop.product.page(&cookie, "/billing?checkout=done").await;
        assert_eq!(shop.left(&ada, GrantKind::Purchase).await, 2 * 3_600_000);
        let refused = shop.product.post_form(&cookie, "/api/buy-credit", "minutes=-5").await;
        assert!(shop.page_after(&cookie, &refused).await.contains("Buy at least 300 and at most"));
        assert_eq!(shop.differences().await, []);
    }

    async fn going_back_and_forth_between_plans_gives_nothing_anew(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.product.create(&ada, "sea").await;
        shop.product.finish().await;
        for plan in ["payg", "free", "payg", "free"] {
            shop.product.post_form(&cookie, "/api/choose-plan", &format!("plan={plan}&shown=free")).await;
            let included = shop.left(&ada, GrantKind::Included).await;
            assert_eq!((shop.plan_of(&ada).await.as_str(), included), (plan, if plan == "free" { 118_000 } else { 0 }));
        }
        assert!(shop.product.services().verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn a_plan_that_the_operator_sets_stays_until_another_is_paid_for(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let services = shop.product.services();
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        services.set_plan(Actor::Operator, ada.user.tenant, "enterprise").await.unwrap();
        shop.product.post_form(&cookie, "/api/end-subscription", "").await;
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "enterprise");
        shop.twin.advance(32 * 86_400);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "enterprise");
        assert_eq!(shop.differences().await, []);
    }

    async fn a_dearer_plan_is_paid_at_once_as_shown_and_a_cheaper_one_pays_nothing_back(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let services = shop.product.services();
        let pro = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
        // Names are in any language.
        let studio = Plan { id: "studio".into(), name: "Größer 大".into(), monthly_minor: Some(4900), ..pro };
        services.define_plan(Actor::Operator, &studio, None).await.unwrap();
        let ada = shop.product.customer("jörg").await;
        let cookie = shop.product.cookie(&ada).await;
        assert_eq!(shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await, StatusCode::SEE_OTHER);
        shop.settle().await;
        let page = shop.product.page(&cookie, "/billing/plan?plan=studio").await;
        assert!(page.contains("a month begins today"), "{page}");
        let shown = page.split_once("value=\"upgrade:").unwrap().1.split('"').next().unwrap();
        let due: i64 = shown.split(':').next().unwrap().parse().unwrap();
        assert!((1_900_000..=2_010_000).contains(&due), "{shown}");
        let cheaper = shop.product.post_form(&cookie, "/api/choose-plan", "plan=studio&shown=upgrade%3A1000%3A4900%3A60").await;
        assert!(shop.page_after(&cookie, &cheaper).await.contains("has changed meanwhile, and nothing was done"));
        let other = shop.product.post_form(&cookie, "/api/choose-plan", "plan=studio&shown=subscribe").await;
        assert!(shop.page_after(&cookie, &other).await.contains("has changed meanwhile"));
        shop.twin.set_card("all", Some("insufficient_funds")).unwrap();
        let form = format!("plan=studio&shown=upgrade%3A{}", shown.replace(':', "%3A"));
        let declined = shop.product.post_form(&cookie, "/api/choose-plan", &form).await;
        assert!(shop.page_after(&cookie, &declined).await.contains("The payment was declined"));
        assert_eq!(shop.plan_of(&ada).await, "pro");
        shop.twin.set_card("all", None).unwrap();
        shop.product.post_form(&cookie, "/api/choose-plan", &form).await;
        assert_eq!(shop.plan_of(&ada).await, "studio");
        let invoices = services.bills(ada.user.actor()).await.unwrap().account.invoices;
        assert_eq!((invoices.len(), invoices[0].status.as_str()), (2, "paid"), "{invoices:?}");
        shop.product.post_form(&cookie, "/api/choose-plan", "plan=pro&shown=downgrade%3A2900%3A1000").await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        shop.twin.advance(31 * 86_400 + 7200);
        shop.settle().await;
        let invoices = services.bills(ada.user.actor()).await.unwrap().account.invoices;
        assert_eq!((invoices.len(), invoices[0].total.to_string()), (3, "$29.00".to_owned()), "{invoices:?}");
        assert_eq!(shop.differences().await, []);
    }

    async fn a_cancelled_plan_ends_with_its_month_also_where_nobody_says_so(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        shop.product.post_form(&cookie, "/api/end-subscription", "").await;
        assert_eq!(shop.left(&ada, GrantKind::Included).await, 3_600_000);
        dial.advance_ms(32 * 86_400_000);
        assert_eq!(shop.left(&ada, GrantKind::Included).await, 120_000);
        assert_eq!((shop.plan_of(&ada).await.as_str(), shop.left(&ada, GrantKind::Overage).await), ("free", 0));
        assert!(shop.product.services().verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn a_trial_has_no_overage_and_is_given_once(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let services = shop.product.services();
        let pro = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
        services.define_plan(Actor::Operator, &Plan { trial_days: Some(14), ..pro }, None).await.unwrap();
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        assert!(shop.product.page(&cookie, "/billing").await.contains("It is free until"));
        assert_eq!((shop.left(&ada, GrantKind::Included).await, shop.left(&ada, GrantKind::Overage).await), (3_600_000, 0));
        shop.twin.advance(15 * 86_400);
        shop.settle().await;
        assert_eq!((shop.left(&ada, GrantKind::Included).await, shop.left(&ada, GrantKind::Overage).await), (3_600_000, 3_600_000));
        assert!(services.verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn a_failed_payment_leaves_the_plan_for_a_week_and_its_recovery_gives_back_what_was_left(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let services = shop.product.services();
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        services.balance(ada.user.actor()).await.unwrap();
        shop.twin.set_card("all", Some("generic_decline")).unwrap();
        shop.twin.advance(31 * 86_400 + 7200);
        shop.settle().await;
        let page = shop.product.page(&cookie, "/billing").await;
        assert!(page.contains("The last payment was declined") && page.contains("To be paid"), "{page}");
        assert_eq!(shop.plan_of(&ada).await, "pro");
        services.end_grace(Actor::System).await.unwrap();
        assert_eq!(shop.plan_of(&ada).await, "pro");
        dial.advance_ms(PAYMENT_GRACE_MS + 1);
        services.end_grace(Actor::System).await.unwrap();
        assert_eq!(shop.plan_of(&ada).await, "free");
        assert_eq!(shop.left(&ada, GrantKind::Overage).await, 0);
        let cookie = shop.product.cookie(&ada).await;
        assert!(shop.product.page(&cookie, "/billing").await.contains("your plan is paused"));
        shop.twin.set_card("all", None).unwrap();
        shop.twin.advance(8 * 86_400);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        assert_eq!(shop.left(&ada, GrantKind::Included).await, 3_600_000);
        assert!(services.verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
        assert_eq!(shop.differences().await, []);
    }

    async fn what_is_used_beyond_is_metered_once_and_billed(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let services = shop.product.services();
        let mut plan = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
        plan.included = domain::billing::Included::MonthlyMs(VideoTime::from_ms(2000));
        services.define_plan(Actor::Operator, &plan, None).await.unwrap();
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        for prompt in ["one", "two", "three"] {
            shop.product.create(&ada, prompt).await;
            shop.product.finish().await;
        }
        for _ in 0..2 {
            services.report_usage(Actor::System).await.unwrap();
        }
        shop.twin.advance(31 * 86_400 + 7200);
        shop.settle().await;
        let bills = services.bills(ada.user.actor()).await.unwrap();
        // 29 dollars of the next month, and two jobs of two seconds at 60 cents a minute.
        assert_eq!(bills.account.invoices[0].total.to_string(), "$29.04", "{:?}", bills.account.invoices);
        assert_eq!(shop.differences().await, []);
    }

    async fn what_was_metered_and_refunded_is_taken_off_the_next_invoice(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let services = shop.product.services();
        let mut plan = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
        plan.included = domain::billing::Included::MonthlyMs(VideoTime::from_ms(2000));
        services.define_plan(Actor::Operator, &plan, None).await.unwrap();
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        let mut jobs = Vec::new();
        for prompt in ["one", "two", "three"] {
            jobs.push(shop.product.create(&ada, prompt).await);
            shop.product.finish().await;
        }
        let refund = |job| Refund { job, amount: None, reason: "six fingers".into(), once: Some("click".into()) };
        // Before it is told, and after.
        let untold = services.refund(Actor::Operator, None, refund(jobs[1])).await.unwrap();
        services.report_usage(Actor::System).await.unwrap();
        let told = services.refund(Actor::Operator, None, refund(jobs[2])).await.unwrap();
        assert_eq!((untold.credited, told.credited.map(|money| money.to_string())), (None, Some("$0.02".to_owned())));
        shop.settle().await;
        shop.twin.advance(31 * 86_400 + 7200);
        shop.settle().await;
        let invoices = services.bills(ada.user.actor()).await.unwrap().account.invoices;
        // The usage that was told is on it, and paid by the credit.
        assert_eq!((invoices[0].total.to_string(), invoices[0].paid.to_string()), ("$29.02".into(), "$29.00".into()), "{invoices:?}");
        assert_eq!(shop.differences().await, []);
        assert!(services.verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn an_event_that_was_lost_is_asked_for_and_one_that_is_forged_is_refused(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let services = shop.product.services();
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        services.ask_for_events(Actor::System).await.unwrap();
        shop.twin.set_faults(Faults { drop_probability: 1.0, ..Faults::default() });
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "free");
        services.ask_for_events(Actor::System).await.unwrap();
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        let body = json!({"id": "evt_1", "type": "customer.updated", "created": 1, "data": {"object": {"object": "customer", "id": "cus_1"}}});
        for signature in ["", "t=1,v1=00"] {
            let request = Request::post("/webhooks/stripe").header("stripe-signature", signature).body(Body::from(body.to_string()));
            let refused = shop.product.send(request.unwrap()).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused:?}");
        }
    }

    async fn who_deletes_an_account_pays_no_more(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        shop.product.customer("operator").await;
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        let customer = shop.product.services().store.payments().account(ada.user.tenant, 0).await.unwrap().customer.unwrap();
        shop.product.services().delete_account(ada.user.actor(), "correct horse battery", "").await.unwrap();
        shop.settle().await;
        let stripe = payments::Stripe::new("sk_test_1", Some(shop.twin.base_url()), false, String::new).unwrap();
        let seen = stripe.subscriptions(&customer).await;
        assert!(seen.as_ref().is_ok_and(|all| all.iter().all(|one| !one.is_live())) || matches!(seen, Err(payments::PaymentError::Unknown(_))), "{seen:?}");
    }

    async fn only_who_looks_after_the_money_may_spend_it(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = shop.product.customer("ada").await;
        for path in ["/api/choose-plan", "/api/buy-credit", "/api/end-subscription", "/api/payment-portal"] {
            let stranger = shop.product.post_form("", path, "plan=pro&minutes=60").await;
            assert!(stranger.header("location").starts_with("/signin"), "{path} {stranger:?}");
        }
        let services = shop.product.services();
        assert!(services.bills(Actor::Operator).await.is_err() && services.buy_credit(Actor::System, VideoTime::from_minutes(60)).await.is_err());
        let cookie = shop.product.cookie(&ada).await;
        let answer = shop.product.open(&cookie, "/billing").await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains(&format!("form-action 'self' {}", shop.twin.base_url())), "{policy}");
    }
}
