//! Time of those who are on no test clock.

use stripe_twin::Options;

use crate::support::{DAY, Shop, id};

#[tokio::test]
async fn moving_time_renews_what_is_on_no_test_clock() {
    let shop = Shop::open_with(Options { seed: Some(1), ..Options::default() }).await;
    let customer = id(&shop.post("/v1/customers", &[("email", "now@example.com")]).await);
    let method = id(&shop.post("/v1/payment_methods/pm_card_visa/attach", &[("customer", &customer)]).await);
    let fields = [("customer", customer.as_str()), ("items[0][price]", &shop.basic), ("default_payment_method", &method)];
    let subscription = id(&shop.post("/v1/subscriptions", &fields).await);
    let before = shop.twin.now();
    shop.twin.advance(100 * DAY);
    assert!((100 * DAY..=100 * DAY + 5).contains(&(shop.twin.now() - before)));
    let invoices = shop.get(&format!("/v1/invoices?subscription={subscription}")).await;
    let paid: Vec<_> = invoices["data"].as_array().unwrap().iter().map(|invoice| invoice["status"].as_str().unwrap()).collect();
    assert_eq!(paid, ["paid"; 4]);
    let created: Vec<_> = invoices["data"].as_array().unwrap().iter().map(|invoice| invoice["created"].as_i64().unwrap()).collect();
    assert!(created.windows(2).all(|pair| (28 * DAY..=31 * DAY).contains(&(pair[0] - pair[1]))));
}

#[tokio::test]
async fn a_test_clock_moves_nobody_else() {
    let shop = Shop::open().await;
    let other = shop.post("/v1/customers", &[("email", "now@example.com")]).await;
    let now = shop.twin.now();
    shop.advance(crate::support::START + 40 * DAY).await;
    assert!((0..5).contains(&(shop.twin.now() - now)));
    assert!(other["created"].as_i64().unwrap() <= now);
}
