//! Lists of videos: pages that follow one another, whatever they hold.

use crate::harness::Product;
use serde_json::{Value, json};
use store::on_both_engines;

fn ids(page: &Value) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(|video| video["id"].as_str().unwrap().to_owned()).collect()
}

on_both_engines! {
    async fn pages_of_a_list_follow_one_another(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let empty = product.get(&ada, "/v1/videos").await;
        insta::allow_duplicates! {
        insta::assert_snapshot!(empty.json().to_string(), @r#"{"data":[],"first_id":null,"has_more":false,"last_id":null,"object":"list"}"#);
        }
        let mut made = Vec::new();
        for number in 0..5 {
            made.push(product.create(&ada, &format!("clip {number}")).await.to_string());
        }
        let mut seen: Vec<String> = Vec::new();
        loop {
            let after = seen.last().map(|id| format!("&after={id}")).unwrap_or_default();
            let page = product.get(&ada, &format!("/v1/videos?limit=2&order=asc{after}")).await.json();
            seen.extend(ids(&page));
            assert_eq!(page["last_id"].as_str(), seen.last().map(String::as_str));
            if page["has_more"] == json!(false) {
                break;
            }
        }
        assert_eq!(seen, made);
        let newest = product.get(&ada, "/v1/videos?limit=1").await.json();
        assert_eq!((newest["data"][0]["id"].as_str(), &newest["has_more"]), (made.last().map(String::as_str), &json!(true)));
    }

    async fn a_page_ends_early_at_a_mebibyte_and_the_next_goes_on_behind_it(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        // In JSON a control character takes six bytes: the largest videos there can be.
        let text = format!("a{}b", "\u{1}".repeat(31_998));
        let mut made = Vec::new();
        for _ in 0..7 {
            let answer = product.post(&ada, "/v1/videos", json!({ "prompt": text, "negative_prompt": text })).await;
            made.push(answer.json()["id"].as_str().unwrap().to_owned());
        }
        let (mut seen, mut pages) = (Vec::<String>::new(), 0);
        loop {
            let after = seen.last().map(|id| format!("&after={id}")).unwrap_or_default();
            let answer = product.get(&ada, &format!("/v1/videos?limit=100&order=asc{after}")).await;
            let page = answer.json();
            assert!(answer.body.len() <= 1_049_600 && page["data"][0]["prompt"] == json!(text), "{} bytes", answer.body.len());
            seen.extend(ids(&page));
            assert_eq!((page["first_id"].as_str(), page["last_id"].as_str()), (ids(&page).first().map(String::as_str), seen.last().map(String::as_str)));
            pages += 1;
            if page["has_more"] == json!(false) {
                break;
            }
        }
        assert_eq!((seen, pages), (made, 4));
    }

    async fn a_page_of_videos_that_cannot_be_read_leads_to_the_next(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let mut made = Vec::new();
        for number in 0..5 {
            made.push(product.create(&ada, &format!("clip {number}")).await);
        }
        for broken in &made[1..4] {
            product.services().store.spoil(*broken, "seed", -1).await.unwrap();
        }
        let (mut pages, mut after) = (Vec::new(), String::new());
        loop {
            let page = product.get(&ada, &format!("/v1/videos?limit=2&order=asc{after}")).await.json();
            pages.push(ids(&page));
            if page["has_more"] == json!(false) {
                break;
            }
            after = format!("&after={}", page["last_id"].as_str().expect("where to go on"));
        }
        assert_eq!(pages, [vec![made[0].to_string()], vec![], vec![made[4].to_string()]]);
    }

    async fn the_library_shows_a_page_of_the_longest_prompts(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        product.create(&ada, &"🎞".repeat(16_384)).await;
        let request = axum::http::Request::get("/library").header("cookie", product.cookie(&ada).await);
        let page = product.send(request.body(axum::body::Body::empty()).unwrap()).await;
        let text = String::from_utf8_lossy(&page.body).into_owned();
        assert!(text.contains(&format!("{}…", "🎞".repeat(120))) && page.body.len() < 64 * 1024, "{} bytes", page.body.len());
    }
}
