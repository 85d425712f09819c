//! What became of each try of a delivery, and what that says of its endpoint.

use super::{
    claiming::ClaimedWebhook,
    failing::{self, Attempt},
    queue::WebhookQueue,
    rows::{EndpointRow, WebhookAttempt, act_of, disable, lock, settle},
};
use crate::{
    StoreError,
    database::write::Write,
    rows::account::{audit, memberships},
};
use domain::{
    Audited, Role, Timestamp, WebhookEndpointId,
    account::mail::Mail,
    webhook::{DisabledReason, SLOW_MS, is_to_be_disabled},
};
use sea_orm::ConnectionTrait;

/// Attempts of a delivery that are kept: it may be replayed any number of times.
const ATTEMPTS_KEPT: u32 = 30;
const ERROR_CHARS_MAX: usize = 500;

/// What follows an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterAttempt {
    Delivered,
    Again {
        pause_ms: i64,
    },
    /// No try is left.
    Failed,
    /// The receiver wants nothing more.
    Gone,
    /// There was nothing to be told any more, which says nothing of the receiver.
    Moot,
}

impl WebhookQueue<'_> {
    /// Writes down an attempt and what follows it. `false`: it took too long, and somebody else has the delivery now.
    pub async fn attempted(self, claimed: &ClaimedWebhook, attempt: &WebhookAttempt, after: AfterAttempt) -> Result<bool, StoreError> {
        let mut write = self.store().write().await?;
        let Some(endpoint) = lock(&write, claimed.endpoint).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        if !note(&write, claimed, attempt, after).await? {
            write.abandon().await?;
            return Ok(false);
        }
        if !claimed.is_test && after != AfterAttempt::Moot {
            note_pace(&write, &endpoint, attempt.took_ms).await?;
            judge(&mut write, &endpoint, claimed, after).await?;
        }
        settle(&write, claimed.endpoint, -i64::from(!matches!(after, AfterAttempt::Again { .. }))).await?;
        write.commit().await?;
        Ok(true)
    }
}

/// `false`: somebody else has it now.
async fn note(write: &Write, claimed: &ClaimedWebhook, attempt: &WebhookAttempt, after: AfterAttempt) -> Result<bool, StoreError> {
    let (state, due_at, ended_at) = match after {
        AfterAttempt::Delivered => ("delivered", write.now, Some(write.now.ms())),
        AfterAttempt::Again { pause_ms } => ("pending", write.now.plus_ms(pause_ms), None),
        AfterAttempt::Failed | AfterAttempt::Gone | AfterAttempt::Moot => ("failed", write.now, Some(write.now.ms())),
    };
    let error: Option<String> = attempt.error.as_ref().map(|error| error.chars().take(ERROR_CHARS_MAX).collect());
    let (status, number) = (attempt.status.map(i32::from), i32::try_from(claimed.number).unwrap_or(i32::MAX));
    if claimed.callback.is_some() && ended_at.is_some() {
        return remove(write, claimed, number).await;
    }
    let sql = "UPDATE webhook_deliveries SET state = $3, due_at_ms = $4, leased_until_ms = NULL, ended_at_ms = $5, last_at_ms = $6, \
         last_status = $7, last_error = $8 WHERE id = $1 AND leased_until_ms = $2 AND attempts = $9";
    let values = [
        claimed.id.uuid().into(),
        claimed.until.ms().into(),
        state.into(),
        due_at.ms().into(),
        ended_at.into(),
        attempt.at.ms().into(),
        status.into(),
        error.clone().into(),
        number.into(),
    ];
    if write.tx.execute_raw(write.statement(sql, values)).await?.rows_affected() != 1 {
        return Ok(false);
    }
    let sql = "INSERT INTO webhook_attempts (delivery_id, number, tenant_id, at_ms, took_ms, status, error, headers, answer) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let values = [
        claimed.id.uuid().into(),
        number.into(),
        claimed.tenant.uuid().into(),
        attempt.at.ms().into(),
        i64::try_from(attempt.took_ms).unwrap_or(i64::MAX).into(),
        status.into(),
        error.into(),
        attempt.headers.as_str().into(),
        attempt.answer.as_str().into(),
    ];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    let last = number.saturating_sub(i32::try_from(ATTEMPTS_KEPT).unwrap_or(i32::MAX));
    if last > 0 {
        let forgotten = "DELETE FROM webhook_attempts WHERE delivery_id = $1 AND number <= $2";
        write.tx.execute_raw(write.statement(forgotten, [claimed.id.uuid().into(), last.into()])).await?;
    }
    Ok(true)
}

