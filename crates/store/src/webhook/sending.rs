//! The way of deliveries out of the house: taken under a lease, and what became of each try.

use super::{
    failing::{self, Attempt},
    rows::{ENDPOINT, EndpointRow, WebhookAttempt, act_of, disable, lock, settle},
};
use crate::{
    Store, StoreError,
    database::write::Write,
    rows::account::{audit, memberships},
};
use domain::{
    Audited, JobId, Role, TenantId, Timestamp, WebhookDeliveryId, WebhookEndpointId,
    account::mail::Mail,
    webhook::{CallbackEvent, DisabledReason, SLOW_MS, TRIES_MAX, at_once, is_to_be_disabled},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// Endpoints that are looked at for one that has something to send: more than one tenant has, several times over.
const LOOKED_AT: i64 = 256;
/// In one transaction, for which others wait.
const CLAIMED_AT_ONCE: usize = 16;
/// Attempts of a delivery that are kept: it may be replayed any number of times.
const ATTEMPTS_KEPT: u32 = 30;
const ERROR_CHARS_MAX: usize = 500;
/// Of one endpoint, in one look for a delivery.
const GIVEN_UP_AT_ONCE: u32 = 50;
const NOT_NOTED: &str = "what became of the last tries could not be noted";

/// Endpoints that take what they are told, and soon.
pub(super) const DOING_WELL: &str = "failing_since_ms IS NULL AND NOT is_slow";
pub(super) const HELD_BACK: &str = "(failing_since_ms IS NOT NULL OR is_slow)";

/// How many more deliveries of one kind may be on their way.
#[derive(Debug, Clone)]
pub struct WebhookRoom {
    pub all: usize,
    /// Those of before included.
    pub of_a_tenant: usize,
    /// How many each tenant has on their way.
    pub on_their_way: HashMap<TenantId, usize>,
}

impl WebhookRoom {
    fn of(&self, tenant: TenantId) -> usize {
        self.of_a_tenant.saturating_sub(self.on_their_way.get(&tenant).copied().unwrap_or_default())
    }

    /// Tenants that have as many on their way as they may.
    fn busy(&self) -> Vec<TenantId> {
        self.on_their_way.keys().copied().filter(|tenant| self.of(*tenant) == 0).collect()
    }
}

/// A delivery that its taker has for itself until `until`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedWebhook {
    pub id: WebhookDeliveryId,
    pub tenant: TenantId,
    pub endpoint: WebhookEndpointId,
    pub url: String,
    pub event_id: String,
    pub body: String,
    /// What is told of which job, by the job's own callback: then it says where, and nothing lies in `body`.
    pub callback: Option<(JobId, CallbackEvent)>,
    pub is_test: bool,
    /// Since it waits, this one included.
    pub tries: u32,
    /// Since it was made, this one included.
    pub number: u32,
    pub sealed_secret: String,
    /// That of before, where it still signs.
    pub old_sealed_secret: Option<String>,
    /// When it was made; what tells of an end was made after that end.
    pub created_at: Timestamp,
    /// The endpoint has not taken the last ones.
    pub is_failing: bool,
    /// It took long over the last one.
    pub is_slow: bool,
    pub at: Timestamp,
    until: Timestamp,
}

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

#[derive(FromQueryResult)]
struct TakenRow {
    id: Uuid,
    event_id: String,
    event_type: String,
    job_id: Option<Uuid>,
    body: String,
    is_test: bool,
    tries: i32,
    attempts: i32,
    created_at_ms: i64,
}

#[derive(FromQueryResult)]
struct LineRow {
    id: Uuid,
    tenant_id: Uuid,
}

#[derive(Clone, Copy)]
pub struct WebhookQueue<'a> {
    store: &'a Store,
}

impl<'a> WebhookQueue<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub(super) const fn store(self) -> &'a Store {
        self.store
    }

    /// Takes deliveries that wait longest of endpoints that take what they are told, or, if `held_back`, of those that fail or are slow: one of each
    /// line, or more where few lines have any. For `lease_ms` nobody else gets them. None where there is no room for more.
    pub async fn claim(self, held_back: bool, room: &WebhookRoom, lease_ms: i64) -> Result<Vec<ClaimedWebhook>, StoreError> {
        let most = room.all.min(CLAIMED_AT_ONCE);
        if most == 0 {
            return Ok(Vec::new());
        }
        // Mostly there is none: then nobody has to wait for a writer.
        let statement = due(self.store.db.get_database_backend(), held_back, &room.busy(), self.store.now().await?);
        let lines = LineRow::find_by_statement(statement).all(&self.store.db).await?;
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let each = (most / lines.len()).max(1);
        let write = self.store.write().await?;
        let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
        let sql = format!("SELECT {ENDPOINT} FROM webhook_endpoints WHERE id = $1 AND next_at_ms <= $2 {lock}");
        let mut taken: Vec<ClaimedWebhook> = Vec::with_capacity(most);
        for line in lines {
            let tenant = TenantId::from_uuid(line.tenant_id);
            let of_tenant = taken.iter().filter(|claimed| claimed.tenant == tenant).count();
            let free = room.of(tenant).saturating_sub(of_tenant).min(most - taken.len()).min(each);
            if free == 0 {
                continue;
            }
            let statement = write.statement(&sql, [line.id.into(), write.now.ms().into()]);
            let Some(row) = EndpointRow::find_by_statement(statement).one(&write.tx).await? else { continue };
            for _ in 0..free {
                let Some(delivery) = next(&write, &row).await? else { break };
                taken.extend(take(&write, &row, delivery, lease_ms).await?);
            }
            settle(&write, WebhookEndpointId::from_uuid(row.id), 0).await?;
        }
        write.commit().await?;
        Ok(taken)
    }

    /// Writes down an attempt and what follows it. `false`: it took too long, and somebody else has the delivery now.
    pub async fn attempted(self, claimed: &ClaimedWebhook, attempt: &WebhookAttempt, after: AfterAttempt) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
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

