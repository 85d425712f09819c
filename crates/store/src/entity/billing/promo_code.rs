//! A word for which tenants are given video time. Written by [`crate::billing::promotion`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "promo_codes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub code: String,
    pub amount_ms: i64,
    pub credit_days: Option<i32>,
    pub valid_until_ms: Option<i64>,
    pub uses_max: Option<i64>,
    pub uses: i64,
    pub audience: String,
    pub created_by: Option<Uuid>,
    pub created_at_ms: i64,
    pub archived_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
