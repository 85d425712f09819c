//! An event that waits to be delivered. Added through [`crate::database::events`], taken through [`crate::outbox`].

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub number: i64,
    pub subject: String,
    pub kind: String,
    pub payload: String,
    pub created_at_ms: i64,
    pub attempts: i32,
    pub not_before_ms: i64,
    pub taken_until_ms: Option<i64>,
    pub last_error: Option<String>,
    pub given_up_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
