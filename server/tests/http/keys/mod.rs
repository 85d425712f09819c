//! Keys: what each opens, for how long, how often, and what it may spend; and the pages on which that is set.

mod client_tokens;
mod pages;

use crate::harness::{Answer, Customer, Product, within};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Actor, ApiKeyId, Scope, Scopes, VideoTime,
    billing::{Day, Spender, SpendingLimits},
};
use futures::future::join_all;
use http_body_util::BodyExt;
use serde_json::json;
use server::{
    Context,
    api::scopes::{NEEDS, Need},
    router,
};
use service::{KeyRequest, Services, billing::USAGE_ROWS_MAX};
use std::{collections::BTreeSet, time::Duration};
use store::{on_both_engines, testing::Dial};
use tower::ServiceExt;

const HOUR_MS: i64 = 3_600_000;

impl Product {
    /// Another key of the customer.
    async fn key(&self, who: &Customer, request: KeyRequest) -> (Customer, ApiKeyId) {
        let request = KeyRequest { name: "another".into(), ..request };
        let made = self.services().create_key_for(who.user.actor(), request, "").await.unwrap();
        (Customer { user: who.user.clone(), key: made.secret }, made.key.id)
    }

    /// What another server of the same database answers.
    async fn elsewhere(&self, request: Request<Body>) -> Answer {
        let services = Services::new(self.database().open().await.unwrap(), self.services().objects.clone());
        let response = router(&Context::new(services, None), self.folder()).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        Answer { status: parts.status, headers: parts.headers, body: body.collect().await.unwrap().to_bytes() }
    }
}

fn scoped(text: &str) -> KeyRequest {
    KeyRequest { scopes: Some(Scopes::parse(text).unwrap()), ..KeyRequest::default() }
}

fn list(who: &Customer) -> Request<Body> {
    who.request("GET", "/v1/videos").body(Body::empty()).unwrap()
}

