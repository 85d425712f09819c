//! Events are handed to what delivers them until they have arrived.

use domain::delivery::DELIVERY_PAUSE_MAX_MS;
use futures::{FutureExt, future::BoxFuture};
use serde_json::json;
use service::{Services, outbox::Undelivered};
use std::sync::{Arc, Mutex};
use store::{
    NewEvent, OutboxEvent,
    objects::{self, ObjectsConfig},
    on_both_engines,
    testing::Dial,
};

fn breaks(_: OutboxEvent) -> BoxFuture<'static, Result<(), Undelivered>> {
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
        services.deliver_events().await.unwrap();
        assert_eq!(*told.lock().unwrap(), [(1, 1)]);
        *away.lock().unwrap() = false;
        services.deliver_events().await.unwrap();
        assert_eq!(*told.lock().unwrap(), [(1, 1)], "after a pause");
        dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
        services.deliver_events().await.unwrap();
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
        let services = Services::new(store, objects)
            .with_delivery("unanswered", Arc::new(|_: OutboxEvent| std::future::pending().boxed()))
            .with_delivery("broken", Arc::new(breaks))
            .with_delivery(
                "told",
                Arc::new(move |event: OutboxEvent| {
                    told.send(event.subject).unwrap();
                    async { Ok(()) }.boxed()
                }),
            );
        for (subject, kind) in [("a", "unanswered"), ("b", "broken"), ("c", "told")] {
            services.store.outbox().add(NewEvent { subject: subject.to_owned(), kind, payload: json!({}) }).await.unwrap();
        }
        tokio::select! {
            _ = services.deliver_events() => unreachable!("one of them is on its way"),
            subject = arrived.recv() => assert_eq!(subject.unwrap(), "c"),
        }
    }
}
