//! What is not taken in, and when to ask again; and what answers say of the room that is left.

use crate::harness::Product;
use axum::http::StatusCode;
use domain::{Actor, VideoTime, billing::Plan};
use serde_json::json;
use store::on_both_engines;

on_both_engines! {
    async fn who_has_too_much_open_is_told_when_to_ask_again_and_nothing_is_stored(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let services = product.services();
        let usual = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "unlimited").unwrap();
        let small = Plan { id: "small".into(), open_work_max_ms: VideoTime::from_ms(5000), ..usual };
        services.define_plan(Actor::Operator, &small, None).await.unwrap();
        services.set_plan(Actor::Operator, ada.user.tenant, "small").await.unwrap();
        let ask = || product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball" }));
        for left in ["3", "1"] {
            let taken = ask().await;
            assert_eq!((taken.status, taken.header("x-ratelimit-remaining-video-seconds")), (StatusCode::OK, left));
            assert!(taken.header("ratelimit").ends_with(&format!("\"open-work\";r={left}")), "{}", taken.header("ratelimit"));
            assert!(taken.header("ratelimit-policy").contains("\"open-work\";q=5;reelmill-unit=\"video-seconds\""));
        }
        let refused = ask().await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "too_much_open_work"));
        let retry_after: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=120).contains(&retry_after), "{retry_after}");
        assert_eq!(refused.header("x-ratelimit-remaining-video-seconds"), "1");
        assert_eq!(services.waiting(ada.user.actor()).await.unwrap().jobs, 2);
        assert!(product.get(&ada, "/v1/models").await.header("ratelimit").starts_with("\"requests\";r="));
    }

    async fn a_full_queue_takes_nobody_in_but_who_is_in_already(database: TempDatabase) {
        let product = Product::new(database).await.changed(|services| services.with_queue_max(VideoTime::from_ms(4000)));
        let (ada, bob) = (product.customer("ada").await, product.customer("bob").await);
        let body = json!({ "prompt": "a red ball" });
        let once = || {
            let request = ada.request("POST", "/v1/videos").header("idempotency-key", "once").header("content-type", "application/json");
            request.body(body.to_string().into()).unwrap()
        };
        let first = product.send(once()).await;
        assert_eq!(first.status, StatusCode::OK);
        product.create(&ada, "another ball").await;
        // What all have open is known a little later, on a busy machine by more than a little.
        let is_known = async || product.services().metrics_text().await.unwrap().contains("open_work_video_milliseconds 4000");
        for _ in 0..200 {
            if is_known().await {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let refused = product.post(&bob, "/v1/videos", body.clone()).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "queue_full"));
        assert!((1..=120).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
        let retried = bob.request("POST", "/v1/videos").header("x-stainless-retry-count", "1").header("content-type", "application/json");
        let retried = product.send(retried.body(body.to_string().into()).unwrap()).await;
        assert_eq!((retried.status, retried.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "queue_full"), "as it was at its first try");
        assert_eq!(product.services().waiting(bob.user.actor()).await.unwrap().jobs, 0);
        let again = product.send(once()).await;
        assert_eq!((again.status, &again.json()["id"]), (StatusCode::OK, &first.json()["id"]));
    }
}
