//! Signing in under attack, on real databases.

use crate::{
    Services, SignIn, SignInError, SignUpError, User,
    account::{HashError, throttle},
};
use futures::{StreamExt, future, poll, stream};
use std::{task::Poll, time::Instant};
use store::{
    Store,
    objects::{ObjectsConfig, open},
    on_both_engines,
    testing::{Dial, TempDatabase},
};
use tempfile::TempDir;

const MAIL: &str = "ada@example.com";
const PASSWORD: &str = "correct horse battery";
const ATTACKER: &str = "203.0.113.9";
const HOME: &str = "198.51.100.7";

struct World {
    services: Services,
    ada: User,
    dial: Dial,
    _folder: TempDir,
    database: TempDatabase,
}

async fn server(store: Store, folder: &TempDir) -> Services {
    let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
    Services::new(store, objects)
}

impl World {
    async fn new(database: TempDatabase) -> Self {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let services = server(database.open_at(&dial).await.unwrap(), &folder).await;
        let ada = services.sign_up(MAIL, PASSWORD).await.unwrap();
        Self { services, ada, dial, _folder: folder, database }
    }

    async fn another_server(&self) -> Services {
        server(self.database.open_at(&self.dial).await.unwrap(), &self._folder).await
    }

    async fn cookie(&self) -> String {
        self.services.remember_browser(&self.ada, None).await.unwrap()
    }
}

fn attempt<'a>(email: &'a str, password: &'a str, address: &'a str) -> SignIn<'a> {
    SignIn { email, password, address, known_browser: None }
}

/// How it ended, in a word and in seconds to wait.
async fn outcome(services: &Services, attempt: SignIn<'_>) -> (&'static str, u64) {
    match services.sign_in(attempt).await {
        Ok(_) => ("in", 0),
        Err(SignInError::Wrong) => ("wrong", 0),
        Err(SignInError::TooManyTries { retry_after_s }) => ("wait", retry_after_s),
        Err(SignInError::Hash(HashError::Busy)) => ("busy", 0),
        Err(error) => panic!("{error:?}"),
    }
}

/// So many machines fail once each; without the hashing, which is the same for all.
async fn fail_from(world: &World, mail: &str, networks: std::ops::Range<u32>) {
    let tries = stream::iter(networks).map(|n| {
        let address = std::net::Ipv4Addr::from(0x0a00_0000 + n).to_string();
        async move { world.services.count_try(throttle::sign_in(mail, &address, None)).await.map(drop) }
    });
    let mut tries = tries.buffer_unordered(8);
    while tries.next().await.is_some() {}
}