/// What was told of a job is in no log that anybody can look at, and its progress is told twice a second: nothing of it is kept. `false`: somebody
/// else has it now.
async fn remove(write: &Write, claimed: &ClaimedWebhook, number: i32) -> Result<bool, StoreError> {
    let id = claimed.id.uuid();
    write.tx.execute_raw(write.statement("DELETE FROM webhook_attempts WHERE delivery_id = $1", [id.into()])).await?;
    let sql = "DELETE FROM webhook_deliveries WHERE id = $1 AND leased_until_ms = $2 AND attempts = $3";
    let values = [id.into(), claimed.until.ms().into(), number.into()];
    Ok(write.tx.execute_raw(write.statement(sql, values)).await?.rows_affected() == 1)
}

/// Whether a locked endpoint is slow.
async fn note_pace(write: &Write, endpoint: &EndpointRow, took_ms: u64) -> Result<(), StoreError> {
    let is_slow = took_ms > SLOW_MS;
    if is_slow != endpoint.is_slow {
        let sql = "UPDATE webhook_endpoints SET is_slow = $2 WHERE id = $1";
        write.tx.execute_raw(write.statement(sql, [endpoint.id.into(), is_slow.into()])).await?;
    }
    Ok(())
}

/// What an attempt says of its endpoint, which is locked.
async fn judge(write: &mut Write, endpoint: &EndpointRow, claimed: &ClaimedWebhook, after: AfterAttempt) -> Result<(), StoreError> {
    let since = match after {
        AfterAttempt::Delivered => None,
        // Of what was moot nothing follows for its endpoint.
        AfterAttempt::Moot => endpoint.failing_since_ms,
        AfterAttempt::Again { .. } | AfterAttempt::Failed | AfterAttempt::Gone => {
            let attempt = Attempt { endpoint: claimed.endpoint, delivery: claimed.id, number: claimed.number };
            Some(failing::since_ms(write, endpoint, attempt).await?)
        }
    };
    if since != endpoint.failing_since_ms {
        let sql = "UPDATE webhook_endpoints SET failing_since_ms = $2 WHERE id = $1";
        write.tx.execute_raw(write.statement(sql, [endpoint.id.into(), since.into()])).await?;
    }
    // One that wants nothing of one job may want something of another.
    if endpoint.disabled_at_ms.is_some() || endpoint.receiver.is_some() {
        return Ok(());
    }
    let is_failing_too_long = since.is_some_and(|since| is_to_be_disabled(Timestamp::from_ms(since), write.now));
    match after {
        AfterAttempt::Gone => disable_and_tell(write, endpoint, DisabledReason::Gone).await,
        _ if is_failing_too_long => disable_and_tell(write, endpoint, DisabledReason::Failing).await,
        _ => Ok(()),
    }
}

/// Its owners get a mail.
pub(super) async fn disable_and_tell(write: &mut Write, endpoint: &EndpointRow, reason: DisabledReason) -> Result<(), StoreError> {
    let (id, tenant) = (WebhookEndpointId::from_uuid(endpoint.id), endpoint.tenant());
    disable(write, id, reason).await?;
    let subject = format!("{}: {}", endpoint.name, reason.as_str());
    audit::insert(write, &Audited { tenant: Some(tenant), user: None, act: act_of(false), subject, address: String::new() }).await?;
    for member in memberships::of_tenant(&write.tx, tenant).await?.iter().filter(|member| member.role == Role::Owner) {
        write.add_mail(&Mail::WebhookDisabled { user: member.user, tenant, endpoint: id });
    }
    Ok(())
}
