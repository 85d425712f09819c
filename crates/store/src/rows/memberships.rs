//! The `memberships` table: which user belongs to which tenant, and as what.

use crate::{StoreError, database::write::Write, entity::membership as table};
use domain::{Membership, Role};
use sea_orm::{ActiveValue::Set, EntityTrait};

/// The only place that writes one.
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

/// A role as it is stored.
pub(crate) fn role(name: &str) -> Result<Role, StoreError> {
    Role::named(name).ok_or_else(|| StoreError::inconsistent("memberships", "role", name))
}
