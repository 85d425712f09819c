//! What is told to the payment processor counts once, also when nobody knows any more whether it was told, and the processor has forgotten.

use super::payments::{GOOD_CARD, SUBSCRIBE, Shop};
use crate::harness::Customer;
use domain::{
    Actor, Clock, JobId, VideoTime,
    billing::{GrantKind, Included, Plan},
};
use service::billing::Refund;
use store::{SystemClock, on_both_engines, testing::Dial};
use stripe_twin::Faults;

const DAY_S: i64 = 86_400;

/// A customer whose three videos of two seconds were made beyond what the plan includes.
async fn used_beyond(shop: &Shop) -> (Customer, Vec<JobId>) {
    let services = shop.product.services();
    let pro = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "pro").unwrap();
    let plan = Plan { included: Included::MonthlyMs(VideoTime::from_ms(1)), ..pro };
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
    services.report_usage(Actor::System).await.unwrap();
    (ada, jobs)
}

/// A customer who has paid for ten minutes of credit, and who that is at the processor.
async fn bought_ten_minutes(shop: &Shop) -> (Customer, String) {
    let services = shop.product.services();
    let ada = shop.product.customer("ada").await;
    services.set_plan(Actor::Operator, ada.user.tenant, "payg").await.unwrap();
    let cookie = shop.product.cookie(&ada).await;
    shop.buy(&cookie, ("/api/buy-credit", "minutes=10"), GOOD_CARD).await;
    shop.settle().await;
    assert_eq!(shop.left(&ada, GrantKind::Purchase).await, 600_000);
    let customer = services.store.payments().account(ada.user.tenant, 0).await.unwrap().customer.unwrap();
    (ada, customer)
}

/// The processor was away for a day and an hour.
async fn a_day_later(shop: &Shop, dial: &Dial) {
    dial.advance_ms((DAY_S + 3600) * 1000);
    shop.twin.advance(DAY_S + 3600);
}

on_both_engines! {
    async fn usage_of_which_nobody_knows_whether_it_was_told_is_compared_after_a_day(database: TempDatabase) {
        // The subscription began before.
        let dial = Dial::at(SystemClock.now().plus_ms(60_000).ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let (_ada, _) = used_beyond(&shop).await;
        // Two answers were lost, and one was not told at all.
        shop.product.database().damage("UPDATE meter_events SET reported_at_ms = NULL").await;
        a_day_later(&shop, &dial).await;
        shop.product.services().report_usage(Actor::System).await.unwrap();
        assert_eq!(shop.differences().await, []);
    }

    async fn usage_that_was_told_after_the_backup_that_is_back_counts_once(database: TempDatabase) {
        // The subscription began before.
        let dial = Dial::at(SystemClock.now().plus_ms(60_000).ms());
        let shop = Shop::open(database, Some(&dial)).await;
        used_beyond(&shop).await;
        let made_at = dial.now();
        shop.product.database().damage("UPDATE meter_events SET reported_at_ms = NULL, begun_at_ms = NULL").await;
        a_day_later(&shop, &dial).await;
        let services = shop.product.services();
        services.store.metering().may_have_been_told(made_at).await.unwrap();
        services.report_usage(Actor::System).await.unwrap();
        assert_eq!(shop.differences().await, []);
    }

    async fn who_has_paid_first_since_the_backup_that_is_back_is_known_again(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let ada = shop.product.customer("ada").await;
        let cookie = shop.product.cookie(&ada).await;
        shop.buy(&cookie, SUBSCRIBE, GOOD_CARD).await;
        shop.settle().await;
        for sql in [
            "UPDATE tenants SET stripe_customer = NULL, plan = 'free', paid_plan = NULL WHERE stripe_customer IS NOT NULL",
            "DELETE FROM subscriptions",
            "DELETE FROM invoices",
            "DELETE FROM inbox",
        ] {
            shop.product.database().damage(sql).await;
        }
        assert_eq!(shop.plan_of(&ada).await, "free");
        shop.product.services().ask_for_events(Actor::System).await.unwrap();
        shop.settle().await;
        assert_eq!(shop.plan_of(&ada).await, "pro");
        assert_eq!(shop.differences().await, []);
    }

    async fn a_credit_of_which_nobody_knows_whether_it_was_given_is_looked_for(database: TempDatabase) {
        // The subscription began before.
        let dial = Dial::at(SystemClock.now().plus_ms(60_000).ms());
        let shop = Shop::open(database, Some(&dial)).await;
        let (ada, jobs) = used_beyond(&shop).await;
        let services = shop.product.services();
        let refund = Refund { job: jobs[2], amount: None, reason: "six fingers".into(), once: Some("click".into()) };
        services.refund(Actor::Operator, None, refund).await.unwrap();
        // Its answers are lost until the processor has forgotten what it was asked.
        shop.twin.set_faults(Faults { api_fail_after: 1000, ..Faults::default() });
        services.deliver_events(Actor::System).await.unwrap();
        let customer = services.store.payments().account(ada.user.tenant, 0).await.unwrap().customer.unwrap();
        assert_eq!(shop.twin.balance(&customer), -2);
        shop.twin.set_faults(Faults::default());
        a_day_later(&shop, &dial).await;
        services.ask_for_events(Actor::System).await.unwrap();
        shop.settle().await;
        assert_eq!(shop.twin.balance(&customer), -2);
        assert!(services.payment_overview(Actor::Operator).await.unwrap().undelivered.is_empty());
    }

    async fn credit_whose_payment_is_paid_back_is_taken_back_as_far_as_it_is_left(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, customer) = bought_ten_minutes(&shop).await;
        let services = shop.product.services();
        let left = async || shop.left(&ada, GrantKind::Purchase).await;
        let paid: i64 = 600;
        for (refunded, rest) in [(paid / 2, 300_000), (paid / 4, 150_000)] {
            shop.twin.refund(&customer, refunded).unwrap();
            for _ in 0..2 {
                shop.settle().await;
                assert_eq!(left().await, rest);
            }
        }
        shop.product.create(&ada, "a red ball").await;
        shop.product.finish().await;
        shop.twin.refund(&customer, paid / 4).unwrap();
        shop.settle().await;
        assert_eq!(left().await, 0);
        assert_eq!(shop.differences().await, []);
        assert!(services.verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn credit_whose_payment_is_disputed_is_taken_back(database: TempDatabase) {
        let shop = Shop::open(database, None).await;
        let (ada, customer) = bought_ten_minutes(&shop).await;
        let services = shop.product.services();
        shop.twin.dispute(&customer).unwrap();
        services.ask_for_events(Actor::System).await.unwrap();
        shop.settle().await;
        assert_eq!(shop.left(&ada, GrantKind::Purchase).await, 0);
        assert!(services.verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }
}
