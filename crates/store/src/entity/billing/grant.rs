//! Video time that a tenant may use. Written by [`crate::billing::grants`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "grants")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub kind: String,
    pub draw_order: i32,
    /// What it was granted for; no tenant has two of the same cause.
    pub cause: String,
    pub amount_ms: i64,
    /// Neither held, nor spent, nor expired.
    pub remaining_ms: i64,
    pub created_at_ms: i64,
    /// The largest number: never.
    pub expires_at_ms: i64,
    /// What it was paid with, or is to be.
    pub minor_per_minute: Option<i32>,
    pub currency: Option<String>,
    pub note: Option<String>,
    /// What was left of it when another plan came.
    pub ended_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
