//! The `signing_keys` table: by which client tokens are signed. Whoever reads it cannot sign: what is secret is sealed.

use crate::{Store, StoreError, entity::signing_key as table};
use domain::Timestamp;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

/// Names the advisory lock under which a key is made.
const SIGNING_KEYS_LOCK: i64 = 0x5265_656c_0006;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// As tokens name it.
    pub id: String,
    /// In base64url.
    pub public_key: String,
    pub sealed_seed: String,
    pub created_at: Timestamp,
}

#[derive(Clone, Copy)]
pub struct SigningKeys<'a> {
    store: &'a Store,
}

impl<'a> SigningKeys<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// The newest first.
    pub async fn list(self) -> Result<Vec<SigningKey>, StoreError> {
        list(&self.store.db).await
    }

    /// Adds this key, unless another server has added one since `newest` was; removes those made before `forgotten_before`.
    pub async fn add(self, key: SigningKey, newest: Option<&str>, forgotten_before: Timestamp) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        write.alone(SIGNING_KEYS_LOCK).await?;
        if list(&write.tx).await?.first().map(|key| &*key.id) != newest {
            return write.abandon().await;
        }
        let row = table::ActiveModel {
            id: Set(key.id),
            public_key: Set(key.public_key),
            sealed_seed: Set(key.sealed_seed),
            created_at_ms: Set(key.created_at.ms()),
        };
        table::Entity::insert(row).exec_without_returning(&write.tx).await?;
        table::Entity::delete_many().filter(table::Column::CreatedAtMs.lt(forgotten_before.ms())).exec(&write.tx).await?;
        write.commit().await
    }
}

async fn list(db: &impl ConnectionTrait) -> Result<Vec<SigningKey>, StoreError> {
    let rows = table::Entity::find().order_by_desc(table::Column::CreatedAtMs).order_by_desc(table::Column::Id).all(db).await?;
    let key = |row: table::Model| SigningKey {
        id: row.id,
        public_key: row.public_key,
        sealed_seed: row.sealed_seed,
        created_at: Timestamp::from_ms(row.created_at_ms),
    };
    Ok(rows.into_iter().map(key).collect())
}