on_both_engines! {
    async fn a_try_that_the_database_broke_off_was_not_wrong(database: TempDatabase) {
        let world = World::new(database).await;
        world.database.damage("UPDATE memberships SET role = 'unheard of'").await;
        for _ in 0..20 {
            let broken_off = world.services.sign_in(attempt(MAIL, PASSWORD, HOME)).await;
            assert!(matches!(broken_off, Err(SignInError::Store(_))), "{broken_off:?}");
        }
        world.database.damage("UPDATE memberships SET role = 'owner'").await;
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, HOME)).await, ("in", 0));
    }

    async fn the_owner_gets_in_beside_a_thousand_wrong_passwords(database: TempDatabase) {
        let world = World::new(database).await;
        let services = &world.services;
        let started = Instant::now();
        let attack = stream::iter(0..1000).for_each_concurrent(50, |_| async {
            assert_ne!(outcome(services, attempt(MAIL, "guess", ATTACKER)).await.0, "in");
        });
        let owner = async {
            for _ in 0..10 {
                assert_eq!(outcome(services, attempt(MAIL, PASSWORD, HOME)).await, ("in", 0));
            }
        };
        tokio::join!(attack, owner);
        let took = started.elapsed();
        eprintln!("1000 wrong and 10 right passwords in {took:?}");
        assert!(took.as_secs() < 60, "slower than 1000 a minute: {took:?}");
    }

    async fn tries_that_one_network_makes_at_once_wait_for_each_other_and_keep_no_other_waiting(database: TempDatabase) {
        let world = World::new(database).await;
        let count = |address| world.services.count_try(throttle::sign_in(MAIL, address, None));
        // Two connections are there before: to open one takes a busy machine longer than many tries.
        let opened = future::join(count("198.51.100.8"), count("198.51.100.9")).await;
        assert!(opened.0.is_ok() && opened.1.is_ok());
        let mut waiting = Vec::new();
        for mut attempt in (0..50).map(|_| Box::pin(count(ATTACKER))) {
            // A database may answer before a busy machine comes to look.
            if poll!(&mut attempt).is_pending() {
                waiting.push(attempt);
            }
        }
        let (mut attack, mut counted) = (stream::iter(waiting).buffered(50), 0);
        let mut owner = std::pin::pin!(count(HOME));
        while poll!(&mut owner).is_pending() {
            if let Poll::Ready(Some(_)) = poll!(attack.next()) {
                counted += 1;
            }
            tokio::task::yield_now().await;
        }
        assert!(counted < 25, "{counted} of 50 came first");
    }

    async fn the_same_network_waits_longer_each_time_and_is_forgotten(database: TempDatabase) {
        let world = World::new(database).await;
        let mut waits = Vec::new();
        for _ in 0..9 {
            let (said, _) = outcome(&world.services, attempt(MAIL, "guess", ATTACKER)).await;
            assert_eq!(said, "wrong");
            let (_, wait_s) = if waits.len() < 4 { ("", 0) } else { outcome(&world.services, attempt(MAIL, PASSWORD, ATTACKER)).await };
            waits.push(wait_s);
            world.dial.advance_ms(i64::try_from(wait_s).unwrap() * 1000);
        }
        assert_eq!(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16]);
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, ATTACKER)).await, ("in", 0));
        for _ in 0..4 {
            assert_eq!(outcome(&world.services, attempt(MAIL, "guess", ATTACKER)).await, ("wrong", 0), "a right password clears the count");
        }
    }

    async fn a_botnet_is_bounded_and_a_known_browser_passes_all_the_same(database: TempDatabase) {
        let world = World::new(database).await;
        let cookie = world.cookie().await;
        fail_from(&world, MAIL, 0..1010).await;
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, HOME)).await.0, "wait");
        let known = SignIn { known_browser: Some(&cookie), ..attempt(MAIL, PASSWORD, HOME) };
        assert_eq!(outcome(&world.services, known).await, ("in", 0));
        let elsewhere = SignIn { known_browser: Some(&cookie), ..attempt(MAIL, PASSWORD, ATTACKER) };
        assert_eq!(outcome(&world.another_server().await, elsewhere).await, ("in", 0), "all servers know it");
        world.dial.advance_ms(60_000);
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, HOME)).await, ("in", 0), "a stranger's turn comes");
    }

    async fn a_copied_browser_cookie_gives_a_few_tries_at_one_account(database: TempDatabase) {
        let world = World::new(database).await;
        let cookie = world.cookie().await;
        let guess = SignIn { known_browser: Some(&cookie), ..attempt(MAIL, "guess", ATTACKER) };
        for _ in 0..5 {
            assert_eq!(outcome(&world.services, guess).await, ("wrong", 0));
        }
        assert_eq!(outcome(&world.services, guess).await, ("wait", 1));
        let respelled = cookie.to_uppercase();
        for _ in 0..5 {
            let guess = SignIn { known_browser: Some(&respelled), ..guess };
            assert_eq!(outcome(&world.services, guess).await, ("wrong", 0));
        }
        let stranger = attempt(MAIL, "guess", ATTACKER);
        assert_eq!(outcome(&world.services, stranger).await, ("wait", 1), "another spelling is a stranger, not another browser");
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        let both = world.services.remember_browser(&eve, Some(&cookie)).await.unwrap();
        assert_eq!(both.split('.').count(), 2);
        for forged in ["", "x", &cookie[1..], &format!("{}0", &cookie[..cookie.len() - 1]), &format!("{cookie}.{cookie}")] {
            fail_from(&world, "eve@example.com", 0..5).await;
            let foreign = SignIn { known_browser: Some(forged), ..attempt("eve@example.com", "guess", ATTACKER) };
            outcome(&world.services, foreign).await;
        }
        let foreign = SignIn { known_browser: Some(&cookie), ..attempt("eve@example.com", PASSWORD, ATTACKER) };
        assert_eq!(outcome(&world.services, foreign).await.0, "wait", "ada's token says nothing about eve's account");
        let own = SignIn { known_browser: Some(&both), ..attempt("eve@example.com", PASSWORD, ATTACKER) };
        assert_eq!(outcome(&world.services, own).await, ("in", 0));
    }

    async fn an_unknown_address_is_treated_like_a_known_one(database: TempDatabase) {
        let world = World::new(database).await;
        for mail in [MAIL, "nobody@example.com", "no address", ""] {
            let mut said = Vec::new();
            for _ in 0..7 {
                said.push(outcome(&world.services, attempt(mail, "guess", ATTACKER)).await);
            }
            assert_eq!(said, [[("wrong", 0); 5].as_slice(), &[("wait", 1); 2]].concat(), "{mail}");
        }
    }

    async fn whoever_waits_is_refused_from_memory_and_other_servers_know(database: TempDatabase) {
        let world = World::new(database).await;
        for n in 0..100 {
            outcome(&world.services, attempt(&format!("made-up-{n}@example.com"), "guess", ATTACKER)).await;
        }
        let started = Instant::now();
        for n in 0..10_000 {
            let made_up = format!("made-up-too-{n}@example.com");
            assert_eq!(outcome(&world.services, attempt(&made_up, "guess", ATTACKER)).await, ("wait", 1));
        }
        let took = started.elapsed();
        eprintln!("10000 refusals from memory in {took:?}");
        assert!(took.as_secs() < 20, "each costs a transaction or a hash: {took:?}");
        assert_eq!(outcome(&world.another_server().await, attempt(MAIL, PASSWORD, ATTACKER)).await, ("wait", 1));
    }

    async fn a_clock_that_was_ahead_shuts_nobody_out_when_it_is_set_right(database: TempDatabase) {
        const DAY_MS: i64 = 86_400_000;
        let world = World::new(database).await;
        world.dial.advance_ms(DAY_MS);
        for _ in 0..5 {
            outcome(&world.services, attempt(MAIL, "guess", ATTACKER)).await;
        }
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, ATTACKER)).await, ("wait", 1));
        world.dial.advance_ms(-DAY_MS);
        assert_eq!(outcome(&world.services, attempt(MAIL, "guess", ATTACKER)).await, ("wrong", 0));
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, ATTACKER)).await, ("wait", 1), "the failures still count");
        world.dial.advance_ms(1000);
        assert_eq!(outcome(&world.services, attempt(MAIL, PASSWORD, ATTACKER)).await, ("in", 0));
    }

    async fn new_accounts_are_bounded_by_network(database: TempDatabase) {
        let world = World::new(database).await;
        let sign_up = async |address: &str| world.services.sign_up_from(address, "no address", "").await.unwrap_err();
        for _ in 0..100 {
            assert!(matches!(sign_up(ATTACKER).await, SignUpError::Email(_)));
        }
        assert!(matches!(sign_up(ATTACKER).await, SignUpError::TooManyTries { retry_after_s: 1 }));
        assert!(matches!(sign_up(HOME).await, SignUpError::Email(_)));
        world.dial.advance_ms(1000);
        assert!(matches!(sign_up(ATTACKER).await, SignUpError::Email(_)));
    }
}
