//! Projects, and keys that expire and are rotated.

use super::{key, key_secret};
use crate::World;
use domain::{Act, Clock, ProjectId, Scopes};
use store::{Asked, FoundKey, KeyTerms, NewApiKey, NoKey, ProjectError, on_both_engines};

const HOUR_MS: i64 = 3_600_000;

impl World {
    fn asked(&self) -> Asked<'static> {
        Asked { user: self.user, address: "" }
    }

    async fn acts(&self) -> Vec<Act> {
        let log = self.store.tenant(self.tenant).members().audit_log(None, 50).await.unwrap();
        log.into_iter().map(|entry| entry.act).collect()
    }
}

on_both_engines! {
    async fn a_tenant_has_a_default_project_which_stays_and_others_come_and_go_with_their_keys(database: TempDatabase) {
        let world = World::new(database).await;
        let (projects, keys, asked) = (world.store.tenant(world.tenant).projects(), world.store.tenant(world.tenant).api_keys(), world.asked());
        let default = projects.list().await.unwrap();
        assert_eq!((default.len(), default[0].id, &*default[0].name), (1, ProjectId::default_of(world.tenant), "Default"));
        assert!(matches!(projects.archive(asked, default[0].id).await, Err(ProjectError::IsDefault)));
        let web = projects.create(asked, "Web").await.unwrap();
        assert!(matches!(projects.create(asked, "Web").await, Err(ProjectError::NameTaken)));
        assert!(matches!(projects.rename(asked, web, "Default").await, Err(ProjectError::NameTaken)));
        projects.rename(asked, web, "Site").await.unwrap();
        let of_web = |secret| { let new = key(&world, secret); NewApiKey { terms: KeyTerms { project: web, ..new.terms }, ..new } };
        keys.create(of_web(1), 9, "").await.unwrap();
        keys.create(key(&world, 2), 9, "").await.unwrap();
        assert_eq!(world.live_key(1).await.unwrap().project, web);
        projects.archive(asked, web).await.unwrap();
        assert!(world.live_key(1).await.is_none() && world.live_key(2).await.is_some());
        assert!(matches!(keys.create(of_web(3), 9, "").await, Err(NoKey::NoProject)));
        assert!(matches!(projects.archive(asked, web).await, Err(ProjectError::Unknown)));
        projects.create(asked, "Site").await.unwrap();
        assert_eq!(world.acts().await[..3], [Act::ProjectMade, Act::ProjectArchived, Act::KeyMade]);
        let (stranger, _) = crate::account(&world.store, "eve@example.com").await;
        assert!(matches!(world.store.tenant(stranger).projects().rename(asked, web, "mine").await, Err(ProjectError::Unknown)));
        let theirs = NewApiKey { terms: KeyTerms { project: ProjectId::default_of(stranger), ..key(&world, 4).terms }, ..key(&world, 4) };
        assert!(matches!(keys.create(theirs, 9, "").await, Err(NoKey::NoProject)));
    }

    async fn a_rotated_key_is_for_the_same_and_the_old_one_lives_on_for_as_long_as_was_said(database: TempDatabase) {
        let world = World::new(database).await;
        let keys = world.store.tenant(world.tenant).api_keys();
        let expires_at = Some(world.dial.now().plus_ms(100 * HOUR_MS));
        let terms = KeyTerms { scopes: Scopes::parse("videos:read").unwrap(), expires_at, requests_per_minute: Some(7), ..key(&world, 1).terms };
        let old = keys.create(NewApiKey { terms, ..key(&world, 1) }, 1, "").await.unwrap();
        world.dial.advance_ms(HOUR_MS);
        let new = keys.rotate(world.asked(), old.id, key_secret(2), 24 * HOUR_MS, 1).await.unwrap();
        assert_eq!((new.terms.scopes, new.terms.requests_per_minute, &*new.name, new.spender), (terms.scopes, Some(7), "ci", old.id));
        assert_eq!(new.terms.expires_at, Some(world.dial.now().plus_ms(100 * HOUR_MS)), "it lives as long as the old one was made for");
        assert!(matches!(keys.rotate(world.asked(), old.id, key_secret(3), 0, 1).await, Err(NoKey::Rotated | NoKey::TooMany)));
        assert!(world.live_key(1).await.is_some() && world.live_key(2).await.is_some());
        world.dial.advance_ms(24 * HOUR_MS);
        assert!(matches!(world.store.accounts().by_key([1; 32]).await.unwrap(), FoundKey::Expired(at) if at == world.dial.now()));
        assert!(!keys.is_live(old.id).await.unwrap() && keys.is_live(new.id).await.unwrap());
        assert_eq!(keys.list_ended(9).await.unwrap()[0].id, old.id);
        let last = keys.rotate(world.asked(), new.id, key_secret(4), 0, 1).await.unwrap();
        assert!(world.live_key(2).await.is_none(), "without an overlap it ends at once");
        assert_eq!((last.spender, world.acts().await[0]), (old.id, Act::KeyRotated));
        assert!(matches!(keys.rotate(world.asked(), old.id, key_secret(5), 0, 9).await, Err(NoKey::Unknown)));
    }
}
