//! A person who signs in.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub email: String,
    /// Empty: nobody signs in by one.
    pub password_hash: String,
    pub is_operator: bool,
    pub created_at_ms: i64,
    /// When its mailbox was seen to be theirs.
    pub email_verified_at_ms: Option<i64>,
    /// Then the row is there only for what refers to it.
    pub deleted_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
