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
    /// Also while somebody has it: until then nobody else gets it.
    pub due_at_ms: i64,
    /// An older one of its subject is not delivered yet.
    pub behind: bool,
    pub last_error: Option<String>,
    pub given_up_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
