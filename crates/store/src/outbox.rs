//! The outbox: events that were added in the transaction of the data they belong to, on their way out.
//!
//! Each is delivered at least once, those of a subject one after the other. What cannot be delivered is tried again after
//! pauses that grow, and given up in the end, so that those behind it go on.

use crate::{
    Store, StoreError,
    database::{
        events::{MAIL, NewEvent, lock_subject},
        write::Write,
    },
    entity::{outbox as table, unsigned},
};
use domain::{
    Timestamp, UserId,
    account::mail::Mail,
    delivery::{DELIVERIES_MAX, DELIVERY_PAUSE_MAX_MS, GIVEN_UP_KEPT_MS, delivery_pause_ms},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter, Statement, Value,
};

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

/// An event that could not be delivered so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undelivered {
    pub number: i64,
    pub subject: String,
    pub attempts: u32,
    pub error: String,
    pub since: Timestamp,
    pub is_given_up: bool,
}

#[derive(FromQueryResult)]
struct UndeliveredRow {
    number: i64,
    subject: String,
    attempts: i32,
    last_error: Option<String>,
    created_at_ms: i64,
    given_up_at_ms: Option<i64>,
}

#[derive(FromQueryResult)]
struct Row {
    number: i64,
    subject: String,
    kind: String,
    payload: String,
    attempts: i32,
}

