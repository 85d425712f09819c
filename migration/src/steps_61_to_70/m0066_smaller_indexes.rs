//! Jobs that nobody has stand in no index of leases, and those that are kept for nobody in no index of reservations: each change of a job
//! writes into three indexes less.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STEPS: [&str; 6] = [
    "DROP INDEX jobs_by_holder",
    "CREATE INDEX jobs_by_holder ON jobs (lease_worker) WHERE lease_worker IS NOT NULL",
    "DROP INDEX jobs_by_lease",
    "CREATE INDEX jobs_by_lease ON jobs (lease_expires_at_ms) WHERE lease_expires_at_ms IS NOT NULL",
    "DROP INDEX jobs_by_reservation",
    "CREATE INDEX jobs_by_reservation ON jobs (waits_for, reserved_until_ms) WHERE reserved_until_ms IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for step in STEPS {
            manager.get_connection().execute_unprepared(step).await?;
        }
        Ok(())
    }
}
