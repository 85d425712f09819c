//! Events that receivers are told of, as the transactions add them to the outbox in which they happen.
//!
//! Whoever ends something that receivers hear of calls [`happened`]. A tenant without endpoints adds nothing.

use crate::{
    Job, StoreError,
    database::{events::NewEvent, write::Write},
};
use domain::{JobState, TenantId, webhook::WebhookEvent};
use sea_orm::ConnectionTrait;
use serde_json::json;

const IS_WANTED: &str = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL LIMIT 1";

/// `id`: that of the video or batch, as the API names it. The transaction holds a lock on its row.
pub(crate) async fn happened(write: &mut Write, tenant: TenantId, event: WebhookEvent, id: &str) -> Result<(), StoreError> {
    if write.tx.query_one_raw(write.statement(IS_WANTED, [tenant.uuid().into()])).await?.is_some() {
        let payload = json!({ "tenant": tenant, "id": id, "at_ms": write.now.ms() });
        write.add_event(NewEvent { subject: id.to_owned(), kind: event.as_str(), payload });
    }
    Ok(())
}

/// A job has ended; nobody is told of one that was cancelled.
pub(crate) async fn job_ended(write: &mut Write, job: &Job) -> Result<(), StoreError> {
    let event = match job.lifecycle.state {
        JobState::Succeeded => WebhookEvent::VideoCompleted,
        JobState::Failed(_) => WebhookEvent::VideoFailed,
        _ => return Ok(()),
    };
    happened(write, job.tenant, event, &job.id.to_string()).await
}
