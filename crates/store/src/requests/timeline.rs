//! One job with all its times.

use super::Requests;
use crate::StoreError;
use domain::{
    JobId, Stage, TenantId, Timestamp, VideoTime, WorkerId,
    billing::Lane,
    job::FailedAttempt,
    metrics::{PhaseTimes, Timeline},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use uuid::Uuid;

/// What is known of a job's times and of what became of its attempts.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestTimes {
    pub tenant: TenantId,
    pub model: String,
    pub lane: Lane,
    /// As it is stored.
    pub state: String,
    pub billed: VideoTime,
    /// `None`: it has not ended.
    pub charged: Option<VideoTime>,
    pub timeline: Timeline,
    /// The worker that sampled it.
    pub worker: Option<WorkerId>,
    /// How often a run was begun.
    pub attempts: u32,
    /// The newest last.
    pub failed_attempts: Vec<FailedAttempt>,
    pub trace_id: Option<String>,
}

#[derive(FromQueryResult)]
struct Row {
    tenant_id: Uuid,
    model: String,
    lane: Option<String>,
    state: String,
    billed_ms: i64,
    charged_ms: Option<i64>,
    stage: Option<String>,
    device: Option<String>,
    sampled_by: Option<Uuid>,
    trace_id: Option<String>,
    attempts: i32,
    failed_attempts: Option<String>,
    created_at_ms: i64,
    queued_at_ms: Option<i64>,
    started_at_ms: Option<i64>,
    sampled_at_ms: Option<i64>,
    ended_at_ms: Option<i64>,
    sampling_ms: Option<i64>,
    load_ms: Option<i64>,
    encode_ms: Option<i64>,
    latents_upload_ms: Option<i64>,
    sampling_device_ms: Option<i64>,
    decoding_ms: Option<i64>,
    upload_ms: Option<i64>,
    decoding_device_ms: Option<i64>,
}

const OF_JOB: &str = "SELECT tenant_id, model, lane, state, billed_ms, charged_ms, stage, device, sampled_by, trace_id, attempts, failed_attempts, \
     created_at_ms, queued_at_ms, started_at_ms, sampled_at_ms, ended_at_ms, sampling_ms, load_ms, encode_ms, latents_upload_ms, \
     sampling_device_ms, decoding_ms, upload_ms, decoding_device_ms FROM jobs WHERE id = $1 AND COALESCE(deleted_at_ms, 0) = 0";

impl Requests<'_> {
    /// `None`: no such job.
    pub async fn times(self, id: JobId) -> Result<Option<RequestTimes>, StoreError> {
        let mut values: Vec<Value> = vec![id.uuid().into()];
        let mut sql = OF_JOB.to_owned();
        if let Some(tenant) = self.tenant {
            sql += " AND tenant_id = $2";
            values.push(tenant.uuid().into());
        }
        let db = self.tenant.map_or_else(|| self.store.db.clone(), |tenant| self.store.of(tenant));
        let row = Row::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).one(&db).await?;
        Ok(row.map(read))
    }
}

fn read(row: Row) -> RequestTimes {
    let ms = |ms: Option<i64>| ms.and_then(|ms| u64::try_from(ms).ok());
    let is_outside = row.state == "throttled";
    let waits_again = row.started_at_ms.is_some() && matches!(&*row.state, "ready" | "retry_sampling");
    let failed_attempts: Vec<FailedAttempt> = row.failed_attempts.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    // What goes over to its other model comes into the queue of that in the same moment, and was in one before.
    let went_over = |at: Timestamp| failed_attempts.iter().any(|attempt| attempt.failed_at == at);
    let queued_at = row.queued_at_ms.map(Timestamp::from_ms).filter(|at| !went_over(*at));
    // Where its latents were lost it is sampled anew, and was not decoded yet.
    let is_decoded = row.sampled_at_ms.is_some() && row.stage.as_deref() == Some(Stage::Decoding.as_str());
    RequestTimes {
        tenant: TenantId::from_uuid(row.tenant_id),
        model: row.model,
        lane: row.lane.as_deref().and_then(Lane::named).unwrap_or(Lane::Interactive),
        state: row.state,
        billed: VideoTime::from_ms(u64::try_from(row.billed_ms).unwrap_or_default()),
        charged: ms(row.charged_ms).map(VideoTime::from_ms),
        timeline: Timeline {
            created_at: Timestamp::from_ms(row.created_at_ms),
            queued_at,
            is_outside,
            started_at: row.started_at_ms.map(Timestamp::from_ms),
            sampled_at: row.sampled_at_ms.map(Timestamp::from_ms),
            ended_at: row.ended_at_ms.map(Timestamp::from_ms),
            is_decoded,
            waits_again,
            times: PhaseTimes {
                sampling_ms: ms(row.sampling_ms),
                load_ms: ms(row.load_ms),
                encode_ms: ms(row.encode_ms),
                latents_upload_ms: ms(row.latents_upload_ms),
                sampling_device_ms: ms(row.sampling_device_ms),
                decoding_ms: ms(row.decoding_ms),
                upload_ms: ms(row.upload_ms),
                decoding_device_ms: ms(row.decoding_device_ms),
            },
            device: row.device,
        },
        worker: row.sampled_by.map(WorkerId::from_uuid),
        attempts: u32::try_from(row.attempts).unwrap_or_default(),
        failed_attempts,
        trace_id: row.trace_id,
    }
}
