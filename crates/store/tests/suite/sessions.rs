//! Browser sessions.

use crate::World;
use domain::Clock;
use std::collections::HashMap;
use store::on_both_engines;
use time::OffsetDateTime;
use tower_sessions_core::{
    ExpiredDeletion, SessionStore,
    session::{Id, Record},
};

fn record(world: &World, minutes: i64) -> Record {
    let expiry_ms = world.dial.now().ms() + minutes * 60_000;
    Record {
        id: Id::default(),
        data: HashMap::from([("user".to_owned(), serde_json::json!("ada"))]),
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
        kept.data.insert("n".into(), serde_json::json!(2));
        sessions.save(&kept).await.unwrap();
        assert_eq!(sessions.load(&kept.id).await.unwrap(), Some(kept.clone()));
        world.dial.advance_ms(10 * 60_000);
        assert_eq!(sessions.load(&kept.id).await.unwrap(), None);
        sessions.delete_expired().await.unwrap();
        world.dial.advance_ms(-60_000);
        assert_eq!(sessions.load(&kept.id).await.unwrap(), None);
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
}
