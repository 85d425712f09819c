//! Rows behind the browser sessions of tower-sessions. The id, which is all it takes to be someone, stays in the
//! browser: the row is found by its SHA-256, so a copy of the database lets nobody in.

use crate::{
    Store, StoreError,
    database::write::Write,
    entity::session as table,
    rows::account::{asked::Asked, audit},
};
use domain::{Act, Timestamp, UserId};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::OnConflict,
};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::{collections::HashMap, fmt};
use time::{Duration, OffsetDateTime};
use tower_sessions_core::{
    ExpiredDeletion, SessionStore,
    session::{Id, Record},
    session_store::{Error, Result},
};
use uuid::Uuid;

/// The session's key for the id of the signed-in user.
pub const SESSION_USER: &str = "user";
/// Its key for the tenant that they have chosen.
pub const SESSION_TENANT: &str = "tenant";
/// Its key for the look of an operator at a tenant's pages: a `domain::Viewing`.
pub const SESSION_VIEWING: &str = "viewing";
/// Its key for what their browser calls itself.
pub const SESSION_DEVICE: &str = "device";
/// Its key for the network address from which they signed in.
pub const SESSION_ADDRESS: &str = "address";
/// After the last visit.
pub const SESSION_KEPT_FOR: Duration = Duration::days(14);
/// Whoever is signed in more often is signed out where they have not been for longest.
const OF_USER_MAX: u64 = 20;
/// Room for a form with two texts at their limits, each character of which takes six bytes as JSON.
const DATA_BYTES_MAX: usize = 400 * 1024;
/// Few enough for one statement, however large the rows are.
const DELETED_AT_ONCE: i64 = 1000;

/// Names a session, and opens none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionId(String);

impl SessionId {
    #[must_use]
    pub fn of(id: &Id) -> Self {
        Self(hashed(id))
    }

    /// As a form brings it back.
    #[must_use]
    pub const fn from_text(text: String) -> Self {
        Self(text)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A session, as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenSession {
    pub id: SessionId,
    /// What the browser calls itself; empty where it does not.
    pub device: String,
    pub address: String,
    /// Of the last visit, to the hour.
    pub seen_at: Timestamp,
}

/// A `tower_sessions_core::SessionStore` over the `sessions` table.
#[derive(Clone)]
pub struct SessionRows {
    store: Store,
}

impl SessionRows {
    pub(crate) const fn new(store: Store) -> Self {
        Self { store }
    }

    /// A new row. `false`: there is one of this id, and it is as it was.
    async fn insert(&self, record: &Record) -> Result<bool> {
        let taken = OnConflict::column(table::Column::Id).do_nothing().to_owned();
        let row = row(record)?;
        let write = self.store.write().await.map_err(backend)?;
        if let Some(user) = row.user_id.clone().take().flatten() {
            make_room(&write, user, record.expiry_date).await.map_err(backend)?;
        }
        let insert = table::Entity::insert(row).on_conflict(taken);
        let inserted = insert.exec_without_returning(&write.tx).await.map_err(backend)?;
        write.commit().await.map_err(backend)?;
        Ok(inserted == 1)
    }

    /// Lets a session last until then if that is at least an hour longer, and leaves what it says alone: another
    /// request may be changing that. `false`: it stays as it is.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn prolong(&self, id: &Id, until: OffsetDateTime) -> Result<bool> {
        let due = table::Column::ExpiresAtMs.lte(ms(until - Duration::HOUR));
        let row = table::Entity::find_by_id(hashed(id)).filter(due).one(&self.store.shared).await.map_err(backend)?;
        if row.is_none() {
            return Ok(false);
        }
        let later = table::ActiveModel { expires_at_ms: Set(ms(until)), ..Default::default() };
        let write = self.store.write().await.map_err(backend)?;
        let update = table::Entity::update_many().set(later).filter(table::Column::Id.eq(hashed(id)));
        let updated = update.exec(&write.tx).await.map_err(backend)?;
        write.commit().await.map_err(backend)?;
        Ok(updated.rows_affected == 1)
    }

    /// Where a user is signed in; where they were last first.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn of_user(&self, user: UserId) -> std::result::Result<Vec<SeenSession>, StoreError> {
        let now_ms = self.store.now().await?.ms();
        let live = table::Entity::find().filter(table::Column::UserId.eq(user.uuid())).filter(table::Column::ExpiresAtMs.gt(now_ms));
        let rows = live.order_by_desc(table::Column::ExpiresAtMs).all(&self.store.shared).await?;
        Ok(rows.into_iter().map(seen).collect())
    }

    /// Ends one of a user's. `false`: they have no such session.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn end(&self, asked: Asked<'_>, id: &SessionId) -> std::result::Result<bool, StoreError> {
        let write = self.store.write().await?;
        let mine = table::Entity::find_by_id(id.as_str()).filter(table::Column::UserId.eq(asked.user.uuid()));
        let Some(row) = mine.one(&write.tx).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        table::Entity::delete_by_id(id.as_str()).exec(&write.tx).await?;
        audit::insert(&write, &asked.did(Act::SessionEnded, &seen(row).device)).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Ends all of a user's but one.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not answer.
    pub async fn end_others(&self, asked: Asked<'_>, keep: Option<&SessionId>) -> std::result::Result<(), StoreError> {
        let write = self.store.write().await?;
        end_all(&write, asked.user, keep).await?;
        audit::insert(&write, &asked.did(Act::SessionsEnded, "")).await?;
        write.commit().await
    }

