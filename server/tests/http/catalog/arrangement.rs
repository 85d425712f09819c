//! Things that are put somewhere, with a model that places things: what is stored, repeated, refused and told of it.

use crate::harness::{Customer, Product};
use axum::http::StatusCode;
use domain::{
    Model,
    catalog::{Understands, testing::video_model},
    job::{Layout, PlacedThing, ShotLayout},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use store::on_both_engines;

/// A product whose one model places things.
async fn of_scenes(database: store::testing::TempDatabase) -> Product {
    let product = Product::new(database).await;
    product.offer(&[Model { understands: Understands::Scenes, ..video_model() }]).await;
    product
}

async fn asked(product: &Product, who: &Customer, path: &str, prompt: &str, arrangement: &Value) -> (StatusCode, Value) {
    let answer = product.post(who, path, json!({ "prompt": prompt, "seed": 7, "arrangement": arrangement })).await;
    (answer.status, answer.json())
}

fn layout() -> Layout {
    let cat = PlacedThing {
        slot: 0,
        name: "cat".into(),
        x: 0.25,
        y: 0.9,
        size: 0.5,
        left: 0.125,
        top: 0.5,
        width: 0.25,
        height: 0.375,
        carried_by: None,
    };
    Layout { shots: vec![ShotLayout { seconds: 1.0, zoom: 1.5, things: vec![cat] }] }
}

on_both_engines! {
    async fn what_is_put_somewhere_is_told_and_a_remix_keeps_it_as_long_as_the_prompt_is_the_same(database: TempDatabase) {
        let product = of_scenes(database).await;
        let ada = product.customer("ada").await;
        let pins = json!([{ "shot": 0, "slot": 1, "x": 0.25, "y": 1.0 }, { "shot": 2, "slot": 0, "x": 0.5, "y": 0.0, "size": 0.5 }]);
        let (status, made) = asked(&product, &ada, "/v1/videos", "a cat and a dog", &pins).await;
        assert_eq!((status, &made["arrangement"]), (StatusCode::OK, &pins), "{made}");
        let path = format!("/v1/videos/{}", made["id"].as_str().unwrap());
        assert_eq!(product.get(&ada, &path).await.json()["arrangement"], pins);
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"][0]["arrangement"], pins);

        let remix = format!("{path}/remix");
        for (prompt, arrangement, kept) in [
            ("a cat and a dog", Value::Null, &pins),
            ("a cat and a fox", Value::Null, &json!([])),
            ("a cat and a dog", json!([]), &json!([])),
            ("a cat and a fox", json!([{ "slot": 0, "x": 0.5, "y": 0.5 }]), &json!([{ "shot": 0, "slot": 0, "x": 0.5, "y": 0.5 }])),
        ] {
            let (status, made) = asked(&product, &ada, &remix, prompt, &arrangement).await;
            assert_eq!((status, &made["arrangement"]), (StatusCode::OK, kept), "{prompt} {arrangement}");
        }
        for enrich in [json!(false), json!("")] {
            let made = product.post(&ada, &remix, json!({ "prompt": "a cat and a dog", "enrich": enrich })).await.json();
            assert_eq!(made["arrangement"], pins, "{made}");
        }
        // What is left out makes room for other things.
        let without = product.post(&ada, &remix, json!({ "prompt": "a cat and a dog", "negative_prompt": "dog" })).await.json();
        assert_eq!(without["arrangement"], json!([]), "{without}");
        let spec = product.services().spec(ada.user.actor(), made["id"].as_str().unwrap().parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(spec.arrangement.unwrap().pins().len(), 2);
    }

    async fn a_remix_of_what_was_made_richer_keeps_it_only_where_the_same_is_added(database: TempDatabase) {
        let product = of_scenes(database).await;
        let ada = product.customer("ada").await;
        let pins = json!([{ "shot": 0, "slot": 1, "x": 0.25, "y": 1.0 }]);
        let body = json!({ "prompt": "a ball", "seed": 7, "enrich": true, "arrangement": pins });
        let made = product.post(&ada, "/v1/videos", body).await.json();
        let remix = format!("/v1/videos/{}/remix", made["id"].as_str().unwrap());
        for (body, kept) in [
            (json!({ "prompt": "a ball" }), false),
            (json!({ "prompt": "a ball", "seed": 7 }), true),
            (json!({ "prompt": "a ball", "seed": 7, "enrich": false }), false),
            (json!({ "prompt": "a ball", "seed": 7, "negative_prompt": "rain" }), false),
        ] {
            let made = product.post(&ada, &remix, body.clone()).await.json();
            assert_eq!(made["arrangement"], if kept { pins.clone() } else { json!([]) }, "{body}: {made}");
        }
    }

    async fn what_was_arranged_comes_back_whole_in_the_form_of_a_submission_that_was_refused(database: TempDatabase) {
        let product = of_scenes(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let pins: Vec<Value> = (0..18).map(|pin| json!({ "shot": pin / 6, "slot": pin % 6, "x": 0.25, "y": 0.5, "size": 0.5 })).collect();
        let pins = Value::from(pins).to_string();
        let form = format!("request[prompt]=a+cat&quoted_ms=1&request[arrangement]={}", utf8_percent_encode(&pins, NON_ALPHANUMERIC));
        let refused = product.post_form(&cookie, "/api/submit-video", &form).await;
        assert_eq!((refused.status, refused.header("location")), (StatusCode::FOUND, "/create"), "{refused:?}");
        let html = product.page(&cookie, "/create").await.replace("&quot;", "\"");
        let input = html.split("<input").find(|input| input.contains("name=\"request[arrangement]\"")).expect("what is sent again");
        assert!(input.contains(&pins) && input.contains("checked"), "{input}");
        assert!(html.contains("press the button once more"), "the refusal is told as it was");
    }

    async fn what_is_wrong_with_it_in_a_form_that_came_back_is_said_at_its_box(database: TempDatabase) {
        let product = of_scenes(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let refused = product.post_form(&cookie, "/api/submit-video", "request[prompt]=a+cat&request[arrangement]=foo").await;
        assert_eq!((refused.status, refused.header("location")), (StatusCode::FOUND, "/create"), "{refused:?}");
        let html = product.page(&cookie, "/create").await;
        assert!(html.contains("Nothing was made") && html.contains("href=\"#arrangement\""), "{html}");
        let tags = html.split('<').filter_map(|tag| tag.split('>').next());
        let target = tags.filter(|tag| tag.contains(" id=\"arrangement\"")).collect::<Vec<_>>();
        let [input] = target[..] else { panic!("where the link leads: {target:?}") };
        for said in ["name=\"request[arrangement]\"", "aria-invalid=\"true\"", "aria-describedby=\"arrangement-error\""] {
            assert!(input.contains(said), "{said}: {input}");
        }
    }

    async fn what_cannot_be_put_there_is_refused_under_its_name_and_nothing_is_stored(database: TempDatabase) {
        let product = of_scenes(database).await;
        let ada = product.customer("ada").await;
        let many: Vec<Value> = (0..19).map(|pin| json!({ "shot": pin / 6, "slot": pin % 6, "x": 0.5, "y": 0.5 })).collect();
        for (wrong, code) in [
            (json!([{ "slot": 0, "x": 1.5, "y": 0.5 }]), "arrangement_invalid"),
            (json!([{ "slot": 6, "x": 0.5, "y": 0.5 }]), "arrangement_invalid"),
            (json!([{ "slot": 0, "x": "NaN", "y": 0.5 }]), "arrangement_invalid"),
            (json!(many), "arrangement_invalid"),
            (json!("somewhere else"), "arrangement_invalid"),
            (json!({ "slot": 0 }), "invalid_request"),
            (json!(7), "invalid_request"),
        ] {
            let (status, said) = asked(&product, &ada, "/v1/videos", "a cat", &wrong).await;
            let error = &said["error"];
            assert_eq!((status, &error["code"], &error["param"]), (StatusCode::BAD_REQUEST, &json!(code), &json!("arrangement")), "{wrong}: {said}");
        }
        assert_eq!(product.get(&ada, "/v1/videos").await.json()["data"], json!([]));
        let document = product.send(axum::http::Request::get("/openapi.json").body(axum::body::Body::empty()).unwrap()).await.json();
        assert_eq!(document["components"]["schemas"]["CreateVideo"]["properties"]["arrangement"]["type"], json!(["array", "null"]));

        product.offer(&[video_model()]).await;
        let (status, said) = asked(&product, &ada, "/v1/videos", "a cat", &json!([{ "slot": 0, "x": 0.5, "y": 0.5 }])).await;
        assert_eq!((status, &said["error"]["code"]), (StatusCode::BAD_REQUEST, &json!("arrangement_unsupported")));
    }

    async fn where_things_are_is_told_of_a_finished_video_to_its_owner_alone(database: TempDatabase) {
        let product = of_scenes(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let id = product.create(&ada, "a cat").await;
        let path = format!("/v1/videos/{id}/layout");
        assert_eq!(product.get(&ada, &path).await.code(), "video_not_ready");
        product.finish_drawn(&layout()).await;
        let answer = product.get(&ada, &path).await;
        let thing = json!({
            "slot": 0, "name": "cat", "x": 0.25, "y": 0.9, "size": 0.5, "left": 0.125, "top": 0.5, "width": 0.25, "height": 0.375, "carried_by": null
        });
        let told = answer.json();
        assert_eq!((answer.status, &told["id"], &told["object"]), (StatusCode::OK, &json!(id.to_string()), &json!("video.layout")));
        assert_eq!(told["shots"], json!([{ "seconds": 1.0, "zoom": 1.5, "things": [thing] }]));
        let others = product.get(&eve, &path).await;
        assert_eq!((others.status, others.code().as_str()), (StatusCode::NOT_FOUND, "video_not_found"));
        let deleted = product.send(ada.request("DELETE", &format!("/v1/videos/{id}")).body(axum::body::Body::empty()).unwrap()).await;
        assert_eq!((deleted.status, product.get(&ada, &path).await.status), (StatusCode::OK, StatusCode::NOT_FOUND));

        let older = product.create(&ada, "a cat").await;
        product.finish().await;
        let answer = product.get(&ada, &format!("/v1/videos/{older}/layout")).await;
        assert_eq!((answer.status, answer.code().as_str()), (StatusCode::BAD_REQUEST, "layout_unavailable"));
    }
}
