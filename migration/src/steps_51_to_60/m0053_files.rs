//! Files that tenants upload, and those that are made for them: inputs and results of batches.

use crate::steps_31_to_40::m0035_row_level_security;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// The row is there before the object. `is_stored`: the object is whole. `touched_at_ms`: when more of an unfinished one arrived last.
/// `unneeded_since_ms`: nobody reads it any more, and its object is to be removed.
const STATEMENTS: [&str; 7] = [
    "CREATE TABLE files (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, project_id UUID NOT NULL, user_id UUID NOT NULL, \
     api_key_id UUID NULL, purpose TEXT NULL, name TEXT NOT NULL, bytes BIGINT NOT NULL, object_key TEXT NOT NULL, \
     is_stored BOOLEAN NOT NULL, created_at_ms BIGINT NOT NULL, touched_at_ms BIGINT NOT NULL, expires_at_ms BIGINT NULL, \
     unneeded_since_ms BIGINT NULL, removal_failures INTEGER NOT NULL, remove_after_ms BIGINT NOT NULL)",
    // `bytes` so that what a tenant keeps is added up without a look at the rows
    "CREATE INDEX files_of_tenant ON files (tenant_id, id, bytes) WHERE unneeded_since_ms IS NULL",
    "CREATE INDEX files_by_expiry ON files (expires_at_ms) WHERE expires_at_ms IS NOT NULL AND unneeded_since_ms IS NULL",
    "CREATE INDEX files_unfinished ON files (touched_at_ms) WHERE is_stored = FALSE AND unneeded_since_ms IS NULL",
    "CREATE INDEX files_to_remove ON files (remove_after_ms, unneeded_since_ms) WHERE unneeded_since_ms IS NOT NULL",
    "CREATE INDEX files_by_user ON files (tenant_id, user_id)",
    "CREATE UNIQUE INDEX files_by_key ON files (object_key)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        m0035_row_level_security::protect(manager, "files", "tenant_id").await
    }
}
