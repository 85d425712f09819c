//! A tenant's API key, as a hash.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub user_id: Uuid,
    pub name: String,
    pub hint: String,
    pub secret_sha256: Vec<u8>,
    pub created_at_ms: i64,
    pub last_used_at_ms: Option<i64>,
    pub revoked_at_ms: Option<i64>,
    /// Null: the default one.
    pub project_id: Option<Uuid>,
    pub scopes: String,
    pub expires_at_ms: Option<i64>,
    pub requests_per_minute: Option<i32>,
    /// The key that it was rotated to.
    pub replaced_by: Option<Uuid>,
    /// The first of the keys that were rotated to this one; null: itself.
    pub spender_id: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
