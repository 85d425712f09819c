//! The `tenants` table, but for what `billing` and `open_work` write.

use super::projects;
use crate::{StoreError, billing::default_plan, database::write::Write, entity::tenant as table};
use domain::{Email, ProjectId, TenantId};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::LockType};

/// A new one, called after whoever owns it.
pub(crate) async fn insert(write: &Write, id: TenantId, owner: &Email) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(id.uuid()),
        name: Set(owner.local_part().to_owned()),
        created_at_ms: Set(write.now.ms()),
        plan: Set(default_plan(&write.tx).await?),
        plan_since_ms: Set(write.now.ms()),
        ..Default::default()
    };
    table::Entity::insert(row).exec_without_returning(&write.tx).await?;
    projects::insert(write, id, ProjectId::default_of(id), projects::DEFAULT_NAME).await
}

/// Nobody else changes who belongs to it until this transaction ends. `false`: there is no such tenant any more.
pub(crate) async fn lock(write: &Write, id: TenantId) -> Result<bool, StoreError> {
    let live = table::Entity::find_by_id(id.uuid()).filter(table::Column::DeletedAtMs.is_null());
    Ok(live.lock(LockType::NoKeyUpdate).one(&write.tx).await?.is_some())
}

pub(crate) async fn name(db: &impl ConnectionTrait, id: TenantId) -> Result<Option<String>, StoreError> {
    let live = table::Entity::find_by_id(id.uuid()).filter(table::Column::DeletedAtMs.is_null());
    Ok(live.one(db).await?.map(|row| row.name))
}

pub(crate) async fn rename(write: &Write, id: TenantId, name: &str) -> Result<(), StoreError> {
    let named = table::ActiveModel { name: Set(name.to_owned()), ..Default::default() };
    table::Entity::update_many().set(named).filter(table::Column::Id.eq(id.uuid())).exec(&write.tx).await?;
    Ok(())
}

/// From now on it is nobody's, and nameless; its rows and objects go after it.
pub(crate) async fn mark_deleted(write: &Write, id: TenantId) -> Result<(), StoreError> {
    let gone = table::ActiveModel { name: Set(String::new()), deleted_at_ms: Set(Some(write.now.ms())), ..Default::default() };
    table::Entity::update_many().set(gone).filter(table::Column::Id.eq(id.uuid())).exec(&write.tx).await?;
    Ok(())
}

/// When nothing refers to it any more.
pub(crate) async fn delete(write: &Write, id: TenantId) -> Result<(), StoreError> {
    projects::delete_all(write, id).await?;
    table::Entity::delete_by_id(id.uuid()).exec(&write.tx).await?;
    Ok(())
}
