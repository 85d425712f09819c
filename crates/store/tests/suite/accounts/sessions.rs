//! Browser sessions.

use crate::World;
use domain::{Clock, UserId};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::on_both_engines;
use time::OffsetDateTime;
use tower_sessions_core::{
    ExpiredDeletion, SessionStore,
    session::{Id, Record},
};
use uuid::Uuid;

fn record(world: &World, minutes: i64) -> Record {
    let expiry_ms = world.dial.now().ms() + minutes * 60_000;
    Record {
        id: Id::default(),
        data: HashMap::from([("user".to_owned(), json!("ada"))]),
        expiry_date: OffsetDateTime::from_unix_timestamp_nanos(i128::from(expiry_ms) * 1_000_000).unwrap(),
    }
}

on_both_engines! {
    async fn a_session_is_kept_until_it_expires(database: TempDatabase) {
        let world = World::new(database).await;
        let sessions = world.store.sessions();
        let mut kept = record(&world, 10);
        sessions.create(&mut kept).await.unwrap();
        assert_eq!(sessions.load(&kept.id).await.unwrap(), Some(kept.clone()));
        kept.data.insert("n".into(), json!(2));
        sessions.save(&kept).await.unwrap();
        assert_eq!(sessions.load(&kept.id).await.unwrap(), Some(kept.clone()));
        world.dial.advance_ms(10 * 60_000);
        assert_eq!(sessions.load(&kept.id).await.unwrap(), None);
        sessions.delete_expired().await.unwrap();
        world.dial.advance_ms(-60_000);
        assert_eq!(sessions.load(&kept.id).await.unwrap(), None);
    }

    async fn a_session_that_grows_too_large_stays_as_it_was(database: TempDatabase) {
        let world = World::new(database).await;
        let sessions = world.store.sessions();
        let mut kept = record(&world, 10);
        sessions.create(&mut kept).await.unwrap();
        let large = HashMap::from([("n".to_owned(), json!("a".repeat(500_000)))]);
        assert!(sessions.save(&Record { data: large.clone(), ..kept.clone() }).await.is_err());
        assert_eq!(sessions.load(&kept.id).await.unwrap(), Some(kept));
        assert!(sessions.create(&mut Record { data: large, ..record(&world, 10) }).await.is_err());
        assert_eq!(world.count("sessions").await, 1);
    }

    async fn of_one_user_only_the_latest_sessions_are_kept(database: TempDatabase) {
        let world = World::new(database).await;
        let sessions = world.store.sessions();
        let of = |user: UserId, minutes| Record { data: HashMap::from([("user".into(), json!(user))]), ..record(&world, minutes) };
        let mut another = of(UserId::from_uuid(Uuid::now_v7()), 1);
        sessions.create(&mut another).await.unwrap();
        let mut all: Vec<_> = (1..=30).map(|minutes| of(world.user, minutes)).collect();
        for session in &mut all {
            sessions.create(session).await.unwrap();
        }
        assert!(sessions.load(&all[9].id).await.unwrap().is_none());
        assert!(sessions.load(&all[10].id).await.unwrap().is_some());
        assert!(sessions.load(&another.id).await.unwrap().is_some());
        assert_eq!(world.count("sessions").await, 21);
        // Those of after the clock was put back are the latest, though they end first.
        let mut new = [1, 2].map(|minutes| of(world.user, minutes));
        for session in &mut new {
            sessions.create(session).await.unwrap();
        }
        for session in &new {
            assert!(sessions.load(&session.id).await.unwrap().is_some());
        }
        assert_eq!(world.count("sessions").await, 21);
    }

    async fn a_session_in_use_stays_while_many_others_begin(database: TempDatabase) {
        const TWO_WEEKS: i64 = 14 * 24 * 60;
        let world = World::new(database).await;
        let sessions = world.store.sessions();
        let new = || Record { data: HashMap::from([("user".into(), json!(world.user))]), ..record(&world, TWO_WEEKS) };
        let mut used = new();
        sessions.create(&mut used).await.unwrap();
        for _ in 0..50 {
            world.dial.advance_ms(60 * 60_000);
            sessions.create(&mut new()).await.unwrap();
            sessions.prolong(&used.id, record(&world, TWO_WEEKS).expiry_date).await.unwrap();
        }
        assert!(sessions.load(&used.id).await.unwrap().is_some());
        assert_eq!(world.count("sessions").await, 20);
    }

    async fn many_expired_sessions_go_and_those_that_live_stay(database: TempDatabase) {
        let world = World::new(database).await;
        let mut kept = record(&world, 10);
        world.store.sessions().create(&mut kept).await.unwrap();
        let old = "INSERT INTO sessions (id, data, expires_at_ms) \
                   WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2500) SELECT CAST(n AS TEXT), '{}', n FROM n";
        assert_eq!(world.sql(old).await.rows_affected(), 2500);
        world.store.sessions().delete_expired().await.unwrap();
        assert_eq!(world.count("sessions").await, 1);
        assert!(world.store.sessions().load(&kept.id).await.unwrap().is_some());
    }

    async fn a_session_is_prolonged_by_hours_and_says_what_it_said(database: TempDatabase) {
        let world = World::new(database).await;
        let sessions = world.store.sessions();
        let mut kept = record(&world, 10);
        sessions.create(&mut kept).await.unwrap();
        assert!(!sessions.prolong(&kept.id, record(&world, 60).expiry_date).await.unwrap());
        let loaded_before = sessions.load(&kept.id).await.unwrap().unwrap();
        kept.data.insert("n".into(), json!(2));
        sessions.save(&kept).await.unwrap();
        kept.expiry_date = record(&world, 70).expiry_date;
        assert!(sessions.prolong(&loaded_before.id, kept.expiry_date).await.unwrap());
        assert_eq!(sessions.load(&kept.id).await.unwrap(), Some(kept.clone()));
        sessions.delete(&kept.id).await.unwrap();
        assert!(!sessions.prolong(&kept.id, record(&world, 140).expiry_date).await.unwrap(), "what has ended stays ended");
    }

    async fn a_colliding_id_is_changed_and_the_older_session_left_alone(database: TempDatabase) {
        let world = World::new(database).await;
        let sessions = world.store.sessions();
        let (mut first, mut second) = (record(&world, 10), record(&world, 10));
        second.id = first.id;
        second.data.clear();
        sessions.create(&mut first).await.unwrap();
        sessions.create(&mut second).await.unwrap();
        assert_ne!(first.id, second.id);
        assert_eq!(sessions.load(&first.id).await.unwrap(), Some(first.clone()));
        sessions.delete(&first.id).await.unwrap();
        assert_eq!(sessions.load(&first.id).await.unwrap(), None);
        assert!(sessions.load(&second.id).await.unwrap().is_some());
    }

    async fn the_database_does_not_know_what_it_takes_to_be_someone(database: TempDatabase) {
        let world = World::new(database).await;
        let mut session = record(&world, 10);
        world.store.sessions().create(&mut session).await.unwrap();
        let stored = world.texts("SELECT id FROM sessions").await;
        let digest = hex::encode(Sha256::digest(session.id.to_string()));
        assert_eq!(stored, [digest]);
        let forged: Result<Id, _> = stored[0].parse();
        assert!(forged.is_err(), "what stands there is no id");
    }
}
