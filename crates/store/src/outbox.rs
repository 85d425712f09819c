//! The outbox: events that were added in the transaction of the data they belong to, on their way out.
//!
//! Each is delivered at least once, those of a subject one after the other. What cannot be delivered is tried again after
//! pauses that grow, and given up in the end, so that those behind it go on.

use crate::{Store, StoreError, database::events::NewEvent, entity::outbox as table, rows::unsigned};
use domain::{
    Timestamp,
    delivery::{DELIVERY_PAUSE_MAX_MS, delivery_pause_ms},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter};

/// An event that its taker has for itself until `until`.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub number: i64,
    pub subject: String,
    pub kind: String,
    pub payload: serde_json::Value,
    /// This delivery included.
    pub attempts: u32,
    until: Timestamp,
}

#[derive(FromQueryResult)]
struct Row {
    number: i64,
    subject: String,
    kind: String,
    payload: String,
    attempts: i32,
}

/// The oldest event of each subject is next in it, whoever has it; of those that are due, the one that is due for longest.
const NEXT: &str = "SELECT number, subject, kind, payload, attempts FROM outbox AS event \
     WHERE given_up_at_ms IS NULL AND (not_before_ms <= $1 OR not_before_ms > $2) \
     AND (taken_until_ms IS NULL OR taken_until_ms <= $1 OR taken_until_ms > $2) \
     AND NOT EXISTS (SELECT 1 FROM outbox AS older \
     WHERE older.subject = event.subject AND older.number < event.number AND older.given_up_at_ms IS NULL)";

#[derive(Clone, Copy)]
pub struct Outbox<'a> {
    store: &'a Store,
}

impl<'a> Outbox<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Adds an event that belongs to nothing else that is written.
    pub async fn add(self, event: NewEvent) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        write.add_event(event);
        write.commit().await
    }

    /// Takes the event of one of `kinds` that is due for longest. For `for_ms` nobody else gets it, or one behind it in its
    /// subject: to be delivered, or given up, by then.
    pub async fn take(self, kinds: &[&str], for_ms: i64) -> Result<Option<Event>, StoreError> {
        let write = self.store.write().await?;
        let (now, until) = (write.now, write.now.plus_ms(for_ms));
        let places: Vec<_> = (0..kinds.len()).map(|at| format!("${}", at + 3)).collect();
        let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
        let sql = format!("{NEXT} AND kind IN ({}) ORDER BY not_before_ms, number LIMIT 1 {lock}", places.join(", "));
        let ahead = now.plus_ms(2 * DELIVERY_PAUSE_MAX_MS).ms();
        let values = [now.ms().into(), ahead.into()].into_iter().chain(kinds.iter().map(|kind| (*kind).into()));
        let statement = sea_orm::Statement::from_sql_and_values(write.backend(), sql, values);
        let Some(row) = Row::find_by_statement(statement).one(&write.tx).await? else {
            write.abandon().await?;
            return Ok(None);
        };
        let taken = table::ActiveModel { taken_until_ms: Set(Some(until.ms())), attempts: Set(row.attempts + 1), ..Default::default() };
        table::Entity::update_many().set(taken).filter(table::Column::Number.eq(row.number)).exec(&write.tx).await?;
        write.commit().await?;
        Ok(Some(Event {
            number: row.number,
            payload: serde_json::from_str(&row.payload).map_err(|_| StoreError::inconsistent("outbox", "payload", row.number))?,
            subject: row.subject,
            kind: row.kind,
            attempts: unsigned("outbox", "attempts", row.attempts + 1)?,
            until,
        }))
    }

    /// It has arrived. `false`: it took too long, and somebody else has it now.
    pub async fn delivered(self, event: &Event) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let done = table::Entity::delete_many().filter(mine(event)).exec(&write.tx).await?;
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }

    /// It has not: it is tried again after a pause, or given up. `chance` as in [`delivery_pause_ms`]; `false` as in
    /// [`Self::delivered`].
    pub async fn failed(self, event: &Event, error: &str, chance: f64) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let pause = delivery_pause_ms(event.attempts, chance);
        let next = table::ActiveModel {
            taken_until_ms: Set(None),
            last_error: Set(Some(error.to_owned())),
            not_before_ms: Set(write.now.plus_ms(pause.unwrap_or_default()).ms()),
            given_up_at_ms: Set(pause.is_none().then(|| write.now.ms())),
            ..Default::default()
        };
        let done = table::Entity::update_many().set(next).filter(mine(event)).exec(&write.tx).await?;
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }
}

/// The row, as long as its taker has it.
fn mine(event: &Event) -> sea_orm::Condition {
    sea_orm::Condition::all().add(table::Column::Number.eq(event.number)).add(table::Column::TakenUntilMs.eq(event.until.ms()))
}
