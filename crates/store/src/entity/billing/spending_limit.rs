//! How much somebody may use in a month, and has used. Written by [`crate::billing::spending`] alone.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "spending_limits")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// With the next one, whose it is: see [`domain::billing::Spender`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject_id: Uuid,
    pub hard_ms: Option<i64>,
    pub soft_ms: Option<i64>,
    /// For open jobs.
    pub held_ms: i64,
    /// From one day up to and without the other: the month in which something was charged last.
    pub charged_ms: i64,
    pub from_day: i32,
    pub until_day: i32,
    /// The month in which it was told last that `soft_ms` was reached.
    pub told_from_day: Option<i32>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
