//! Events that receivers are told of: there if and only if what they tell of is, and each endpoint a line of its own.

mod callbacks;

use crate::World;
use domain::{
    FailureCode, JobState, Stage, TenantId, Timestamp, WebhookEndpointId,
    job::AttemptFailure,
    webhook::{
        DELIVERY_KEPT_MS, DISABLED_AFTER_MS, DeliveryState, DisabledReason, PAUSE_MAX_MS, PENDING_MAX, REPLAYS_PENDING_MAX, SLOW_MS,
        TESTS_KEPT, TRIES_MAX, WebhookEvent,
    },
};
use std::collections::HashMap;
use store::{
    AfterAttempt, Asked, ClaimedWebhook, NewWebhookEndpoint, ReplayRange, SealedSecret, WebhookAttempt, WebhookChange, WebhookHappened,
    WebhookRefusal, WebhookRoom, on_both_engines,
};
use uuid::Uuid;

const LEASE_MS: i64 = 60_000;
const EVENTS: [&str; 2] = ["video.completed", "video.failed"];

async fn endpoint(world: &World) -> WebhookEndpointId {
    endpoint_of(world, world.tenant).await
}

async fn endpoint_of(world: &World, tenant: TenantId) -> WebhookEndpointId {
    let id = WebhookEndpointId::from_uuid(Uuid::now_v7());
    let secret = SealedSecret { sealed: "sealed".into(), hint: "whsec_…abcd".into() };
    let events = vec![WebhookEvent::VideoCompleted, WebhookEvent::VideoFailed];
    let new = NewWebhookEndpoint { id, name: "films".into(), url: "https://hooks.example.com/".into(), events, secret };
    world.store.tenant(tenant).webhooks().create(asked(world), new).await.unwrap().id
}

fn asked(world: &World) -> Asked<'static> {
    Asked { user: world.user, address: "198.51.100.7" }
}

async fn fan_out(world: &World, n: u32) -> u64 {
    fan_out_to(world, world.tenant, n).await
}

async fn fan_out_to(world: &World, tenant: TenantId, n: u32) -> u64 {
    let event_id = format!("evt_{n}");
    let happened = WebhookHappened { tenant, event: WebhookEvent::VideoCompleted, event_id: &event_id, body: "{}" };
    world.store.webhooks().fan_out(happened).await.unwrap()
}

async fn claim(world: &World) -> Option<ClaimedWebhook> {
    match claim_of(world, false, &[]).await {
        Some(claimed) => Some(claimed),
        None => claim_of(world, true, &[]).await,
    }
}

