//! Events that receivers are told of, as the transactions add them to the outbox in which they happen.
//!
//! Whoever ends something that receivers hear of calls [`happened`]. A tenant without endpoints adds nothing, and a job without a callback
//! tells none.

use crate::{
    Job, StoreError,
    database::{events::NewEvent, write::Write},
    sql::{in_steps, places},
};
use domain::{
    JobId, JobState, TenantId,
    webhook::{Callback, CallbackEvent, WebhookEvent},
};
use sea_orm::{ConnectionTrait, DbErr, Statement};
use serde_json::json;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Callbacks of a job are to be told of its course.
pub const CALLBACK_DUE: &str = "callback.due";

const IS_WANTED: &str = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL \
     AND receiver IS NULL LIMIT 1";
const WANTING: &str = "SELECT DISTINCT tenant_id AS id FROM webhook_endpoints WHERE disabled_at_ms IS NULL AND deleted_at_ms IS NULL \
     AND receiver IS NULL AND tenant_id IN";

/// `id`: that of the video or batch, as the API names it. The transaction holds a lock on its row.
pub(crate) async fn happened(write: &mut Write, tenant: TenantId, event: WebhookEvent, id: &str) -> Result<(), StoreError> {
    if write.tx.query_one_raw(write.statement(IS_WANTED, [tenant.uuid().into()])).await?.is_some() {
        add(write, tenant, event, id);
    }
    Ok(())
}

/// A job has ended; endpoints are not told of one that was cancelled, its own callback is.
pub(crate) async fn job_ended(write: &mut Write, job: &Job) -> Result<(), StoreError> {
    jobs_ended(write, &[job]).await
}

/// The same of several, with one look at who has endpoints, and one at which have callbacks.
pub(crate) async fn jobs_ended(write: &mut Write, jobs: &[&Job]) -> Result<(), StoreError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let ids = in_steps(jobs.iter().map(|job| job.id.uuid()).collect());
    let with_callbacks = one_column(write, "SELECT job_id AS id FROM job_callbacks WHERE job_id IN", ids).await?;
    for job in jobs.iter().filter(|job| with_callbacks.contains(&job.id.uuid())) {
        let payload = json!({ "tenant": job.tenant, "job": job.id });
        // Told apart from what endpoints are told of it, so that neither waits for the other.
        write.add_event(NewEvent { subject: format!("callback {}", job.id), kind: CALLBACK_DUE, payload });
    }
    let told: Vec<_> = jobs.iter().filter_map(|job| Some((job, event_of(job)?))).collect();
    let tenants: BTreeSet<_> = told.iter().map(|(job, _)| job.tenant.uuid()).collect();
    if tenants.is_empty() {
        return Ok(());
    }
    let wanting = one_column(write, WANTING, in_steps(tenants.into_iter().collect())).await?;
    for (job, event) in told {
        if wanting.contains(&job.tenant.uuid()) {
            add(write, job.tenant, event, &job.id.to_string());
        }
    }
    Ok(())
}

/// The ids of a statement that ends with `IN`, of these.
async fn one_column(write: &Write, sql: &str, of: Vec<Uuid>) -> Result<BTreeSet<Uuid>, StoreError> {
    let sql = format!("{sql} {}", places(1, of.len()));
    let statement = Statement::from_sql_and_values(write.backend(), sql, of.into_iter().map(Into::into));
    let rows = write.tx.query_all_raw(statement).await?;
    Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, DbErr>>()?)
}

fn event_of(job: &Job) -> Option<WebhookEvent> {
    match job.lifecycle.state {
        JobState::Succeeded => Some(WebhookEvent::VideoCompleted),
        JobState::Failed(_) => Some(WebhookEvent::VideoFailed),
        _ => None,
    }
}

fn add(write: &mut Write, tenant: TenantId, event: WebhookEvent, id: &str) {
    let payload = json!({ "tenant": tenant, "id": id, "at_ms": write.now.ms() });
    write.add_event(NewEvent { subject: id.to_owned(), kind: event.as_str(), payload });
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
