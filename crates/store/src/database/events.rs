//! Events that a transaction adds to the outbox: they are there when what they tell of is there, and not otherwise.

use crate::{StoreError, entity::outbox as table};
use domain::Timestamp;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

/// Something that happened, to be told to somebody outside of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// What it is about: events of one subject are delivered in the order in which they were added. Whoever adds one holds
    /// a lock on the row that it is about, or two transactions may add theirs in either order.
    pub subject: String,
    /// Who delivers it goes by this.
    pub kind: &'static str,
    pub payload: serde_json::Value,
}

pub(crate) async fn add(db: &impl ConnectionTrait, now: Timestamp, events: Vec<NewEvent>) -> Result<(), StoreError> {
    // One by one: their numbers are drawn in this order.
    for event in events {
        let row = table::ActiveModel {
            subject: Set(event.subject),
            kind: Set(event.kind.to_owned()),
            payload: Set(event.payload.to_string()),
            created_at_ms: Set(now.ms()),
            attempts: Set(0),
            not_before_ms: Set(now.ms()),
            ..Default::default()
        };
        table::Entity::insert(row).exec_without_returning(db).await?;
    }
    Ok(())
}