/// One, of a tenant that is not `busy`.
async fn claim_of(world: &World, held_back: bool, busy: &[TenantId]) -> Option<ClaimedWebhook> {
    let on_their_way = busy.iter().map(|tenant| (*tenant, 1)).collect();
    let claimed = world.store.webhooks().claim(held_back, &WebhookRoom { all: 1, of_a_tenant: 1, on_their_way }, LEASE_MS).await.unwrap();
    assert!(claimed.len() <= 1);
    claimed.into_iter().next()
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
        let probe = claim_of(&world, true, &[]).await.unwrap();
        assert!(probe.endpoint == dead && probe.is_failing);
        assert_eq!(claim_of(&world, true, &[]).await, None);
        while let Some(claimed) = claim(&world).await {
            assert_eq!(claimed.endpoint, live);
            assert!(answered(&world, &claimed, AfterAttempt::Delivered).await);
            delivered += 1;
        }
        assert_eq!((delivered, pending(&world, live).await, pending(&world, dead).await), (10, 0, 10));
        assert_eq!(claim_of(&world, false, &[world.tenant]).await, None);
        // One that answers once is well again.
        assert!(answered(&world, &probe, AfterAttempt::Delivered).await);
        assert!(claim_of(&world, false, &[world.tenant]).await.is_none(), "its tenant is busy");
        assert_eq!(claim(&world).await.map(|claimed| (claimed.endpoint, claimed.is_failing)), Some((dead, false)));
    }

    async fn tenants_with_many_lines_that_are_busy_stand_before_nobody(database: TempDatabase) {
        const EACH: u64 = 20;
        let world = World::new(database).await;
        let mut busy = Vec::new();
        for n in 0..13 {
            let (tenant, _) = crate::account(&world.store, &format!("busy{n}@example.com")).await;
            for _ in 0..EACH {
                endpoint_of(&world, tenant).await;
            }
            assert_eq!(fan_out_to(&world, tenant, 1).await, EACH);
            busy.push(tenant);
        }
        world.dial.advance_ms(1);
        let id = endpoint(&world).await;
        fan_out(&world, 1).await;
        let claimed = claim_of(&world, false, &busy).await;
        assert_eq!(claimed.map(|claimed| claimed.endpoint), Some(id));
        assert_eq!(claim_of(&world, false, &busy).await, None);
        assert!(busy.contains(&claim(&world).await.unwrap().tenant), "those that wait longest, where nobody is busy");
    }

    async fn many_are_taken_at_once_by_turns_and_no_more_than_there_is_room_for(database: TempDatabase) {
        let world = World::new(database).await;
        let (other, _) = crate::account(&world.store, "other@example.com").await;
        let (lone, queue) = (endpoint_of(&world, other).await, world.store.webhooks());
        let both = [endpoint(&world).await, endpoint(&world).await];
        for n in 0..10 {
            fan_out(&world, n).await;
        }
        world.dial.advance_ms(1);
        fan_out_to(&world, other, 1).await;
        let taken = async |all: usize, on_their_way: usize| {
            let on_their_way = HashMap::from([(world.tenant, on_their_way)]);
            let taken = queue.claim(false, &WebhookRoom { all, of_a_tenant: 5, on_their_way }, LEASE_MS).await.unwrap();
            taken.iter().map(|claimed| claimed.endpoint).collect::<Vec<_>>()
        };
        assert_eq!(taken(0, 0).await, []);
        let first = taken(9, 2).await;
        let (one, another) = if first[0] == both[0] { (both[0], both[1]) } else { (both[1], both[0]) };
        assert_eq!(first, [one, one, one, lone], "three more of the tenant");
        let second = taken(2, 0).await;
        assert!(second.len() == 2 && second.contains(&one) && second.contains(&another), "one of each line");
        assert_eq!(taken(16, 0).await, [another; 3], "four of a line at once");
        assert_eq!(taken(16, 0).await, []);
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

    async fn one_that_is_slow_stands_with_those_that_fail_until_it_is_not(database: TempDatabase) {
        let world = World::new(database).await;
        let (id, queue) = (endpoint(&world).await, world.store.webhooks());
        let ends_after = async |claimed: &ClaimedWebhook, took_ms: u64| {
            let attempt = WebhookAttempt { took_ms, ..attempt(claimed, 200) };
            assert!(queue.attempted(claimed, &attempt, AfterAttempt::Delivered).await.unwrap());
        };
        for n in 1..=3 {
            fan_out(&world, n).await;
        }
        let first = claim_of(&world, false, &[]).await.unwrap();
        ends_after(&first, SLOW_MS + 1).await;
        assert_eq!(claim_of(&world, false, &[]).await, None);
        let second = claim_of(&world, true, &[]).await.unwrap();
        assert!(second.endpoint == id && second.is_slow && !second.is_failing);
        ends_after(&second, SLOW_MS).await;
        assert_eq!(claim_of(&world, true, &[]).await, None);
        assert!(!claim_of(&world, false, &[]).await.unwrap().is_slow);
    }

    async fn of_tests_the_last_ones_are_kept_and_what_happened_stays(database: TempDatabase) {
        let world = World::new(database).await;
        let id = endpoint(&world).await;
        fan_out(&world, 1).await;
        let log = world.store.tenant(world.tenant).webhook_log(id);
        for n in 0..TESTS_KEPT + 5 {
            world.dial.advance_ms(1);
            let begun = log.begin_test(WebhookEvent::VideoCompleted, &format!("evt_test_{n}"), "{}", LEASE_MS).await.unwrap();
            assert!(answered(&world, &begun, AfterAttempt::Failed).await);
        }
        assert_eq!(world.count("webhook_deliveries").await as u64, TESTS_KEPT + 1);
        assert_eq!(world.count("webhook_attempts").await as u64, TESTS_KEPT);
        assert_eq!(pending(&world, id).await, 1);
        let newest = log.list(None, None, 1).await.unwrap();
        assert_eq!(newest[0].event_id, format!("evt_test_{}", TESTS_KEPT + 4));
        let range = ReplayRange { from: Timestamp::from_ms(0), to: Timestamp::from_ms(i64::MAX), with_delivered: true, tried_before: None };
        assert_eq!(log.replay_range(asked(&world), range, 1000).await.unwrap(), 0, "none of them happened");
    }

    async fn what_nobody_can_note_is_not_sent_for_ever_and_a_clock_put_back_delays_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let id = endpoint(&world).await;
        fan_out(&world, 1).await;
        for n in 1..=TRIES_MAX {
            assert_eq!(claim(&world).await.unwrap().tries, n);
            world.dial.advance_ms(LEASE_MS);
        }
        assert_eq!(claim(&world).await, None);
        let log = world.store.tenant(world.tenant).webhook_log(id);
        let failed = log.list(None, Some(DeliveryState::Failed), 10).await.unwrap();
        assert_eq!((failed.len(), failed[0].last_error.is_some(), pending(&world, id).await), (1, true, 0));
        log.replay(asked(&world), failed[0].id).await.unwrap();
        let anew = claim(&world).await.unwrap();
        assert_eq!(anew.tries, 1, "it begins anew");
        assert!(answered(&world, &anew, AfterAttempt::Delivered).await);

        world.dial.advance_ms(3 * PAUSE_MAX_MS);
        fan_out(&world, 2).await;
        world.dial.advance_ms(-3 * PAUSE_MAX_MS);
        assert_eq!(claim(&world).await, None);
        world.store.webhooks().catch_up().await.unwrap();
        assert_eq!(claim(&world).await.map(|claimed| claimed.event_id), Some("evt_2".into()));
    }

    async fn no_third_secret_cuts_short_the_day_of_the_first(database: TempDatabase) {
        let world = World::new(database).await;
        let (id, endpoints) = (endpoint(&world).await, world.store.tenant(world.tenant).webhooks());
        let rotate = async |sealed: &str, kept_ms: Option<i64>| {
            let secret = SealedSecret { sealed: sealed.into(), hint: "whsec_…abcd".into() };
            endpoints.rotate(asked(&world), id, secret, kept_ms).await
        };
        rotate("second", Some(1000)).await.unwrap();
        assert!(matches!(rotate("third", Some(1000)).await, Err(WebhookRefusal::OldSecretSigns)));
        fan_out(&world, 1).await;
        let claimed = claim(&world).await.unwrap();
        assert_eq!((&*claimed.sealed_secret, claimed.old_sealed_secret.as_deref()), ("second", Some("sealed")));
        world.dial.advance_ms(1000);
        rotate("third", Some(1000)).await.unwrap();
        rotate("fourth", None).await.unwrap();
    }

    async fn what_waits_is_counted_true_however_it_ends_while_it_is_forgotten(database: TempDatabase) {
        let world = World::new(database).await;
        let id = endpoint(&world).await;
        for n in 0..40 {
            fan_out(&world, n).await;
        }
        let mut taken = Vec::new();
        while let Some(claimed) = claim(&world).await {
            taken.push(claimed);
        }
        world.dial.advance_ms(DELIVERY_KEPT_MS);
        let (forgotten, ended) = tokio::join!(
            world.store.webhooks().forget(),
            futures::future::join_all(taken.iter().map(|claimed| answered(&world, claimed, AfterAttempt::Delivered)))
        );
        forgotten.unwrap();
        assert!(ended.len() == 4 && pending(&world, id).await == 0);
        assert_eq!(world.texts("SELECT CAST(pending AS TEXT) FROM webhook_endpoints").await, ["0"]);
    }

    async fn of_many_that_are_sent_again_each_is_so_once_also_where_the_first_have_arrived_meanwhile(database: TempDatabase) {
        let world = World::new(database).await;
        let id = endpoint(&world).await;
        for n in 1..=3 {
            fan_out(&world, n).await;
            let claimed = claim(&world).await.unwrap();
            assert!(answered(&world, &claimed, AfterAttempt::Delivered).await);
            world.dial.advance_ms(1);
        }
        let log = world.store.tenant(world.tenant).webhook_log(id);
        let begun = world.store.now().await.unwrap();
        let mut range = ReplayRange { from: Timestamp::from_ms(0), to: Timestamp::from_ms(i64::MAX), with_delivered: true, tried_before: None };
        let mut sent = Vec::new();
        while log.replay_range(asked(&world), range, 1).await.unwrap() > 0 {
            let again = claim(&world).await.unwrap();
            assert!(answered(&world, &again, AfterAttempt::Delivered).await);
            sent.push(again.event_id);
            assert!(sent.len() <= 3, "{sent:?}");
            range.tried_before = Some(begun);
        }
        assert_eq!(sent, ["evt_1", "evt_2", "evt_3"]);
        world.sql(&format!("UPDATE webhook_endpoints SET pending = {REPLAYS_PENDING_MAX}")).await;
        let refused = log.replay_range(asked(&world), ReplayRange { tried_before: None, ..range }, 1).await;
        assert!(matches!(refused, Err(WebhookRefusal::TooManyPending)));
        assert_eq!(fan_out(&world, 4).await, 1, "what happens has room");
    }

    async fn one_that_is_asked_seldom_is_not_disabled_by_one_try_long_after_another(database: TempDatabase) {
        let world = World::new(database).await;
        let (id, endpoints) = (endpoint(&world).await, world.store.tenant(world.tenant).webhooks());
        fan_out(&world, 1).await;
        assert!(answered(&world, &claim(&world).await.unwrap(), AfterAttempt::Failed).await);
        world.dial.advance_ms(2 * DISABLED_AFTER_MS);
        fan_out(&world, 2).await;
        let again = AfterAttempt::Again { pause_ms: PAUSE_MAX_MS };
        let second = claim(&world).await.unwrap();
        assert!(answered(&world, &second, again).await);
        let found = endpoints.get(id).await.unwrap().unwrap();
        assert_eq!((found.disabled, found.failing_since), (None, Some(second.at)));
        // One that is asked all the while and takes nothing is.
        for _ in 0..DISABLED_AFTER_MS / PAUSE_MAX_MS + 1 {
            world.dial.advance_ms(PAUSE_MAX_MS);
            assert!(answered(&world, &claim(&world).await.unwrap(), again).await);
        }
        assert_eq!(endpoints.get(id).await.unwrap().unwrap().disabled.unwrap().1, DisabledReason::Failing);
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
        let range = ReplayRange { from: Timestamp::from_ms(0), to: Timestamp::from_ms(i64::MAX), with_delivered: true, tried_before: None };
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
