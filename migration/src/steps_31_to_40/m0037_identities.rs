//! Who people are at an OpenID provider.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(identities()).await?;
        // A user has one at each provider.
        let by_user = Index::create().name("identities_by_user").table("identities").col("user_id").col("issuer").unique().take();
        manager.create_index(by_user).await
    }
}

/// `issuer` and `subject`: as the provider says them. `email`: what it said when the identity was linked.
fn identities() -> TableCreateStatement {
    Table::create()
        .table("identities")
        .col(text("issuer"))
        .col(text("subject"))
        .col(uuid("user_id"))
        .col(text("email"))
        .col(big_integer("created_at_ms"))
        .primary_key(Index::create().col("issuer").col("subject"))
        .foreign_key(ForeignKey::create().from("identities", "user_id").to("users", "id"))
        .take()
}
