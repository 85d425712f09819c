//! Going from one paid plan to another: what it costs, what it gives, and that nothing is gained by going back and forth.

use super::payments::{GOOD_CARD, SUBSCRIBE, Shop};
use crate::harness::Customer;
use domain::{
    Actor, Clock, VideoTime,
    billing::{GrantKind, Included, Plan},
};
use service::{
    billing::PlanChangeError,
    payment::{BillingError, Choice},
};
use store::{SystemClock, on_both_engines, testing::Dial};
use stripe_twin::Faults;

pub(super) const DAY_S: i64 = 86_400;
const DAY_MS: i64 = DAY_S * 1000;

/// A customer of `pro`, beside which `studio` is offered: dearer, with more included.
pub(super) async fn subscribed(shop: &Shop, pro: impl Fn(Plan) -> Plan) -> (Customer, String) {
    let services = shop.product.services();
    let plan = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
    let included = Included::MonthlyMs(VideoTime::from_minutes(1000));
    let studio = Plan { id: "studio".into(), name: "Studio".into(), monthly_minor: Some(4900), included, ..plan.clone() };
    services.define_plan(Actor::Operator, &pro(plan), None).await.unwrap();
    services.define_plan(Actor::Operator, &studio, None).await.unwrap();
    let ada = shop.product.customer("ada").await;
    let cookie = shop.product.cookie(&ada).await;
    shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
    shop.settle().await;
    assert_eq!(shop.plan_of(&ada).await, "pro");
    (ada, cookie)
}

pub(super) async fn choose(shop: &Shop, who: &Customer, plan: &str) -> Choice {
    let services = shop.product.services();
    let (_, choice) = services.look_at_plan(who.user.actor(), plan).await.unwrap();
    services.choose_plan(who.user.actor(), plan, &choice.told()).await.unwrap();
    shop.settle().await;
    assert_eq!(shop.plan_of(who).await, plan);
    choice
}

/// In minor units.
pub(super) fn due(choice: &Choice) -> i64 {
    let Choice::Upgrade { due, .. } = choice else { panic!("{choice:?}") };
    due.thousandths_of_minor / 1000
}

pub(super) async fn paid(shop: &Shop, who: &Customer) -> i64 {
    let invoices = shop.product.services().bills(who.user.actor()).await.unwrap().account.invoices;
    invoices.iter().map(|invoice| invoice.paid.thousandths_of_minor).sum::<i64>() / 1000
}

pub(super) async fn make(shop: &Shop, who: &Customer, videos: usize) {
    for number in 0..videos {
        shop.product.create(who, &format!("ball number {number}")).await;
        shop.product.finish().await;
    }
}

