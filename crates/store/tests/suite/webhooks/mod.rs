//! Events that receivers are told of: there if and only if what they tell of is, and each endpoint a line of its own.

mod callbacks;

use crate::World;
use domain::{
    FailureCode, JobState, Stage, WebhookEndpointId,
    job::AttemptFailure,
    webhook::{DELIVERY_KEPT_MS, DeliveryState, DisabledReason, PENDING_MAX, WebhookEvent},
};
use store::{
    AfterAttempt, Asked, ClaimedWebhook, NewWebhookEndpoint, ReplayRange, SealedSecret, WebhookAttempt, WebhookChange, WebhookHappened,
    WebhookRefusal, on_both_engines,
};
use uuid::Uuid;

const LEASE_MS: i64 = 60_000;
const EVENTS: [&str; 2] = ["video.completed", "video.failed"];

async fn endpoint(world: &World) -> WebhookEndpointId {
    let id = WebhookEndpointId::from_uuid(Uuid::now_v7());
    let secret = SealedSecret { sealed: "sealed".into(), hint: "whsec_…abcd".into() };
    let events = vec![WebhookEvent::VideoCompleted, WebhookEvent::VideoFailed];
    let new = NewWebhookEndpoint { id, name: "films".into(), url: "https://hooks.example.com/".into(), events, secret };
    world.store.tenant(world.tenant).webhooks().create(asked(world), new).await.unwrap().id
}

fn asked(world: &World) -> Asked<'static> {
    Asked { user: world.user, address: "198.51.100.7" }
}

async fn fan_out(world: &World, n: u32) -> u64 {
    let event_id = format!("evt_{n}");
    let happened = WebhookHappened { tenant: world.tenant, event: WebhookEvent::VideoCompleted, event_id: &event_id, body: "{}" };
    world.store.webhooks().fan_out(happened).await.unwrap()
}

async fn claim(world: &World) -> Option<ClaimedWebhook> {
    let queue = world.store.webhooks();
    match queue.claim(false, &[], LEASE_MS).await.unwrap() {
        Some(claimed) => Some(claimed),
        None => queue.claim(true, &[], LEASE_MS).await.unwrap(),
    }
}

fn attempt(claimed: &ClaimedWebhook, status: u16) -> WebhookAttempt {
    let (headers, answer) = (String::new(), String::new());
    WebhookAttempt { number: claimed.number, at: claimed.at, took_ms: 3, status: Some(status), error: None, headers, answer }
}

async fn answered(world: &World, claimed: &ClaimedWebhook, after: AfterAttempt) -> bool {
    world.store.webhooks().attempted(claimed, &attempt(claimed, 200), after).await.unwrap()
}

async fn pending(world: &World, id: WebhookEndpointId) -> u64 {
    world.store.tenant(world.tenant).webhooks().get(id).await.unwrap().unwrap().pending
}

