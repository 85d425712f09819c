//! Values that are drawn once, by whichever process comes first, and are the same for all.

use crate::{Store, StoreError, database::connect, entity::setting as table};
use sea_orm::{ActiveValue::Set, DbBackend, EntityTrait};

/// Names the advisory lock under which a value is drawn.
const SETTINGS_LOCK: i64 = 0x5265_656c_0003;

#[derive(Clone, Copy)]
pub struct Settings<'a> {
    store: &'a Store,
}

impl<'a> Settings<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub async fn find(self, name: &str) -> Result<Option<String>, StoreError> {
        let row = table::Entity::find_by_id(name).one(&self.store.db).await?;
        Ok(row.map(|row| row.value))
    }

    /// The value that was there, else `proposed`, which is kept from now on.
    pub async fn settle(self, name: &str, proposed: &str) -> Result<String, StoreError> {
        self.settle_alone(name, async { Ok(proposed.to_owned()) }).await
    }

    /// The same, where the proposal is made while no other process makes one.
    pub(crate) async fn settle_alone<E: From<StoreError>>(
        self,
        name: &str,
        proposal: impl Future<Output = Result<String, E>>,
    ) -> Result<String, E> {
        if let Some(value) = self.find(name).await? {
            return Ok(value);
        }
        let write = self.store.write().await?;
        if write.backend() == DbBackend::Postgres {
            connect::lock(&write.tx, SETTINGS_LOCK).await.map_err(StoreError::from)?;
        }
        if let Some(row) = table::Entity::find_by_id(name).one(&write.tx).await.map_err(StoreError::from)? {
            write.abandon().await?;
            return Ok(row.value);
        }
        let value = proposal.await?;
        let row = table::ActiveModel { name: Set(name.to_owned()), value: Set(value.clone()) };
        table::Entity::insert(row).exec_without_returning(&write.tx).await.map_err(StoreError::from)?;
        write.commit().await?;
        Ok(value)
    }
}
