//! The models on offer as rows, their aliases, and the length that an image counts as. Where there are jobs, the one model
//! that there was until now is on offer, until a server says what is.

use sea_orm_migration::{prelude::*, schema::*};

/// Its manifest as it was then.
const VIGNETTE_1: &str = r#"{"id":"vignette-1","family":"vignette","name":"Vignette 1","description":"Small model for simple scenes, described in a few English words. Runs on any processor.","created":1795219200,"order":10,"output":{"video":{"frames_per_second":8,"durations_ms":[2000],"duration_default_ms":2000}},"sizes":[{"size":"96x96","weight_permille":500},{"size":"192x192","weight_permille":750},{"size":"384x384","weight_permille":1000},{"size":"768x768","weight_permille":1500}],"size_default":"384x384","steps":{"min":1,"max":200,"default":24},"guidance":{"min":1.0,"max":12.0,"default":3.0},"examples":[]}"#;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(models()).await?;
        manager.create_table(aliases()).await?;
        let mut counts_as = big_integer_null("counts_as_ms");
        manager.alter_table(Table::alter().table("jobs").add_column(&mut counts_as).take()).await?;
        let offer = format!(
            "INSERT INTO models (id, manifest, is_offered) SELECT 'vignette-1', '{VIGNETTE_1}', TRUE WHERE EXISTS (SELECT 1 FROM jobs)"
        );
        manager.get_connection().execute_unprepared(&offer).await.map(drop)
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