    async fn delete_some_expired(&self) -> std::result::Result<u64, StoreError> {
        let write = self.store.write().await?;
        let expired = write.statement(
            "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2)",
            [write.now.ms().into(), DELETED_AT_ONCE.into()],
        );
        let done = write.tx.execute_raw(expired).await?;
        write.commit().await?;
        Ok(done.rows_affected())
    }

    async fn now_ms(&self) -> Result<i64> {
        self.store.now().await.map(|now| now.ms()).map_err(backend)
    }
}

impl fmt::Debug for SessionRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionRows")
    }
}

#[async_trait::async_trait]
impl SessionStore for SessionRows {
    async fn create(&self, record: &mut Record) -> Result<()> {
        while !self.insert(record).await? {
            record.id = Id::default();
        }
        Ok(())
    }

    /// A session that was ended meanwhile stays ended.
    async fn save(&self, record: &Record) -> Result<()> {
        let write = self.store.write().await.map_err(backend)?;
        table::Entity::update_many()
            .set(row(record)?)
            .filter(table::Column::Id.eq(hashed(&record.id)))
            .exec(&write.tx)
            .await
            .map_err(backend)?;
        write.commit().await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let now_ms = self.now_ms().await?;
        let row = table::Entity::find_by_id(hashed(id))
            .filter(table::Column::ExpiresAtMs.gt(now_ms))
            .one(&self.store.shared)
            .await
            .map_err(backend)?;
        row.map(|row| {
            Ok(Record {
                id: *id,
                data: serde_json::from_slice(&row.data).map_err(|error| Error::Decode(error.to_string()))?,
                expiry_date: moment(row.expires_at_ms)?,
            })
        })
        .transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        let write = self.store.write().await.map_err(backend)?;
        table::Entity::delete_by_id(hashed(id)).exec(&write.tx).await.map_err(backend)?;
        write.commit().await.map_err(backend)
    }
}

#[async_trait::async_trait]
impl ExpiredDeletion for SessionRows {
    async fn delete_expired(&self) -> Result<()> {
        while self.delete_some_expired().await.map_err(backend)? == DELETED_AT_ONCE.unsigned_abs() {}
        Ok(())
    }
}

/// For one more session of this user, which lasts until `until`: what is longest unvisited ends. What lasts
/// longer than a new one can was visited before the clock was put back.
async fn make_room(write: &Write, user: Uuid, until: OffsetDateTime) -> std::result::Result<(), DbErr> {
    let is_ahead = table::Column::ExpiresAtMs.gt(ms(until + Duration::MINUTE));
    let of_user = || table::Entity::find().select_only().column(table::Column::Id).filter(table::Column::UserId.eq(user));
    let kept = of_user().order_by_asc(is_ahead).order_by_desc(table::Column::ExpiresAtMs).limit(OF_USER_MAX - 1);
    let others = table::Entity::delete_many().filter(table::Column::UserId.eq(user));
    others.filter(table::Column::Id.not_in_subquery(kept.into_query())).exec(&write.tx).await.map(drop)
}

pub(super) async fn end_all(write: &Write, user: UserId, keep: Option<&SessionId>) -> std::result::Result<(), StoreError> {
    let all = table::Entity::delete_many().filter(table::Column::UserId.eq(user.uuid()));
    let ended = match keep {
        Some(keep) => all.filter(table::Column::Id.ne(keep.as_str())),
        None => all,
    };
    ended.exec(&write.tx).await?;
    Ok(())
}

fn seen(row: table::Model) -> SeenSession {
    let data: HashMap<String, serde_json::Value> = serde_json::from_slice(&row.data).unwrap_or_default();
    let text = |key: &str| data.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let kept_ms = i64::try_from(SESSION_KEPT_FOR.whole_milliseconds()).unwrap_or_default();
    SeenSession {
        id: SessionId(row.id),
        device: text(SESSION_DEVICE),
        address: text(SESSION_ADDRESS),
        seen_at: Timestamp::from_ms(row.expires_at_ms).plus_ms(-kept_ms),
    }
}

fn hashed(id: &Id) -> String {
    hex::encode(Sha256::digest(id.to_string()))
}

fn row(record: &Record) -> Result<table::ActiveModel> {
    let data = serde_json::to_vec(&record.data).map_err(|error| Error::Encode(error.to_string()))?;
    if data.len() > DATA_BYTES_MAX {
        return Err(Error::Encode(format!("a session of {} bytes is too large", data.len())));
    }
    let user = record.data.get(SESSION_USER).and_then(|user| UserId::deserialize(user).ok()).map(UserId::uuid);
    let (id, expires_at_ms) = (Set(hashed(&record.id)), Set(ms(record.expiry_date)));
    Ok(table::ActiveModel { id, user_id: Set(user), data: Set(data), expires_at_ms })
}

/// tower-sessions takes errors as text only.
fn backend(error: impl Into<StoreError>) -> Error {
    let error = error.into();
    match std::error::Error::source(&error) {
        Some(cause) => Error::Backend(format!("{error}: {cause}")),
        None => Error::Backend(error.to_string()),
    }
}

fn ms(moment: OffsetDateTime) -> i64 {
    i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

fn moment(ms: i64) -> Result<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000).map_err(|error| Error::Decode(error.to_string()))
}
