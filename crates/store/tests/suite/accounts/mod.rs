//! Sign-up, sign-in, API keys.

mod indexes;
mod projects;
mod races;
mod sessions;
mod tries;

use crate::{World, account};
use domain::{ApiKeyId, Clock, KeyOwner, Membership, ProjectId, Role, Scopes, TenantId, UserId};
use futures::future::join_all;
use std::time::Duration;
use store::{Asked, FoundKey, KeySecret, KeyTerms, NewAccount, NewApiKey, NoKey, on_both_engines};
use tokio::time::timeout;
use uuid::Uuid;

fn key(world: &World, secret: u8) -> NewApiKey {
    let terms = KeyTerms { project: ProjectId::default_of(world.tenant), scopes: Scopes::ALL, expires_at: None, requests_per_minute: None };
    NewApiKey { secret: key_secret(secret), user: world.user, name: "ci".into(), terms }
}

fn key_secret(secret: u8) -> KeySecret {
    KeySecret { id: ApiKeyId::from_uuid(Uuid::now_v7()), hint: "rm_…x".into(), secret_sha256: [secret; 32] }
}

impl World {
    async fn live_key(&self, secret: u8) -> Option<KeyOwner> {
        match self.store.accounts().by_key([secret; 32]).await.unwrap() {
            FoundKey::Live(owner) => Some(owner),
            FoundKey::Expired(_) | FoundKey::None => None,
        }
    }
}

