//! The inbox: what others tell us is taken in once, however often they tell it, and then worked off as an event of the
//! outbox: at least once, in order for each subject, again after a failure.

use crate::{
    Store, StoreError,
    database::{events::NewEvent, write::Write},
    entity::inbox as table,
};
use domain::delivery::RECEIVED_KEPT_MS;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::OnConflict};

/// Of what was told of somebody whose account is gone only that it came is kept.
pub(crate) async fn forget_bodies(write: &Write, subject: &str) -> Result<(), StoreError> {
    let silent = table::ActiveModel { body: Set(None), subject: Set(None), ..Default::default() };
    table::Entity::update_many().set(silent).filter(table::Column::Subject.eq(subject)).exec(&write.tx).await?;
    Ok(())
}

#[derive(Clone, Copy)]
pub struct Inbox<'a> {
    store: &'a Store,
}

impl<'a> Inbox<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Takes in what `source` calls `name`, as `event`, and keeps the `body` that it came as. `false`: it was taken in before, and nothing has
    /// changed.
    pub async fn receive(self, source: &str, name: &str, body: Option<String>, event: NewEvent) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
        let (source, name, received_at_ms) = (Set(source.to_owned()), Set(name.to_owned()), Set(write.now.ms()));
        let subject = Set(body.is_some().then(|| event.subject.clone()));
        let row = table::ActiveModel { source, name, received_at_ms, body: Set(body), subject };
        let known = OnConflict::columns([table::Column::Source, table::Column::Name]).do_nothing().to_owned();
        if table::Entity::insert(row).on_conflict(known).exec_without_returning(&write.tx).await? == 0 {
            write.abandon().await?;
            return Ok(false);
        }
        write.add_event(event);
        write.commit().await?;
        Ok(true)
    }

    /// Forgets what nobody tells us again.
    pub async fn forget(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let long_ago = table::Column::ReceivedAtMs.lte(write.now.plus_ms(-RECEIVED_KEPT_MS).ms());
        table::Entity::delete_many().filter(long_ago).exec(&write.tx).await?;
        write.commit().await
    }
}