/// Of what a receiver said no more is kept.
const ERROR_CHARS_MAX: usize = 2000;
/// In the payload of a [`Mail::ChangeEmail`]. No address says this: a quote in it has a backslash before it.
const CHANGE_EMAIL: &str = r#""mail":"change_email""#;
/// The oldest event of the subject is next in it.
const NEXT_OF_SUBJECT: &str = "UPDATE outbox SET behind = FALSE \
     WHERE number = (SELECT MIN(number) FROM outbox WHERE subject = $1 AND given_up_at_ms IS NULL)";

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
        // Mostly there is none: then nobody has to wait for a writer.
        let now = self.store.now().await?;
        let Some(kind) = kind_due(&self.store.db, kinds, now).await? else { return Ok(None) };
        let write = self.store.write().await?;
        let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
        let Some(row) = due(&write.tx, &kind, write.now, lock).await? else {
            write.abandon().await?;
            // Somebody else has just taken all of it that was due.
            let others: Vec<&str> = kinds.iter().copied().filter(|other| *other != kind).collect();
            return Box::pin(self.take(&others, for_ms)).await;
        };
        let attempts: u32 = unsigned("outbox", "attempts", row.attempts)?;
        if attempts >= DELIVERIES_MAX {
            // Whoever had it never said what became of it, not once.
            write.abandon().await?;
            self.give_up(&row).await?;
            return Box::pin(self.take(kinds, for_ms)).await;
        }
        let until = write.now.plus_ms(for_ms);
        let taken = table::ActiveModel { due_at_ms: Set(until.ms()), attempts: Set(row.attempts + 1), ..Default::default() };
        table::Entity::update_many().set(taken).filter(table::Column::Number.eq(row.number)).exec(&write.tx).await?;
        write.commit().await?;
        Ok(Some(Event {
            number: row.number,
            payload: serde_json::from_str(&row.payload).map_err(|_| StoreError::inconsistent("outbox", "payload", row.number))?,
            subject: row.subject,
            kind: row.kind,
            attempts: attempts + 1,
            until,
        }))
    }

    /// As all who remove an event, this locks its subject before its row.
    async fn give_up(self, row: &Row) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        lock_subject(&write.tx, &row.subject).await?;
        let given_up = table::ActiveModel { given_up_at_ms: Set(Some(write.now.ms())), ..Default::default() };
        let this = Condition::all().add(table::Column::Number.eq(row.number)).add(table::Column::Attempts.eq(row.attempts));
        let done =
            table::Entity::update_many().set(given_up).filter(this).filter(table::Column::GivenUpAtMs.is_null()).exec(&write.tx).await?;
        if done.rows_affected == 1 {
            free_next(&write, &row.subject).await?;
        }
        write.commit().await
    }

    /// It has arrived. `false`: it took too long, and somebody else has it now.
    pub async fn delivered(self, event: &Event) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        lock_subject(&write.tx, &event.subject).await?;
        let done = table::Entity::delete_many().filter(mine(event)).exec(&write.tx).await?;
        if done.rows_affected == 1 {
            free_next(&write, &event.subject).await?;
        }
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }

    /// It has not: it is tried again after a pause, or given up. `chance` as in [`delivery_pause_ms`]; `false` as in
    /// [`Self::delivered`].
    pub async fn failed(self, event: &Event, error: &str, chance: f64) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        lock_subject(&write.tx, &event.subject).await?;
        let pause = delivery_pause_ms(event.attempts, chance);
        let next = table::ActiveModel {
            // PostgreSQL takes no NUL in a text.
            last_error: Set(Some(error.chars().filter(|character| *character != '\0').take(ERROR_CHARS_MAX).collect())),
            due_at_ms: Set(write.now.plus_ms(pause.unwrap_or_default()).ms()),
            given_up_at_ms: Set(pause.is_none().then(|| write.now.ms())),
            ..Default::default()
        };
        let done = table::Entity::update_many().set(next).filter(mine(event)).exec(&write.tx).await?;
        if done.rows_affected == 1 && pause.is_none() {
            free_next(&write, &event.subject).await?;
        }
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }

    /// Those of a kind whose delivery has failed at least once, the newest first.
    pub async fn undelivered(self, kind: &str, limit: u64) -> Result<Vec<Undelivered>, StoreError> {
        let db = &self.store.db;
        let sql = "SELECT number, subject, attempts, last_error, created_at_ms, given_up_at_ms FROM outbox \
             WHERE kind = $1 AND last_error IS NOT NULL ORDER BY number DESC LIMIT $2";
        let values = [kind.into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
        let rows = UndeliveredRow::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values));
        let undelivered = |row: UndeliveredRow| Undelivered {
            number: row.number,
            subject: row.subject,
            attempts: row.attempts.unsigned_abs(),
            error: row.last_error.unwrap_or_default(),
            since: Timestamp::from_ms(row.created_at_ms),
            is_given_up: row.given_up_at_ms.is_some(),
        };
        Ok(rows.all(db).await?.into_iter().map(undelivered).collect())
    }

    /// Removes what was given up of a kind whose newest event does for all of its subject.
    pub async fn drop_repeated(self, kind: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let repeated = "DELETE FROM outbox WHERE kind = $1 AND given_up_at_ms IS NOT NULL AND EXISTS (SELECT 1 FROM outbox AS later \
             WHERE later.subject = outbox.subject AND later.kind = outbox.kind AND later.number > outbox.number AND later.given_up_at_ms IS NULL)";
        write.tx.execute_raw(write.statement(repeated, [kind.into()])).await?;
        write.commit().await
    }

    /// Tries those of a kind again that were given up: for what must not stay undone, in whichever order.
    pub async fn take_up_again(self, kind: &str) -> Result<u64, StoreError> {
        let write = self.store.write().await?;
        let again = table::ActiveModel {
            given_up_at_ms: Set(None),
            attempts: Set(0),
            due_at_ms: Set(write.now.ms()),
            behind: Set(false),
            ..Default::default()
        };
        let of_kind = table::Entity::update_many().set(again).filter(table::Column::Kind.eq(kind));
        let done = of_kind.filter(table::Column::GivenUpAtMs.is_not_null()).exec(&write.tx).await?;
        write.commit().await?;
        Ok(done.rows_affected)
    }

    /// Removes what was given up long ago.
    pub async fn forget_given_up(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let long_ago = table::Column::GivenUpAtMs.lte(write.now.plus_ms(-GIVEN_UP_KEPT_MS).ms());
        table::Entity::delete_many().filter(long_ago).exec(&write.tx).await?;
        write.commit().await
    }
}

/// Of an event that is due at `now`. One that seems to be due further ahead than anybody sets it, the `latest`, was set before the clock was put
/// back.
fn is_due(now: &str, latest: &str) -> [String; 3] {
    [format!("due_at_ms <= {now}"), format!("due_at_ms > {now} AND attempts = 0"), format!("due_at_ms > {latest}")]
}

/// The first of the kind whose place in the values this is.
fn first_due(columns: &str, kind: usize, is_due: &str) -> String {
    format!(
        "SELECT {columns} FROM outbox WHERE given_up_at_ms IS NULL AND NOT behind AND kind = ${kind} AND {is_due} \
         ORDER BY due_at_ms, number LIMIT 1"
    )
}

/// Which of these kinds has the event that is due for longest. One statement however many they are, and another for what a clock that was put back
/// would delay: that is found behind all that waits for another try.
async fn kind_due(db: &impl ConnectionTrait, kinds: &[&str], now: Timestamp) -> Result<Option<String>, StoreError> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let latest = now.plus_ms(DELIVERY_PAUSE_MAX_MS);
    let conditions = is_due("$1", "$2");
    for (conditions, moments) in [(&conditions[..1], &[now][..]), (&conditions[1..], &[now, latest][..])] {
        if let Some(row) = db.query_one_raw(kind_due_statement(db.get_database_backend(), kinds, conditions, moments)).await? {
            return Ok(Some(row.try_get_by_index(0)?));
        }
    }
    Ok(None)
}

