//! A video's life through the public API.

use crate::harness::{Product, content, hex, redacted};
use axum::{body::Body, http::StatusCode};
use domain::{
    FailureCode, Stage, WorkerId,
    job::{AttemptFailure, FailureClass},
};
use serde_json::json;
use store::{ArtifactKind, Registration, WorkerRole, on_both_engines};

on_both_engines! {
    async fn a_new_video_is_queued_with_every_default_filled_in(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let answer = product.post(&ada, "/v1/videos", json!({ "prompt": " a red ball ", "seed": 7 })).await;
        assert_eq!((answer.status, answer.header("openai-poll-after-ms")), (StatusCode::OK, "1000"));
        insta::allow_duplicates! {
        insta::assert_snapshot!(redacted(answer.json()), @r#"
        {
          "added": [],
          "arrangement": [],
          "attempts": 0,
          "completed_at": null,
          "cost": {
            "charged_video_seconds": null,
            "lane": "interactive",
            "max_video_seconds": 2.0,
            "paid_from": [
              {
                "amount": null,
                "source": "unlimited",
                "video_seconds": 2.0
              }
            ],
            "plan": "unlimited",
            "reason": "The price is held until the video is made.",
            "seconds": 2.0,
            "size_weight": 1.0,
            "status": "held",
            "steps": 24,
            "steps_default": 24,
            "video_seconds": 2.0
          },
          "created_at": "[moment]",
          "error": null,
          "eta": null,
          "expanded_prompt": null,
          "expires_at": null,
          "failed_attempts": [],
          "fallback_model": null,
          "finish_by": null,
          "guessed": [],
          "guidance": 3.0,
          "id": "[id]",
          "ignored": [],
          "model": "vignette-1",
          "negative_prompt": null,
          "object": "video",
          "progress": 0,
          "project_id": "[project]",
          "prompt": "a red ball",
          "queue_position": 1,
          "remixed_from_video_id": null,
          "requested_model": null,
          "seconds": "2",
          "seed": 7,
          "size": "384x384",
          "stage": null,
          "start_by": null,
          "status": "queued",
          "step": 0,
          "steps": 24,
          "understood": [],
          "waiting": {
            "message": "No machine is running at the moment. Your place is kept; it goes on when one is back.",
            "reason": "no_worker",
            "until": null
          }
        }
        "#);
        }
    }

    async fn a_finished_video_can_be_fetched_whole_in_part_and_not_again(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let path = format!("/v1/videos/{id}/content");
        let early = product.get(&ada, &path).await;
        assert_eq!((early.status, early.code().as_str()), (StatusCode::BAD_REQUEST, "video_not_ready"));
        product.finish().await;

        let video = content(ArtifactKind::Video);
        let etag = format!("\"{}\"", hex(&video));
        let whole = product.get(&ada, &path).await;
        assert_eq!((whole.status, &whole.body, whole.header("content-type"), whole.header("etag")), (StatusCode::OK, &video, "video/mp4", etag.as_str()));
        assert_eq!((whole.header("cache-control"), whole.header("accept-ranges")), ("private, no-cache", "bytes"));
        for (variant, kind) in [("thumbnail", ArtifactKind::Thumbnail), ("spritesheet", ArtifactKind::Spritesheet)] {
            let picture = product.get(&ada, &format!("{path}?variant={variant}")).await;
            assert_eq!((picture.header("content-type"), &picture.body), ("image/webp", &content(kind)));
        }
        assert_eq!(product.get(&ada, &format!("{path}?variant=latents")).await.status, StatusCode::BAD_REQUEST);

        let last = video.len() - 1;
        for (range, status, bytes) in [
            ("bytes=4-7", StatusCode::PARTIAL_CONTENT, &video[4..8]),
            ("bytes=4-", StatusCode::PARTIAL_CONTENT, &video[4..]),
            ("bytes=-3", StatusCode::PARTIAL_CONTENT, &video[last - 2..]),
            ("bytes=0-99999", StatusCode::PARTIAL_CONTENT, &video[..]),
            ("bytes=7-4", StatusCode::OK, &video[..]),
            ("bytes=0-1,3-4", StatusCode::OK, &video[..]),
            ("pages=1-2", StatusCode::OK, &video[..]),
        ] {
            let part = product.send(ada.request("GET", &path).header("range", range).body(Body::empty()).unwrap()).await;
            assert_eq!((part.status, &part.body[..]), (status, bytes), "{range}");
            assert_eq!(part.header("content-length"), bytes.len().to_string(), "{range}");
        }
        let beyond = product.send(ada.request("GET", &path).header("range", "bytes=99999-").body(Body::empty()).unwrap()).await;
        assert_eq!((beyond.status, beyond.header("content-range")), (StatusCode::RANGE_NOT_SATISFIABLE, format!("bytes */{}", video.len()).as_str()));
        for (name, value, status) in [("if-none-match", etag.as_str(), StatusCode::NOT_MODIFIED), ("if-none-match", "\"other\"", StatusCode::OK)] {
            let again = product.send(ada.request("GET", &path).header(name, value).body(Body::empty()).unwrap()).await;
            assert_eq!(again.status, status, "{value}");
        }
        for (version, status) in [(etag.as_str(), StatusCode::PARTIAL_CONTENT), ("\"other\"", StatusCode::OK)] {
            let request = ada.request("GET", &path).header("range", "bytes=0-3").header("if-range", version);
            assert_eq!(product.send(request.body(Body::empty()).unwrap()).await.status, status, "{version}");
        }
        let head = product.send(ada.request("HEAD", &path).body(Body::empty()).unwrap()).await;
        assert_eq!((head.status, head.body.len(), head.header("content-length")), (StatusCode::OK, 0, video.len().to_string().as_str()));
    }

    async fn a_failed_video_is_no_failed_request(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let token = product.claim(Stage::Sampling).await;
        product.services().store.queue().report_failure(&token, AttemptFailure::refused(FailureCode::OutOfMemory)).await.unwrap();
        let answer = product.get(&ada, &format!("/v1/videos/{id}")).await;
        assert_eq!((answer.status, answer.header("openai-poll-after-ms")), (StatusCode::OK, ""));
        insta::allow_duplicates! {
        insta::assert_snapshot!(redacted(answer.json()["error"].take()), @r#"
        {
          "code": "out_of_memory",
          "message": "This video needs more memory than the device has. Try a smaller size."
        }
        "#);
        }
        assert_eq!(product.get(&ada, &format!("/v1/videos/{id}/content")).await.code(), "video_failed");
    }

    async fn what_failed_and_what_was_decided_is_told_without_internals(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let registration = Registration::new(WorkerRole::All, "h100", &["vignette-1"]);
        product.services().store.workers().register(WorkerId::from_uuid(uuid::Uuid::now_v7()), registration).await.unwrap();
        let id = product.create(&ada, "a red ball").await;
        let token = product.claim(Stage::Sampling).await;
        let failure = AttemptFailure::new(FailureClass::DeviceMemory, "CUDA_ERROR_OUT_OF_MEMORY on gpu-7");
        product.services().store.queue().report_failure(&token, failure).await.unwrap();
        let video = product.get(&ada, &format!("/v1/videos/{id}")).await.json();
        let told = "The machine ran out of memory. It is tried again on a larger machine.";
        let failed = &video["failed_attempts"][0];
        assert_eq!((&failed["attempt"], &failed["decision"], &failed["message"]), (&json!(1), &json!("retry"), &json!(told)), "{video}");
        assert_eq!((&video["waiting"]["reason"], &video["waiting"]["message"], &video["error"]), (&json!("retry"), &json!(told), &json!(null)));
        assert!(!video.to_string().contains("CUDA") && !video.to_string().contains("gpu-7"), "{video}");
    }

    async fn a_cancelled_video_stays_and_a_deleted_one_is_gone(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let cancelled = product.post(&ada, &format!("/v1/videos/{id}/cancel"), json!({})).await;
        assert_eq!((cancelled.status, &cancelled.json()["status"]), (StatusCode::OK, &json!("cancelled")));
        assert_eq!(product.get(&ada, &format!("/v1/videos/{id}/content")).await.code(), "video_cancelled");
        let path = format!("/v1/videos/{id}");
        let delete = || ada.request("DELETE", &path).header("content-type", "application/json").body(Body::empty()).unwrap();
        let deleted = product.send(delete()).await;
        assert_eq!(deleted.json(), json!({ "id": id.to_string(), "object": "video.deleted", "deleted": true }));
        assert_eq!(product.send(delete()).await.status, StatusCode::NOT_FOUND);
        assert_eq!(product.get(&ada, &path).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_remix_takes_over_the_settings_and_draws_a_new_seed(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let first = product.post(&ada, "/v1/videos", json!({ "prompt": "red", "size": "96x96", "steps": 5, "seed": 7, "negative_prompt": "rain" })).await.json();
        let path = format!("/v1/videos/{}/remix", first["id"].as_str().unwrap());
        let remix = product.post(&ada, &path, json!({ "prompt": "blue" })).await.json();
        for same in ["model", "size", "seconds", "steps", "guidance", "negative_prompt"] {
            assert_eq!(remix[same], first[same], "{same}");
        }
        assert_eq!((&remix["prompt"], &remix["remixed_from_video_id"]), (&json!("blue"), &first["id"]));
        assert_ne!(remix["seed"], first["seed"]);
        let seeded = product.post(&ada, &path, json!({ "prompt": "blue", "seed": 9 })).await.json();
        assert_eq!(seeded["seed"], json!(9));
    }

    async fn a_repetition_under_the_same_idempotency_key_finds_the_first_video(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let post = async |key: &str, prompt: &str| {
            let request = ada.request("POST", "/v1/videos").header("content-type", "application/json").header("idempotency-key", key);
            product.send(request.body(Body::from(json!({ "prompt": prompt }).to_string())).unwrap()).await
        };
        let first = post("\"once\"", "a red ball").await;
        let again = post("once", "a red ball").await;
        assert_eq!(first.json()["id"], again.json()["id"]);
        assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), ("", "true"));
        let other = post("once", "a blue ball").await;
        assert_eq!((other.status, other.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"));
        assert_eq!(post("", "a red ball").await.status, StatusCode::BAD_REQUEST);
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"].as_array().unwrap().len(), 1);
    }

    async fn models_say_what_they_can_make(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let models = product.get(&ada, "/v1/models").await.json();
        insta::allow_duplicates! {
        insta::assert_snapshot!(redacted(models), @r#"
        {
          "data": [
            {
              "aliases": [],
              "created": 1795219200,
              "description": "Small model for simple scenes, described in a few English words. Runs on any processor.",
              "enrich": false,
              "family": "vignette",
              "guidance": {
                "default": 3.0,
                "max": 12.0,
                "min": 1.0
              },
              "id": "vignette-1",
              "name": "Vignette 1",
              "object": "model",
              "output": "video",
              "owned_by": "reelmill",
              "prices": [
                {
                  "size": "96x96",
                  "video_seconds": 1.0
                },
                {
                  "size": "192x192",
                  "video_seconds": 1.5
                },
                {
                  "size": "384x384",
                  "video_seconds": 2.0
                },
                {
                  "size": "768x768",
                  "video_seconds": 3.0
                }
              ],
              "seconds": [
                "2"
              ],
              "sizes": [
                "96x96",
                "192x192",
                "384x384",
                "768x768"
              ],
              "steps": {
                "default": 24,
                "max": 200,
                "min": 1
              }
            }
          ],
          "object": "list"
        }
        "#);
        }
        assert_eq!(product.get(&ada, "/v1/models/vignette-1").await.json()["id"], json!("vignette-1"));
        for unknown in ["%ff", "sora-2"] {
            let answer = product.get(&ada, &format!("/v1/models/{unknown}")).await;
            assert_eq!((answer.status, answer.code().as_str()), (StatusCode::NOT_FOUND, "model_not_found"));
        }
    }
}
