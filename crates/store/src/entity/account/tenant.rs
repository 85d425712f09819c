//! A customer.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenants")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub created_at_ms: i64,
    /// Video time waiting and running; written by [`crate::billing`] and [`crate::open_work`].
    pub open_ms: i64,
    /// Then its rows and objects are on their way out.
    pub deleted_at_ms: Option<i64>,
    /// All from here on is written by [`crate::billing`] alone.
    pub plan: String,
    pub plan_since_ms: i64,
    pub period_ends_ms: i64,
    /// When a grant expires or the period ends, whichever comes first.
    pub due_at_ms: i64,
    pub available_ms: i64,
    pub held_ms: i64,
    /// Whether there are rows of it in `spending_limits`.
    pub has_spending_limits: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
