//! The `memberships` table: which user belongs to which tenant, and as what.

use crate::{StoreError, database::write::Write, entity::membership as table};
use domain::{Membership, Role, TenantId, UserId};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Statement};

/// The only place that makes one.
pub(crate) async fn insert(write: &Write, Membership { tenant, user, role }: Membership) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        tenant_id: Set(tenant.uuid()),
        user_id: Set(user.uuid()),
        role: Set(role.as_str().to_owned()),
        created_at_ms: Set(write.now.ms()),
    };
    table::Entity::insert(row).exec_without_returning(&write.tx).await?;
    Ok(())
}

pub(crate) async fn set_role(write: &Write, Membership { tenant, user, role }: Membership) -> Result<(), StoreError> {
    let row = table::ActiveModel { role: Set(role.as_str().to_owned()), ..Default::default() };
    let this = table::Entity::update_many().set(row).filter(table::Column::TenantId.eq(tenant.uuid()));
    this.filter(table::Column::UserId.eq(user.uuid())).exec(&write.tx).await?;
    Ok(())
}

pub(crate) async fn delete(write: &Write, tenant: TenantId, user: UserId) -> Result<(), StoreError> {
    table::Entity::delete_by_id((tenant.uuid(), user.uuid())).exec(&write.tx).await?;
    Ok(())
}

/// The role of a user in a tenant.
pub(crate) async fn find(db: &impl ConnectionTrait, tenant: TenantId, user: UserId) -> Result<Option<Role>, StoreError> {
    let row = table::Entity::find_by_id((tenant.uuid(), user.uuid())).one(db).await?;
    row.map(|row| role(&row.role)).transpose()
}

/// All of a user, the oldest first.
pub(crate) async fn of_user(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<Membership>, StoreError> {
    let mine = table::Entity::find().filter(table::Column::UserId.eq(user.uuid()));
    let rows = mine.order_by_asc(table::Column::CreatedAtMs).order_by_asc(table::Column::TenantId).all(db).await?;
    rows.into_iter().map(parsed).collect()
}

/// All of a tenant.
pub(crate) async fn of_tenant(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Vec<Membership>, StoreError> {
    let rows = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).all(db).await?;
    rows.into_iter().map(parsed).collect()
}

/// Whether the tenant was made for this user: nobody has joined it before.
pub(crate) async fn is_founder(db: &impl ConnectionTrait, tenant: TenantId, user: UserId) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM memberships JOIN tenants ON tenants.id = tenant_id \
         WHERE tenant_id = $1 AND user_id = $2 AND memberships.created_at_ms = tenants.created_at_ms";
    let values = [tenant.uuid().into(), user.uuid().into()];
    Ok(db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?.is_some())
}

pub(crate) async fn owners(db: &impl ConnectionTrait, tenant: TenantId) -> Result<u64, StoreError> {
    let owners = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid()));
    Ok(owners.filter(table::Column::Role.eq(Role::Owner.as_str())).count(db).await?)
}

fn parsed(row: table::Model) -> Result<Membership, StoreError> {
    Ok(Membership { tenant: TenantId::from_uuid(row.tenant_id), user: UserId::from_uuid(row.user_id), role: role(&row.role)? })
}

/// A role as it is stored.
pub(crate) fn role(name: &str) -> Result<Role, StoreError> {
    Role::named(name).ok_or_else(|| StoreError::inconsistent("memberships", "role", name))
}
