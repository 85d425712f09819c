//! Events that receivers are told of, as the transactions add them to the outbox in which they happen.
//!
//! Whoever ends something that receivers hear of calls [`happened`]. A tenant without endpoints adds nothing, and a job without a callback
//! tells none.

use crate::{
    Job, StoreError,
    database::{events::NewEvent, write::Write},
};
use domain::{
    JobId, JobState, TenantId,
    webhook::{Callback, CallbackEvent, WebhookEvent},
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use uuid::Uuid;

/// Callbacks of a job are to be told of its course.
pub const CALLBACK_DUE: &str = "callback.due";

const IS_WANTED: &str = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL \
     AND receiver IS NULL LIMIT 1";
const HAS_CALLBACK: &str = "SELECT 1 FROM job_callbacks WHERE job_id = $1";

/// `id`: that of the video or batch, as the API names it. The transaction holds a lock on its row.
pub(crate) async fn happened(write: &mut Write, tenant: TenantId, event: WebhookEvent, id: &str) -> Result<(), StoreError> {
    if write.tx.query_one_raw(write.statement(IS_WANTED, [tenant.uuid().into()])).await?.is_some() {
        let payload = json!({ "tenant": tenant, "id": id, "at_ms": write.now.ms() });
        write.add_event(NewEvent { subject: id.to_owned(), kind: event.as_str(), payload });
    }
    Ok(())
}

/// A job has ended; endpoints are not told of one that was cancelled, its own callback is.
pub(crate) async fn job_ended(write: &mut Write, job: &Job) -> Result<(), StoreError> {
    if write.tx.query_one_raw(write.statement(HAS_CALLBACK, [job.id.uuid().into()])).await?.is_some() {
        let payload = json!({ "tenant": job.tenant, "job": job.id });
        // Told apart from what endpoints are told of it, so that neither waits for the other.
        write.add_event(NewEvent { subject: format!("callback {}", job.id), kind: CALLBACK_DUE, payload });
    }
    let event = match job.lifecycle.state {
        JobState::Succeeded => WebhookEvent::VideoCompleted,
        JobState::Failed(_) => WebhookEvent::VideoFailed,
        _ => return Ok(()),
    };
    happened(write, job.tenant, event, &job.id.to_string()).await
}

/// Beside a job that is taken in.
pub(crate) async fn insert_callback(write: &Write, tenant: TenantId, job: JobId, callback: &Callback) -> Result<(), StoreError> {
    let sql = "INSERT INTO job_callbacks (job_id, tenant_id, style, url, receiver, event_types, origin, api, start_told, logs_step) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)";
    let events: Vec<_> = callback.events.iter().map(|event| event.as_str()).collect();
    let is_start_wanted = callback.events.contains(&CallbackEvent::Start);
    let values = [
        job.uuid().into(),
        tenant.uuid().into(),
        callback.style.as_str().into(),
        callback.url.as_str().into(),
        callback.receiver.as_str().into(),
        events.join(" ").into(),
        callback.origin.as_str().into(),
        callback.api.as_str().into(),
        // What nobody waits for counts as told.
        (!is_start_wanted).into(),
    ];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    Ok(())
}

/// With the rows of their jobs.
pub(crate) async fn forget_callbacks(write: &Write, jobs: &[Uuid]) -> Result<(), StoreError> {
    let places: Vec<_> = (1..=jobs.len()).map(|at| format!("${at}")).collect();
    let sql = format!("DELETE FROM job_callbacks WHERE job_id IN ({})", places.join(", "));
    let values = jobs.iter().map(|job| (*job).into());
    write.tx.execute_raw(Statement::from_sql_and_values(write.backend(), sql, values)).await?;
    Ok(())
}
