//! Rows behind the browser sessions of tower-sessions.

use crate::{Store, StoreError, entity::session as table};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::OnConflict};
use std::fmt;
use time::OffsetDateTime;
use tower_sessions_core::{
    ExpiredDeletion, SessionStore,
    session::{Id, Record},
    session_store::{Error, Result},
};

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
        let write = self.store.write().await.map_err(backend)?;
        let insert = table::Entity::insert(row(record)?).on_conflict(taken);
        let inserted = insert.exec_without_returning(&write.tx).await.map_err(backend)?;
        write.commit().await.map_err(backend)?;
        Ok(inserted == 1)
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
            .filter(table::Column::Id.eq(record.id.to_string()))
            .exec(&write.tx)
            .await
            .map_err(backend)?;
        write.commit().await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let now_ms = self.now_ms().await?;
        let row = table::Entity::find_by_id(id.to_string())
            .filter(table::Column::ExpiresAtMs.gt(now_ms))
            .one(&self.store.db)
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
        table::Entity::delete_by_id(id.to_string()).exec(&write.tx).await.map_err(backend)?;
        write.commit().await.map_err(backend)
    }
}

#[async_trait::async_trait]
impl ExpiredDeletion for SessionRows {
    async fn delete_expired(&self) -> Result<()> {
        let write = self.store.write().await.map_err(backend)?;
        table::Entity::delete_many().filter(table::Column::ExpiresAtMs.lte(write.now.ms())).exec(&write.tx).await.map_err(backend)?;
        write.commit().await.map_err(backend)
    }
}

fn row(record: &Record) -> Result<table::ActiveModel> {
    Ok(table::ActiveModel {
        id: Set(record.id.to_string()),
        data: Set(serde_json::to_vec(&record.data).map_err(|error| Error::Encode(error.to_string()))?),
        expires_at_ms: Set(ms(record.expiry_date)),
    })
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
