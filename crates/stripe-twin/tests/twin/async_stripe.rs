//! The `async-stripe` crates, unmodified, against the twin: what they send is understood, and what they are sent deserialises.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use serde_json::Value;
use stripe::{Client, ClientBuilder, StripeError};
use stripe_billing::billing_meter::{
    CreateBillingMeter, CreateBillingMeterDefaultAggregation, CreateBillingMeterDefaultAggregationFormula,
};
use stripe_billing::billing_meter_event::CreateBillingMeterEvent;
use stripe_billing::billing_portal_session::CreateBillingPortalSession;
use stripe_billing::invoice::ListInvoice;
use stripe_billing::subscription::{
    CancelSubscription, CreateSubscription, CreateSubscriptionItems, ListSubscription, RetrieveSubscription, UpdateSubscription,
    UpdateSubscriptionItems,
};
use stripe_checkout::CheckoutSessionMode;
use stripe_checkout::checkout_session::{CreateCheckoutSession, CreateCheckoutSessionLineItems, RetrieveCheckoutSession};
use stripe_core::customer::{CreateCustomer, ListCustomer, RetrieveCustomer, RetrieveCustomerReturned};
use stripe_core::event::ListEvent;
use stripe_core::payment_intent::CreatePaymentIntent;
use stripe_core::refund::CreateRefund;
use stripe_product::price::{CreatePrice, CreatePriceRecurring, CreatePriceRecurringInterval};
use stripe_product::product::CreateProduct;
use stripe_shared::{ApiErrorsCode, InvoiceStatus, PaymentIntentStatus, SubscriptionStatus};
use stripe_twin::Options;
use stripe_types::Currency;
use stripe_webhook::{EventObject, Webhook};

use crate::support::{Receiver, SECRET, Shop};

fn client(shop: &Shop) -> Client {
    ClientBuilder::new("sk_test_1").url(format!("{}/", shop.twin.base_url())).build().unwrap()
}

/// Makes them in an API of Stripe's own words, and reads what comes back.
#[tokio::test]
async fn a_merchant_makes_a_customer_a_plan_and_a_subscription() {
    let shop = Shop::open().await;
    let client = client(&shop);
    let metadata = HashMap::from([("tenant".to_owned(), "t1".to_owned())]);
    let customer = CreateCustomer::new().email("c@example.com").metadata(metadata).send(&client).await.unwrap();
    assert_eq!(customer.email.as_deref(), Some("c@example.com"));
    let product = CreateProduct::new("Studio").send(&client).await.unwrap();
    let price = CreatePrice::new(Currency::USD)
        .product(product.id.as_str())
        .unit_amount(2000)
        .recurring(CreatePriceRecurring::new(CreatePriceRecurringInterval::Month))
        .send(&client)
        .await
        .unwrap();
    assert_eq!(price.unit_amount, Some(2000));
    let item = CreateSubscriptionItems { price: Some(price.id.to_string()), ..CreateSubscriptionItems::new() };
    let begun = CreateSubscription::new().customer(shop.customer.as_str()).items(vec![item]).expand(vec!["latest_invoice".into()]);
    let begun = begun.send(&client).await.unwrap();
    assert_eq!(begun.status, SubscriptionStatus::Active);
    let item = begun.items.data.first().unwrap();
    assert_eq!(item.current_period_end - item.current_period_start, 31 * 86_400);
    let invoice = begun.latest_invoice.as_ref().and_then(|invoice| invoice.as_object()).expect("it is expanded");
    assert_eq!((invoice.status.clone(), invoice.amount_paid), (Some(InvoiceStatus::Paid), 2000));

    let changed = UpdateSubscriptionItems { id: Some(item.id.to_string()), quantity: Some(3), ..UpdateSubscriptionItems::new() };
    let changed = UpdateSubscription::new(begun.id.clone()).items(vec![changed]).cancel_at_period_end(true).send(&client).await.unwrap();
    assert!(changed.cancel_at_period_end && changed.items.data[0].quantity == Some(3));
    assert_eq!(RetrieveSubscription::new(begun.id.clone()).send(&client).await.unwrap().id, begun.id);
    assert_eq!(ListSubscription::new().customer(shop.customer.as_str()).send(&client).await.unwrap().data.len(), 1);
    assert_eq!(CancelSubscription::new(begun.id.clone()).send(&client).await.unwrap().status, SubscriptionStatus::Canceled);
    let invoices = ListInvoice::new().customer(shop.customer.as_str()).send(&client).await.unwrap();
    assert_eq!(invoices.data.len(), 1);
    let found = RetrieveCustomer::new(customer.id.clone()).send(&client).await.unwrap();
    assert!(matches!(found, RetrieveCustomerReturned::Customer(found) if found.id == customer.id));
    assert_eq!(ListCustomer::new().email("c@example.com").send(&client).await.unwrap().data.len(), 1);
}