on_both_engines! {
    async fn exactly_one_of_many_first_accounts_is_the_operator(database: TempDatabase) {
        let store = database.open().await.unwrap();
        let accounts = (0..16).map(|n| NewAccount {
            tenant: TenantId::from_uuid(Uuid::now_v7()),
            user: UserId::from_uuid(Uuid::now_v7()),
            email: format!("user{n}@example.com").parse().unwrap(),
            password_hash: Some("hash".into()),
            is_verified: true,
        });
        let made = join_all(accounts.map(|account| store.accounts().create(account))).await;
        let operators = made.into_iter().filter(|made| made.as_ref().unwrap().as_ref().unwrap().is_operator).count();
        assert_eq!(operators, 1);
    }

    async fn a_mail_address_is_taken_once_and_found_again(database: TempDatabase) {
        let world = World::new(database).await;
        let again = NewAccount {
            tenant: TenantId::from_uuid(Uuid::now_v7()),
            user: UserId::from_uuid(Uuid::now_v7()),
            email: "ADA@example.com".parse().unwrap(),
            password_hash: Some("other".into()),
            is_verified: true,
        };
        assert_eq!(world.store.accounts().create(again).await.unwrap(), None);
        let found = world.store.accounts().by_email(&"ada@example.com".parse().unwrap()).await.unwrap().unwrap();
        let membership = Membership { tenant: world.tenant, user: world.user, role: Role::Owner };
        assert_eq!((found.membership, found.password_hash.as_deref(), found.is_operator), (membership, Some("hash"), true));
        assert_eq!(world.store.accounts().by_id(world.user).await.unwrap(), Some(found));
        assert_eq!(world.store.accounts().by_email(&"eve@example.com".parse().unwrap()).await.unwrap(), None);
    }

    async fn a_key_speaks_for_its_tenant_until_it_is_revoked(database: TempDatabase) {
        let world = World::new(database).await;
        let (store, keys) = (&world.store, world.store.tenant(world.tenant).api_keys());
        let made = keys.create(key(&world, 1), 9, "").await.unwrap();
        let owner = world.live_key(1).await.unwrap();
        assert_eq!((owner.key, owner.membership.tenant, owner.membership.user), (made.id, world.tenant, world.user));
        assert_eq!(world.live_key(2).await, None);
        let (stranger, _) = account(store, "eve@example.com").await;
        assert!(!store.tenant(stranger).api_keys().revoke(Asked { user: world.user, address: "" }, made.id, 9).await.unwrap());
        assert!(store.tenant(stranger).api_keys().list_live(9).await.unwrap().is_empty());
        assert!(store.tenant(stranger).api_keys().list_ended(9).await.unwrap().is_empty());
        assert!(keys.revoke(Asked { user: world.user, address: "" }, made.id, 9).await.unwrap());
        assert!(!keys.revoke(Asked { user: world.user, address: "" }, made.id, 9).await.unwrap());
        assert_eq!(world.live_key(1).await, None);
        assert_eq!(keys.list_ended(9).await.unwrap()[0].revoked_at, Some(world.dial.now()));
    }

    async fn a_key_of_somebody_who_does_not_belong_to_its_tenant_opens_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        world.store.tenant(world.tenant).api_keys().create(key(&world, 1), 9, "").await.unwrap();
        world.sql("DELETE FROM memberships").await;
        assert_eq!(world.live_key(1).await, None);
    }

    async fn keys_made_at_once_stay_within_their_limit_and_one_that_is_revoked_makes_room(database: TempDatabase) {
        let world = World::new(database).await;
        let keys = world.store.tenant(world.tenant).api_keys();
        let made = join_all((0..20).map(|secret| keys.create(key(&world, secret), 5, ""))).await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 5);
        let live = keys.list_live(9).await.unwrap();
        assert_eq!((live.len(), keys.list_live(2).await.unwrap()), (5, live[..2].to_vec()));
        keys.revoke(Asked { user: world.user, address: "" }, live[3].id, 9).await.unwrap();
        assert!(keys.create(key(&world, 20), 5, "").await.is_ok());
        assert!(matches!(keys.create(key(&world, 21), 5, "").await, Err(NoKey::TooMany)));
        assert_eq!(keys.list_ended(9).await.unwrap()[0].id, live[3].id);
    }

    async fn of_the_keys_that_were_revoked_the_newest_are_kept(database: TempDatabase) {
        let world = World::new(database).await;
        let keys = world.store.tenant(world.tenant).api_keys();
        let mut revoked = Vec::new();
        for secret in 0..5 {
            let made = keys.create(key(&world, secret), 9, "").await.unwrap();
            world.dial.advance_ms(1);
            assert!(keys.revoke(Asked { user: world.user, address: "" }, made.id, 2).await.unwrap());
            revoked.insert(0, made.id);
        }
        let kept: Vec<_> = keys.list_ended(9).await.unwrap().into_iter().map(|key| key.id).collect();
        assert_eq!(kept, revoked[..2]);
    }

    async fn of_the_keys_that_were_rotated_the_newest_are_kept(database: TempDatabase) {
        let world = World::new(database).await;
        let keys = world.store.tenant(world.tenant).api_keys();
        let mut live = keys.create(key(&world, 0), 9, "").await.unwrap().id;
        for secret in 1..60 {
            world.dial.advance_ms(1);
            live = keys.rotate(Asked { user: world.user, address: "" }, live, key_secret(secret), 0, 9).await.unwrap().id;
        }
        assert_eq!((keys.list_ended(99).await.unwrap().len(), keys.is_live(live).await.unwrap()), (50, true));
    }

    async fn a_key_opens_while_nothing_can_be_written(database: TempDatabase) {
        let world = World::new(database).await;
        let made = world.store.tenant(world.tenant).api_keys().create(key(&world, 1), 9, "").await.unwrap();
        let _held = world.database.hold("BEGIN IMMEDIATE", "LOCK TABLE api_keys IN EXCLUSIVE MODE").await;
        // A look that waited for the lock would wait for ten seconds each time.
        let looks = async {
            for _ in 0..20 {
                assert_eq!(world.live_key(1).await.unwrap().key, made.id);
            }
        };
        timeout(Duration::from_secs(100), looks).await.expect("they should not wait");
    }

    async fn the_use_of_a_key_is_noted_to_the_minute(database: TempDatabase) {
        let world = World::new(database).await;
        let keys = world.store.tenant(world.tenant).api_keys();
        keys.create(key(&world, 1), 9, "").await.unwrap();
        let first = world.dial.now();
        for (advance_ms, noted) in [(0, first), (59_999, first), (1, first.plus_ms(60_000))] {
            world.dial.advance_ms(advance_ms);
            let in_passing = async {
                loop {
                    world.store.accounts().by_key([1; 32]).await.unwrap();
                    if keys.list_live(9).await.unwrap()[0].last_used_at == Some(noted) {
                        break;
                    }
                }
            };
            timeout(Duration::from_secs(60), in_passing).await.expect("the use should be noted");
        }
    }
}
