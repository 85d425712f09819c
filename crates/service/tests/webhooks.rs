//! Receivers are told of events: each by itself, again until they have arrived, and signed.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod receiver;
mod world;

use domain::{
    Actor, Timestamp, WebhookEndpointId,
    webhook::{DELIVERY_KEPT_MS, DISABLED_AFTER_MS, DeliveryState, DisabledReason, OLD_SECRET_KEPT_MS, RETRY_AFTER_MAX_MS, TRIES_MAX},
};
use receiver::{BROKEN, GONE, HANGS, OK, Receiver, SOON};
use serde_json::json;
use service::{
    Services,
    webhook::{DeliveryQuery, Replay, WebhookError, WebhookOptions, WebhookRequest, WebhooksOnTheirWay},
};
use std::time::Duration;
use store::{
    NewEvent,
    objects::{self, ObjectsConfig},
    on_both_engines,
};
use tokio::time::timeout;
use world::World;

const LEASE_MS: i64 = 60_000;
const HOME: &str = "198.51.100.7";

async fn allowing(database: store::testing::TempDatabase) -> World {
    let mut world = World::new(database).await;
    world.services = world.services.clone().with_webhooks(&options());
    world
}

fn options() -> WebhookOptions {
    WebhookOptions { webhook_allow: vec!["127.0.0.0/8".parse().unwrap()] }
}

fn wanting(url: &str) -> WebhookRequest {
    let events = vec!["video.completed".to_owned(), "batch.failed".to_owned()];
    WebhookRequest { name: Some("films".into()), url: Some(url.to_owned()), events: Some(events), is_enabled: None }
}

async fn endpoint(world: &World, receiver: &Receiver) -> WebhookEndpointId {
    world.services.create_webhook(world.ada.actor(), wanting(&receiver.url), HOME).await.unwrap().endpoint.id
}

/// As it is added where something ends.
async fn happens(world: &World, kind: &'static str, n: u32) {
    let payload = json!({ "tenant": world.ada.tenant, "id": format!("job_{n:032}"), "at_ms": 1_800_000_000_000_i64 });
    world.services.store.outbox().add(NewEvent { subject: format!("job_{n:032}"), kind, payload }).await.unwrap();
}

async fn add(world: &World, kind: &'static str, count: u32) {
    for n in 0..count {
        happens(world, kind, n).await;
    }
    world.services.deliver_events(Actor::System).await.unwrap();
}

async fn send(world: &World) {
    timeout(SOON, world.services.send_webhooks(Actor::System)).await.expect("it ends").unwrap();
}

async fn states(world: &World, id: WebhookEndpointId) -> Vec<(DeliveryState, u32)> {
    let query = DeliveryQuery { after: None, state: None, limit: 100 };
    let page = world.services.webhook_deliveries(world.ada.actor(), id, query).await.unwrap();
    page.deliveries.into_iter().map(|delivery| (delivery.state, delivery.attempts)).collect()
}

async fn other_server(world: &World) -> Services {
    let store = world.database.open_at(&world.dial).await.unwrap();
    let objects = objects::open(ObjectsConfig::Folder(world.folder.path().to_owned()), &store).await.unwrap();
    Services::new(store, objects).with_webhooks(&options())
}

