//! Events on their way out: at least once, in order for each subject, and nobody waits for what cannot be delivered.

use crate::World;
use domain::delivery::{DELIVERIES_MAX, DELIVERY_PAUSE_MAX_MS, GIVEN_UP_KEPT_MS, RECEIVED_KEPT_MS};
use futures::future::join_all;
use serde_json::json;
use store::{NewEvent, OutboxEvent, on_both_engines};

const FOR_MS: i64 = 60_000;

async fn add(world: &World, subject: &str, n: u32) {
    world.store.outbox().add(NewEvent { subject: subject.to_owned(), kind: "told", payload: json!({ "n": n }) }).await.unwrap();
}

async fn take(world: &World) -> Option<OutboxEvent> {
    world.store.outbox().take(&["told", "said"], FOR_MS).await.unwrap()
}

fn n(event: &OutboxEvent) -> u64 {
    event.payload["n"].as_u64().unwrap()
}

on_both_engines! {
    async fn the_events_of_a_subject_are_delivered_one_after_the_other(database: TempDatabase) {
        let world = World::new(database).await;
        for (subject, n) in [("a", 1), ("a", 2), ("b", 3)] {
            add(&world, subject, n).await;
        }
        let (first, other) = (take(&world).await.unwrap(), take(&world).await.unwrap());
        assert_eq!((n(&first), n(&other), first.attempts), (1, 3, 1));
        assert_eq!(take(&world).await, None, "the second of a subject waits for the first");
        assert!(world.store.outbox().delivered(&first).await.unwrap());
        assert_eq!(n(&take(&world).await.unwrap()), 2);
        assert!(!world.store.outbox().delivered(&first).await.unwrap(), "once");
    }

    async fn what_is_told_again_and_again_is_taken_in_once(database: TempDatabase) {
        let world = World::new(database).await;
        let told = |source: &'static str, n: u32| {
            let store = world.store.clone();
            let event = NewEvent { subject: "customer".to_owned(), kind: "told", payload: json!({ "n": n }) };
            async move { store.inbox().receive(source, "evt_1", None, event).await.unwrap() }
        };
        let taken_in = join_all((1..=8).map(|n| told("bank", n))).await;
        assert_eq!(taken_in.iter().filter(|is_new| **is_new).count(), 1);
        assert!(told("post", 9).await, "somebody else's, by the same name");
        let first = take(&world).await.unwrap();
        world.store.outbox().delivered(&first).await.unwrap();
        assert_eq!(n(&take(&world).await.unwrap()), 9, "in the order in which they came");
        assert!(!told("bank", 10).await, "also after it was worked off");
        world.dial.advance_ms(RECEIVED_KEPT_MS - 1);
        world.store.inbox().forget().await.unwrap();
        assert_eq!(world.count("inbox").await, 2);
        world.dial.advance_ms(1);
        world.store.inbox().forget().await.unwrap();
        assert_eq!(world.count("inbox").await, 0);
    }

    async fn an_event_whose_taker_fell_silent_is_delivered_again(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "a", 1).await;
        let silent = take(&world).await.unwrap();
        world.dial.advance_ms(FOR_MS);
        let again = take(&world).await.unwrap();
        assert_eq!((n(&again), again.attempts), (1, 2));
        assert!(!world.store.outbox().delivered(&silent).await.unwrap(), "somebody else has it");
        assert!(world.store.outbox().delivered(&again).await.unwrap());
        assert_eq!(world.count("outbox").await, 0);
    }

    async fn what_cannot_be_delivered_is_tried_again_in_its_order_and_given_up_in_the_end(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "a", 1).await;
        add(&world, "a", 2).await;
        for attempt in 1..=DELIVERIES_MAX {
            let event = take(&world).await.unwrap();
            assert_eq!((n(&event), event.attempts), (1, attempt));
            assert!(world.store.outbox().failed(&event, "nobody there", 0.5).await.unwrap());
            if attempt == 1 {
                assert_eq!(take(&world).await, None, "after a pause");
            }
            world.dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
        }
        assert_eq!(n(&take(&world).await.unwrap()), 2, "those behind it go on");
        assert_eq!(world.texts("SELECT last_error FROM outbox WHERE given_up_at_ms IS NOT NULL").await, ["nobody there"]);
    }

    async fn an_event_over_which_every_taker_falls_silent_is_given_up_as_well(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "a", 1).await;
        add(&world, "a", 2).await;
        for _ in 0..DELIVERIES_MAX {
            assert_eq!(n(&take(&world).await.unwrap()), 1);
            world.dial.advance_ms(FOR_MS);
        }
        assert_eq!(n(&take(&world).await.unwrap()), 2);
        world.dial.advance_ms(GIVEN_UP_KEPT_MS);
        world.store.outbox().forget_given_up().await.unwrap();
        assert_eq!(world.count("outbox").await, 1);
    }

    async fn what_was_given_up_is_taken_up_again_and_repeated_only_where_the_newest_does_for_all(database: TempDatabase) {
        let world = World::new(database).await;
        let outbox = world.store.outbox();
        for n in [1, 2] {
            add(&world, "a", n).await;
        }
        for _ in 0..DELIVERIES_MAX {
            let event = take(&world).await.unwrap();
            outbox.failed(&event, "away", 0.0).await.unwrap();
            world.dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
        }
        assert_eq!(outbox.take_up_again("told").await.unwrap(), 1);
        let mut taken = [take(&world).await.unwrap(), take(&world).await.unwrap()].map(|event| n(&event));
        taken.sort_unstable();
        assert_eq!(taken, [1, 2]);
        world.sql("UPDATE outbox SET given_up_at_ms = 1 WHERE number = (SELECT MIN(number) FROM outbox)").await;
        outbox.drop_repeated("told").await.unwrap();
        assert_eq!((outbox.take_up_again("told").await.unwrap(), world.count("outbox").await), (0, 1));
    }

    async fn what_another_server_is_taking_holds_up_nothing_of_another_kind(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "a", 1).await;
        world.dial.advance_ms(1);
        world.store.outbox().add(NewEvent { subject: "b".to_owned(), kind: "said", payload: json!({ "n": 2 }) }).await.unwrap();
        let _taking = world.database.hold("SELECT 1", "SELECT number FROM outbox WHERE kind = 'told' FOR UPDATE").await;
        assert!(take(&world).await.is_some());
    }

    async fn a_clock_that_is_put_back_holds_up_nothing_for_longer_than_a_pause(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "tried", 1).await;
        let event = take(&world).await.unwrap();
        world.store.outbox().failed(&event, "away", 1.0).await.unwrap();
        add(&world, "new", 2).await;
        world.dial.advance_ms(-100 * DELIVERY_PAUSE_MAX_MS);
        assert_eq!(n(&take(&world).await.unwrap()), 2);
        assert_eq!(n(&take(&world).await.unwrap()), 1);
    }

    async fn a_clock_that_is_put_back_a_little_holds_up_nothing_new(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "new", 1).await;
        world.dial.advance_ms(-DELIVERY_PAUSE_MAX_MS / 2);
        assert_eq!(n(&take(&world).await.unwrap()), 1);
    }

    async fn what_is_added_while_another_is_delivered_keeps_its_place(database: TempDatabase) {
        let world = World::new(database).await;
        for round in 0..20 {
            add(&world, "a", 2 * round).await;
            let event = take(&world).await.unwrap();
            let outbox = world.store.outbox();
            let (delivered, ()) = tokio::join!(outbox.delivered(&event), add(&world, "a", 2 * round + 1));
            assert!(delivered.unwrap());
            let next = take(&world).await.expect("it waits for nobody");
            assert_eq!(n(&next), u64::from(2 * round + 1));
            assert!(outbox.delivered(&next).await.unwrap());
        }
    }

    async fn kinds_that_nobody_here_knows_wait_for_who_does(database: TempDatabase) {
        let world = World::new(database).await;
        add(&world, "a", 1).await;
        assert_eq!(world.store.outbox().take(&["other"], FOR_MS).await.unwrap(), None);
        assert!(take(&world).await.is_some());
    }

    async fn many_who_take_at_once_get_each_event_once(database: TempDatabase) {
        let world = World::new(database).await;
        for subject in 0..20 {
            add(&world, &subject.to_string(), subject).await;
        }
        let takers = (0..8).map(|_| async {
            let mut taken = Vec::new();
            while let Some(event) = take(&world).await {
                taken.push(n(&event));
            }
            taken
        });
        let mut taken: Vec<_> = join_all(takers).await.into_iter().flatten().collect();
        taken.sort_unstable();
        assert_eq!(taken, (0..20).collect::<Vec<_>>());
    }
}
