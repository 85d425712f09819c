//! A line of a batch. Read and written through [`crate::batches`].

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batch_lines")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub batch_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i32,
    pub tenant_id: Uuid,
    pub custom_id: Option<String>,
    pub byte_offset: i64,
    pub byte_length: i32,
    pub state: String,
    pub job_id: Option<Uuid>,
    pub billed_ms: i64,
    pub error_code: Option<String>,
    pub error_text: Option<String>,
    pub error_param: Option<String>,
    pub finished_number: Option<i32>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
