//! By which client tokens are signed.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `id`: named by each token. `public_key`: in base64url. `sealed_seed`: under a key in `settings`.
const TABLE: &str = "CREATE TABLE signing_keys (id TEXT NOT NULL PRIMARY KEY, public_key TEXT NOT NULL, sealed_seed TEXT NOT NULL, \
     created_at_ms BIGINT NOT NULL)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(TABLE).await?;
        Ok(())
    }
}