/// `moments`: what the first values are that the conditions name.
fn kind_due_statement(backend: DbBackend, kinds: &[&str], conditions: &[String], moments: &[Timestamp]) -> Statement {
    let first =
        |(kind, is_due): (usize, &String)| format!("SELECT * FROM ({}) AS first", first_due("kind, due_at_ms, number", kind, is_due));
    let places = moments.len() + 1..;
    let firsts: Vec<_> = places.zip(kinds).flat_map(|(place, _)| conditions.iter().map(move |is_due| first((place, is_due)))).collect();
    let sql = format!("SELECT kind FROM ({}) AS firsts ORDER BY due_at_ms, number LIMIT 1", firsts.join(" UNION ALL "));
    let moments = moments.iter().map(|moment| Value::from(moment.ms()));
    let values: Vec<Value> = moments.chain(kinds.iter().map(|kind| Value::from(*kind))).collect();
    Statement::from_sql_and_values(backend, sql, values)
}

/// The first of a kind that is due.
async fn due(db: &impl ConnectionTrait, kind: &str, now: Timestamp, lock: &str) -> Result<Option<Row>, StoreError> {
    let latest = now.plus_ms(DELIVERY_PAUSE_MAX_MS);
    for (is_due, moment) in is_due("$2", "$2").iter().zip([now, now, latest]) {
        let sql = format!("{} {lock}", first_due("number, subject, kind, payload, attempts", 1, is_due));
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [Value::from(kind), moment.ms().into()]);
        let first = Row::find_by_statement(statement).one(db).await?;
        if first.is_some() {
            return Ok(first);
        }
    }
    Ok(None)
}

/// The one behind an event that is gone is next. The subject is locked.
async fn free_next(write: &Write, subject: &str) -> Result<(), StoreError> {
    write.tx.execute_raw(write.statement(NEXT_OF_SUBJECT, [subject.into()])).await?;
    Ok(())
}

/// Removes the mails to addresses that this user wanted to have, also one that is being sent: see [`waits`].
pub(crate) async fn forget_email_changes(write: &Write, user: UserId) -> Result<(), StoreError> {
    let subject = format!("mail {user}");
    lock_subject(&write.tx, &subject).await?;
    let theirs = table::Entity::delete_many().filter(table::Column::Subject.eq(&*subject)).filter(table::Column::Kind.eq(MAIL));
    theirs.filter(table::Column::Payload.contains(CHANGE_EMAIL)).exec(&write.tx).await?;
    free_next(write, &subject).await
}

/// Whether such a mail is still to be sent.
pub(crate) async fn waits(write: &Write, mail: &Mail) -> Result<bool, StoreError> {
    let NewEvent { subject, payload, .. } = NewEvent::mail(mail);
    let this = table::Entity::find().filter(table::Column::Subject.eq(subject)).filter(table::Column::Payload.eq(payload.to_string()));
    Ok(this.filter(table::Column::GivenUpAtMs.is_null()).one(&write.tx).await?.is_some())
}

/// The row, as long as its taker has it.
fn mine(event: &Event) -> Condition {
    Condition::all().add(table::Column::Number.eq(event.number)).add(table::Column::DueAtMs.eq(event.until.ms()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn what_is_due_of_many_kinds_is_found_along_an_index_by_one_statement() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let conditions = is_due("$1", "$2");
        for (conditions, moments) in [(&conditions[..1], 1), (&conditions[1..], 2)] {
            let moments = vec![Timestamp::from_ms(1); moments];
            let looking = kind_due_statement(DbBackend::Sqlite, &["one", "two", "three"], conditions, &moments);
            let plan = Statement { sql: format!("EXPLAIN QUERY PLAN {}", looking.sql), ..looking };
            let rows = store.db.query_all_raw(plan).await.unwrap();
            let steps: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let of_outbox: Vec<_> = steps.iter().filter(|step| step.contains(" outbox ")).collect();
            assert_eq!(of_outbox.len(), 3 * conditions.len(), "{steps:?}");
            let along = |step: &&String| step.starts_with("SEARCH outbox USING") && step.contains("(kind=? AND due_at_ms");
            assert!(of_outbox.iter().all(along), "{steps:?}");
        }
    }
}
