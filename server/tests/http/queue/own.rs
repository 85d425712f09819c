//! One's own queue: listed in its order, moved and taken back, at the API and on its page.

use crate::{
    batches::{line, uploaded},
    harness::{Answer, Customer, Product},
    matrix::join,
};
use axum::http::StatusCode;
use domain::{
    Actor, JobId, Role, Stage, VideoTime,
    billing::{Lane, Plan},
};
use serde_json::{Value, json};
use store::on_both_engines;

async fn queue(product: &Product, who: &Customer, query: &str) -> Value {
    let answer = product.get(who, &format!("/v1/queue{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()
}

/// The ids of a page.
fn ids(page: &Value) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(|video| video["id"].as_str().unwrap().to_owned()).collect()
}

async fn moved(product: &Product, who: &Customer, id: JobId, body: Value) -> Answer {
    product.post(who, &format!("/v1/videos/{id}/move"), body).await
}

fn names(ids: &[JobId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

async fn create_some<const N: usize>(product: &Product, who: &Customer) -> [JobId; N] {
    let mut made = [JobId::from_uuid(uuid::Uuid::nil()); N];
    for (n, id) in made.iter_mut().enumerate() {
        *id = product.create(who, &format!("ball {n}")).await;
    }
    made
}

/// A form of the page, posted without a script, and what the page says then.
async fn post(product: &Product, cookie: &str, path: &str, form: &str) -> String {
    let answer = product.post_form(cookie, path, form).await;
    assert_eq!(answer.status, StatusCode::FOUND, "{answer:?}");
    assert!(answer.header("location").starts_with("/queue"), "{answer:?}");
    let noted = crate::forms::cookie_set(&answer, "note-queue");
    let cookies = noted.map_or_else(|| cookie.to_owned(), |note| format!("{cookie}; {note}"));
    product.page(&cookies, "/queue").await
}

/// Where these prompts stand on a page, in their order.
fn places(page: &str, prompts: &[&str]) -> Vec<usize> {
    prompts
        .iter()
        .map(|prompt| page.find(&format!("class=\"queued-title\">{prompt}<")).unwrap_or_else(|| panic!("{prompt}: {page}")))
        .collect()
}

on_both_engines! {
    async fn a_queue_is_listed_in_its_order_with_places_and_reasons(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        assert_eq!(queue(&product, &ada, "").await, json!({"object": "list", "data": [], "first_id": null, "last_id": null, "has_more": false}));
        let made = create_some::<4>(&product, &ada).await;
        product.create(&eve, "hers").await;
        // Hers comes between, in its fair turn.
        let placed = async || {
            let all = queue(&product, &ada, "").await;
            assert_eq!(ids(&all), names(&made));
            (all["data"][3]["queue_position"] == 5).then_some(all)
        };
        let all = product.soon("the place of the last is known", placed).await;
        let first = &all["data"][0];
        assert_eq!((&first["prompt"], &first["model"], &first["status"]), (&json!("ball 0"), &json!("vignette-1"), &json!("queued")));
        assert_eq!((&first["queue_position"], &first["waiting"]["reason"], &first["eta"]), (&json!(1), &json!("no_worker"), &Value::Null));
        // As the video itself says it.
        let alone = product.get(&ada, &format!("/v1/videos/{}", made[3])).await.json();
        assert_eq!((&alone["queue_position"], &alone["waiting"]), (&all["data"][3]["queue_position"], &all["data"][3]["waiting"]));
        let page = queue(&product, &ada, "?limit=3").await;
        assert_eq!((ids(&page), &page["has_more"]), (names(&made[..3]), &json!(true)));
        let rest = queue(&product, &ada, &format!("?limit=3&after={}", page["last_id"].as_str().unwrap())).await;
        assert_eq!((ids(&rest), &rest["has_more"]), (names(&made[3..]), &json!(false)));
        // What is made comes first.
        product.claim(Stage::Sampling).await;
        assert_eq!(ids(&queue(&product, &ada, "").await), names(&made));
        let foreign = product.get(&eve, &format!("/v1/queue?after={}", made[0])).await;
        assert_eq!((foreign.status, foreign.code().as_str()), (StatusCode::BAD_REQUEST, "invalid_request"));
        assert_eq!(foreign.json()["error"]["param"], "after");
    }

    async fn a_video_is_moved_and_stands_there_at_once(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let [a, b, c] = create_some::<3>(&product, &ada).await;
        let to_front = moved(&product, &ada, c, json!({"to": "front"})).await;
        assert_eq!(to_front.status, StatusCode::OK, "{to_front:?}");
        assert_eq!((&to_front.json()["id"], &to_front.json()["queue_position"]), (&json!(c.to_string()), &json!(1)), "at once");
        let place = async || product.get(&ada, &format!("/v1/videos/{c}")).await.json()["queue_position"].as_u64();
        product.soon("it is the next", async || place().await.filter(|place| *place == 1)).await;
        assert_eq!(ids(&queue(&product, &ada, "").await), names(&[c, a, b]));
        assert_eq!(moved(&product, &ada, b, json!({"to": "up"})).await.status, StatusCode::OK);
        assert_eq!(ids(&queue(&product, &ada, "").await), names(&[c, b, a]));
        assert_eq!(moved(&product, &ada, a, json!({"before": b.to_string()})).await.status, StatusCode::OK);
        // The order is that of the rows, at once; the places follow.
        let places = async || {
            let all = queue(&product, &ada, "").await;
            assert_eq!(ids(&all), names(&[c, a, b]));
            let places: Vec<_> = all["data"].as_array().unwrap().iter().map(|video| video["queue_position"].as_u64()).collect();
            (places == [Some(1), Some(2), Some(3)]).then_some(())
        };
        product.soon("each has its place", places).await;
        assert_eq!(product.claim(Stage::Sampling).await.job, c);
    }

    async fn what_cannot_be_moved_says_why(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let [begun, ended, waits] = create_some::<3>(&product, &ada).await;
        let hers = product.create(&eve, "hers").await;
        assert_eq!(product.claim(Stage::Sampling).await.job, begun);
        product.post(&ada, &format!("/v1/videos/{ended}/cancel"), json!({})).await;
        let nobodys = JobId::from_uuid(uuid::Uuid::now_v7());
        let front = json!({"to": "front"});
        let before = |id: JobId| json!({"before": id.to_string()});
        let cases = [
            (begun, front.clone(), 409, "video_begun"),
            (ended, front.clone(), 409, "video_ended"),
            (hers, front.clone(), 404, "video_not_found"),
            (nobodys, front, 404, "video_not_found"),
            (waits, before(begun), 409, "not_in_one_line"),
            (waits, before(hers), 404, "video_not_found"),
            (waits, before(nobodys), 404, "video_not_found"),
            (waits, json!({"to": "back"}), 422, "invalid_request"),
            (waits, json!({}), 422, "invalid_request"),
            (waits, json!({"to": "front", "before": ended.to_string()}), 422, "invalid_request"),
            (waits, json!({"before": "x"}), 422, "invalid_request"),
            (hers, json!({"to": "back"}), 404, "video_not_found"),
        ];
        for (id, body, status, code) in cases {
            let answer = moved(&product, &ada, id, body.clone()).await;
            assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{body} {answer:?}");
        }
        assert_eq!(ids(&queue(&product, &ada, "").await), names(&[begun, waits]));
    }

    async fn all_that_waits_is_taken_back_and_what_is_made_goes_on(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let member = join(&product, &ada, "member", Role::Member).await;
        let made = create_some::<3>(&product, &ada).await;
        let theirs = product.create(&member, "of the same team").await;
        product.claim(Stage::Sampling).await;
        for model in ["tiny-1", "none-1", "\0"] {
            let of_other = product.post(&ada, "/v1/queue/cancel", json!({"model": model})).await.json();
            assert_eq!(of_other, json!({"object": "queue.cancelled", "cancelled": 0, "has_more": false}), "{model:?}");
        }
        let cancelled = product.post(&ada, "/v1/queue/cancel", json!({"model": "vignette-1"})).await.json();
        assert_eq!(cancelled, json!({"object": "queue.cancelled", "cancelled": 2, "has_more": false}));
        assert_eq!(ids(&queue(&product, &ada, "").await), names(&made[..1]));
        assert_eq!(ids(&queue(&product, &member, "").await), names(&[theirs]));
        for body in [json!([]), json!({"models": "vignette-1"})] {
            let refused = product.post(&ada, "/v1/queue/cancel", body).await;
            assert_eq!((refused.status, refused.code().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "invalid_request"));
        }
        let empty = ada.request("POST", "/v1/queue/cancel").body(axum::body::Body::empty()).unwrap();
        assert_eq!(product.send(empty).await.json()["cancelled"], 0);
    }

    async fn the_page_shows_the_queue_and_its_forms_change_it_without_a_script(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let empty = product.page(&cookie, "/queue").await;
        assert!(empty.contains("Nothing of yours waits or is being made") && empty.contains("href=\"/create\""), "{empty}");
        assert!(!empty.contains("waits for its first step"), "said once: {empty}");
        let [a, b, c] = create_some::<3>(&product, &ada).await;
        let page = product.page(&cookie, "/queue").await;
        assert!(places(&page, &["ball 0", "ball 1", "ball 2"]).is_sorted());
        assert!(page.contains("3 videos of yours wait for their first step") && page.contains("No machine is running"), "{page}");
        assert!(page.contains("aria-current=\"page\">Queue"), "{page}");
        // Only what has another in front of it can be moved.
        assert_eq!((page.matches("Move up: ").count(), page.contains("Move up: ball 0")), (2, false));
        let page = post(&product, &cookie, "/api/move-in-queue", &format!("id={c}&to=front")).await;
        assert!(places(&page, &["ball 2", "ball 0", "ball 1"]).is_sorted());
        let page = post(&product, &cookie, "/api/move-in-queue", &format!("id={b}&to=up")).await;
        assert!(places(&page, &["ball 2", "ball 1", "ball 0"]).is_sorted());
        assert_eq!(product.claim(Stage::Sampling).await.job, c);
        let page = post(&product, &cookie, "/api/move-in-queue", &format!("id={c}&to=front")).await;
        assert!(page.contains("It is being made already, so it cannot be moved."), "{page}");
        assert!(page.contains("Being made") && page.contains("<progress"), "{page}");
        let page = post(&product, &cookie, "/api/cancel-in-queue", &format!("id={a}")).await;
        assert!(!page.contains("ball 0") && page.contains("One video of yours waits"), "{page}");
        let page = post(&product, &cookie, "/api/cancel-queue", &format!("tenant={}", ada.user.tenant)).await;
        assert!(!page.contains("ball 1") && page.contains("ball 2") && page.contains("Nothing of yours waits for its first step"), "{page}");
    }

    async fn the_page_is_one_persons_and_who_may_change_nothing_has_no_buttons(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let viewer = join(&product, &ada, "viewer", Role::Viewer).await;
        product.create(&ada, "a ball of the owner").await;
        let cookie = product.cookie(&viewer).await;
        let page = product.page(&cookie, "/queue").await;
        assert!(page.contains("Nothing of yours waits") && !page.contains("of the owner") && !page.contains("href=\"/create\""), "{page}");
        for (path, form) in [("/api/cancel-queue", String::new()), ("/api/move-in-queue", format!("id={}&to=up", JobId::from_uuid(uuid::Uuid::now_v7())))] {
            let refused = product.post_form_for("application/json", &cookie, path, &form).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
        }
        let nobody = product.open("", "/queue").await;
        assert_eq!((nobody.status, nobody.header("location")), (StatusCode::FOUND, "/signin?next=/queue"));
        // A queue of another team is not cancelled by the page of this one.
        let hers = product.cookie(&ada).await;
        let page = post(&product, &hers, "/api/cancel-queue", &format!("tenant={}", domain::TenantId::from_uuid(uuid::Uuid::now_v7()))).await;
        assert!(page.contains("a ball of the owner"), "{page}");
    }

    async fn a_long_queue_has_pages_and_says_what_has_not_entered(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let services = product.services();
        let usual = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "unlimited").unwrap();
        let slow = Plan { id: "slow".into(), lane: Lane::Batch, release_rate: Some(VideoTime::from_ms(1000)), ..usual };
        services.define_plan(Actor::Operator, &slow, None).await.unwrap();
        services.set_plan(Actor::Operator, ada.user.tenant, "slow").await.unwrap();
        for n in 0..52 {
            product.create(&ada, &format!("ball {n}")).await;
        }
        let cookie = product.cookie(&ada).await;
        let first = product.page(&cookie, "/queue").await;
        assert!(first.contains("Waiting for ") && first.contains("Not in the queue yet"), "{first}");
        assert!(first.contains("It enters the queue by the release rate of your plan"), "{first}");
        assert!(first.contains("52 videos of yours wait") && first.contains(">ball 49<") && !first.contains(">ball 50<"));
        let next = first.split("href=\"/queue?after=").nth(1).unwrap().split('"').next().unwrap();
        let second = product.page(&cookie, &format!("/queue?after={next}")).await;
        assert!(second.contains(">ball 51<") && !second.contains(">ball 49<") && second.contains("First page"), "{second}");
        // One that is gone leads to the beginning.
        let gone = product.open(&cookie, "/queue?after=job_0190aaaabbbb7ccc8dddeeeeffff0001").await;
        assert_eq!((gone.status, gone.header("location")), (StatusCode::FOUND, "/queue"));
        let all = queue(&product, &ada, "?limit=100").await;
        assert!(all["data"].as_array().unwrap()[1..].iter().all(|video| video["waiting"]["reason"] == "release_rate"), "{all}");
    }

    async fn a_line_of_a_batch_leads_to_its_batch(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        product.create(&ada, "a single lantern").await;
        let input = uploaded(&product, &ada, &line("a", json!({"prompt": "a red ball"}))).await;
        let asked = json!({"input_file_id": input, "endpoint": "/v1/videos", "completion_window": "24h"});
        let id = product.post(&ada, "/v1/batches", asked).await.json()["id"].as_str().unwrap().to_owned();
        let with_line = async || {
            product.services().step_batches(Actor::System).await.unwrap();
            let page = product.page(&cookie, "/queue").await;
            page.contains("a red ball").then_some(page)
        };
        let page = product.soon("the line is in the queue", with_line).await;
        assert!(page.contains("a single lantern") && page.matches("A line of ").count() == 1, "{page}");
        assert!(page.contains(&format!("href=\"/batches/{id}\"")), "{page}");
    }
}
