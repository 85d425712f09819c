//! Deadlines as clients send them.

use crate::harness::Product;
use axum::http::StatusCode;
use serde_json::{Value, json};
use store::on_both_engines;

on_both_engines! {
    async fn deadlines_are_told_again_and_are_a_part_of_what_was_asked_for(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let later = product.services().store.local_now().unix_seconds() + 3600;
        let body = json!({ "prompt": "a red ball", "start_by": later, "finish_by": (later + 60).to_string() });
        let made = product.post(&ada, "/v1/videos", body.clone()).await;
        assert_eq!(made.status, StatusCode::OK, "{}", made.json());
        assert_eq!((&made.json()["start_by"], &made.json()["finish_by"]), (&json!(later), &json!(later + 60)));
        let remixed = product.post(&ada, &format!("/v1/videos/{}/remix", made.json()["id"].as_str().unwrap()), json!({ "prompt": "a blue ball" })).await;
        assert_eq!((&remixed.json()["start_by"], &remixed.json()["finish_by"]), (&Value::Null, &Value::Null), "a remix has its own");
        let once = |body: Value| {
            let request = ada.request("POST", "/v1/videos").header("idempotency-key", "once").header("content-type", "application/json");
            request.body(body.to_string().into()).unwrap()
        };
        assert_eq!(product.send(once(body)).await.status, StatusCode::OK);
        let other = product.send(once(json!({ "prompt": "a red ball" }))).await;
        assert_eq!((other.status, other.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"));
    }

    async fn what_cannot_be_kept_is_refused_with_the_best_that_can_and_nothing_is_stored(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let now = product.services().store.local_now().unix_seconds();
        for name in ["start_by", "finish_by"] {
            let refused = product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball", name: now - 10 })).await;
            assert_eq!((refused.status, refused.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "deadline_infeasible"));
            let error = &refused.json()["error"];
            assert_eq!(error["param"], name);
            let best = error["message"].as_str().unwrap().split(' ').find_map(|word| word.parse::<i64>().ok()).unwrap();
            assert!((now..now + 60).contains(&best), "{error}");
        }
        assert_eq!(product.services().waiting(ada.user.actor()).await.unwrap().jobs, 0);
    }

    async fn what_is_no_moment_is_refused(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for bad in [json!("tomorrow"), json!(-1), json!(1.5), json!(true), json!([1]), json!(1e20)] {
            let refused = product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball", "finish_by": bad })).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{bad}");
            assert_eq!(refused.json()["error"]["param"], "finish_by", "{bad}");
        }
        let none = product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball", "start_by": null, "finish_by": "" })).await;
        assert_eq!((none.status, &none.json()["finish_by"]), (StatusCode::OK, &Value::Null));
    }
}