on_both_engines! {
    async fn a_dearer_plan_begins_a_month_of_its_own(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        // A day before the month ends next to nothing of it is left to be taken off.
        shop.twin.advance(29 * DAY_S);
        shop.settle().await;
        let due = due(&choose(&shop, &ada, "studio").await);
        assert!((4600..=4900).contains(&due), "{due}");
        let all = paid(&shop, &ada).await;
        assert!((2900 + due - 10..=2900 + due).contains(&all), "{all} {due}");
        assert_eq!(shop.left(&ada, GrantKind::Included).await, VideoTime::from_minutes(1000).ms());
        // Nothing more is to be paid for a month.
        shop.twin.advance(27 * DAY_S);
        shop.settle().await;
        assert_eq!(paid(&shop, &ada).await, all);
        assert_eq!(shop.differences().await, []);
    }

    async fn a_dearer_plan_ends_a_trial(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, cookie) = subscribed(&shop, |pro| Plan { trial_days: Some(14), ..pro }).await;
        assert_eq!(paid(&shop, &ada).await, 0);
        let page = shop.product.page(&cookie, "/billing/plan?plan=studio").await;
        assert!(page.contains("Your trial ends with it.") && page.contains("$49.00 are paid now"), "{page}");
        assert_eq!(due(&choose(&shop, &ada, "studio").await), 4900);
        assert_eq!(paid(&shop, &ada).await, 4900);
        assert_eq!(shop.left(&ada, GrantKind::Included).await, VideoTime::from_minutes(1000).ms());
        assert!(shop.left(&ada, GrantKind::Overage).await > 0);
    }

    async fn a_cheaper_plan_takes_off_what_was_used_and_is_none_that_is_paid_now(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        // Ten videos are dearer than what would be left of the month.
        let (ada, _) = subscribed(&shop, |pro| {
            let overage = pro.overage.map(|overage| domain::billing::Overage { minor_per_minute: 60_000, ..overage });
            Plan { overage, ..pro }
        }).await;
        choose(&shop, &ada, "studio").await;
        let before = paid(&shop, &ada).await;
        make(&shop, &ada, 3).await;
        assert_eq!(shop.left(&ada, GrantKind::Included).await, VideoTime::from_minutes(1000).ms() - 6000);
        let choice = choose(&shop, &ada, "pro").await;
        assert!(matches!(choice, Choice::Downgrade(_)), "{choice:?}");
        assert_eq!(shop.left(&ada, GrantKind::Included).await, VideoTime::from_minutes(60).ms() - 6000);
        make(&shop, &ada, 2).await;
        // Back to what was paid for this month, and to what is left of it.
        let choice = choose(&shop, &ada, "studio").await;
        assert!(matches!(choice, Choice::Return(_)), "{choice:?}");
        assert_eq!(shop.left(&ada, GrantKind::Included).await, VideoTime::from_minutes(1000).ms() - 10_000);
        assert_eq!(paid(&shop, &ada).await, before);
        assert!(shop.product.services().verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn what_was_used_of_a_month_is_not_taken_off_a_dearer_plan(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| Plan { included: Included::MonthlyMs(VideoTime::from_ms(8000)), ..pro }).await;
        make(&shop, &ada, 1).await;
        let look = async || due(&shop.product.services().look_at_plan(ada.user.actor(), "studio").await.unwrap().1);
        // A quarter of the month's time is used on its first day.
        assert!((4900 - 2900 * 3 / 4..4900 - 2900 * 3 / 4 + 20).contains(&look().await), "{}", look().await);
        make(&shop, &ada, 3).await;
        shop.twin.advance(60);
        assert!((4900..4920).contains(&look().await), "{}", look().await);
        choose(&shop, &ada, "studio").await;
        assert!((2900 + 4900..2900 + 4920).contains(&paid(&shop, &ada).await));
        assert_eq!(shop.left(&ada, GrantKind::Included).await, VideoTime::from_minutes(1000).ms());
    }

    async fn a_month_that_a_cheaper_plan_has_taken_over_is_not_taken_off_a_third_one(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| Plan { included: Included::MonthlyMs(VideoTime::from_ms(8000)), ..pro }).await;
        choose(&shop, &ada, "studio").await;
        let services = shop.product.services();
        let studio = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "studio").unwrap();
        services.define_plan(Actor::Operator, &Plan { id: "film".into(), name: "Film".into(), monthly_minor: Some(9900), ..studio }, None).await.unwrap();
        make(&shop, &ada, 5).await;
        assert!(matches!(choose(&shop, &ada, "pro").await, Choice::Downgrade(_)));
        let due = due(&choose(&shop, &ada, "film").await);
        assert!((9900..9920).contains(&due), "{due}");
    }

    async fn what_is_used_beyond_does_not_make_a_cheaper_plan_a_dearer_one(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        let studio = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "studio").unwrap();
        let overage = studio.overage.map(|overage| domain::billing::Overage { minor_per_minute: 120_000, ..overage });
        let included = Included::MonthlyMs(VideoTime::from_ms(2000));
        services.define_plan(Actor::Operator, &Plan { overage, included, ..studio }, None).await.unwrap();
        choose(&shop, &ada, "studio").await;
        let before = paid(&shop, &ada).await;
        // 40 dollars each.
        make(&shop, &ada, 3).await;
        shop.twin.advance(3600);
        let choice = choose(&shop, &ada, "pro").await;
        assert!(matches!(choice, Choice::Downgrade(_)), "{choice:?}");
        assert_eq!(paid(&shop, &ada).await, before);
        shop.twin.advance(32 * DAY_S);
        shop.settle().await;
        assert_eq!(paid(&shop, &ada).await, before + 2900 + 8000);
    }

    async fn a_price_that_rose_since_it_was_shown_is_not_agreed_to(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        choose(&shop, &ada, "studio").await;
        let services = shop.product.services();
        let (pro, shown) = services.look_at_plan(ada.user.actor(), "pro").await.unwrap();
        services.define_plan(Actor::Operator, &Plan { monthly_minor: Some(3900), ..pro }, None).await.unwrap();
        let refused = services.choose_plan(ada.user.actor(), "pro", &shown.told()).await;
        assert!(matches!(refused, Err(BillingError::Changed)), "{refused:?}");
        assert_eq!(shop.plan_of(&ada).await, "studio");
    }

    async fn what_is_used_beyond_keeps_its_price_while_anybody_is_billed_it(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        let pro = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
        let define = async |change: &dyn Fn(&mut Plan)| {
            let mut plan = pro.clone();
            change(&mut plan);
            services.define_plan(Actor::Operator, &plan, None).await
        };
        let dearer = define(&|plan| plan.overage.as_mut().unwrap().minor_per_minute += 1).await;
        assert!(matches!(dearer, Err(PlanChangeError::Subscribed)), "{dearer:?}");
        define(&|plan| plan.overage.as_mut().unwrap().limit_ms = VideoTime::from_minutes(1)).await.unwrap();
        define(&|plan| plan.monthly_minor = Some(3900)).await.unwrap();
        define(&|plan| plan.overage = None).await.unwrap();
    }

    async fn a_plan_changes_only_while_it_is_paid(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, cookie) = subscribed(&shop, |pro| pro).await;
        shop.twin.set_card("all", Some("generic_decline")).unwrap();
        shop.twin.advance(31 * DAY_S + 7200);
        shop.settle().await;
        let refused = shop.product.services().look_at_plan(ada.user.actor(), "studio").await;
        assert!(matches!(refused, Err(BillingError::Unpaid)), "{refused:?}");
        assert!(shop.product.page(&cookie, "/billing/plan?plan=studio").await.contains("Your last payment was not made"));
    }

    async fn the_plan_that_was_chosen_follows_on_a_subscription_that_ends(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, cookie) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        services.choose_plan(ada.user.actor(), "payg", "end").await.unwrap();
        assert!(shop.product.page(&cookie, "/billing").await.contains("Then your plan is Pay as you go."));
        let again = services.choose_plan(ada.user.actor(), "payg", "end").await;
        assert!(matches!(again, Err(BillingError::Ending)), "{again:?}");
        shop.twin.advance(32 * DAY_S);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "payg");
    }

    async fn who_keeps_a_subscription_after_all_gets_no_other_plan_at_its_end(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        services.choose_plan(ada.user.actor(), "payg", "end").await.unwrap();
        services.end_subscription(ada.user.actor(), false).await.unwrap();
        services.end_subscription(ada.user.actor(), true).await.unwrap();
        shop.twin.advance(32 * DAY_S);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "free");
    }

    async fn cancelling_what_is_cancelled_leaves_the_plan_that_follows(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        services.choose_plan(ada.user.actor(), "payg", "end").await.unwrap();
        services.end_subscription(ada.user.actor(), true).await.unwrap();
        shop.twin.advance(32 * DAY_S);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "payg");
    }

    async fn a_plan_that_the_operator_gave_is_not_said_to_end_with_a_subscription(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, cookie) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        services.set_plan(Actor::Operator, ada.user.tenant, "unlimited").await.unwrap();
        for is_cancelled in [false, true] {
            services.end_subscription(ada.user.actor(), is_cancelled).await.unwrap();
            let refused = services.choose_plan(ada.user.actor(), "free", "end").await;
            assert!(matches!(refused, Err(BillingError::GivenPlan)), "{refused:?}");
        }
        assert!(shop.product.page(&cookie, "/billing/plan?plan=free").await.contains("has given you the plan that you have"));
        assert_eq!(shop.plan_of(&ada).await, "unlimited");
    }

    async fn who_has_not_paid_has_the_plan_that_is_chosen_at_once_and_again_when_the_subscription_ends(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        shop.twin.set_card("all", Some("generic_decline")).unwrap();
        shop.twin.advance(31 * DAY_S + 7200);
        shop.settle().await;
        dial.advance_ms(domain::billing::PAYMENT_GRACE_MS + 1);
        services.end_grace(Actor::System).await.unwrap();
        assert_eq!(shop.plan_of(&ada).await, "free");
        let cookie = shop.product.cookie(&ada).await;
        assert!(shop.product.page(&cookie, "/billing/plan?plan=payg").await.contains("this plan holds at once"));
        assert_eq!(choose(&shop, &ada, "payg").await, Choice::EndUnpaid);
        let again = services.look_at_plan(ada.user.actor(), "payg").await;
        assert!(matches!(again, Err(BillingError::SamePlan)), "{again:?}");
        shop.twin.set_card("all", None).unwrap();
        shop.twin.advance(8 * DAY_S);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        shop.twin.advance(30 * DAY_S);
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "payg");
    }

    async fn a_cheaper_plan_is_not_chosen_while_a_month_turns(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        choose(&shop, &ada, "studio").await;
        let services = shop.product.services();
        let ends = services.bills(ada.user.actor()).await.unwrap().subscription().unwrap().period_ends_at;
        dial.advance_ms(ends.ms() - dial.now().ms() - 60_000);
        let refused = services.look_at_plan(ada.user.actor(), "pro").await;
        assert!(matches!(refused, Err(BillingError::TurnOfMonth)), "{refused:?}");
    }

    async fn who_asks_twice_at_once_gets_one_page_to_pay(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = shop.product.customer("ada").await;
        let services = shop.product.services();
        // It becomes a customer by the first.
        services.choose_plan(ada.user.actor(), "pro", "subscribe").await.unwrap();
        shop.twin.set_faults(Faults { api_latency_ms: 100, ..Faults::default() });
        let ask = || services.choose_plan(ada.user.actor(), "pro", "subscribe");
        let (one, other) = tokio::join!(ask(), ask());
        shop.twin.set_faults(Faults::default());
        let pages: Vec<_> = [one, other].into_iter().map(|page| page.unwrap().unwrap()).collect();
        for page in &pages {
            shop.pay(page, &format!("card={GOOD_CARD}")).await;
        }
        shop.settle().await;
        let bills = services.fresh_bills(ada.user.actor()).await.unwrap();
        assert_eq!((bills.account.subscriptions.len(), paid(&shop, &ada).await), (1, 2900), "{pages:?}");
    }

    async fn a_plan_that_keeps_videos_for_less_time_deletes_none_at_once(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let services = shop.product.services();
        let ada = shop.product.customer("ada").await;
        let pro = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
        services.define_plan(Actor::Operator, &Plan { retention_days: Some(7), ..pro }, None).await.unwrap();
        let video = shop.product.create(&ada, "a red ball").await;
        shop.product.finish().await;
        dial.advance_ms(8 * DAY_MS);
        let cookie = shop.product.cookie(&ada).await;
        assert!(shop.product.page(&cookie, "/billing/plan?plan=pro").await.contains("after they are made; older ones"));
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        let is_there = async || services.store.tenant(ada.user.tenant).jobs().get(video).await.unwrap().is_some();
        services.delete_expired(Actor::System).await.unwrap();
        assert!(is_there().await);
        dial.advance_ms(31 * DAY_MS);
        services.delete_expired(Actor::System).await.unwrap();
        assert!(!is_there().await);
    }

    async fn who_deletes_an_account_pays_for_what_was_used_before(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        shop.product.customer("operator").await;
        let (ada, cookie) = subscribed(&shop, |pro| Plan { included: Included::MonthlyMs(VideoTime::from_ms(2000)), ..pro }).await;
        make(&shop, &ada, 2).await;
        let services = shop.product.services();
        let page = shop.product.page(&cookie, "/account/delete").await;
        assert!(page.contains("Its subscription ends at once"), "{page}");
        let customer = services.store.payments().account(ada.user.tenant, 0).await.unwrap().customer.unwrap();
        services.delete_account(ada.user.actor(), "correct horse battery", "").await.unwrap();
        let stripe = payments::Stripe::new("sk_test_1", Some(shop.twin.base_url()), false, String::new).unwrap();
        let is_live = async || stripe.subscriptions(&customer).await.is_ok_and(|all| all.iter().any(|one| one.is_live()));
        // While Stripe does not take what was used, nothing is ended there.
        shop.twin.set_faults(Faults { api_fail_before: 2, ..Faults::default() });
        services.deliver_events(Actor::System).await.unwrap();
        assert!(is_live().await);
        shop.twin.set_faults(Faults::default());
        dial.advance_ms(DAY_MS / 24);
        shop.settle().await;
        assert!(!is_live().await);
    }
}
