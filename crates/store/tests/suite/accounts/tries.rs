//! Failed tries: counted once each, refused while they have to wait, and forgotten.

use crate::World;
use domain::account::tries::{Allowance, NETWORK, PAIR};
use futures::future::join_all;
use std::time::Duration;
use store::{CountedTry, TooEarly, TrySubject, on_both_engines, testing::Engine};
use tokio::time::timeout;

fn subject(key: &str, allowance: Allowance) -> TrySubject {
    TrySubject { key: key.into(), allowance }
}

async fn count(world: &World, subjects: &[TrySubject]) -> Result<Vec<CountedTry>, TooEarly> {
    world.store.tries().count(subjects.to_vec()).await.unwrap()
}

on_both_engines! {
    async fn tries_made_at_once_are_counted_one_by_one(database: TempDatabase) {
        let world = World::new(database).await;
        let both = [subject("b", NETWORK), subject("a", PAIR)];
        let tried = join_all((0..20).map(|_| count(&world, &both))).await;
        assert_eq!(tried.iter().filter(|tried| tried.is_ok()).count(), 5);
        assert!(tried.contains(&Err(TooEarly { key: "a".into(), wait_ms: 1000 })));
        let network = count(&world, &both[..1]).await.unwrap();
        world.store.tries().forgive(&network, &[]).await.unwrap();
        world.dial.advance_ms(999);
        assert_eq!(count(&world, &both).await, Err(TooEarly { key: "a".into(), wait_ms: 1 }));
        world.dial.advance_ms(1);
        assert_eq!(count(&world, &both).await.unwrap().iter().map(CountedTry::wait_ms).collect::<Vec<_>>(), [2000, 0]);
    }

    async fn a_try_that_began_before_one_that_was_counted_first_is_not_early(database: TempDatabase) {
        let world = World::new(database).await;
        let account = [subject("account", NETWORK)];
        count(&world, &account).await.unwrap();
        // Its transaction has taken its moment, and waited for the row.
        world.dial.advance_ms(-5);
        assert!(count(&world, &account).await.is_ok());
    }

    async fn a_right_try_is_taken_back_and_clears_only_what_it_may(database: TempDatabase) {
        let world = World::new(database).await;
        let (pair, network) = (subject("pair", PAIR), subject("network", Allowance { free: 5, ..NETWORK }));
        for _ in 0..4 {
            count(&world, &[pair.clone(), network.clone()]).await.unwrap();
        }
        let right = count(&world, &[pair.clone(), network.clone()]).await.unwrap();
        world.store.tries().forgive(&right, &["pair".into()]).await.unwrap();
        let fifth = count(&world, &[network]).await.unwrap();
        assert_eq!(fifth[0].wait_ms(), 1000, "the four before it still count");
        for _ in 0..4 {
            assert_eq!(count(&world, std::slice::from_ref(&pair)).await.unwrap()[0].wait_ms(), 0);
        }
    }

    async fn what_is_forgotten_leaves_no_row(database: TempDatabase) {
        let world = World::new(database).await;
        for n in 0..50 {
            count(&world, &[subject(&format!("made up {n}"), NETWORK)]).await.unwrap();
        }
        count(&world, &[subject("pair", PAIR)]).await.unwrap();
        world.dial.advance_ms(NETWORK.forgets_after_ms);
        world.store.tries().tidy().await.unwrap();
        assert_eq!(world.count("tries").await, 1);
    }

    async fn what_a_clock_that_was_ahead_has_counted_is_open_and_forgotten(database: TempDatabase) {
        const DAY_MS: i64 = 86_400_000;
        let world = World::new(database).await;
        let (pair, other) = (subject("pair", PAIR), subject("other", PAIR));
        world.dial.advance_ms(DAY_MS);
        for _ in 0..5 {
            count(&world, &[pair.clone(), other.clone()]).await.unwrap();
        }
        world.dial.advance_ms(-DAY_MS);
        assert_eq!(count(&world, std::slice::from_ref(&pair)).await.unwrap()[0].wait_ms(), 1000);
        assert!(count(&world, &[pair]).await.is_err());
        world.store.tries().tidy().await.unwrap();
        assert_eq!(world.texts("SELECT subject FROM tries").await, ["pair"]);
    }

    async fn tidying_waits_for_no_row_that_is_being_counted(database: TempDatabase) {
        let world = World::new(database).await;
        for key in ["a", "b"] {
            count(&world, &[subject(key, NETWORK)]).await.unwrap();
        }
        world.dial.advance_ms(NETWORK.forgets_after_ms);
        // On SQLite nobody counts while another writes.
        let _counting = world.database.hold("SELECT 1", "SELECT subject FROM tries WHERE subject = 'a' FOR NO KEY UPDATE").await;
        timeout(Duration::from_secs(60), world.store.tries().tidy()).await.expect("it should pass over the row").unwrap();
        let left: &[&str] = if world.database.engine == Engine::Postgres { &["a"] } else { &[] };
        assert_eq!(world.texts("SELECT subject FROM tries").await, left);
    }

    async fn counting_and_tidying_at_once_fails_neither(database: TempDatabase) {
        let world = World::new(database).await;
        let forgetful = Allowance { free: 100, forgets_after_ms: 1 };
        let keys: Vec<_> = (0..4).map(|n| subject(&n.to_string(), forgetful)).collect();
        for _ in 0..100 {
            world.dial.advance_ms(10);
            let counts = join_all((0..4).map(|_| count(&world, &keys)));
            let (counted, tidied) = tokio::join!(counts, world.store.tries().tidy());
            tidied.unwrap();
            assert!(counted.iter().all(Result::is_ok), "{counted:?}");
        }
    }
}