on_both_engines! {
    async fn an_event_is_added_with_the_end_of_a_video_where_somebody_wants_to_hear_of_it(database: TempDatabase) {
        let world = World::new(database).await;
        let told = async || world.store.outbox().take(&EVENTS, LEASE_MS).await.unwrap();
        let first = world.decoding().await;
        world.succeed(&first.token).await;
        assert_eq!(told().await, None, "nobody is to be told");
        let id = endpoint(&world).await;
        let second = world.decoding().await;
        assert_eq!(told().await, None);
        world.succeed(&second.token).await;
        let event = told().await.unwrap();
        assert_eq!((&*event.kind, event.payload["id"].as_str()), ("video.completed", Some(&*second.job.id.to_string())));
        assert_eq!(event.payload["tenant"], world.tenant.to_string());
        let third = world.submit().await;
        let claimed = world.claim(Stage::Sampling).await.unwrap();
        world.queue().report_failure(&claimed.token, AttemptFailure::refused(FailureCode::EngineError)).await.unwrap();
        assert!(matches!(world.job(third.id).await.lifecycle.state, JobState::Failed(_)));
        assert_eq!(told().await.map(|event| event.kind), Some("video.failed".into()));
        let fourth = world.submit().await;
        world.store.tenant(world.tenant).jobs().cancel(fourth.id).await.unwrap();
        assert_eq!(told().await, None, "nobody is told what they did themselves");
        world.store.tenant(world.tenant).webhooks().delete(asked(&world), id).await.unwrap();
        let fifth = world.decoding().await;
        world.succeed(&fifth.token).await;
        assert_eq!(told().await, None);
    }

    async fn an_endpoint_has_four_on_their_way_and_one_while_it_fails_and_keeps_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let (dead, live) = (endpoint(&world).await, endpoint(&world).await);
        for n in 0..10 {
            assert_eq!(fan_out(&world, n).await, 2);
            assert_eq!(fan_out(&world, n).await, 0, "once");
        }
        assert_eq!((pending(&world, dead).await, pending(&world, live).await), (10, 10));
        let mut taken = Vec::new();
        while let Some(claimed) = claim(&world).await {
            taken.push(claimed);
        }
        let of = |id: WebhookEndpointId, taken: &[ClaimedWebhook]| taken.iter().filter(|claimed| claimed.endpoint == id).count();
        assert_eq!((of(dead, &taken), of(live, &taken)), (4, 4));
        for claimed in taken.iter().filter(|claimed| claimed.endpoint == dead) {
            assert!(answered(&world, claimed, AfterAttempt::Again { pause_ms: 1_000 }).await);
        }
        assert!(!answered(&world, taken.iter().find(|claimed| claimed.endpoint == dead).unwrap(), AfterAttempt::Delivered).await, "once");
        let mut delivered = 0;
        for claimed in taken.iter().filter(|claimed| claimed.endpoint == live) {
            assert!(answered(&world, claimed, AfterAttempt::Delivered).await);
            delivered += 1;
        }
        // The dead one is asked once at a time; the other's line goes on to its end.
        let probe = world.store.webhooks().claim(true, &[], LEASE_MS).await.unwrap().unwrap();
        assert!(probe.endpoint == dead && probe.is_failing);
        assert_eq!(world.store.webhooks().claim(true, &[], LEASE_MS).await.unwrap(), None);
        while let Some(claimed) = claim(&world).await {
            assert_eq!(claimed.endpoint, live);
            assert!(answered(&world, &claimed, AfterAttempt::Delivered).await);
            delivered += 1;
        }
        assert_eq!((delivered, pending(&world, live).await, pending(&world, dead).await), (10, 0, 10));
        assert_eq!(world.store.webhooks().claim(false, &[world.tenant], LEASE_MS).await.unwrap(), None);
        // One that answers once is well again.
        assert!(answered(&world, &probe, AfterAttempt::Delivered).await);
        assert!(world.store.webhooks().claim(false, &[world.tenant], LEASE_MS).await.unwrap().is_none(), "its tenant is busy");
        assert_eq!(claim(&world).await.map(|claimed| (claimed.endpoint, claimed.is_failing)), Some((dead, false)));
    }

    async fn a_lease_that_ends_gives_the_delivery_to_another_and_refuses_the_first(database: TempDatabase) {
        let world = World::new(database).await;
        let id = endpoint(&world).await;
        fan_out(&world, 1).await;
        let first = claim(&world).await.unwrap();
        world.dial.advance_ms(LEASE_MS - 1);
        assert_eq!(claim(&world).await, None);
        world.dial.advance_ms(1);
        let second = claim(&world).await.unwrap();
        assert_eq!((&first.event_id, first.number, second.number), (&second.event_id, 1, 2));
        assert!(!answered(&world, &first, AfterAttempt::Delivered).await);
        assert!(answered(&world, &second, AfterAttempt::Failed).await);
        let log = world.store.tenant(world.tenant).webhook_log(id);
        let (found, attempts) = log.get(second.id).await.unwrap().unwrap();
        assert_eq!((found.state, attempts.len(), pending(&world, id).await), (DeliveryState::Failed, 1, 0));
        // Of many replays the last attempts are kept.
        for _ in 0..35 {
            log.replay(asked(&world), second.id).await.unwrap();
            let again = claim(&world).await.unwrap();
            assert!(answered(&world, &again, AfterAttempt::Delivered).await);
        }
        let (found, attempts) = log.get(second.id).await.unwrap().unwrap();
        assert_eq!((found.attempts, attempts.len(), attempts[0].number), (37, 30, 37));
    }

    async fn what_waits_is_bounded_and_a_disabled_endpoint_is_told_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let id = endpoint(&world).await;
        fan_out(&world, 1).await;
        world.sql(&format!("UPDATE webhook_endpoints SET pending = {PENDING_MAX}")).await;
        assert_eq!(fan_out(&world, 2).await, 0);
        let endpoints = world.store.tenant(world.tenant).webhooks();
        assert_eq!(endpoints.get(id).await.unwrap().unwrap().disabled.unwrap().1, DisabledReason::Backlog);
        assert!(world.store.outbox().take(&["mail"], 1).await.unwrap().is_some(), "its owner is told");
        assert_eq!(claim(&world).await, None);
        let range = ReplayRange { from: domain::Timestamp::from_ms(0), to: domain::Timestamp::from_ms(i64::MAX), with_delivered: true };
        let refused = world.store.tenant(world.tenant).webhook_log(id).replay_range(asked(&world), range, 10).await;
        assert!(matches!(refused, Err(WebhookRefusal::Disabled)));
        world.sql("UPDATE webhook_endpoints SET pending = 1").await;
        let enabled = WebhookChange { is_enabled: Some(true), ..WebhookChange::default() };
        endpoints.change(asked(&world), id, enabled).await.unwrap();
        let claimed = claim(&world).await.unwrap();
        assert!(answered(&world, &claimed, AfterAttempt::Delivered).await);
        // What was never sent goes with its time too.
        fan_out(&world, 3).await;
        world.dial.advance_ms(DELIVERY_KEPT_MS);
        while world.store.webhooks().forget().await.unwrap() {}
        assert_eq!((world.count("webhook_deliveries").await, world.count("webhook_attempts").await, pending(&world, id).await), (0, 0, 0));
        assert_eq!(claim(&world).await, None);
        fan_out(&world, 4).await;
        endpoints.delete(asked(&world), id).await.unwrap();
        assert!(endpoints.list().await.unwrap().is_empty());
        while world.store.webhooks().forget().await.unwrap() {}
        assert_eq!((world.count("webhook_endpoints").await, world.count("webhook_deliveries").await), (0, 0));
    }
}
