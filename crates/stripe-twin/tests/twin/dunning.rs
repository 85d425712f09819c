//! Invoices that cannot be collected: tried again on a schedule, and what becomes of the subscription after it.

use serde_json::Value;
use stripe_twin::{AfterDunning, Options, Settings};

use crate::support::{DAY, START, Shop, id};

const RENEWED: i64 = START + 31 * DAY;

/// A subscription whose renewal is refused, with two retries.
async fn refused(after_dunning: AfterDunning) -> (Shop, String) {
    let settings = Settings { dunning_s: vec![DAY, 2 * DAY], after_dunning, draft_s: 3600 };
    let shop = Shop::open_with(Options { seed: Some(1), settings, ..Options::default() }).await;
    let subscription = id(&shop.subscribe(&shop.basic).await);
    let card = id(&shop.post("/v1/payment_methods/pm_card_chargeCustomerFail/attach", &[("customer", &shop.customer)]).await);
    shop.post(&format!("/v1/subscriptions/{subscription}"), &[("default_payment_method", &card)]).await;
    shop.advance(RENEWED + 3600).await;
    (shop, subscription)
}

async fn subscription(shop: &Shop, id: &str) -> Value {
    shop.get(&format!("/v1/subscriptions/{id}?expand[]=latest_invoice")).await
}

#[tokio::test]
async fn the_schedule_is_kept_to_the_second() {
    let (shop, id) = refused(AfterDunning::Cancel).await;
    let first = subscription(&shop, &id).await;
    assert_eq!(first["status"], "past_due");
    assert_eq!(first["latest_invoice"]["next_payment_attempt"], RENEWED + 3600 + DAY);
    shop.advance(RENEWED + 3600 + DAY).await;
    let second = subscription(&shop, &id).await;
    assert_eq!(second["latest_invoice"]["next_payment_attempt"], RENEWED + 3600 + 3 * DAY);
    assert_eq!(second["latest_invoice"]["attempt_count"], 2);
}

#[tokio::test]
async fn after_the_last_try_it_is_canceled_unpaid_or_left_past_due() {
    let ends = [(AfterDunning::Cancel, "canceled"), (AfterDunning::MarkUnpaid, "unpaid"), (AfterDunning::LeavePastDue, "past_due")];
    for (after, status) in ends {
        let (shop, id) = refused(after).await;
        shop.advance(RENEWED + 3600 + 3 * DAY).await;
        let ended = subscription(&shop, &id).await;
        assert_eq!((&ended["status"], &ended["latest_invoice"]["status"]), (&status.into(), &"open".into()));
        assert_eq!(ended["latest_invoice"]["attempt_count"], 3);
    }
}

#[tokio::test]
async fn what_is_unpaid_is_made_good_by_paying_the_last_invoice() {
    let (shop, id) = refused(AfterDunning::MarkUnpaid).await;
    shop.advance(RENEWED + 3600 + 3 * DAY).await;
    let invoice = subscription(&shop, &id).await["latest_invoice"]["id"].as_str().unwrap().to_owned();
    let (status, body) = shop.try_post(&format!("/v1/invoices/{invoice}/pay"), &[], None).await;
    assert_eq!((status, &body["error"]["type"]), (402, &"card_error".into()));
    shop.post(&format!("/v1/invoices/{invoice}/pay"), &[("payment_method", "pm_card_visa")]).await;
    assert_eq!(subscription(&shop, &id).await["status"], "active");
}

#[tokio::test]
async fn a_canceled_subscription_is_not_dunned() {
    let (shop, id) = refused(AfterDunning::Cancel).await;
    let invoice = subscription(&shop, &id).await["latest_invoice"]["id"].as_str().unwrap().to_owned();
    let portal = shop.post("/v1/billing_portal/sessions", &[("customer", &shop.customer)]).await;
    assert!(portal["url"].as_str().is_some());
    let canceled = shop.post(&format!("/v1/subscriptions/{id}"), &[("cancel_at_period_end", "true")]).await;
    assert_eq!(canceled["status"], "past_due");
    shop.advance(RENEWED + 20 * DAY).await;
    assert_eq!(shop.get(&format!("/v1/invoices/{invoice}")).await["status"], "open");
}