/// Endpoints of which something may be sent, those first that wait longest. None of `busy` tenants, of which each has a line for every receiver.
fn due(backend: DbBackend, held_back: bool, busy: &[TenantId], now: Timestamp) -> Statement {
    let which = if held_back { HELD_BACK } else { DOING_WELL };
    let passed_over: Vec<String> = (0..busy.len()).map(|at| format!(" AND tenant_id <> ${}", at + 2)).collect();
    let passed_over = passed_over.concat();
    let sql = format!(
        "SELECT id, tenant_id FROM webhook_endpoints WHERE {which} AND next_at_ms <= $1{passed_over} ORDER BY next_at_ms LIMIT {LOOKED_AT}"
    );
    let values: Vec<Value> = [now.ms().into()].into_iter().chain(busy.iter().map(|tenant| tenant.uuid().into())).collect();
    Statement::from_sql_and_values(backend, sql, values)
}

/// The delivery of a locked endpoint that is due for longest; `None` where it has as many on their way as it may.
async fn next(write: &Write, endpoint: &EndpointRow) -> Result<Option<Uuid>, StoreError> {
    // What the line says may be older than a lease that has ended since.
    let sql = "SELECT id, tries FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'pending' AND due_at_ms <= $2 \
         AND (SELECT COUNT(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND leased_until_ms > $2) < $3 ORDER BY due_at_ms LIMIT 1";
    let at_once = at_once(endpoint.failing_since_ms.is_some());
    for _ in 0..GIVEN_UP_AT_ONCE {
        let row = write.tx.query_one_raw(write.statement(sql, [endpoint.id.into(), write.now.ms().into(), at_once.into()])).await?;
        let Some(row) = row else { return Ok(None) };
        let (id, tries): (Uuid, i32) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        if tries.unsigned_abs() < TRIES_MAX {
            return Ok(Some(id));
        }
        // Nobody could note what became of its last try.
        let sql = "UPDATE webhook_deliveries SET state = 'failed', leased_until_ms = NULL, ended_at_ms = $2, last_error = $3 WHERE id = $1";
        write.tx.execute_raw(write.statement(sql, [id.into(), write.now.ms().into(), NOT_NOTED.into()])).await?;
        settle(write, WebhookEndpointId::from_uuid(endpoint.id), -1).await?;
    }
    Ok(None)
}

/// A delivery of a locked endpoint, for whoever sends it.
pub(super) async fn take(write: &Write, endpoint: &EndpointRow, id: Uuid, lease_ms: i64) -> Result<Option<ClaimedWebhook>, StoreError> {
    let until = write.now.plus_ms(lease_ms);
    let sql = "UPDATE webhook_deliveries SET due_at_ms = $2, leased_until_ms = $2, tries = tries + 1, attempts = attempts + 1 \
         WHERE id = $1 AND state = 'pending' RETURNING id, event_id, event_type, job_id, body, is_test, tries, attempts, created_at_ms";
    let row = TakenRow::find_by_statement(write.statement(sql, [id.into(), until.ms().into()])).one(&write.tx).await?;
    let old_signs = endpoint.old_secret_until_ms.is_some_and(|until| until > write.now.ms());
    Ok(row.map(|row| ClaimedWebhook {
        id: WebhookDeliveryId::from_uuid(row.id),
        tenant: endpoint.tenant(),
        endpoint: WebhookEndpointId::from_uuid(endpoint.id),
        callback: row.job_id.and_then(|job| Some((JobId::from_uuid(job), CallbackEvent::named(&row.event_type)?))),
        event_id: row.event_id,
        body: row.body,
        is_test: row.is_test,
        tries: row.tries.unsigned_abs(),
        number: row.attempts.unsigned_abs(),
        created_at: Timestamp::from_ms(row.created_at_ms),
        old_sealed_secret: endpoint.old_sealed_secret.clone().filter(|_| old_signs),
        url: endpoint.url.clone(),
        sealed_secret: endpoint.sealed_secret.clone(),
        is_failing: endpoint.failing_since_ms.is_some(),
        is_slow: endpoint.is_slow,
        at: write.now,
        until,
    }))
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

#[cfg(test)]
mod tests;
