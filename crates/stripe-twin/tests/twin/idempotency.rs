//! A request that is sent again is not done again.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::support::Shop;

#[tokio::test(flavor = "multi_thread")]
async fn fifty_at_once_with_one_key_make_one_customer() {
    let shop = Arc::new(Shop::open().await);
    let mut sending = JoinSet::new();
    for _ in 0..50 {
        let shop = shop.clone();
        sending.spawn(async move { shop.try_post("/v1/customers", &[("name", "Once")], Some("one-key")).await });
    }
    let answers = sending.join_all().await;
    let made: BTreeSet<_> = answers.iter().filter(|(status, _)| *status == 200).map(|(_, body)| body["id"].to_string()).collect();
    assert_eq!(made.len(), 1);
    assert!(answers.iter().all(|(status, body)| *status == 200 || body["error"]["code"] == "idempotency_key_in_use"));
    let customers = shop.get("/v1/customers?limit=100").await;
    let named = customers["data"].as_array().unwrap().iter().filter(|customer| customer["name"] == "Once").count();
    assert_eq!(named, 1);
}

#[tokio::test]
async fn a_decline_is_replayed_and_a_mistake_is_not() {
    let shop = Shop::open().await;
    let charge = |card| vec![("amount", "500"), ("currency", "usd"), ("payment_method", card), ("confirm", "true")];
    let declined = shop.try_post("/v1/payment_intents", &charge("pm_card_chargeDeclined"), Some("pay")).await;
    let again = shop.try_post("/v1/payment_intents", &charge("pm_card_chargeDeclined"), Some("pay")).await;
    assert_eq!((declined.0, &declined.1), (402, &again.1));
    let (status, body) = shop.try_post("/v1/payment_intents", &charge("pm_card_visa"), Some("pay")).await;
    assert_eq!((status, &body["error"]["type"]), (400, &"idempotency_error".into()));
    let mistake = shop.try_post("/v1/payment_intents", &[("currency", "usd")], Some("fixed")).await;
    assert_eq!(mistake.0, 400);
}

#[tokio::test]
async fn the_same_seed_and_the_same_requests_make_the_same_ids() {
    let (one, other) = (Shop::open().await, Shop::open().await);
    assert_eq!((&one.clock, &one.customer, &one.pro), (&other.clock, &other.customer, &other.pro));
}
