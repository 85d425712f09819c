//! What a tenant has used on a day. Written by [`crate::billing::usage`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "usage_days")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub model: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub project_id: Uuid,
    /// Nil: none.
    #[sea_orm(primary_key, auto_increment = false)]
    pub api_key_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub lane: String,
    /// Empty where nothing has a price.
    #[sea_orm(primary_key, auto_increment = false)]
    pub currency: String,
    pub succeeded: i64,
    pub failed: i64,
    pub cancelled: i64,
    pub charged_ms: i64,
    pub cost_thousandths: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
