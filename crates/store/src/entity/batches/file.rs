//! A file of a tenant. Read and written through [`crate::batches::files`].

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "files")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub project_id: Uuid,
    pub user_id: Uuid,
    pub api_key_id: Option<Uuid>,
    /// Null until it is whole.
    pub purpose: Option<String>,
    pub name: String,
    pub bytes: i64,
    pub object_key: String,
    /// Its object is whole.
    pub is_stored: bool,
    pub created_at_ms: i64,
    /// When more of it arrived last.
    pub touched_at_ms: i64,
    pub expires_at_ms: Option<i64>,
    pub unneeded_since_ms: Option<i64>,
    pub removal_failures: i32,
    pub remove_after_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
