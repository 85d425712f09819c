//! The `users` table: people who sign in.

use crate::{StoreError, database::write::Write, entity::user as table};
use domain::{Email, UserId};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::LockType};

pub(crate) async fn insert(write: &Write, row: table::ActiveModel) -> Result<(), StoreError> {
    table::Entity::insert(row).exec_without_returning(&write.tx).await?;
    Ok(())
}

/// Nobody else changes it until this transaction ends.
pub(crate) async fn locked(write: &Write, id: UserId) -> Result<Option<table::Model>, StoreError> {
    let live = table::Entity::find_by_id(id.uuid()).filter(table::Column::DeletedAtMs.is_null());
    Ok(live.lock(LockType::NoKeyUpdate).one(&write.tx).await?)
}

/// Their address, where it was seen to be theirs: others get no mails of what is done to an account.
pub(crate) fn confirmed_email(row: &table::Model) -> Result<Option<Email>, StoreError> {
    row.email_verified_at_ms.map(|_| email(row)).transpose()
}

pub(crate) fn email(row: &table::Model) -> Result<Email, StoreError> {
    row.email.parse().map_err(|_| StoreError::inconsistent("users", "email", &row.email))
}

pub(crate) async fn by_email(db: &impl ConnectionTrait, email: &Email) -> Result<Option<table::Model>, StoreError> {
    Ok(table::Entity::find().filter(table::Column::Email.eq(email.as_str())).one(db).await?)
}

pub(crate) async fn set_password(write: &Write, id: UserId, hash: &str) -> Result<(), StoreError> {
    update(write, id, table::ActiveModel { password_hash: Set(hash.to_owned()), ..Default::default() }).await
}

/// As confirmed just now.
pub(crate) async fn set_email(write: &Write, id: UserId, email: &Email) -> Result<(), StoreError> {
    let (email, email_verified_at_ms) = (Set(email.as_str().to_owned()), Set(Some(write.now.ms())));
    update(write, id, table::ActiveModel { email, email_verified_at_ms, ..Default::default() }).await
}

/// From now on nobody signs in by it, and its address is free; the row goes when nothing refers to it any more.
pub(crate) async fn mark_deleted(write: &Write, id: UserId) -> Result<(), StoreError> {
    let gone = table::ActiveModel {
        email: Set(id.to_string()),
        password_hash: Set(String::new()),
        is_operator: Set(false),
        deleted_at_ms: Set(Some(write.now.ms())),
        ..Default::default()
    };
    update(write, id, gone).await
}

pub(crate) async fn delete(write: &Write, id: UserId) -> Result<(), StoreError> {
    table::Entity::delete_by_id(id.uuid()).exec(&write.tx).await?;
    Ok(())
}

async fn update(write: &Write, id: UserId, columns: table::ActiveModel) -> Result<(), StoreError> {
    table::Entity::update_many().set(columns).filter(table::Column::Id.eq(id.uuid())).exec(&write.tx).await?;
    Ok(())
}
