//! An invoice to a tenant, as the payment processor knows it. Written by [`crate::payment`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invoices")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub tenant_id: Uuid,
    pub number: Option<String>,
    pub status: String,
    pub total_minor: i64,
    pub paid_minor: i64,
    pub currency: String,
    pub created_at_ms: i64,
    /// Where it is shown, and can be paid.
    pub url: Option<String>,
    pub next_attempt_ms: Option<i64>,
    /// What of the total is for plans. With the next two: none of the three is known, or all.
    pub plan_minor: Option<i64>,
    pub plan_starts_ms: Option<i64>,
    pub plan_ends_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
