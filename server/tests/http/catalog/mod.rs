//! What is on offer changes while the server runs: lists, document and submissions follow, and what was made stays.

mod arrangement;
mod enrich;
mod images;
mod operator;
mod placement;

use crate::harness::{Customer, Product};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Actor,
    catalog::testing::{image_model, video_model},
};
use serde_json::{Value, json};
use store::on_both_engines;

/// What the document says of the fields of a new video.
async fn fields(product: &Product) -> Value {
    let mut document = product.send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await.json();
    document["components"]["schemas"]["CreateVideo"]["properties"].take()
}

async fn listed(product: &Product, who: &Customer) -> Vec<String> {
    let models = product.get(who, "/v1/models").await.json();
    models["data"].as_array().unwrap().iter().map(|model| model["id"].as_str().unwrap().to_owned()).collect()
}

/// Asks for a video or an image of this model and size; status and what is said of it.
async fn make(product: &Product, who: &Customer, model: &str, size: &str) -> (StatusCode, Value) {
    let answer = product.post(who, "/v1/videos", json!({ "prompt": "a red ball", "model": model, "size": size })).await;
    (answer.status, answer.json())
}

#[track_caller]
fn assert_unknown((status, said): &(StatusCode, Value)) {
    let error = &said["error"];
    assert_eq!((*status, &error["code"], &error["param"]), (StatusCode::BAD_REQUEST, &json!("model_not_found"), &json!("model")), "{said}");
}

