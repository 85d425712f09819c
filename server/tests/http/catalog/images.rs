//! An image's life through the public API and the pages.

use crate::harness::{Answer, Customer, Product, content};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::catalog::testing::{image_model, video_model};
use serde_json::json;
use store::{ArtifactKind, on_both_engines};

/// The path of a finished image.
async fn finished_image(product: &Product, who: &Customer) -> String {
    product.offer(&[video_model(), image_model()]).await;
    let made = product.post(who, "/v1/videos", json!({ "prompt": "a red ball", "model": "tiny-1", "seed": 7 })).await;
    product.finish().await;
    format!("/v1/videos/{}", made.json()["id"].as_str().unwrap())
}

#[track_caller]
fn assert_lacking(answer: &Answer, what: &str) {
    let error = &answer.json()["error"];
    assert_eq!(
        (answer.status, &error["code"], &error["param"]),
        (StatusCode::BAD_REQUEST, &json!("variant_unavailable"), &json!("variant"))
    );
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(what) && message.contains("Leave `variant` out"), "{message}");
}

on_both_engines! {
    async fn an_image_is_fetched_without_naming_it_and_has_no_video(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let path = finished_image(&product, &ada).await;
        for query in ["", "?variant=", "?variant=image"] {
            let image = product.get(&ada, &format!("{path}/content{query}")).await;
            assert_eq!((image.header("content-type"), &image.body), ("image/webp", &content(ArtifactKind::Image)), "{query}");
        }
        let thumbnail = product.get(&ada, &format!("{path}/content?variant=thumbnail")).await;
        assert_eq!(thumbnail.body, content(ArtifactKind::Thumbnail));
        for variant in ["video", "spritesheet"] {
            assert_lacking(&product.get(&ada, &format!("{path}/content?variant={variant}")).await, &format!("no {variant}"));
        }
        let seen = product.get(&ada, &path).await.json();
        assert_eq!((&seen["status"], &seen["seconds"], &seen["progress"]), (&json!("completed"), &json!("0"), &json!(100)));
    }

    async fn a_video_has_no_image_and_no_latents_to_fetch(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let path = format!("/v1/videos/{}/content", product.create(&ada, "a red ball").await);
        assert_eq!(product.get(&ada, &format!("{path}?variant=image")).await.code(), "video_not_ready");
        product.finish().await;
        assert_lacking(&product.get(&ada, &format!("{path}?variant=image")).await, "no image");
        let latents = product.get(&ada, &format!("{path}?variant=latents")).await;
        assert_eq!((latents.status, latents.code().as_str()), (StatusCode::BAD_REQUEST, "invalid_request"));
    }

    async fn the_pages_show_and_save_an_image(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let path = finished_image(&product, &ada).await.replace("/v1/", "/media/");
        let cookie = product.cookie(&ada).await;
        let get = async |file: &str| {
            product.send(Request::get(format!("{path}/{file}")).header("cookie", &cookie).body(Body::empty()).unwrap()).await
        };
        let image = get("image").await;
        assert_eq!((image.status, &image.body), (StatusCode::OK, &content(ArtifactKind::Image)));
        let saved = async |file: &str| get(file).await.header("content-disposition").to_owned();
        let (image, thumbnail) = (saved("image?download").await, saved("thumbnail?download").await);
        let name = image.strip_suffix(".webp\"").expect("it is saved as a picture");
        assert!(name.starts_with("attachment; filename=\"a-red-ball-20"), "{name}");
        assert_eq!(thumbnail, format!("{name}-thumbnail.webp\""));
        assert_lacking(&get("video").await, "no video");
    }

    async fn a_remix_of_an_image_is_an_image(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let path = finished_image(&product, &ada).await;
        let remix = product.post(&ada, &format!("{path}/remix"), json!({ "prompt": "a blue ball" })).await;
        assert_eq!(remix.status, StatusCode::OK, "{remix:?}");
        let (remix, source) = (remix.json(), product.get(&ada, &path).await.json());
        for same in ["model", "size", "seconds", "steps", "guidance"] {
            assert_eq!(remix[same], source[same], "{same}");
        }
        assert_eq!(remix["cost"]["video_seconds"], source["cost"]["video_seconds"]);
    }
}
