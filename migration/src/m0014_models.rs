//! The models on offer as rows, their aliases, and the length that an image counts as. Jobs from before quotes were stored
//! were all of the one model that there was: their quotes are filled in from what it cost.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(models()).await?;
        manager.create_table(aliases()).await?;
        let mut counts_as = big_integer_null("counts_as_ms");
        manager.alter_table(Table::alter().table("jobs").add_column(&mut counts_as).take()).await?;
        let fill = "UPDATE jobs SET steps_default = 24, size_weight_permille = \
                    CASE width WHEN 96 THEN 500 WHEN 192 THEN 750 WHEN 768 THEN 1500 ELSE 1000 END \
                    WHERE model = 'vignette-1' AND steps_default IS NULL";
        manager.get_connection().execute_unprepared(fill).await.map(drop)
    }
}

/// `manifest`: the model in JSON, as `domain::Model` writes it.
fn models() -> TableCreateStatement {
    Table::create()
        .table("models")
        .col(text("id").primary_key())
        .col(text("manifest"))
        .col(boolean("is_offered"))
        .col(big_integer_null("withdrawn_at_ms"))
        .take()
}

fn aliases() -> TableCreateStatement {
    Table::create()
        .table("model_aliases")
        .col(text("alias").primary_key())
        .col(text("model_id"))
        .foreign_key(ForeignKey::create().from("model_aliases", "model_id").to("models", "id"))
        .take()
}
