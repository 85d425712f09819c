//! What a change in the middle of a period costs, by hand and by property.

use proptest::prelude::{ProptestConfig, Strategy};
use proptest::test_runner::TestRunner;
use tokio::runtime::Runtime;

use crate::support::{DAY, START, Shop, amounts, id};

#[tokio::test]
async fn an_upgrade_at_half_time_costs_half_of_the_difference() {
    let shop = Shop::open().await;
    let subscription = shop.subscribe(&shop.basic).await;
    shop.advance(START + 31 * DAY / 2).await;
    let changed = shop.change(&subscription, &shop.pro, 1, "always_invoice").await;
    assert_eq!(amounts(&changed["latest_invoice"]), [-500, 1500]);
    assert_eq!((&changed["latest_invoice"]["total"], &changed["latest_invoice"]["status"]), (&1000.into(), &"paid".into()));
}

#[tokio::test]
async fn seconds_count_and_cents_are_rounded_one_by_one() {
    let shop = Shop::open().await;
    let subscription = shop.subscribe(&shop.basic).await;
    shop.advance(START + 31 * DAY - 1_234_567).await;
    let changed = shop.change(&subscription, &shop.pro, 2, "always_invoice").await;
    // 1000 * 1234567 / 2678400 = 460.93, 6000 * 1234567 / 2678400 = 2765.61
    assert_eq!(amounts(&changed["latest_invoice"]), [-461, 2766]);
}

#[tokio::test]
async fn a_second_change_gives_back_what_the_first_one_charged() {
    let shop = Shop::open().await;
    let subscription = shop.subscribe(&shop.basic).await;
    shop.advance(START + 10 * DAY).await;
    shop.change(&subscription, &shop.pro, 1, "create_prorations").await;
    shop.change(&subscription, &shop.basic, 1, "create_prorations").await;
    let mut pending = shop.pending_amounts().await;
    pending.sort_unstable();
    assert_eq!(pending, [-2032, -677, 677, 2032]);
}

#[tokio::test]
async fn a_trial_owes_nothing_when_it_changes() {
    let shop = Shop::open().await;
    let fields = [("customer", shop.customer.as_str()), ("items[0][price]", &shop.basic), ("trial_period_days", "14")];
    let subscription = shop.post("/v1/subscriptions", &fields).await;
    shop.change(&subscription, &shop.pro, 1, "create_prorations").await;
    assert!(shop.pending_amounts().await.is_empty());
}

#[tokio::test]
async fn nothing_changes_where_the_change_cannot_be_paid() {
    let shop = Shop::open().await;
    let subscription = shop.subscribe(&shop.basic).await;
    let failing = id(&shop.post("/v1/payment_methods/pm_card_chargeCustomerFail/attach", &[("customer", &shop.customer)]).await);
    let path = format!("/v1/subscriptions/{}", id(&subscription));
    let fields = [
        ("items[0][id]", subscription["items"]["data"][0]["id"].as_str().unwrap()),
        ("items[0][price]", &shop.pro),
        ("proration_behavior", "always_invoice"),
        ("payment_behavior", "error_if_incomplete"),
        ("default_payment_method", &failing),
    ];
    let (status, body) = shop.try_post(&path, &fields, None).await;
    assert_eq!((status, &body["error"]["code"]), (402, &"card_declined".into()));
    assert_eq!(shop.get(&path).await["items"]["data"][0]["price"]["id"], shop.basic.as_str());
}

#[test]
fn lines_add_up_and_an_upgrade_that_is_taken_back_at_once_costs_nothing() {
    let runtime = Runtime::new().unwrap();
    let shop = runtime.block_on(Shop::open());
    let changes = (1_i64..2_678_399, 1_i64..90, 1_i64..90, 100_i64..100_000);
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) });
    let property = |(into, before, after, cents): (i64, i64, i64, i64)| {
        runtime.block_on(check(&shop, into, before, after, cents));
        Ok(())
    };
    runner.run(&changes.prop_map(|change| change), property).unwrap();
}

/// `into`: seconds after the begin of the period.
async fn check(shop: &Shop, into: i64, before: i64, after: i64, cents: i64) {
    let price = shop.plan(&cents.to_string()).await;
    let fields = [("customer", shop.customer.as_str()), ("items[0][price]", &price), ("items[0][quantity]", &before.to_string())];
    let subscription = shop.post("/v1/subscriptions", &fields).await;
    let path = format!("/v1/subscriptions/{}", id(&subscription));
    let at = (subscription["items"]["data"][0]["current_period_start"].as_i64().unwrap() + into).to_string();
    let item = subscription["items"]["data"][0]["id"].as_str().unwrap();
    let mut total = 0;
    for quantity in [after, before] {
        let quantity = quantity.to_string();
        let fields = [
            ("items[0][id]", item),
            ("items[0][quantity]", &quantity),
            ("proration_date", &at),
            ("proration_behavior", "always_invoice"),
            ("expand[]", "latest_invoice"),
        ];
        let changed = shop.post(&path, &fields).await;
        if before != after {
            let invoice = &changed["latest_invoice"];
            assert_eq!(amounts(invoice).iter().sum::<i64>(), invoice["total"].as_i64().unwrap());
            total += invoice["total"].as_i64().unwrap();
        }
    }
    assert_eq!(total, 0);
}
