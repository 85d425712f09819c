//! Usage is counted once.

use crate::support::{START, Shop, id};

#[tokio::test]
async fn of_a_hundred_reports_with_ten_identifiers_ten_count() {
    let shop = Shop::open().await;
    let fields = [("display_name", "Video"), ("event_name", "video"), ("default_aggregation[formula]", "sum")];
    let meter = id(&shop.post("/v1/billing/meters", &fields).await);
    let mut taken = 0;
    for report in 0..100 {
        let identifier = format!("job-{}", report % 10);
        let fields = [
            ("event_name", "video"),
            ("identifier", identifier.as_str()),
            ("payload[stripe_customer_id]", &shop.customer),
            ("payload[value]", "25"),
        ];
        let (status, body) = shop.try_post("/v1/billing/meter_events", &fields, None).await;
        match status {
            200 => taken += 1,
            _ => assert_eq!((status, &body["error"]["code"]), (400, &"duplicate_meter_event".into())),
        }
    }
    let span = format!("customer={}&start_time={START}&end_time={}", shop.customer, START + 60);
    let summary = shop.get(&format!("/v1/billing/meters/{meter}/event_summaries?{span}")).await;
    assert_eq!((taken, &summary["data"][0]["aggregated_value"]), (10, &250.0.into()));
}

#[tokio::test]
async fn usage_without_a_customer_or_a_value_is_refused() {
    let shop = Shop::open().await;
    let fields = [("display_name", "Video"), ("event_name", "video"), ("default_aggregation[formula]", "sum")];
    shop.post("/v1/billing/meters", &fields).await;
    let customer = shop.customer.as_str();
    let wrong: [&[(&str, &str)]; 4] = [
        &[("event_name", "video"), ("payload[value]", "1")],
        &[("event_name", "video"), ("payload[stripe_customer_id]", customer)],
        &[("event_name", "video"), ("payload[stripe_customer_id]", customer), ("payload[value]", "many")],
        &[("event_name", "audio"), ("payload[stripe_customer_id]", customer), ("payload[value]", "1")],
    ];
    for fields in wrong {
        let (status, body) = shop.try_post("/v1/billing/meter_events", fields, None).await;
        assert_eq!((status, &body["error"]["type"]), (400, &"invalid_request_error".into()), "{fields:?}");
    }
}
