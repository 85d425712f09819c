//! Values that are the same for all processes; some are drawn once, by whichever comes first.

use crate::{Store, StoreError, database::write::Write, entity::setting as table};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::OnConflict};

/// Names the advisory lock under which a value is drawn, or made of the one before.
const SETTINGS_LOCK: i64 = 0x5265_656c_0003;

#[derive(Clone, Copy)]
pub struct Settings<'a> {
    store: &'a Store,
}

impl<'a> Settings<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// The value is this one from now on.
    pub async fn set(self, name: &str, value: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        put(&write, name, value).await?;
        write.commit().await
    }

    /// The value is what `change` makes of the one that is there, while no other process changes one. Where it fails nothing is written.
    pub(crate) async fn change<E: From<StoreError>>(
        self,
        name: &str,
        change: impl FnOnce(Option<String>) -> Result<String, E>,
    ) -> Result<(), E> {
        let write = self.store.write().await?;
        let changed = change_in(&write, name, change).await;
        write.end(changed).await
    }

    pub async fn find(self, name: &str) -> Result<Option<String>, StoreError> {
        let row = table::Entity::find_by_id(name).one(&self.store.shared).await?;
        Ok(row.map(|row| row.value))
    }

    /// Those whose names begin so, with their values.
    pub async fn beginning_with(self, prefix: &str) -> Result<Vec<(String, String)>, StoreError> {
        let rows = table::Entity::find().filter(table::Column::Name.starts_with(prefix)).all(&self.store.shared).await?;
        // An underscore stands for any letter there.
        Ok(rows.into_iter().filter(|row| row.name.starts_with(prefix)).map(|row| (row.name, row.value)).collect())
    }

    /// It is as if it had never been set.
    pub async fn remove(self, name: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        table::Entity::delete_by_id(name).exec(&write.tx).await?;
        write.commit().await
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
        // A row that is not there cannot be locked.
        write.alone(SETTINGS_LOCK).await?;
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

async fn change_in<E: From<StoreError>>(
    write: &Write,
    name: &str,
    change: impl FnOnce(Option<String>) -> Result<String, E>,
) -> Result<(), E> {
    write.alone(SETTINGS_LOCK).await?;
    let row = table::Entity::find_by_id(name).one(&write.tx).await.map_err(StoreError::from)?;
    let value = change(row.map(|row| row.value))?;
    Ok(put(write, name, &value).await?)
}

async fn put(write: &Write, name: &str, value: &str) -> Result<(), StoreError> {
    let row = table::ActiveModel { name: Set(name.to_owned()), value: Set(value.to_owned()) };
    let again = OnConflict::column(table::Column::Name).update_column(table::Column::Value).to_owned();
    table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
    Ok(())
}
