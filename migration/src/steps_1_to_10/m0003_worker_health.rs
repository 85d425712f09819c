//! How workers fare, and which of them a job is kept for or kept from.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let added = [
            // the worker that a retry leaves to others for a while
            ("jobs", uuid_null("avoid_worker")),
            // the worker that becomes idle for a suspect, and until when it is waited for
            ("jobs", uuid_null("reserved_by")),
            ("jobs", big_integer_null("reserved_until_ms")),
            // `working`, `stalled` or `failing`
            ("workers", text("condition").default("working").take()),
        ];
        for (table, mut column) in added {
            manager.alter_table(Table::alter().table(table).add_column(&mut column).take()).await?;
        }
        manager.create_index(Index::create().name("jobs_by_holder").table("jobs").col("lease_worker").take()).await?;
        // whether another suspect of a stage is kept for somebody, without a look at all that wait
        let reserved = Index::create().name("jobs_by_reservation").table("jobs").col("waits_for").col("reserved_until_ms").take();
        manager.create_index(reserved).await?;
        // so that a worker does not walk the whole queue for a model that nobody wants
        let mut by_model = Index::create().name("jobs_by_queue_and_model").table("jobs").take();
        for column in ["waits_for", "model", "created_at_ms", "id"] {
            by_model.col(column);
        }
        manager.create_index(by_model).await
    }
}
