//! Values that are drawn once, by whichever process comes first, and are the same for all.

use crate::{Store, StoreError, entity::setting as table};
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};

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
        if let Some(value) = self.find(name).await? {
            return Ok(value);
        }
        let write = self.store.write().await?;
        let row = table::ActiveModel { name: Set(name.to_owned()), value: Set(proposed.to_owned()) };
        let there = OnConflict::column(table::Column::Name).do_nothing().to_owned();
        table::Entity::insert(row).on_conflict(there).exec_without_returning(&write.tx).await?;
        let row = table::Entity::find_by_id(name).one(&write.tx).await?;
        write.commit().await?;
        row.map(|row| row.value).ok_or(StoreError::Raced { table: "settings" })
    }
}
