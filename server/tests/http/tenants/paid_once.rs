//! A month of a plan is paid once, however its customer goes back and forth, and so is all that is used beyond it.

use super::{
    payments::Shop,
    plan_changes::{DAY_S, choose, due, make, paid, subscribed},
};
use domain::{
    Actor, Clock, VideoTime,
    billing::{GrantKind, Included, Overage, Plan},
};
use service::payment::{BillingError, Choice};
use store::{
    SystemClock, on_both_engines,
    testing::{Dial, TempDatabase},
};
use stripe_twin::Faults;

async fn edit(shop: &Shop, id: &str, change: impl FnOnce(Plan) -> Plan) {
    let services = shop.product.services();
    let plan = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == id).unwrap();
    services.define_plan(Actor::Operator, &change(plan), None).await.unwrap();
}

/// Nobody asks for a balance, or makes anything, between the changes.
async fn goes_back_for_nothing(database: TempDatabase, months: i64, change: impl FnOnce(Plan) -> Plan) {
    let dial = Dial::at(SystemClock.now().ms());
    let shop = Shop::open(database, Some(&dial)).await;
    let (ada, _) = subscribed(&shop, |pro| pro).await;
    edit(&shop, "studio", change).await;
    shop.twin.advance(60);
    choose(&shop, &ada, "studio").await;
    if months > 0 {
        dial.advance_ms(months * (31 * DAY_S + 7200) * 1000);
        shop.twin.advance(months * (31 * DAY_S + 7200));
        shop.settle().await;
    }
    let before = paid(&shop, &ada).await;
    assert!(matches!(choose(&shop, &ada, "pro").await, Choice::Downgrade(_)));
    let back = choose(&shop, &ada, "studio").await;
    assert!(matches!(back, Choice::Return(_)), "{back:?}");
    assert_eq!(paid(&shop, &ada).await, before);
    assert!(shop.product.services().verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
}

const WAITING: usize = 3;

async fn finish_all(shop: &Shop) {
    for _ in 0..WAITING {
        shop.product.finish().await;
    }
}

/// Pro includes one video, and three wait: two of them are to be paid afterwards.
async fn held(shop: &Shop) -> crate::harness::Customer {
    let (ada, _) = subscribed(shop, |pro| Plan {
        included: Included::MonthlyMs(VideoTime::from_ms(2000)),
        overage: pro.overage.map(|overage| Overage { minor_per_minute: 60_000, ..overage }),
        ..pro
    })
    .await;
    for number in 0..WAITING {
        shop.product.create(&ada, &format!("ball number {number}")).await;
    }
    ada
}

fn is_held<T: std::fmt::Debug>(answer: Result<T, BillingError>) {
    assert!(matches!(answer, Err(BillingError::OverageHeld)), "{answer:?}");
}

on_both_engines! {
    async fn who_looks_at_nothing_in_between_pays_a_month_once(database: TempDatabase) {
        goes_back_for_nothing(database, 0, |studio| studio).await;
    }

    async fn a_month_without_an_end_is_paid_once(database: TempDatabase) {
        goes_back_for_nothing(database, 0, |studio| Plan { included: Included::Unlimited, ..studio }).await;
    }

    async fn a_later_month_without_an_end_is_paid_once(database: TempDatabase) {
        goes_back_for_nothing(database, 1, |studio| Plan { included: Included::Unlimited, overage: None, ..studio }).await;
    }

    async fn a_month_that_includes_nothing_is_paid_once(database: TempDatabase) {
        goes_back_for_nothing(database, 1, |studio| Plan { included: Included::MonthlyMs(VideoTime::default()), overage: None, ..studio }).await;
    }

    async fn of_a_plan_that_includes_nothing_the_time_that_is_left_is_taken_off(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| Plan { included: Included::MonthlyMs(VideoTime::default()), ..pro }).await;
        let due = due(&choose(&shop, &ada, "studio").await);
        assert!((2000..2020).contains(&due), "{due}");
    }

    async fn a_change_that_is_asked_for_twice_at_once_is_paid_once(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let without = |plan| Plan { included: Included::MonthlyMs(VideoTime::from_ms(2000)), overage: None, ..plan };
        let (ada, _) = subscribed(&shop, without).await;
        edit(&shop, "studio", |studio| Plan { overage: None, ..studio }).await;
        make(&shop, &ada, 1).await;
        shop.twin.advance(60);
        let services = shop.product.services();
        let shown = services.look_at_plan(ada.user.actor(), "studio").await.unwrap().1.told();
        shop.twin.set_faults(Faults { api_latency_ms: 100, ..Faults::default() });
        let ask = || services.choose_plan(ada.user.actor(), "studio", &shown);
        let (one, other) = tokio::join!(ask(), ask());
        shop.twin.set_faults(Faults::default());
        shop.settle().await;
        let (done, refused) = if one.is_ok() { (one, other) } else { (other, one) };
        assert_eq!(done.unwrap(), None);
        assert!(matches!(refused, Err(BillingError::SamePlan)), "{refused:?}");
        let all = paid(&shop, &ada).await;
        assert!((2900 + 4900..2900 + 4920).contains(&all), "{all}");
    }

    async fn what_a_server_has_left_undone_keeps_a_plan_from_changing_for_minutes_alone(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        let payments = shop.product.services().store.payments();
        assert!(payments.begin_change(ada.user.tenant).await.unwrap());
        assert!(!payments.begin_change(ada.user.tenant).await.unwrap());
        dial.advance_ms(5 * 60 * 1000);
        choose(&shop, &ada, "studio").await;
        assert!(payments.begin_change(ada.user.tenant).await.unwrap());
    }

    async fn what_is_made_after_a_change_to_a_plan_without_overage_is_billed(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = held(&shop).await;
        edit(&shop, "studio", |studio| Plan { id: "basic".into(), name: "Basic".into(), monthly_minor: Some(900), overage: None, ..studio }).await;
        assert!(matches!(choose(&shop, &ada, "basic").await, Choice::Downgrade(_)));
        finish_all(&shop).await;
        shop.product.services().report_usage(Actor::System).await.unwrap();
        let before = paid(&shop, &ada).await;
        shop.twin.advance(32 * DAY_S);
        shop.settle().await;
        assert_eq!(paid(&shop, &ada).await - before, 900 + 4000);
        assert_eq!(shop.differences().await, []);
    }

    async fn a_plan_is_not_changed_while_videos_are_to_be_paid_afterwards_at_another_price(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = held(&shop).await;
        let services = shop.product.services();
        let shown = services.look_at_plan(ada.user.actor(), "studio").await.unwrap().1.told();
        is_held(services.choose_plan(ada.user.actor(), "studio", &shown).await);
        finish_all(&shop).await;
        choose(&shop, &ada, "studio").await;
    }

    async fn a_subscription_is_not_ended_in_its_last_days_while_videos_are_to_be_paid_afterwards(database: TempDatabase) {
        let dial = Dial::at(SystemClock.now().ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let ada = Box::pin(held(&shop)).await;
        let services = shop.product.services();
        services.end_subscription(ada.user.actor(), true).await.unwrap();
        services.end_subscription(ada.user.actor(), false).await.unwrap();
        // The month has four days more, or less.
        dial.advance_ms(27 * DAY_S * 1000);
        is_held(services.end_subscription(ada.user.actor(), true).await);
        let end = services.look_at_plan(ada.user.actor(), "free").await.unwrap().1.told();
        is_held(services.choose_plan(ada.user.actor(), "free", &end).await);
        Box::pin(finish_all(&shop)).await;
        assert!(shop.left(&ada, GrantKind::Overage).await > 0);
        services.end_subscription(ada.user.actor(), true).await.unwrap();
    }

    async fn a_plan_that_the_operator_gave_is_none_that_was_paid(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, _) = subscribed(&shop, |pro| pro).await;
        let services = shop.product.services();
        services.set_plan(Actor::Operator, ada.user.tenant, "studio").await.unwrap();
        services.balance(ada.user.actor()).await.unwrap();
        let (_, choice) = services.look_at_plan(ada.user.actor(), "studio").await.unwrap();
        assert!(matches!(choice, Choice::Upgrade { .. }), "{choice:?}");
    }
}
