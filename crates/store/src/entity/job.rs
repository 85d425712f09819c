//! A job: the unit of truth of the queue. Read and written through [`crate::rows::jobs`].

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "jobs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub user_id: Uuid,
    pub api_key_id: Option<Uuid>,
    pub remixed_from: Option<Uuid>,
    pub trace_id: Option<String>,
    pub traceparent: Option<String>,
    pub model: String,
    pub prompt: String,
    pub negative_prompt: Option<String>,
    pub width: i32,
    pub height: i32,
    pub duration_ms: i64,
    pub steps: i32,
    pub guidance: f64,
    pub seed: i64,
    pub billed_ms: i64,
    pub size_weight_permille: Option<i32>,
    pub steps_default: Option<i32>,
    pub counts_as_ms: Option<i64>,
    pub state: String,
    pub waits_for: Option<String>,
    pub epoch: i32,
    pub attempts: i32,
    pub suspect: bool,
    pub lease_worker: Option<Uuid>,
    pub lease_expires_at_ms: Option<i64>,
    pub avoid_worker: Option<Uuid>,
    pub reserved_by: Option<Uuid>,
    pub reserved_until_ms: Option<i64>,
    pub not_before_ms: i64,
    pub failure_code: Option<String>,
    pub failure_message: Option<String>,
    pub revision: i64,
    pub stage: Option<String>,
    pub step: i32,
    pub preview_step: Option<i32>,
    pub decoded_permille: Option<i32>,
    pub sampling_ms: Option<i64>,
    pub decoding_ms: Option<i64>,
    pub created_at_ms: i64,
    /// When it came into the queue, if that was later.
    pub queued_at_ms: Option<i64>,
    pub started_at_ms: Option<i64>,
    pub ended_at_ms: Option<i64>,
    pub deleted_at_ms: Option<i64>,
    pub understanding: Option<String>,
    pub arrangement: Option<String>,
    pub layout: Option<String>,
    pub expanded_prompt: Option<String>,
    pub read_as: Option<String>,
    pub lane: Option<String>,
    pub plan: Option<String>,
    pub drawn: Option<String>,
    pub charged_ms: Option<i64>,
    /// Null: the default one.
    pub project_id: Option<Uuid>,
    pub lease_device_ms: i64,
    pub start_tag: i64,
    pub finish_tag: i64,
    pub forecast_ms: Option<i64>,
    pub forecast_late_ms: Option<i64>,
    pub eta_basis: Option<String>,
    pub eta_p50_ms: Option<i64>,
    pub eta_p90_ms: Option<i64>,
    pub work_ms: Option<i64>,
    /// A list in JSON.
    pub failed_attempts: Option<String>,
    pub needs_memory_bytes: Option<i64>,
    pub start_by_ms: Option<i64>,
    pub finish_by_ms: Option<i64>,
    pub quarantined_since_ms: Option<i64>,
    pub quarantine_reason: Option<String>,
    /// In JSON; null: none is allowed, or it makes the job by now.
    pub fallback: Option<String>,
    /// In JSON, and as long as other texts.
    pub fallback_texts: Option<String>,
    /// Null: the model that makes it was asked for.
    pub requested_model: Option<String>,
    /// Null: what is held.
    pub price_ms: Option<i64>,
    /// When it was added to the tallies.
    pub counted_at_ms: Option<i64>,
    /// The kind of device that sampled it.
    pub device: Option<String>,
    pub sampled_at_ms: Option<i64>,
    /// The worker that did.
    pub sampled_by: Option<Uuid>,
    pub load_ms: Option<i64>,
    pub encode_ms: Option<i64>,
    pub latents_upload_ms: Option<i64>,
    pub sampling_device_ms: Option<i64>,
    pub upload_ms: Option<i64>,
    pub decoding_device_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