#[tokio::test]
async fn checkout_and_portal_sessions_have_addresses() {
    let shop = Shop::open().await;
    let client = client(&shop);
    let item =
        CreateCheckoutSessionLineItems { price: Some(shop.basic.clone()), quantity: Some(1), ..CreateCheckoutSessionLineItems::new() };
    let session = CreateCheckoutSession::new()
        .mode(CheckoutSessionMode::Subscription)
        .customer(shop.customer.as_str())
        .line_items(vec![item])
        .success_url("http://localhost/done?session={CHECKOUT_SESSION_ID}")
        .cancel_url("http://localhost/back")
        .client_reference_id("t1")
        .send(&client)
        .await
        .unwrap();
    let page = session.url.clone().unwrap().replace(shop.twin.base_url(), "");
    let (declined, _) = shop.try_post(&page, &[("card", "4000000000000002")], None).await;
    let (paid, _) = shop.try_post(&page, &[("card", "4242424242424242")], None).await;
    assert_eq!((declined, paid), (200, 303));
    let done = RetrieveCheckoutSession::new(session.id.clone()).expand(vec!["line_items".into()]).send(&client).await.unwrap();
    assert_eq!(done.line_items.map(|items| items.data.len()), Some(1));
    let portal = CreateBillingPortalSession::new().customer(shop.customer.as_str()).return_url("http://localhost/account");
    assert!(portal.send(&client).await.unwrap().url.starts_with(shop.twin.base_url()));
}

#[tokio::test]
async fn meters_take_usage_and_refunds_give_money_back() {
    let shop = Shop::open().await;
    let client = client(&shop);
    let sum = CreateBillingMeterDefaultAggregation::new(CreateBillingMeterDefaultAggregationFormula::Sum);
    let meter = CreateBillingMeter::new(sum, "Video", "video_ms").send(&client).await.unwrap();
    assert_eq!(meter.event_name, "video_ms");
    let payload = HashMap::from([("stripe_customer_id".to_owned(), shop.customer.clone()), ("value".to_owned(), "7".to_owned())]);
    let report = CreateBillingMeterEvent::new("video_ms", payload).identifier("job-1");
    assert_eq!(report.send(&client).await.unwrap().identifier, "job-1");
    let Err(StripeError::Stripe(error, 400)) = report.send(&client).await else { panic!("it came twice") };
    assert_eq!(error.code, Some(ApiErrorsCode::Unknown("duplicate_meter_event".to_owned())));
    let charged = [("amount", "500"), ("currency", "usd"), ("payment_method", "pm_card_visa"), ("confirm", "true")];
    let intent = shop.post("/v1/payment_intents", &charged).await;
    let refund = CreateRefund::new().payment_intent(intent["id"].as_str().unwrap()).amount(200).send(&client).await.unwrap();
    assert_eq!(refund.amount, 200);
    let declined = CreatePaymentIntent::new(500, Currency::USD).payment_method("pm_card_chargeDeclined").confirm(true);
    let Err(StripeError::Stripe(error, 402)) = declined.send(&client).await else { panic!("the card declines") };
    assert_eq!((error.code, error.decline_code.as_deref()), (Some(ApiErrorsCode::CardDeclined), Some("generic_decline")));
    assert!(error.payment_intent.is_some_and(|intent| intent.status == PaymentIntentStatus::RequiresPaymentMethod));
}

