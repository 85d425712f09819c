//! Edits, extensions and characters: what is asked for is checked, and no model here can.

use crate::harness::Product;
use axum::{body::Body, http::StatusCode};
use futures::stream;
use serde_json::{Value, json};
use std::convert::Infallible;
use store::on_both_engines;

on_both_engines! {
    async fn what_no_model_can_is_refused_as_such_after_what_can_be_mended(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let finished = product.create(&ada, "a red ball").await.to_string();
        product.finish().await;
        let queued = product.create(&ada, "a red ball").await.to_string();
        let unknown = "job_0190aaaabbbb7ccc8dddeeeeffff0001";
        for (path, base) in [
            ("/v1/videos/edits", json!({ "prompt": "in winter" })),
            ("/v1/videos/extensions", json!({ "prompt": "it rolls on", "seconds": "4" })),
            ("/v1/videos/characters", json!({ "name": "Mossy" })),
        ] {
            let with = |video: Value| {
                let mut body = base.clone();
                body["video"] = video;
                body
            };
            for (body, status, code, param) in [
                (json!({ "video": { "id": finished } }), 400, if path.ends_with("characters") { "invalid_request" } else { "prompt_empty" }, None),
                (base.clone(), 400, "invalid_request", Some("video")),
                (with(json!([1])), 400, "invalid_request", Some("video")),
                (with(json!({ "id": unknown })), 404, "video_not_found", Some("video_id")),
                (with(json!({ "id": "nonsense" })), 404, "video_not_found", Some("video_id")),
                (with(json!({ "id": queued })), 400, "video_not_ready", None),
                (with(json!({ "id": finished })), 400, "unsupported_by_model", Some("video")),
            ] {
                let answer = product.post(&ada, path, body.clone()).await;
                assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{path} {body}");
                if let Some(param) = param {
                    assert_eq!(answer.json()["error"]["param"], json!(param), "{path} {body}");
                }
            }
            let part = |name: &str, more: &str, value: &str| format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n{value}\r\n");
            let file = part("video", "; filename=\"a.mp4\"", &"x".repeat(2 * 1024 * 1024));
            for (form, code) in [
                (format!("{file}{}--b--\r\n", part("prompt", "", "in winter")), "unsupported_by_model"),
                (format!("{}{}{}--b--\r\n", part("prompt", "", "a"), part("name", "", "a"), part("video[id]", "", &queued)), "video_not_ready"),
            ] {
                let request = ada.request("POST", path).header("content-type", "multipart/form-data; boundary=b");
                // As it comes from a connection.
                let pieces: Vec<_> = form.as_bytes().chunks(8192).map(|piece| Ok::<_, Infallible>(piece.to_vec())).collect();
                let answer = product.send(request.body(Body::from_stream(stream::iter(pieces))).unwrap()).await;
                assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, code), "{path}");
            }
        }
        let extended = product.post(&ada, "/v1/videos/extensions", json!({ "prompt": "a", "seconds": "soon", "video": { "id": finished } })).await;
        assert_eq!((extended.status, &extended.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &json!("seconds")));
        let character = product.get(&ada, "/v1/videos/characters/char_1").await;
        assert_eq!((character.status, character.code().as_str()), (StatusCode::NOT_FOUND, "character_not_found"));
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"].as_array().unwrap().len(), 2);
    }
}
