//! How the price of a job came about, so that it is shown later as it was then. Null in the rows of before.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for name in ["size_weight_permille", "steps_default"] {
            let mut column = integer_null(name);
            manager.alter_table(Table::alter().table("jobs").add_column(&mut column).take()).await?;
        }
        Ok(())
    }
}
