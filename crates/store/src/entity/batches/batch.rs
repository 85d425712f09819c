//! A batch. Read and written through [`crate::batches`].

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batches")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub project_id: Uuid,
    pub user_id: Uuid,
    pub api_key_id: Option<Uuid>,
    pub idempotency_key: Option<String>,
    pub endpoint: String,
    pub model: Option<String>,
    pub input_file_id: Uuid,
    pub retry_of: Option<Uuid>,
    pub quote_id: Option<Uuid>,
    pub is_dry_run: bool,
    pub completion_window: String,
    pub window_ms: i64,
    /// In JSON.
    pub metadata: Option<String>,
    pub output_expires_after_ms: Option<i64>,
    pub output_file_id: Option<Uuid>,
    pub error_file_id: Option<Uuid>,
    pub status: String,
    pub closing: Option<String>,
    pub waiting_for: Option<String>,
    pub waiting_text: Option<String>,
    pub read_lines: i32,
    pub read_bytes: i64,
    pub lines: i32,
    pub invalid_lines: i32,
    pub finished_lines: i32,
    pub completed_lines: i32,
    pub failed_lines: i32,
    pub quoted_ms: i64,
    pub charged_ms: i64,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
    pub in_progress_at_ms: Option<i64>,
    pub finalizing_at_ms: Option<i64>,
    pub cancelling_at_ms: Option<i64>,
    pub ended_at_ms: Option<i64>,
    pub step_after_ms: Option<i64>,
    pub remove_after_ms: Option<i64>,
    pub retry_count: i32,
    pub is_known: bool,
    pub unknown_lines: i32,
    pub unknown_line: Option<i32>,
    pub unknown_field: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
