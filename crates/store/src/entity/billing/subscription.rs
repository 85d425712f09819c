//! A subscription of a tenant, as the payment processor knows it. Written by [`crate::payment`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "subscriptions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub tenant_id: Uuid,
    pub plan: Option<String>,
    pub status: String,
    pub began_at_ms: i64,
    pub period_starts_ms: i64,
    pub period_ends_ms: i64,
    pub anchor_ms: i64,
    pub cancel_at_ms: Option<i64>,
    pub trial_ends_ms: Option<i64>,
    pub ended_at_ms: Option<i64>,
    pub monthly_minor: i64,
    pub currency: String,
    /// Since when we know that a payment has failed.
    pub past_due_since_ms: Option<i64>,
    /// Those that were paid for in the period, with commas between them.
    pub plans: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
