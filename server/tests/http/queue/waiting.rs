//! Why a video waits, and behind whom.

use crate::harness::{Customer, Product};
use domain::{
    Actor, VideoTime,
    billing::{Lane, Plan},
};
use serde_json::{Value, json};
use store::on_both_engines;

/// Somebody on a plan of their own.
async fn customer(product: &Product, name: &str, plan: impl Fn(Plan) -> Plan) -> Customer {
    let who = product.customer(name).await;
    let services = product.services();
    let usual = services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "unlimited").unwrap();
    services.define_plan(Actor::Operator, &plan(Plan { id: name.into(), ..usual }), None).await.unwrap();
    services.set_plan(Actor::Operator, who.user.tenant, name).await.unwrap();
    who
}

async fn video(product: &Product, who: &Customer) -> Value {
    let id = product.create(who, "a red ball").await;
    product.get(who, &format!("/v1/videos/{id}")).await.json()
}

on_both_engines! {
    async fn a_single_video_is_not_behind_all_of_another_team(database: TempDatabase) {
        let product = Product::new(database).await;
        let (many, one) = (product.customer("many").await, product.customer("one").await);
        for _ in 0..30 {
            product.create(&many, "a red ball").await;
        }
        let last = product.create(&many, "a red ball").await;
        let last = async || Some(product.get(&many, &format!("/v1/videos/{last}")).await.json());
        let last = product.soon("the last of 31", async || last().await.filter(|last| last["queue_position"] == 31)).await;
        assert_eq!(last["waiting"]["reason"], "no_worker");
        assert!(last["waiting"]["message"].as_str().unwrap().contains("No machine is running"), "{last}");
        let single = video(&product, &one).await;
        assert!(single["queue_position"].as_u64().unwrap() <= 2, "{single}");
    }

    async fn a_throttled_video_says_when_it_enters_the_queue(database: TempDatabase) {
        let product = Product::new(database).await;
        let rate = Some(VideoTime::from_ms(1000));
        let ada = customer(&product, "ada", |plan| Plan { lane: Lane::Batch, release_rate: rate, ..plan }).await;
        let (first, second) = (video(&product, &ada).await, video(&product, &ada).await);
        assert_eq!((&first["waiting"]["reason"], &first["queue_position"]), (&json!("no_worker"), &json!(1)));
        assert_eq!((&second["status"], &second["queue_position"]), (&json!("queued"), &Value::Null));
        assert_eq!(second["waiting"]["reason"], "release_rate");
        let until = second["waiting"]["until"].as_i64().unwrap();
        assert!((120..=122).contains(&(until - first["created_at"].as_i64().unwrap())), "{second}");
        let page = product.page(&product.cookie(&ada).await, &format!("/videos/{}", second["id"].as_str().unwrap())).await;
        assert!(page.contains("It enters the queue by the release rate of your plan"), "{page}");
    }

    async fn a_video_tells_what_it_waited_for_a_decoder(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        product.finish().await;
        let took = "sampling_ms = 900, decoding_ms = 300, sampled_at_ms = created_at_ms + 1000, ended_at_ms = created_at_ms + 6000";
        product.database().damage(&format!("UPDATE jobs SET started_at_ms = created_at_ms, {took}")).await;
        let page = product.page(&product.cookie(&ada).await, &format!("/videos/{id}")).await;
        for (what, took) in [("Waited", "0.1 s"), ("Sampled", "0.9 s"), ("Waited for a decoder", "4.7 s"), ("Decoded", "0.3 s")] {
            let (_, told) = page.split_once(&format!(">{what}<")).expect(what);
            let told = told.split("</div>").next().unwrap_or_default();
            assert!(told.contains(&format!(">{took}<")), "{what}: {told}");
        }
        assert!(page.contains("Made in 6.0 s."), "{page}");
    }

    async fn a_plan_that_makes_few_at_once_says_so(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = customer(&product, "ada", |plan| Plan { concurrency: Some(1), ..plan }).await;
        video(&product, &ada).await;
        let second = video(&product, &ada).await;
        assert_eq!((&second["waiting"]["reason"], &second["waiting"]["until"]), (&json!("quota"), &Value::Null));
        product.finish().await;
        product.services().store.queue().release().await.unwrap();
        let entered = product.get(&ada, &format!("/v1/videos/{}", second["id"].as_str().unwrap())).await.json();
        assert_eq!(entered["waiting"]["reason"], "no_worker", "{entered}");
    }
}
