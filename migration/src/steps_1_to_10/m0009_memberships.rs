//! Which user belongs to which tenant, and as what. Until now each user had a tenant, and did what they liked there.

use sea_orm_migration::{prelude::*, schema::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            // At once, in the order in which a job that is taken in locks them: locks taken bit by bit and then raised
            // would wait for one that waits for them.
            let both = "LOCK TABLE tenants, users IN ACCESS EXCLUSIVE MODE";
            manager.get_connection().execute_unprepared(both).await?;
        }
        manager.create_table(memberships()).await?;
        for statement in [
            "INSERT INTO memberships (tenant_id, user_id, role, created_at_ms) SELECT tenant_id, id, 'owner', created_at_ms FROM users",
            // A user has one membership, and is found with it when they sign in.
            "CREATE UNIQUE INDEX memberships_by_user ON memberships (user_id)",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        match manager.get_database_backend() {
            DbBackend::Sqlite => users_anew(manager).await,
            _ => manager.get_connection().execute_unprepared("ALTER TABLE users DROP COLUMN tenant_id").await.map(drop),
        }
    }

    /// Also where whoever brings the schema up to date has begun none: foreign keys are looked at when it ends.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

/// SQLite cannot drop a column with a foreign key, so the table is made anew, with the users in it that others refer to.
async fn users_anew(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for statement in [
        "PRAGMA defer_foreign_keys = ON",
        // For each user, SQLite looks for the jobs that refer to them: without an index, through all there are.
        "CREATE INDEX jobs_by_user ON jobs (user_id)",
        "CREATE INDEX api_keys_by_user ON api_keys (user_id)",
        "CREATE TABLE users_kept AS SELECT id, email, password_hash, is_operator, created_at_ms FROM users",
        "DROP TABLE users",
    ] {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    manager.create_table(users()).await?;
    for statement in [
        "INSERT INTO users (id, email, password_hash, is_operator, created_at_ms) \
         SELECT id, email, password_hash, is_operator, created_at_ms FROM users_kept",
        "DROP TABLE users_kept",
        "DROP INDEX api_keys_by_user",
        "DROP INDEX jobs_by_user",
    ] {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    Ok(())
}

/// What a user is in a tenant; `role` as in `domain::Role`.
fn memberships() -> TableCreateStatement {
    Table::create()
        .table("memberships")
        .col(uuid("tenant_id"))
        .col(uuid("user_id"))
        .col(text("role"))
        .col(big_integer("created_at_ms"))
        .primary_key(Index::create().col("tenant_id").col("user_id"))
        .foreign_key(ForeignKey::create().from("memberships", "tenant_id").to("tenants", "id"))
        .foreign_key(ForeignKey::create().from("memberships", "user_id").to("users", "id"))
        .take()
}

/// People who sign in.
fn users() -> TableCreateStatement {
    Table::create()
        .table("users")
        .col(uuid("id").primary_key())
        .col(text("email").unique_key())
        .col(text("password_hash"))
        .col(boolean("is_operator"))
        .col(big_integer("created_at_ms"))
        .take()
}
