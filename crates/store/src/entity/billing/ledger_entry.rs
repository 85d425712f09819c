//! An amount that went from one account of a tenant to another. Written by [`crate::billing::entries`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_entries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub at_ms: i64,
    pub kind: String,
    pub from_account: String,
    pub to_account: String,
    pub amount_ms: i64,
    pub grant_id: Uuid,
    pub job_id: Option<Uuid>,
    /// Why.
    pub note: Option<String>,
    /// Of refunds: which one.
    pub cause: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
