//! Who may do what: tenants, users, their sessions and API keys.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [tenants(), users(), sessions(), api_keys(), sign_in_failures()] {
            manager.create_table(table).await?;
        }
        manager
            .create_index(Index::create().name("api_keys_by_tenant").table("api_keys").col("tenant_id").col("created_at_ms").take())
            .await?;
        manager.create_index(Index::create().name("sessions_by_expiry").table("sessions").col("expires_at_ms").take()).await
    }
}

fn tenants() -> TableCreateStatement {
    Table::create().table("tenants").col(uuid("id").primary_key()).col(text("name")).col(big_integer("created_at_ms")).take()
}

fn users() -> TableCreateStatement {
    Table::create()
        .table("users")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(text("email").unique_key())
        .col(text("password_hash"))
        .col(boolean("is_operator"))
        .col(big_integer("created_at_ms"))
        .foreign_key(ForeignKey::create().from("users", "tenant_id").to("tenants", "id"))
        .take()
}

/// Rows of tower-sessions: a random id and the visitor's data.
fn sessions() -> TableCreateStatement {
    Table::create().table("sessions").col(text("id").primary_key()).col(binary("data")).col(big_integer("expires_at_ms")).take()
}

/// Only the SHA-256 of a key is kept, and a hint by which its owner recognises it.
fn api_keys() -> TableCreateStatement {
    Table::create()
        .table("api_keys")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("user_id"))
        .col(text("name"))
        .col(text("hint"))
        .col(binary("secret_sha256").unique_key())
        .col(big_integer("created_at_ms"))
        .col(big_integer_null("last_used_at_ms"))
        .col(big_integer_null("revoked_at_ms"))
        .foreign_key(ForeignKey::create().from("api_keys", "tenant_id").to("tenants", "id"))
        .foreign_key(ForeignKey::create().from("api_keys", "user_id").to("users", "id"))
        .take()
}

/// Failed sign-ins by subject (an email address or a network address) in the running window.
fn sign_in_failures() -> TableCreateStatement {
    Table::create()
        .table("sign_in_failures")
        .col(text("subject").primary_key())
        .col(integer("failures"))
        .col(big_integer("window_ends_at_ms"))
        .take()
}