on_both_engines! {
    async fn an_alias_is_answered_with_the_id_and_the_price_of_its_model(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.services().set_alias(Actor::Operator, "sora-2", "vignette-1").await.unwrap();
        product.until(|catalog| catalog.find("sora-2").is_some()).await;
        let by_id = make(&product, &ada, "vignette-1", "768x768").await.1;
        let (status, by_alias) = make(&product, &ada, "sora-2", "768x768").await;
        assert_eq!((status, &by_alias["model"], &by_alias["cost"]), (StatusCode::OK, &json!("vignette-1"), &by_id["cost"]));
        let model = product.get(&ada, "/v1/models/sora-2").await.json();
        assert_eq!((&model["id"], &model["aliases"]), (&json!("vignette-1"), &json!(["sora-2"])));
        assert_eq!(listed(&product, &ada).await, ["vignette-1"]);
        assert_eq!(fields(&product).await["model"]["enum"], json!(["vignette-1", "sora-2", null]));
        assert!(product.services().remove_alias(Actor::Operator, "sora-2").await.unwrap());
        product.until(|catalog| catalog.find("sora-2").is_none()).await;
        assert_unknown(&make(&product, &ada, "sora-2", "768x768").await);
    }

    async fn what_was_taken_in_is_found_again_under_its_key_when_its_model_is_gone(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[video_model(), image_model()]).await;
        let ask = async |prompt: &str| {
            let body = json!({ "prompt": prompt, "model": "tiny-1" }).to_string();
            let request = ada.request("POST", "/v1/videos").header("content-type", "application/json").header("idempotency-key", "k");
            product.send(request.body(Body::from(body)).unwrap()).await
        };
        let first = ask("a red ball").await.json()["id"].clone();
        product.offer(&[video_model()]).await;
        let again = ask("a red ball").await;
        assert_eq!((again.status, &again.json()["id"], again.header("idempotent-replayed")), (StatusCode::OK, &first, "true"));
        assert_eq!(ask("a green ball").await.code(), "idempotency_key_reused");
        assert_unknown(&make(&product, &ada, "tiny-1", "32x32").await);
    }

    async fn a_remix_for_another_model_is_found_again_when_its_source_is_gone_or_the_name_means_another(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[video_model(), image_model()]).await;
        product.services().set_alias(Actor::Operator, "sora-2", "tiny-1").await.unwrap();
        product.until(|catalog| catalog.find("sora-2").is_some()).await;
        let source = product.create(&ada, "a red ball").await;
        let remix = async || {
            let body = json!({ "prompt": "a green ball", "model": "sora-2" }).to_string();
            let request = ada.request("POST", &format!("/v1/videos/{source}/remix"));
            let request = request.header("content-type", "application/json").header("idempotency-key", "k");
            product.send(request.body(Body::from(body)).unwrap()).await
        };
        let first = remix().await.json();
        assert_eq!((&first["model"], &first["size"], &first["steps"]), (&json!("tiny-1"), &json!("32x32"), &json!(4)), "as that model has them");
        let assert_replayed = |again: &crate::harness::Answer| {
            assert_eq!((again.status, &again.json()["id"], again.header("idempotent-replayed")), (StatusCode::OK, &first["id"], "true"));
        };
        product.services().set_alias(Actor::Operator, "sora-2", "vignette-1").await.unwrap();
        product.until(|catalog| catalog.find("sora-2").is_some_and(|model| model.id == "vignette-1")).await;
        assert_replayed(&remix().await);
        product.send(ada.request("DELETE", &format!("/v1/videos/{source}")).body(Body::empty()).unwrap()).await;
        assert_replayed(&remix().await);
    }

    async fn a_model_that_is_not_there_is_refused_and_nothing_is_stored(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        assert_unknown(&make(&product, &ada, "sora-2", "384x384").await);
        assert_eq!(product.get(&ada, "/v1/models/sora-2").await.status, StatusCode::NOT_FOUND);
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
    }

    async fn a_second_model_can_be_asked_for_at_once(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[video_model(), image_model()]).await;
        assert_eq!(listed(&product, &ada).await, ["vignette-1", "tiny-1"]);
        let model = product.get(&ada, "/v1/models/tiny-1").await.json();
        assert_eq!((&model["family"], &model["output"], &model["seconds"]), (&json!("tiny"), &json!("image"), &json!([])));
        let prices = json!([{ "size": "32x32", "video_seconds": 0.25 }, { "size": "64x32", "video_seconds": 0.5 }]);
        assert_eq!(model["prices"], prices);
        let fields = fields(&product).await;
        assert_eq!(fields["model"]["enum"], json!(["vignette-1", "tiny-1", null]));
        assert!(fields["steps"]["description"].as_str().unwrap().ends_with("Each model has its own: see `GET /v1/models`."), "{fields}");
        assert_eq!(fields["size"]["enum"], json!(["96x96", "192x192", "384x384", "768x768", "32x32", "64x32", null]));
        let (status, image) = make(&product, &ada, "tiny-1", "64x32").await;
        assert_eq!((status, &image["model"], &image["seconds"]), (StatusCode::OK, &json!("tiny-1"), &json!("0")));
        assert_eq!((&image["steps"], &image["cost"]["video_seconds"]), (&json!(4), &json!(0.5)));
    }

    async fn a_model_taken_off_offer_is_gone_everywhere_but_in_what_it_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[video_model(), image_model()]).await;
        let made = make(&product, &ada, "tiny-1", "32x32").await.1;
        product.offer(&[video_model()]).await;
        assert_eq!(listed(&product, &ada).await, ["vignette-1"]);
        assert_eq!(product.get(&ada, "/v1/models/tiny-1").await.code(), "model_not_found");
        assert_eq!(fields(&product).await["model"]["enum"], json!(["vignette-1", null]));
        assert_unknown(&make(&product, &ada, "tiny-1", "32x32").await);
        let path = format!("/v1/videos/{}", made["id"].as_str().unwrap());
        let remix = product.post(&ada, &format!("{path}/remix"), json!({ "prompt": "a blue ball" })).await;
        assert_unknown(&(remix.status, remix.json()));
        let seen = product.get(&ada, &path).await.json();
        for same in ["model", "size", "seconds", "steps", "guidance", "seed", "cost"] {
            assert_eq!(seen[same], made[same], "{same}");
        }
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"].as_array().unwrap().len(), 1);
    }

    async fn with_nothing_on_offer_nothing_is_taken_in_and_the_reference_still_opens(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.offer(&[]).await;
        let refused = product.post(&ada, "/v1/videos", json!({ "prompt": "a red ball" })).await;
        assert_unknown(&(refused.status, refused.json()));
        assert!(listed(&product, &ada).await.is_empty());
        let fields = fields(&product).await;
        for name in ["model", "size", "seconds", "steps", "guidance"] {
            assert!(fields[name]["enum"].is_null() && fields[name]["default"].is_null(), "{}", fields[name]);
        }
        let page = product.send(Request::get("/reference").body(Body::empty()).unwrap()).await;
        assert_eq!(page.status, StatusCode::OK);
    }
}