on_both_engines! {
    async fn every_route_declares_what_it_needs_and_a_key_without_it_does_nothing(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await.to_string();
        let document = product.send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await.json();
        let mut routed = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            let methods = item.as_object().unwrap().keys().filter(|key| ["get", "post", "put", "patch", "delete"].contains(&key.as_str()));
            routed.extend(methods.map(|method| (method.to_uppercase(), path.clone())));
        }
        let declared: BTreeSet<_> = NEEDS.iter().map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned())).collect();
        assert_eq!(declared, routed);
        let before = product.get(&ada, "/v1/videos").await.json();
        for (method, path, need) in NEEDS {
            let Need::Scopes(all) = need else { continue };
            for needed in all {
                let others: Vec<_> = Scope::EVERY.into_iter().filter(|scope| scope != needed).map(Scope::as_str).collect();
                let (without, _) = product.key(&ada, scoped(&others.join(" "))).await;
                let request = without.request(method, &path.replace("{video_id}", &id)).header("content-type", "application/json");
                let refused = product.send(request.body(Body::from(json!({"prompt": "mine"}).to_string())).unwrap()).await;
                assert_eq!((refused.status, refused.code().as_str()), (StatusCode::FORBIDDEN, "insufficient_scope"), "{method} {path}");
                assert!(refused.json()["error"]["message"].as_str().unwrap().contains(needed.as_str()), "{method} {path}");
                assert_eq!(refused.header("www-authenticate"), format!("Bearer error=\"insufficient_scope\", scope=\"{needed}\""));
            }
            let (with, _) = product.key(&ada, scoped(&all.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" "))).await;
            if method == "GET" {
                let answer = product.send(with.request("HEAD", &path.replace("{video_id}", &id)).body(Body::empty()).unwrap()).await;
                assert_ne!(answer.status, StatusCode::FORBIDDEN, "{path}");
            }
        }
        assert_eq!(product.get(&ada, "/v1/videos").await.json(), before);
    }

    async fn who_only_writes_is_shown_nothing_of_a_video_that_somebody_else_made(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let (writer, _) = product.key(&ada, scoped("videos:write")).await;
        let cancelled = product.post(&writer, &format!("/v1/videos/{id}/cancel"), json!({})).await;
        assert_eq!(cancelled.json(), json!({"id": id.to_string(), "object": "video", "status": "cancelled"}));
        let remixed = product.post(&writer, &format!("/v1/videos/{id}/remix"), json!({"prompt": "mine"})).await;
        assert_eq!((remixed.status, remixed.code().as_str()), (StatusCode::FORBIDDEN, "insufficient_scope"));
        let whole = product.post(&ada, &format!("/v1/videos/{id}/cancel"), json!({})).await;
        assert_eq!((&whole.json()["prompt"], &whole.json()["status"]), (&json!("a red ball"), &json!("cancelled")));
    }

    async fn a_key_that_expires_or_is_revoked_opens_nothing_from_then_on_at_any_server(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        let ada = product.customer("ada").await;
        let expires_at = Some(domain::Clock::now(&dial).plus_ms(HOUR_MS));
        let (short, _) = product.key(&ada, KeyRequest { expires_at, ..KeyRequest::default() }).await;
        assert_eq!(product.send(list(&short)).await.status, StatusCode::OK);
        dial.advance_ms(HOUR_MS);
        let expired = product.send(list(&short)).await;
        assert_eq!((expired.status, expired.code().as_str()), (StatusCode::UNAUTHORIZED, "expired_api_key"));
        let (revoked, id) = product.key(&ada, KeyRequest::default()).await;
        assert_eq!(product.elsewhere(list(&revoked)).await.status, StatusCode::OK);
        product.services().revoke_key(ada.user.actor(), id, "").await.unwrap();
        for answer in [product.send(list(&revoked)).await, product.elsewhere(list(&revoked)).await] {
            assert_eq!((answer.status, answer.code().as_str()), (StatusCode::UNAUTHORIZED, "invalid_api_key"));
        }
    }

    async fn a_rotated_key_works_beside_the_new_one_and_streams_end_with_the_overlap(database: TempDatabase) {
        let dial = Dial::default();
        let product = Product::on(database, &dial).await;
        let ada = product.customer("ada").await;
        let id = product.create(&ada, "a red ball").await;
        let (old, old_id) = product.key(&ada, scoped("videos:read")).await;
        let rotated = product.services().rotate_key(ada.user.actor(), old_id, HOUR_MS, "").await.unwrap();
        let new = Customer { user: ada.user.clone(), key: rotated.secret };
        let open = async |who: &Customer| {
            let request = who.request("GET", &format!("/v1/videos/{id}/events")).body(Body::empty()).unwrap();
            product.router.clone().oneshot(request).await.unwrap().into_body()
        };
        let (of_old, mut of_new) = (open(&old).await, open(&new).await);
        assert!(of_new.frame().await.is_some());
        assert_eq!(product.send(list(&old)).await.status, StatusCode::OK);
        dial.advance_ms(HOUR_MS);
        assert_eq!(product.send(list(&old)).await.code(), "expired_api_key");
        within(Duration::from_secs(5), of_old.collect()).await.expect("the stream of the old key should end").unwrap();
        assert!(within(Duration::from_millis(500), of_new.frame()).await.is_none(), "that of the new one goes on");
        let refused = product.post(&new, "/v1/videos", json!({"prompt": "mine"})).await;
        assert_eq!(refused.code(), "insufficient_scope", "the new one has the scopes of the old one");
    }

    async fn too_many_requests_in_a_minute_are_refused_for_their_key_or_tenant_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let (slow, _) = product.key(&ada, KeyRequest { requests_per_minute: Some(2), ..KeyRequest::default() }).await;
        let answers = join_all((0..5).map(|_| product.send(list(&slow)))).await;
        let (passed, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == StatusCode::OK);
        assert_eq!((passed.len(), refused.len()), (2, 3));
        assert!(passed.iter().all(|answer| answer.header("x-ratelimit-limit-requests") == "2"));
        let refused = &refused[0];
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::TOO_MANY_REQUESTS, "rate_limit_exceeded"));
        assert_eq!(refused.json()["error"]["type"], "rate_limit_error");
        assert_eq!((refused.header("x-ratelimit-limit-requests"), refused.header("x-ratelimit-remaining-requests")), ("2", "0"));
        assert!((1..=60).contains(&refused.header("retry-after").parse::<u32>().unwrap()) && refused.header("x-ratelimit-reset-requests").ends_with('s'));
        let other = product.send(list(&ada)).await;
        assert_eq!((other.status, other.header("x-ratelimit-limit-requests")), (StatusCode::OK, "60000"));
        let mut plan = product.services().plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "free").unwrap();
        plan.requests_per_minute = 3;
        product.services().define_plan(Actor::Operator, &plan, None).await.unwrap();
        product.services().set_plan(Actor::Operator, eve.user.tenant, "free").await.unwrap();
        let mut passed = Vec::new();
        for _ in 0..4 {
            passed.push(product.send(list(&eve)).await.status == StatusCode::OK);
        }
        assert_eq!(passed, [true, true, true, false]);
    }

    async fn a_spending_limit_is_named_with_the_day_on_which_it_starts_anew(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let project = product.services().create_project(ada.user.actor(), "Web", "").await.unwrap();
        let (web, key) = product.key(&ada, KeyRequest { project: Some(project), ..KeyRequest::default() }).await;
        let limits = SpendingLimits { hard: Some(VideoTime::from_ms(3000)), soft: None };
        product.services().set_spending_limits(ada.user.actor(), Spender::Project(project), limits, "").await.unwrap();
        product.create(&web, "a red ball").await;
        let refused = product.post(&web, "/v1/videos", json!({"prompt": "sea"})).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::PAYMENT_REQUIRED, "spending_limit_reached"));
        let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("The spending limit of the project Web is reached: 2 of 3 video-seconds") && message.ends_with("-01 (UTC)."), "{message}");
        product.create(&ada, "sea").await;
        let others = SpendingLimits { hard: Some(VideoTime::from_ms(1000)), soft: None };
        product.services().set_spending_limits(ada.user.actor(), Spender::Key(key), others, "").await.unwrap();
        product.services().set_spending_limits(ada.user.actor(), Spender::Project(project), SpendingLimits::default(), "").await.unwrap();
        let refused = product.post(&web, "/v1/videos", json!({"prompt": "sea"})).await;
        assert!(refused.json()["error"]["message"].as_str().unwrap().contains("of the API key another is reached: 2 of 1"), "{refused:?}");
    }

    async fn usage_in_too_many_rows_is_refused_and_told_in_fewer(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let today = Day::of(product.services().store.now().await.unwrap()).0;
        let used = format!(
            "INSERT INTO usage_days (tenant_id, day, model, project_id, api_key_id, user_id, lane, currency, succeeded, failed, cancelled, charged_ms, cost_thousandths) \
             WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number <= {USAGE_ROWS_MAX}) \
             SELECT tenant_id, {today}, 'model-' || number, tenant_id, tenant_id, user_id, 'interactive', 'usd', 1, 0, 0, 2000, 5 FROM numbers, memberships"
        );
        product.database().damage(&used).await;
        for path in ["/v1/usage", "/v1/costs"] {
            let refused = product.get(&ada, &format!("{path}?group_by=model")).await;
            assert_eq!((refused.status, &refused.json()["error"]["param"]), (StatusCode::BAD_REQUEST, &json!("group_by")), "{path}");
            assert!(refused.json()["error"]["message"].as_str().unwrap().contains("more than 20,000 results"), "{refused:?}");
            assert_eq!(product.get(&ada, &format!("{path}?group_by=lane")).await.status, StatusCode::OK, "{path}");
        }
        let cookie = product.cookie(&ada).await;
        assert_eq!(product.open(&cookie, "/usage.csv?by=model").await.status, StatusCode::BAD_REQUEST);
        assert!(product.page(&cookie, "/usage?by=model").await.contains("This is too much to be shown at once."));
        assert!(product.page(&cookie, "/usage?by=lane").await.contains("20,001 made."));
    }

    async fn usage_is_told_apart_by_project_and_of_one_alone(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let project = product.services().create_project(ada.user.actor(), "Web", "").await.unwrap();
        let (web, _) = product.key(&ada, KeyRequest { project: Some(project), ..KeyRequest::default() }).await;
        for who in [&ada, &web, &web] {
            product.create(who, "sea").await;
            product.finish().await;
        }
        let today = |usage: &Answer| usage.json()["data"].as_array().unwrap().last().unwrap()["results"].clone();
        let by = product.get(&ada, "/v1/usage?group_by=project_id").await;
        let mut seconds: Vec<_> = today(&by).as_array().unwrap().iter().map(|row| (row["project_id"].as_str().unwrap().to_owned(), row["video_seconds"].as_f64().unwrap())).collect();
        seconds.sort_by(|a, b| a.1.total_cmp(&b.1));
        let default = domain::ProjectId::default_of(ada.user.tenant);
        assert_eq!(seconds, [(default.to_string(), 2.0), (project.to_string(), 4.0)]);
        let of_web = product.get(&ada, &format!("/v1/usage?project_id={project}")).await;
        assert_eq!((today(&of_web)[0]["video_seconds"].as_f64(), today(&of_web).as_array().unwrap().len()), (Some(4.0), 1));
        assert_eq!(product.get(&ada, "/v1/costs?project_id=x").await.json()["error"]["param"], "project_id");
        let cookie = product.cookie(&ada).await;
        assert!(product.page(&cookie, &format!("/usage?by=project_id&project={project}")).await.contains("4 video-seconds charged; 2 made."));
        let file = product.open(&cookie, &format!("/usage.csv?by=project_id&project={project}")).await;
        let text = String::from_utf8(file.body.to_vec()).unwrap();
        assert!(text.starts_with("day,project_id,") && text.contains(&format!("\"{project}\",4,2,0,0,,")) && !text.contains(&default.to_string()), "{text}");
    }
}
