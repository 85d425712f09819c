//! A capture that is paid for afterwards, until the payment processor knows of it. Written by [`crate::payment`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "meter_events")]
pub struct Model {
    /// Of the entry of the ledger.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: Uuid,
    pub tenant_id: Uuid,
    pub amount_ms: i64,
    pub at_ms: i64,
    /// From then on it may have been told.
    pub begun_at_ms: Option<i64>,
    pub reported_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
