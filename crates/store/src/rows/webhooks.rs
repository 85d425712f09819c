//! Events that receivers are told of, as the transactions add them to the outbox in which they happen.
//!
//! Whoever ends something that receivers hear of calls [`happened`]. A tenant without endpoints adds nothing.

use crate::{
    Job, StoreError,
    database::{events::NewEvent, write::Write},
    sql::{in_steps, places},
};
use domain::{JobState, TenantId, webhook::WebhookEvent};
use sea_orm::{ConnectionTrait, DbErr, Statement};
use serde_json::json;
use std::collections::BTreeSet;
use uuid::Uuid;

const IS_WANTED: &str = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL LIMIT 1";

/// `id`: that of the video or batch, as the API names it. The transaction holds a lock on its row.
pub(crate) async fn happened(write: &mut Write, tenant: TenantId, event: WebhookEvent, id: &str) -> Result<(), StoreError> {
    if write.tx.query_one_raw(write.statement(IS_WANTED, [tenant.uuid().into()])).await?.is_some() {
        add(write, tenant, event, id);
    }
    Ok(())
}

/// A job has ended; nobody is told of one that was cancelled.
pub(crate) async fn job_ended(write: &mut Write, job: &Job) -> Result<(), StoreError> {
    match event_of(job) {
        Some(event) => happened(write, job.tenant, event, &job.id.to_string()).await,
        None => Ok(()),
    }
}

/// The same of several, with one look at who has endpoints.
pub(crate) async fn jobs_ended(write: &mut Write, jobs: &[&Job]) -> Result<(), StoreError> {
    let told: Vec<_> = jobs.iter().filter_map(|job| Some((job, event_of(job)?))).collect();
    let tenants: BTreeSet<_> = told.iter().map(|(job, _)| job.tenant.uuid()).collect();
    if tenants.is_empty() {
        return Ok(());
    }
    let tenants = in_steps(tenants.into_iter().collect());
    let sql = format!(
        "SELECT DISTINCT tenant_id FROM webhook_endpoints WHERE tenant_id IN {} AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL",
        places(1, tenants.len())
    );
    let wanting = Statement::from_sql_and_values(write.backend(), sql, tenants.into_iter().map(Into::into));
    let wanting = write.tx.query_all_raw(wanting).await?;
    let wanting = wanting.iter().map(|row| row.try_get("", "tenant_id")).collect::<Result<Vec<Uuid>, DbErr>>()?;
    for (job, event) in told {
        if wanting.contains(&job.tenant.uuid()) {
            add(write, job.tenant, event, &job.id.to_string());
        }
    }
    Ok(())
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
