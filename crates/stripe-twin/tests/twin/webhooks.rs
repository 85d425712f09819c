//! Deliveries: signed as Stripe signs them, and as unreliable as one asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use stripe_twin::{Faults, Options, Status};
use stripe_webhook::{Webhook, WebhookError};

use crate::support::{Receiver, SECRET, Shop};

const PATIENCE: Duration = Duration::from_secs(30);

async fn shop_with(faults: Faults) -> (Shop, Receiver) {
    let (receiver, webhook) = Receiver::start().await;
    let shop = Shop::open_with(Options { seed: Some(1), webhook: Some(webhook), ..Options::default() }).await;
    assert!(shop.twin.wait_until_idle(PATIENCE).await);
    receiver.came.lock().unwrap().clear();
    shop.twin.set_faults(faults);
    (shop, receiver)
}

async fn make(shop: &Shop, count: usize) {
    for number in 0..count {
        shop.post("/v1/products", &[("name", &format!("Product {number}"))]).await;
    }
}

#[tokio::test]
async fn a_signature_holds_for_its_body_its_secret_and_five_minutes() {
    let (shop, receiver) = shop_with(Faults::default()).await;
    make(&shop, 1).await;
    assert!(shop.twin.wait_until_idle(PATIENCE).await);
    let (body, signature) = receiver.came.lock().unwrap()[0].clone();
    assert!(Webhook::construct_event(&body, &signature, SECRET).is_ok());
    assert!(matches!(Webhook::construct_event(&body, &signature, "whsec_other"), Err(WebhookError::BadSignature)));
    assert!(matches!(Webhook::construct_event(&format!("{body} "), &signature, SECRET), Err(WebhookError::BadSignature)));
    let sent: i64 = signature.trim_start_matches("t=").split(',').next().unwrap().parse().unwrap();
    let later = Webhook::construct_event_with_timestamp(&body, &signature, SECRET, sent + 301);
    assert!(matches!(later, Err(WebhookError::BadTimestamp(_))));
}

#[tokio::test]
async fn copied_and_shuffled_events_all_arrive_in_another_order() {
    let faults = Faults { seed: 9, copies: 5, shuffle_ms: 400, parallel: 8, ..Faults::default() };
    let (shop, receiver) = shop_with(faults).await;
    make(&shop, 200).await;
    assert!(shop.twin.wait_until_idle(PATIENCE).await);
    let events = receiver.events();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for event in &events {
        *times.entry(event["id"].to_string()).or_default() += 1;
    }
    assert_eq!(times.len(), 200);
    assert_eq!(times.values().copied().collect::<BTreeSet<_>>(), BTreeSet::from([1, 2, 3, 4, 5]));
    let names: Vec<_> = events.iter().map(|event| event["data"]["object"]["name"].to_string()).collect();
    let sorted: Vec<_> = (0..200).map(|number| format!("\"Product {number}\"")).collect();
    assert_ne!(names.into_iter().collect::<Vec<_>>()[..50], sorted[..50]);
}

#[tokio::test]
async fn the_same_seed_loses_the_same_events() {
    let mut lost = Vec::new();
    for _ in 0..2 {
        let (shop, _receiver) = shop_with(Faults { seed: 4, drop_probability: 0.4, ..Faults::default() }).await;
        make(&shop, 40).await;
        assert!(shop.twin.wait_until_idle(PATIENCE).await);
        let missing = shop.twin.deliveries().into_iter().filter(|delivery| delivery.status == Status::Lost);
        lost.push(missing.map(|delivery| delivery.event).collect::<Vec<_>>());
    }
    assert!((5..35).contains(&lost[0].len()) && lost[0] == lost[1]);
}

#[tokio::test]
async fn a_refusal_is_tried_again_until_the_schedule_ends() {
    let (shop, receiver) = shop_with(Faults { retries_ms: vec![10, 20], ..Faults::default() }).await;
    receiver.answers.lock().unwrap().extend([500, 503]);
    make(&shop, 1).await;
    assert!(shop.twin.wait_until_idle(PATIENCE).await);
    assert_eq!(receiver.events().len(), 3);
    receiver.answers.lock().unwrap().extend([500, 500, 500]);
    make(&shop, 1).await;
    assert!(shop.twin.wait_until_idle(PATIENCE).await);
    let failed: Vec<_> = shop.twin.deliveries().into_iter().filter(|delivery| delivery.status == Status::Failed).collect();
    assert_eq!((failed.len(), failed[0].tries, failed[0].answer.as_deref()), (1, 3, Some("500")));
}

#[tokio::test]
async fn what_is_held_comes_when_it_is_released() {
    let (shop, receiver) = shop_with(Faults { hold: true, ..Faults::default() }).await;
    make(&shop, 3).await;
    assert!(shop.twin.wait_until_idle(PATIENCE).await && receiver.events().is_empty());
    assert_eq!(shop.twin.release(), 3);
    assert!(shop.twin.wait_until_idle(PATIENCE).await);
    assert_eq!(receiver.events().len(), 3);
}
