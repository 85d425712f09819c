//! The `projects` table.

use crate::{StoreError, database::write::Write, entity::project as table};
use domain::{ProjectId, TenantId, Timestamp};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, sea_query::Expr};

pub(crate) const DEFAULT_NAME: &str = "Default";

/// A part of a tenant's work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    pub created_at: Timestamp,
    /// Then no key opens it any more.
    pub archived_at: Option<Timestamp>,
    pub is_default: bool,
}

pub(crate) async fn insert(write: &Write, tenant: TenantId, id: ProjectId, name: &str) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(id.uuid()),
        tenant_id: Set(tenant.uuid()),
        name: Set(name.to_owned()),
        created_at_ms: Set(write.now.ms()),
        archived_at_ms: Set(None),
    };
    table::Entity::insert(row).exec_without_returning(&write.tx).await?;
    Ok(())
}

/// All of a tenant, the oldest first.
pub(crate) async fn of_tenant(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Vec<Project>, StoreError> {
    let all = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid()));
    let rows = all.order_by_asc(table::Column::CreatedAtMs).order_by_asc(table::Column::Id).all(db).await?;
    Ok(rows.into_iter().map(parsed).collect())
}

pub(crate) async fn rename(write: &Write, id: ProjectId, name: &str) -> Result<(), StoreError> {
    let this = table::Entity::update_many().col_expr(table::Column::Name, Expr::value(name)).filter(table::Column::Id.eq(id.uuid()));
    this.exec(&write.tx).await?;
    Ok(())
}

pub(crate) async fn archive(write: &Write, id: ProjectId) -> Result<(), StoreError> {
    let archived = table::Entity::update_many().col_expr(table::Column::ArchivedAtMs, Expr::value(write.now.ms()));
    archived.filter(table::Column::Id.eq(id.uuid())).exec(&write.tx).await?;
    Ok(())
}

/// Of a tenant that is deleted.
pub(crate) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(&write.tx).await?;
    Ok(())
}

fn parsed(row: table::Model) -> Project {
    Project {
        id: ProjectId::from_uuid(row.id),
        name: row.name,
        created_at: Timestamp::from_ms(row.created_at_ms),
        archived_at: row.archived_at_ms.map(Timestamp::from_ms),
        is_default: row.id == row.tenant_id,
    }
}
