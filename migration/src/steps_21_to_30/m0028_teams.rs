//! A user may belong to several tenants, and others may be invited.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(invitations()).await?;
        for statement in [
            "DROP INDEX memberships_by_user",
            "CREATE INDEX memberships_by_user ON memberships (user_id, created_at_ms)",
            "CREATE INDEX invitations_by_tenant ON invitations (tenant_id, created_at_ms)",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// Open ones alone: one that is accepted or taken back is gone.
fn invitations() -> TableCreateStatement {
    Table::create()
        .table("invitations")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(text("email"))
        .col(text("role"))
        .col(uuid("invited_by"))
        .col(big_integer("created_at_ms"))
        .col(big_integer("sent_at_ms"))
        .col(big_integer("expires_at_ms"))
        .index(Index::create().unique().name("invitations_once").col("tenant_id").col("email"))
        .foreign_key(ForeignKey::create().from("invitations", "tenant_id").to("tenants", "id"))
        .take()
}
