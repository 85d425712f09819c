//! What one stage of one clip took.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stage_timings")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub worker_id: Uuid,
    pub model: String,
    pub stage: String,
    pub width: i32,
    pub height: i32,
    pub steps: i32,
    pub device_ms: i64,
    pub measured_at_ms: i64,
    pub duration_ms: Option<i64>,
    pub device: Option<String>,
    pub words: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
