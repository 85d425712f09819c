//! What clients get wrong, and how they are told.

use crate::harness::{Answer, Customer, Product, redacted};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::convert::Infallible;
use store::on_both_engines;

async fn post(product: &Product, who: &Customer, content_type: &str, body: impl Into<Body>) -> Answer {
    let request = who.request("POST", "/v1/videos").header("content-type", content_type);
    product.send(request.body(body.into()).unwrap()).await
}

#[track_caller]
fn assert_refused(answer: &Answer, status: u16, code: &str, param: Option<&str>, what: &str) {
    let error = &answer.json()["error"];
    let keys: Vec<_> = error.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["code", "message", "param", "type"], "{what}");
    assert_eq!((answer.status.as_u16(), error["code"].as_str(), error["param"].as_str()), (status, Some(code), param), "{what}: {error}");
    assert!(answer.header("x-request-id").starts_with("req_"), "{what}");
}

on_both_engines! {
    async fn json_that_cannot_be_a_video_is_refused_with_the_field_to_mend(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for (body, code, param) in [
            (&b"{"[..], "invalid_request", None),
            (b"", "invalid_request", None),
            (b"[]", "invalid_request", None),
            (b"null", "invalid_request", None),
            (br#"{"prompt":"a"} x"#, "invalid_request", None),
            (br#"{"prompt":"\ud800"}"#, "invalid_request", None),
            (b"{\"prompt\":\"\xff\"}", "invalid_request", None),
            (br#"{"prompt":"a","seed":1e999}"#, "invalid_request", None),
            (br#"{}"#, "prompt_empty", Some("prompt")),
            (br#"{"prompt":null}"#, "prompt_empty", Some("prompt")),
            (br#"{"prompt":7}"#, "invalid_request", Some("prompt")),
            (br#"{"prompt":["a"]}"#, "invalid_request", Some("prompt")),
            (br#"{"prompt":"a\u0000b"}"#, "text_invalid", Some("prompt")),
            (br#"{"prompt":"a","size":384}"#, "invalid_request", Some("size")),
            (br#"{"prompt":"a","size":"1280x720"}"#, "size_unsupported", Some("size")),
            (br#"{"prompt":"a","seconds":"4"}"#, "seconds_unsupported", Some("seconds")),
            (br#"{"prompt":"a","seconds":true}"#, "invalid_request", Some("seconds")),
            (br#"{"prompt":"a","steps":24.5}"#, "number_invalid", Some("steps")),
            (br#"{"prompt":"a","steps":0}"#, "number_invalid", Some("steps")),
            (br#"{"prompt":"a","seed":-1}"#, "number_invalid", Some("seed")),
            (br#"{"prompt":"a","seed":9007199254740993}"#, "number_invalid", Some("seed")),
            (br#"{"prompt":"a","guidance":{}}"#, "invalid_request", Some("guidance")),
            (br#"{"prompt":"a","model":"sora-2"}"#, "model_not_found", Some("model")),
            (br#"{"prompt":"a","input_reference":{"file_id":"f"}}"#, "unsupported_by_model", Some("input_reference")),
        ] {
            let what = String::from_utf8_lossy(body).into_owned();
            assert_refused(&post(&product, &ada, "application/json", body.to_vec()).await, 400, code, param, &what);
        }
        let too_large = json!({ "prompt": "a", "negative_prompt": "🎞".repeat(16_385) }).to_string();
        assert_refused(&post(&product, &ada, "application/json", too_large).await, 400, "text_too_large", Some("negative_prompt"), "too large");
        let deep = format!("{{\"x\":{}", "[".repeat(100_000));
        assert_refused(&post(&product, &ada, "application/json", deep).await, 400, "invalid_request", None, "deep");
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
    }

    async fn the_same_video_can_be_asked_for_as_json_form_and_multipart(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let part = |name: &str, value: &str| format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        let multipart = [part("prompt", "caf\u{e9} & tea"), part("seconds", "2"), part("seed", "7"), part("unknown", "x")].concat() + "--b--\r\n";
        let mut specs: Vec<Value> = Vec::new();
        for (content_type, body) in [
            ("application/json; charset=utf-8", r#"{"prompt":"café & tea","seconds":2.0,"seed":7}"#.to_owned()),
            ("application/x-www-form-urlencoded", "prompt=caf%C3%A9+%26+tea&seconds=2&seed=7&unknown=x".to_owned()),
            ("multipart/form-data; boundary=b", multipart),
        ] {
            let answer = post(&product, &ada, content_type, body).await;
            assert_eq!(answer.status, StatusCode::OK, "{content_type}: {answer:?}");
            let video = answer.json();
            specs.push(json!([video["prompt"], video["seconds"], video["seed"], video["size"]]));
        }
        assert_eq!(specs[0], json!(["café & tea", "2", 7, "384x384"]));
        assert!(specs.iter().all(|spec| *spec == specs[0]), "{specs:?}");
    }

    async fn forms_that_are_broken_or_bring_a_file_are_refused(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let multipart = "multipart/form-data; boundary=b";
        let start = "--b\r\nContent-Disposition: form-data; name=\"prompt\"\r\n\r\na";
        for (content_type, body, status, code, param) in [
            (multipart, start.as_bytes().to_vec(), 400, "invalid_request", None),
            (multipart, b"nonsense".to_vec(), 400, "invalid_request", None),
            ("multipart/form-data", start.as_bytes().to_vec(), 400, "invalid_request", None),
            (multipart, [start.as_bytes(), b"\xff\r\n--b--\r\n"].concat(), 400, "invalid_request", Some("prompt")),
            ("application/x-www-form-urlencoded", b"prompt=%ff".to_vec(), 400, "invalid_request", Some("prompt")),
            ("text/plain", b"a red ball".to_vec(), 415, "unsupported_media_type", None),
            ("", b"{}".to_vec(), 415, "unsupported_media_type", None),
        ] {
            assert_refused(&post(&product, &ada, content_type, body).await, status, code, param, content_type);
        }
        // The file never ends, and is not waited for.
        let file = "--b\r\nContent-Disposition: form-data; name=\"input_reference\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n";
        let endless = stream::iter([file]).chain(stream::repeat("x")).map(Ok::<_, Infallible>);
        let answer = post(&product, &ada, multipart, Body::from_stream(endless)).await;
        assert_refused(&answer, 400, "unsupported_by_model", Some("input_reference"), "a file");
    }

    async fn a_body_beyond_the_limit_is_refused_in_every_form(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for (content_type, start) in [
            ("application/json", "{\"prompt\":\""),
            ("application/x-www-form-urlencoded", "prompt="),
            ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"prompt\"\r\n\r\n"),
            ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n"),
        ] {
            let pieces = stream::iter([start.to_owned()]).chain(stream::iter((0..2000).map(|_| "x".repeat(1024)))).map(Ok::<_, Infallible>);
            let answer = post(&product, &ada, content_type, Body::from_stream(pieces)).await;
            assert_refused(&answer, 413, "body_too_large", None, content_type);
        }
    }

    async fn what_is_not_there_is_said_in_the_same_shape(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        for path in ["/v1", "/v1/", "/v1/nope", "/v1/videos/x/nope", "/v1/videos/", "/v1/videos/job_1/content/more", "/v1//videos"] {
            assert_refused(&product.get(&ada, path).await, 404, "unknown_url", None, path);
        }
        let patch = product.send(ada.request("PATCH", "/v1/videos").body(Body::empty()).unwrap()).await;
        assert_refused(&patch, 405, "method_not_allowed", None, "PATCH");
        let mut allowed: Vec<_> = patch.header("allow").split(',').collect();
        allowed.sort_unstable();
        assert_eq!(allowed, ["GET", "HEAD", "POST"]);
    }

    async fn a_request_without_a_path_is_refused(database: TempDatabase) {
        let product = Product::new(database).await;
        for (method, target) in [("GET", "a"), ("POST", "example.com"), ("CONNECT", "example.com:443")] {
            let answer = product.send(Request::builder().method(method).uri(target).body(Body::empty()).unwrap()).await;
            assert_refused(&answer, 400, "invalid_request", None, target);
        }
        let any = product.send(Request::options("*").body(Body::empty()).unwrap()).await;
        assert_eq!(any.status, StatusCode::OK);
    }

    async fn only_a_bearer_key_that_is_ours_opens_the_api(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for authorization in ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer sk-123", "Bearer rm_live_000000000000000000000000000000000000"] {
            let request = Request::get("/v1/videos").header("cookie", &cookie).header("authorization", authorization);
            let answer = product.send(request.body(Body::empty()).unwrap()).await;
            assert_refused(&answer, 401, "invalid_api_key", None, authorization);
            assert!(answer.header("www-authenticate").starts_with("Bearer"));
        }
        let answer = product.send(Request::get("/v1/videos").header("cookie", &cookie).body(Body::empty()).unwrap()).await;
        insta::allow_duplicates! {
        insta::assert_snapshot!(redacted(answer.json()), @r#"
        {
          "error": {
            "code": "invalid_api_key",
            "message": "No API key was given. Send it as `Authorization: Bearer KEY`.",
            "param": null,
            "type": "authentication_error"
          }
        }
        "#);
        }
    }
}

/// What the API's document says a request may hold is what the catalog allows.
mod documented {
    use super::*;
    use domain::{Seed, catalog};

    on_both_engines! {
        async fn the_document_names_the_catalogs_bounds_and_defaults(database: TempDatabase) {
            let product = Product::new(database).await;
            let document = product.send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await.json();
            let (fields, model) = (&document["components"]["schemas"]["CreateVideo"]["properties"], catalog::testing::video_model());
            let bounds = |field: &str| json!([fields[field]["minimum"], fields[field]["maximum"], fields[field]["default"]]);
            assert_eq!(bounds("steps"), json!([model.steps.min, model.steps.max, model.steps.default]));
            let guidance = ["minimum", "maximum", "default"].map(|bound| fields["guidance"][bound].as_f64().unwrap());
            assert_eq!(guidance, [model.guidance.min, model.guidance.max, model.guidance.default]);
            assert_eq!(bounds("seed"), json!([0, Seed::MAX, null]));
            assert_eq!(fields["model"]["enum"], json!(["vignette-1", null]));
            assert_eq!(fields["size"]["enum"], json!(["96x96", "192x192", "384x384", "768x768", null]));
            assert_eq!((&fields["size"]["default"], &fields["seconds"]["default"]), (&json!("384x384"), &json!("2")));
            for field in ["prompt", "negative_prompt"] {
                assert_eq!(fields[field]["maxLength"], catalog::PROMPT_CHARS_MAX, "{field}");
                assert!(fields[field]["description"].as_str().unwrap().contains("At most 32,000 characters and 64 KiB"), "{field}");
            }
            let remix = &document["components"]["schemas"]["RemixVideo"]["properties"];
            assert_eq!((&remix["seed"]["maximum"], &remix["prompt"]["maxLength"]), (&json!(Seed::MAX), &json!(catalog::PROMPT_CHARS_MAX)));
        }

        async fn the_reference_says_them_too(database: TempDatabase) {
            let product = Product::new(database).await;
            let page = product.send(Request::get("/reference").body(Body::empty()).unwrap()).await;
            let html = String::from_utf8_lossy(&page.body).into_owned();
            for words in ["from 1 to 200, default 24", "from 1 to 12, default 3.0", "at most 32,000 characters"] {
                assert!(html.to_lowercase().contains(words), "{words}");
            }
        }
    }
}
