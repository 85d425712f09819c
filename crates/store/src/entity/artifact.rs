//! An object of a job, announced or committed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "artifacts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub job_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub epoch: i32,
    pub object_key: String,
    pub content_type: String,
    pub bytes: Option<i64>,
    pub sha256: Option<String>,
    pub committed: bool,
    pub unneeded_since_ms: Option<i64>,
    pub created_at_ms: i64,
    /// How often its removal failed, and when it is tried again.
    pub removal_failures: i32,
    pub remove_after_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
