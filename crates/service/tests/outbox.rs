//! Events are handed to what delivers them until they have arrived.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use domain::{Actor, delivery::DELIVERY_PAUSE_MAX_MS};
use futures::{FutureExt, future::BoxFuture};
use serde_json::json;
use service::{
    Services,
    outbox::{EventsOnTheirWay, NotDelivered},
};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use store::{
    NewEvent, OutboxEvent,
    objects::{self, ObjectsConfig},
    on_both_engines,
    testing::Dial,
};
use tokio::time::timeout;

/// Soon enough to have waited for nobody: less than a delivery may take.
const SOON: Duration = Duration::from_secs(40);

fn breaks(_: OutboxEvent) -> BoxFuture<'static, Result<(), NotDelivered>> {
    panic!("on purpose")
}

on_both_engines! {
    async fn an_event_is_delivered_again_until_it_has_arrived_and_keeps_its_place(database: TempDatabase) {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let store = database.open_at(&dial).await.unwrap();
        let objects = objects::open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let (told, away) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(true)));
        let (heard, is_away) = (told.clone(), away.clone());
        let services = Services::new(store, objects).with_delivery(
            "told",
            Arc::new(move |event: OutboxEvent| {
                heard.lock().unwrap().push((event.payload["n"].as_u64().unwrap(), event.attempts));
                let outcome = if *is_away.lock().unwrap() { Err("away".into()) } else { Ok(()) };
                async move { outcome }.boxed()
            }),
        );
        for n in 1..=2 {
            let event = NewEvent { subject: "a".to_owned(), kind: "told", payload: json!({ "n": n }) };
            services.store.outbox().add(event).await.unwrap();
        }
        services.deliver_events(Actor::System).await.unwrap();
        assert_eq!(*told.lock().unwrap(), [(1, 1)]);
        *away.lock().unwrap() = false;
        services.deliver_events(Actor::System).await.unwrap();
        assert_eq!(*told.lock().unwrap(), [(1, 1)], "after a pause");
        dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
        services.deliver_events(Actor::System).await.unwrap();
        assert_eq!(*told.lock().unwrap(), [(1, 1), (1, 2), (2, 1)]);
        let metrics = services.metrics.text().unwrap();
        for (outcome, count) in [("failed", 1), ("delivered", 2)] {
            let sample = format!("reelmill_event_deliveries_total{{kind=\"told\",outcome=\"{outcome}\"}} {count}\n");
            assert!(metrics.contains(&sample), "{metrics}");
        }
    }

    async fn a_receiver_that_never_answers_and_one_that_breaks_keep_no_other_waiting(database: TempDatabase) {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let store = database.open_at(&dial).await.unwrap();
        let objects = objects::open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let (told, mut arrived) = tokio::sync::mpsc::unbounded_channel();
        let asked = told.clone();
        let services = Services::new(store, objects)
            .with_delivery(
                "unanswered",
                Arc::new(move |event: OutboxEvent| {
                    asked.send(event.subject).unwrap();
                    std::future::pending().boxed()
                }),
            )
            .with_delivery("broken", Arc::new(breaks))
            .with_delivery(
                "told",
                Arc::new(move |event: OutboxEvent| {
                    told.send(event.subject).unwrap();
                    async { Ok(()) }.boxed()
                }),
            );
        let add = async |subject: &str, kind| {
            services.store.outbox().add(NewEvent { subject: subject.to_owned(), kind, payload: json!({}) }).await.unwrap();
        };
        add("a", "unanswered").await;
        let delivering = services.clone();
        let delivering = tokio::spawn(async move { delivering.deliver_events(Actor::System).await });
        assert_eq!(arrived.recv().await.unwrap(), "a");
        // What is added while one is on its way is seen as well.
        add("b", "broken").await;
        add("c", "told").await;
        assert_eq!(timeout(SOON, arrived.recv()).await.expect("it waits for nobody").unwrap(), "c");
        delivering.abort();
    }

    async fn one_that_hangs_is_not_waited_for_when_its_time_is_up(database: TempDatabase) {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let store = database.open_at(&dial).await.unwrap();
        let objects = objects::open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let (told, mut arrived) = tokio::sync::mpsc::unbounded_channel();
        let services = Services::new(store, objects)
            .with_delivery("unanswered", Arc::new(|_: OutboxEvent| std::future::pending().boxed()))
            .with_delivery(
                "told",
                Arc::new(move |event: OutboxEvent| {
                    told.send(event.subject).unwrap();
                    async { Ok(()) }.boxed()
                }),
            );
        let mut on_their_way = EventsOnTheirWay::default();
        for kind in ["unanswered", "told"] {
            services.store.outbox().add(NewEvent { subject: kind.to_owned(), kind, payload: json!({}) }).await.unwrap();
            timeout(SOON, services.deliver_events_for(Actor::System, &mut on_their_way, Duration::ZERO)).await.expect("it ends").unwrap();
        }
        assert_eq!(timeout(SOON, arrived.recv()).await.expect("it waits for nobody").unwrap(), "told");
    }

    async fn whatever_a_receiver_says_cuts_off_no_other(database: TempDatabase) {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let store = database.open_at(&dial).await.unwrap();
        let objects = objects::open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let (answer, answered) = tokio::sync::watch::channel(false);
        let (told, mut asked) = tokio::sync::mpsc::unbounded_channel();
        let services = Services::new(store, objects)
            .with_delivery(
                "rude",
                Arc::new(move |event: OutboxEvent| {
                    told.send(event.subject).unwrap();
                    async { Err("\0".repeat(100_000).into()) }.boxed()
                }),
            )
            .with_delivery(
                "slow",
                Arc::new(move |_: OutboxEvent| {
                    let mut answered = answered.clone();
                    async move { answered.wait_for(|answered| *answered).await.map(drop).map_err(Into::into) }.boxed()
                }),
            );
        let add = async |subject: &str, kind| {
            services.store.outbox().add(NewEvent { subject: subject.to_owned(), kind, payload: json!({}) }).await.unwrap();
        };
        add("a", "slow").await;
        add("b", "rude").await;
        let delivering = services.clone();
        let delivering = tokio::spawn(async move { delivering.deliver_events(Actor::System).await });
        assert_eq!(asked.recv().await.unwrap(), "b");
        add("c", "rude").await;
        assert_eq!(timeout(SOON, asked.recv()).await.expect("it goes on").unwrap(), "c");
        answer.send(true).unwrap();
        delivering.await.unwrap().unwrap();
        dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
        assert_eq!(services.store.outbox().take(&["slow"], 0).await.unwrap(), None, "it was let finish");
        assert_eq!(services.store.outbox().take(&["rude"], 0).await.unwrap().map(|event| event.attempts), Some(2));
    }
}