/// One of each kind of object that makes events and is not in a subscription's life.
async fn make_the_rest(shop: &Shop, subscription: &Value) {
    let customer = shop.customer.as_str();
    let coupon = shop.post("/v1/coupons", &[("percent_off", "10"), ("duration", "once")]).await;
    let promotion = [("promotion[type]", "coupon"), ("promotion[coupon]", coupon["id"].as_str().unwrap())];
    shop.post("/v1/promotion_codes", &promotion).await;
    shop.post("/v1/billing_portal/sessions", &[("customer", customer)]).await;
    shop.post("/v1/billing_portal/configurations", &[("features[invoice_history][enabled]", "true")]).await;
    let meter = [("display_name", "Video"), ("event_name", "video"), ("default_aggregation[formula]", "sum")];
    shop.post("/v1/billing/meters", &meter).await;
    shop.post(&format!("/v1/customers/{customer}/tax_ids"), &[("type", "eu_vat"), ("value", "DE123456789")]).await;
    let setup = [("customer", customer), ("payment_method", "pm_card_mastercard"), ("confirm", "true")];
    let setup = shop.post("/v1/setup_intents", &setup).await;
    let charge = |card| [("amount", "500"), ("currency", "usd"), ("customer", customer), ("payment_method", card), ("confirm", "true")];
    let paid = shop.post("/v1/payment_intents", &charge("pm_card_visa")).await;
    shop.post("/v1/refunds", &[("payment_intent", paid["id"].as_str().unwrap()), ("amount", "100")]).await;
    shop.try_post("/v1/payment_intents", &charge("pm_card_chargeDeclined"), None).await;
    shop.post("/v1/payment_intents", &charge("pm_card_authenticationRequired")).await;
    let asking = shop.new_customer("pm_card_authenticationRequired").await;
    shop.post("/v1/subscriptions", &[("customer", &asking), ("items[0][price]", &shop.basic)]).await;
    shop.post(&format!("/v1/payment_methods/{}/detach", setup["payment_method"].as_str().unwrap()), &[]).await;
    let invoice = shop.get(&format!("/v1/invoices?customer={customer}&status=paid&limit=1")).await["data"][0].clone();
    let note = [("invoice", invoice["id"].as_str().unwrap()), ("amount", "100"), ("credit_amount", "100")];
    shop.post("/v1/credit_notes", &note).await;
    let form = [
        ("mode", "subscription"),
        ("line_items[0][price]", shop.basic.as_str()),
        ("line_items[0][quantity]", "1"),
        ("success_url", "http://localhost/done"),
    ];
    let session = shop.post("/v1/checkout/sessions", &form).await;
    let page = session["url"].as_str().unwrap().replace(shop.twin.base_url(), "");
    let (status, _) = shop.try_post(&page, &[("card", "4242424242424242"), ("email", "b@example.com")], None).await;
    assert_eq!(status, 303);
    let other = shop.post("/v1/checkout/sessions", &form).await;
    shop.post(&format!("/v1/checkout/sessions/{}/expire", other["id"].as_str().unwrap()), &[]).await;
    let trial = [("customer", customer), ("items[0][price]", shop.pro.as_str()), ("trial_period_days", "2")];
    shop.post("/v1/subscriptions", &trial).await;
    shop.advance(crate::support::START + 33 * 86_400).await;
    shop.post(&format!("/v1/subscriptions/{}", subscription["id"].as_str().unwrap()), &[("cancel_at_period_end", "true")]).await;
    shop.advance(crate::support::START + 60 * 86_400).await;
    let draft = shop.post("/v1/invoices", &[("customer", customer)]).await;
    let item = [("customer", customer), ("invoice", draft["id"].as_str().unwrap()), ("amount", "300"), ("currency", "usd")];
    shop.post("/v1/invoiceitems", &item).await;
    shop.post(&format!("/v1/invoices/{}/finalize", draft["id"].as_str().unwrap()), &[]).await;
    shop.post(&format!("/v1/invoices/{}/void", draft["id"].as_str().unwrap()), &[]).await;
}

/// Every event that a subscription's life makes is one that the crate knows, with an object that it can read.
#[tokio::test]
async fn every_webhook_of_a_subscriptions_life_is_read() {
    let (receiver, webhook) = Receiver::start().await;
    let shop = Shop::open_with(Options { seed: Some(1), webhook: Some(webhook), ..Options::default() }).await;
    let subscription = shop.subscribe(&shop.basic).await;
    shop.advance(crate::support::START + 10 * 86_400).await;
    shop.change(&subscription, &shop.pro, 1, "always_invoice").await;
    shop.advance(crate::support::START + 32 * 86_400).await;
    make_the_rest(&shop, &subscription).await;
    assert!(shop.twin.wait_until_idle(Duration::from_secs(20)).await);
    let mut unread = Vec::new();
    for (body, signature) in receiver.came.lock().unwrap().iter() {
        let kind = serde_json::from_str::<Value>(body).unwrap()["type"].to_string();
        match Webhook::construct_event(body, signature, SECRET) {
            Ok(event) if matches!(event.data.object, EventObject::Unknown(_)) => unread.push(format!("{kind}: unknown")),
            Ok(_) => {}
            Err(error) => unread.push(format!("{kind}: {error}")),
        }
    }
    assert!(unread.is_empty(), "{unread:#?}");
    let kinds: BTreeSet<_> = receiver.events().iter().map(|event| event["type"].to_string()).collect();
    assert!(kinds.len() >= 42, "{kinds:?}");
    let listed = ListEvent::new().limit(100).send(&client(&shop)).await.unwrap();
    assert_eq!(listed.data.len(), receiver.came.lock().unwrap().len().min(100));
}
