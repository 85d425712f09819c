//! Codes of an app beside the password, and those for when it is lost.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(second_factors()).await?;
        manager.create_table(recovery_codes()).await
    }
}

/// `secret` is sealed; codes up to `last_step` were used. It is asked for once it is confirmed.
fn second_factors() -> TableCreateStatement {
    Table::create()
        .table("second_factors")
        .col(uuid("user_id").primary_key())
        .col(text("secret"))
        .col(big_integer("last_step"))
        .col(big_integer("created_at_ms"))
        .col(big_integer_null("confirmed_at_ms"))
        .foreign_key(ForeignKey::create().from("second_factors", "user_id").to("users", "id"))
        .take()
}

/// One that was used is gone.
fn recovery_codes() -> TableCreateStatement {
    Table::create()
        .table("recovery_codes")
        .col(uuid("user_id"))
        .col(binary("code_sha256"))
        .primary_key(Index::create().col("user_id").col("code_sha256"))
        .foreign_key(ForeignKey::create().from("recovery_codes", "user_id").to("users", "id"))
        .take()
}