on_both_engines! {
    async fn receivers_are_told_beside_one_that_hangs_and_one_that_fails(database: TempDatabase) {
        const EVENTS: u32 = 20;
        let world = allowing(database).await;
        let (mut hanging, mut failing) = (Receiver::answering(HANGS).await, Receiver::answering(BROKEN).await);
        let (hangs, fails) = (endpoint(&world, &hanging).await, endpoint(&world, &failing).await);
        let mut live = Vec::new();
        for _ in 0..10 {
            let receiver = Receiver::answering(OK).await;
            live.push((endpoint(&world, &receiver).await, receiver));
        }
        add(&world, "video.completed", EVENTS).await;
        let services = world.services.clone();
        let sending = tokio::spawn(async move { services.send_webhooks(Actor::System).await });
        for (_, receiver) in &mut live {
            let mut ids = Vec::new();
            for _ in 0..EVENTS {
                ids.push(receiver.request().await.id().to_owned());
            }
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), EVENTS as usize, "each event once");
        }
        // The first ones still wait for their answer, and the rest behind them; what fails has its pauses.
        assert!((1..=4).contains(&hanging.told().len()), "as many at once as one endpoint may have");
        assert!((1..=EVENTS as usize).contains(&failing.told().len()), "none of them twice before its pause");
        assert!(!sending.is_finished(), "one hangs");
        sending.abort();
        assert!(states(&world, hangs).await.iter().all(|(state, _)| *state == DeliveryState::Pending));
        assert!(states(&world, fails).await.iter().all(|(state, attempts)| *state == DeliveryState::Pending && *attempts <= 1));
    }

    async fn one_that_hangs_is_not_waited_for_when_its_time_is_up(database: TempDatabase) {
        let world = allowing(database).await;
        let (mut hanging, mut live) = (Receiver::answering(HANGS).await, Receiver::answering(OK).await);
        endpoint(&world, &hanging).await;
        add(&world, "video.completed", 1).await;
        let mut on_their_way = WebhooksOnTheirWay::default();
        world.services.send_webhooks_for(Actor::System, &mut on_their_way, Duration::ZERO).await.unwrap();
        hanging.request().await;
        endpoint(&world, &live).await;
        happens(&world, "video.completed", 7).await;
        world.services.deliver_events(Actor::System).await.unwrap();
        for _ in 0..2 {
            world.services.send_webhooks_for(Actor::System, &mut on_their_way, Duration::ZERO).await.unwrap();
        }
        assert_eq!(live.request().await.body["data"]["id"], format!("job_{:032}", 7));
        drop(on_their_way);
    }

    async fn nobody_learns_from_a_test_which_ports_are_open(database: TempDatabase) {
        let world = allowing(database).await;
        let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let hanging = Receiver::answering(HANGS).await;
        let said_of = async |url: String| {
            let id = world.services.create_webhook(world.ada.actor(), wanting(&url), HOME).await.unwrap().endpoint.id;
            let refused = world.services.test_webhook(world.ada.actor(), id, "video.completed").await.unwrap_err();
            let query = DeliveryQuery { after: None, state: None, limit: 1 };
            let delivery = world.services.webhook_deliveries(world.ada.actor(), id, query).await.unwrap().deliveries.remove(0);
            let (_, attempts) = world.services.webhook_delivery(world.ada.actor(), id, delivery.id).await.unwrap();
            assert!(attempts[0].took_ms >= 7000, "{url} after {} ms", attempts[0].took_ms);
            (refused.to_string(), delivery.last_error, attempts[0].error.clone())
        };
        let urls = [format!("http://{closed}/"), hanging.url.clone(), hanging.url.replace("http:", "https:")];
        let told = futures::future::join_all(urls.map(said_of)).await;
        assert!(told.iter().all(|said| *said == told[0]), "{told:?}");
    }

    async fn a_server_that_dies_before_it_knows_sends_again_under_the_same_id(database: TempDatabase) {
        let world = allowing(database).await;
        let mut receiver = Receiver::answering(HANGS).await;
        let id = endpoint(&world, &receiver).await;
        add(&world, "video.completed", 1).await;
        let services = world.services.clone();
        let sending = tokio::spawn(async move { services.send_webhooks(Actor::System).await });
        let first = receiver.request().await;
        sending.abort();
        assert!(sending.await.unwrap_err().is_cancelled());
        receiver.answers(OK);
        send(&world).await;
        assert!(receiver.told().is_empty(), "its lease lasts");
        world.dial.advance_ms(LEASE_MS);
        send(&world).await;
        let second = receiver.request().await;
        assert_eq!((first.id(), &first.body), (second.id(), &second.body));
        assert_eq!(first.body["data"]["id"], format!("job_{:032}", 0));
        assert_eq!((first.body["object"].as_str(), first.body["type"].as_str(), first.body["created_at"].as_i64()), (Some("event"), Some("video.completed"), Some(1_800_000_000)));
        assert_eq!(first.body["id"], first.id());
        assert_eq!(states(&world, id).await, [(DeliveryState::Delivered, 2)]);
    }

    async fn two_servers_send_each_event_once(database: TempDatabase) {
        const EVENTS: u32 = 30;
        let world = allowing(database).await;
        let mut receivers = [Receiver::answering(OK).await, Receiver::answering(OK).await];
        for receiver in &receivers {
            endpoint(&world, receiver).await;
        }
        add(&world, "video.completed", EVENTS).await;
        let other = other_server(&world).await;
        let (a, b) = tokio::join!(world.services.send_webhooks(Actor::System), other.send_webhooks(Actor::System));
        a.and(b).unwrap();
        for receiver in &mut receivers {
            let mut ids: Vec<_> = receiver.told().iter().map(|request| request.id().to_owned()).collect();
            assert_eq!(ids.len(), EVENTS as usize);
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), EVENTS as usize);
        }
    }

    async fn what_is_told_once_more_by_the_outbox_is_sent_once(database: TempDatabase) {
        let world = allowing(database).await;
        let mut receiver = Receiver::answering(OK).await;
        endpoint(&world, &receiver).await;
        happens(&world, "video.completed", 1).await;
        let event = world.services.store.outbox().take(&["video.completed"], 1).await.unwrap().unwrap();
        world.dial.advance_ms(1);
        world.services.deliver_events(Actor::System).await.unwrap();
        assert!(!world.services.store.outbox().delivered(&event).await.unwrap(), "another did it meanwhile");
        send(&world).await;
        assert_eq!(receiver.told().len(), 1);
        // What it did not ask for it is not told.
        add(&world, "video.failed", 1).await;
        add(&world, "batch.failed", 1).await;
        send(&world).await;
        let told = receiver.told();
        assert_eq!(told.iter().map(|request| request.body["type"].as_str().unwrap()).collect::<Vec<_>>(), ["batch.failed"]);
    }

    async fn a_receiver_that_fails_is_asked_again_by_the_schedule_and_at_last_left_alone(database: TempDatabase) {
        let world = allowing(database).await;
        let mut receiver = Receiver::answering("HTTP/1.1 503 Later\r\nretry-after: 600\r\ncontent-length: 0\r\n\r\n").await;
        let id = endpoint(&world, &receiver).await;
        add(&world, "video.completed", 1).await;
        send(&world).await;
        // The schedule says five seconds, and the receiver ten minutes.
        world.dial.advance_ms(599_000);
        send(&world).await;
        assert_eq!(receiver.told().len(), 1);
        receiver.answers(BROKEN);
        world.dial.advance_ms(1_000);
        send(&world).await;
        assert_eq!(receiver.told().len(), 1);
        for _ in 2..TRIES_MAX {
            world.dial.advance_ms(RETRY_AFTER_MAX_MS * 12 / 10);
            send(&world).await;
            assert_eq!(receiver.told().len(), 1);
            let found = world.services.webhook(world.ada.actor(), id).await.unwrap();
            if let Some((_, reason)) = found.disabled {
                assert_eq!(reason, DisabledReason::Failing);
                break;
            }
        }
        let found = world.services.webhook(world.ada.actor(), id).await.unwrap();
        assert!(found.disabled.unwrap().0.ms() - found.failing_since.unwrap().ms() >= DISABLED_AFTER_MS, "{found:?}");
        assert!(world.mail_to("ada@example.com").await.subject.starts_with("A webhook endpoint of "));
        world.dial.advance_ms(RETRY_AFTER_MAX_MS * 2);
        send(&world).await;
        add(&world, "video.completed", 2).await;
        send(&world).await;
        assert!(receiver.told().is_empty(), "it is disabled");
        // What still waits is sent when it is enabled.
        receiver.answers(OK);
        let enabled = WebhookRequest { is_enabled: Some(true), ..WebhookRequest::default() };
        world.services.change_webhook(world.ada.actor(), id, enabled, HOME).await.unwrap();
        send(&world).await;
        assert_eq!(receiver.told().len(), 1);
        assert!(world.services.webhook(world.ada.actor(), id).await.unwrap().failing_since.is_none());
    }

    async fn a_receiver_that_is_gone_is_disabled_at_once_and_what_it_answered_is_kept(database: TempDatabase) {
        let world = allowing(database).await;
        let mut receiver = Receiver::answering(GONE).await;
        let id = endpoint(&world, &receiver).await;
        add(&world, "video.completed", 1).await;
        send(&world).await;
        assert_eq!(receiver.told().len(), 1);
        let actor = world.ada.actor();
        assert_eq!(world.services.webhook(actor, id).await.unwrap().disabled.unwrap().1, DisabledReason::Gone);
        assert!(world.mail_to("ada@example.com").await.text.contains("It answered 410"));
        assert_eq!(states(&world, id).await, [(DeliveryState::Failed, 1)]);
        let page = world.services.webhook_deliveries(actor, id, DeliveryQuery { after: None, state: Some(DeliveryState::Failed), limit: 1 }).await.unwrap();
        let delivery = page.deliveries[0].id;
        let refused = world.services.replay_webhook(actor, id, delivery, HOME).await.unwrap_err();
        assert!(matches!(refused, WebhookError::Disabled));
        receiver.answers(BROKEN);
        world.services.change_webhook(actor, id, WebhookRequest { is_enabled: Some(true), ..WebhookRequest::default() }, HOME).await.unwrap();
        world.services.replay_webhook(actor, id, delivery, HOME).await.unwrap();
        send(&world).await;
        let (found, attempts) = world.services.webhook_delivery(actor, id, delivery).await.unwrap();
        assert_eq!((found.state, found.last_status, attempts.len()), (DeliveryState::Pending, Some(500), 2));
        assert_eq!((attempts[0].number, attempts[0].status, &*attempts[0].answer), (2, Some(500), "oops!"));
        assert!(attempts[0].headers.contains("x-why: tired"));
        // Once more by a range, which begins anew.
        receiver.answers(GONE);
        world.dial.advance_ms(10_000);
        send(&world).await;
        receiver.answers(OK);
        world.services.change_webhook(actor, id, WebhookRequest { is_enabled: Some(true), ..WebhookRequest::default() }, HOME).await.unwrap();
        let all = Replay { from: Timestamp::from_ms(0), to: Timestamp::from_ms(i64::MAX), with_delivered: false, tried_before: None };
        assert_eq!(world.services.replay_webhooks(actor, id, all, HOME).await.unwrap(), (1, None));
        assert_eq!(world.services.replay_webhooks(actor, id, all, HOME).await.unwrap(), (0, None), "it waits");
        send(&world).await;
        assert_eq!(states(&world, id).await, [(DeliveryState::Delivered, 4)]);
        let told = receiver.told();
        assert!(told.iter().all(|request| request.id() == told[0].id()), "the same event each time");
        let acts = world.services.team(actor).await.unwrap().acts;
        for act in [domain::Act::WebhookMade, domain::Act::WebhookDisabled, domain::Act::WebhookEnabled, domain::Act::WebhookReplayed] {
            assert!(acts.iter().any(|entry| entry.act == act), "{act:?}");
        }
    }

    async fn a_secret_is_shown_once_kept_sealed_and_signs_for_a_day_beside_the_next(database: TempDatabase) {
        let world = allowing(database).await;
        let mut receiver = Receiver::answering(OK).await;
        let made = world.services.create_webhook(world.ada.actor(), wanting(&receiver.url), HOME).await.unwrap();
        let (first, id) = (made.secret, made.endpoint.id);
        let rotated = world.services.rotate_webhook(world.ada.actor(), id, true, HOME).await.unwrap();
        assert!(first != rotated.secret && rotated.endpoint.secret_hint.ends_with(&rotated.secret[rotated.secret.len() - 4..]));
        for secret in [&first, &rotated.secret] {
            assert!(!world.holds(&secret["whsec_".len()..secret.len() - 1]).await, "no row says a secret");
        }
        let signatures = async |receiver: &mut Receiver| {
            send(&world).await;
            receiver.request().await.headers["webhook-signature"].split(' ').map(str::to_owned).collect::<Vec<_>>()
        };
        add(&world, "video.completed", 1).await;
        assert_eq!(signatures(&mut receiver).await.len(), 2);
        world.dial.advance_ms(OLD_SECRET_KEPT_MS);
        happens(&world, "video.completed", 7).await;
        world.services.deliver_events(Actor::System).await.unwrap();
        assert_eq!(signatures(&mut receiver).await.len(), 1);
        world.services.rotate_webhook(world.ada.actor(), id, false, HOME).await.unwrap();
        happens(&world, "video.completed", 8).await;
        world.services.deliver_events(Actor::System).await.unwrap();
        assert_eq!(signatures(&mut receiver).await.len(), 1, "no overlap was asked for");
    }

    async fn a_test_is_sent_at_once_and_says_nothing_of_how_the_endpoint_does(database: TempDatabase) {
        let world = allowing(database).await;
        let mut receiver = Receiver::answering(BROKEN).await;
        let id = endpoint(&world, &receiver).await;
        let actor = world.ada.actor();
        let tested = world.services.test_webhook(actor, id, "batch.expired").await.unwrap();
        assert_eq!(tested.status, 500);
        let request = receiver.request().await;
        assert_eq!((request.body["type"].as_str(), request.body["data"]["id"].as_str()), (Some("batch.expired"), Some("batch_00000000000000000000000000000000")));
        let found = world.services.webhook(actor, id).await.unwrap();
        assert_eq!((found.failing_since, found.pending), (None, 0));
        assert_eq!(states(&world, id).await, [(DeliveryState::Failed, 1)], "it is not tried again");
        assert!(matches!(world.services.test_webhook(actor, id, "response.completed").await.unwrap_err(), WebhookError::EventUnknown(_)));
    }

    async fn hostile_addresses_are_connected_to_by_nobody(database: TempDatabase) {
        let world = World::new(database).await;
        let mut receiver = Receiver::answering(OK).await;
        let port = receiver.url.rsplit(':').next().unwrap().trim_end_matches("/hook").to_owned();
        let services = world.services.clone().with_webhooks(&WebhookOptions::default());
        for url in [
            format!("http://127.0.0.1:{port}/"), format!("https://127.0.0.1:{port}/"), format!("https://localhost:{port}/"), format!("https://[::ffff:127.0.0.1]:{port}/"),
            format!("https://0x7f.1:{port}/"), format!("https://2130706433:{port}/"), format!("https://user@127.0.0.1:{port}/"), format!("https://127.1:{port}/"),
            "https://169.254.169.254/latest/meta-data/".into(), "file:///etc/passwd".into(), "https://10.0.0.1/".into(),
        ] {
            assert!(matches!(services.create_webhook(world.ada.actor(), wanting(&url), HOME).await.unwrap_err(), WebhookError::Url(_)), "{url}");
        }
        // What was allowed once is not for ever; neither is a name that leads here.
        let id = world.services.clone().with_webhooks(&options()).create_webhook(world.ada.actor(), wanting(&receiver.url), HOME).await.unwrap().endpoint.id;
        let refused = services.test_webhook(world.ada.actor(), id, "video.completed").await.unwrap_err();
        assert!(matches!(refused, WebhookError::NotSent(_)), "{refused}");
        assert!(receiver.told().is_empty());
    }

    async fn what_is_old_or_of_nobody_is_removed(database: TempDatabase) {
        let world = allowing(database).await;
        let receiver = Receiver::answering(OK).await;
        let eve = world.services.sign_up("eve@example.com", world::PASSWORD).await.unwrap();
        let made = world.services.create_webhook(eve.actor(), wanting(&format!("{}/zebrafinch", receiver.url)), HOME).await.unwrap();
        let own = endpoint(&world, &receiver).await;
        add(&world, "video.completed", 3).await;
        world.services.test_webhook(eve.actor(), made.endpoint.id, "video.failed").await.unwrap();
        send(&world).await;
        assert_eq!(states(&world, own).await.len(), 3);
        world.services.store.accounts().delete(eve.id).await.unwrap();
        assert!(!world.holds("zebrafinch").await, "no row says where it was");
        world.services.forget_webhooks(Actor::System).await.unwrap();
        world.settle().await;
        let tenant = eve.tenant.uuid().simple().to_string();
        assert!(!world.holds_beside(&tenant, &["usage_days", "ledger_entries", "grants"]).await);
        assert_eq!(states(&world, own).await.len(), 3);
        world.dial.advance_ms(DELIVERY_KEPT_MS);
        world.services.forget_webhooks(Actor::System).await.unwrap();
        assert!(states(&world, own).await.is_empty());
        let many = futures::future::join_all((0..25).map(|_| world.services.create_webhook(world.ada.actor(), wanting(&receiver.url), HOME))).await;
        assert_eq!(many.iter().filter(|made| made.is_ok()).count(), 19, "twenty with the first");
    }
}
