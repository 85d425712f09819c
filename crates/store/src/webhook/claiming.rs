//! The way of deliveries out of the house: each is taken under a lease, by turns of their lines.

use super::{
    queue::WebhookQueue,
    rows::{ENDPOINT, EndpointRow, settle, settle_all},
};
use crate::{
    StoreError,
    database::write::Write,
    sql::{in_steps, places_from},
};
use domain::{
    JobId, TenantId, Timestamp, WebhookDeliveryId, WebhookEndpointId,
    webhook::{CallbackEvent, TRIES_MAX, at_once},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// Endpoints that are looked at for one that has something to send: more than one tenant has, several times over.
const LOOKED_AT: i64 = 256;
/// In one transaction, for which others wait.
const CLAIMED_AT_ONCE: usize = 16;
/// Looks for others behind deliveries that are given up, before their lines stand aside.
const LOOKS: usize = 8;
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
    pub(super) until: Timestamp,
}

#[derive(FromQueryResult)]
struct LineRow {
    id: Uuid,
    tenant_id: Uuid,
}

#[derive(FromQueryResult)]
struct FoundRow {
    id: Uuid,
    endpoint_id: Uuid,
    tries: i32,
}

#[derive(FromQueryResult)]
struct TakenRow {
    id: Uuid,
    endpoint_id: Uuid,
    event_id: String,
    event_type: String,
    job_id: Option<Uuid>,
    body: String,
    is_test: bool,
    tries: i32,
    attempts: i32,
    created_at_ms: i64,
}

/// How many deliveries of which line are to be taken at the most.
type Shares = Vec<(Uuid, i64)>;

impl WebhookQueue<'_> {
    /// Takes deliveries that wait longest of endpoints that take what they are told, or, if `held_back`, of those that fail or are slow: one of each
    /// line, or more where few lines have any. For `lease_ms` nobody else gets them. None where there is no room for more.
    pub async fn claim(self, held_back: bool, room: &WebhookRoom, lease_ms: i64) -> Result<Vec<ClaimedWebhook>, StoreError> {
        let db = &self.store().db;
        // Mostly there is none: then nobody has to wait for a writer.
        let lines = if room.all == 0 {
            Vec::new()
        } else {
            let statement = due(db.get_database_backend(), held_back, &room.busy(), self.store().now().await?);
            LineRow::find_by_statement(statement).all(db).await?
        };
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let (shares, looked_at) = room.shared(rest);
            let write = self.store().write().await?;
            let claimed = take_shares(&write, shares, lease_ms).await?;
            write.commit().await?;
            if !claimed.is_empty() {
                return Ok(claimed);
            }
            rest = &rest[looked_at..];
        }
        Ok(Vec::new())
    }
}

impl WebhookRoom {
    /// For the first of these lines by turns, and at how many of them was looked for that.
    fn shared(&self, lines: &[LineRow]) -> (Shares, usize) {
        let most = self.all.min(CLAIMED_AT_ONCE);
        let each = (most / lines.len()).max(1);
        let (mut shares, mut of_tenants, mut all) = (Shares::new(), HashMap::<Uuid, usize>::new(), 0);
        for (at, line) in lines.iter().enumerate() {
            if all == most {
                return (shares, at);
            }
            let of_tenant = of_tenants.entry(line.tenant_id).or_default();
            let share = self.of(TenantId::from_uuid(line.tenant_id)).saturating_sub(*of_tenant).min(most - all).min(each);
            if share > 0 {
                shares.push((line.id, i64::try_from(share).unwrap_or(1)));
                *of_tenant += share;
                all += share;
            }
        }
        (shares, lines.len())
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

/// Of lines that nobody else is changing. A statement for all of them each time: with one for each, ten receivers were told more slowly than videos
/// came.
async fn take_shares(write: &Write, shares: Shares, lease_ms: i64) -> Result<Vec<ClaimedWebhook>, StoreError> {
    let endpoints = lock_due(write, &shares).await?;
    if endpoints.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = endpoints.iter().map(|endpoint| WebhookEndpointId::from_uuid(endpoint.id)).collect();
    let mut claimed = Vec::new();
    for _ in 0..LOOKS {
        let found = find(write, &room_of(write, &endpoints, &shares).await?).await?;
        let (tried, given_up): (Vec<_>, Vec<_>) = found.into_iter().partition(|row| row.tries.unsigned_abs() < TRIES_MAX);
        for row in &given_up {
            give_up(write, row).await?;
        }
        if !tried.is_empty() {
            let tried: Vec<_> = tried.into_iter().map(|row| row.id).collect();
            claimed = take(write, &endpoints, &tried, lease_ms).await?;
        }
        // Behind what is given up there may be others.
        if given_up.is_empty() || !claimed.is_empty() {
            break;
        }
    }
    settle_all(write, &ids, 0).await?;
    Ok(claimed)
}

async fn lock_due(write: &Write, shares: &Shares) -> Result<Vec<EndpointRow>, StoreError> {
    let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
    let ids = in_steps(shares.iter().map(|(line, _)| Value::from(*line)).collect());
    let sql = format!("SELECT {ENDPOINT} FROM webhook_endpoints WHERE next_at_ms <= $1 AND id IN {} {lock}", places_from(2, ids.len()));
    Ok(EndpointRow::find_by_statement(statement(write, sql, write.now, ids)).all(&write.tx).await?)
}

/// Of which of these lines, that are locked, how many may be begun. What a line says may be older than a lease that has ended since.
async fn room_of(write: &Write, endpoints: &[EndpointRow], shares: &Shares) -> Result<Shares, StoreError> {
    let ids = in_steps(endpoints.iter().map(|endpoint| Value::from(endpoint.id)).collect());
    let sql = format!(
        "SELECT endpoint_id, COUNT(*) FROM webhook_deliveries WHERE leased_until_ms > $1 AND endpoint_id IN {} GROUP BY endpoint_id",
        places_from(2, ids.len())
    );
    let mut leased = HashMap::<Uuid, i64>::new();
    for row in write.tx.query_all_raw(statement(write, sql, write.now, ids)).await? {
        leased.insert(row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    }
    let room = |(line, share): &(Uuid, i64)| {
        let endpoint = endpoints.iter().find(|endpoint| endpoint.id == *line)?;
        let free = at_once(endpoint.failing_since_ms.is_some()) - leased.get(line).copied().unwrap_or_default();
        (free > 0).then_some((*line, free.min(*share)))
    };
    Ok(shares.iter().filter_map(room).collect())
}

/// Those of each line that are due for longest.
async fn find(write: &Write, shares: &Shares) -> Result<Vec<FoundRow>, StoreError> {
    if shares.is_empty() {
        return Ok(Vec::new());
    }
    let lines: Vec<_> = (0..shares.len()).map(|at| format!("SELECT * FROM ({}) AS line", first_due(2 * at + 2))).collect();
    let values = shares.iter().flat_map(|(line, share)| [Value::from(*line), Value::from(*share)]).collect();
    Ok(FoundRow::find_by_statement(statement(write, lines.join(" UNION ALL "), write.now, values)).all(&write.tx).await?)
}

/// Of the endpoint at this place of the values, as many as stands behind it.
fn first_due(place: usize) -> String {
    format!(
        "SELECT id, endpoint_id, tries FROM webhook_deliveries WHERE endpoint_id = ${place} AND state = 'pending' AND due_at_ms <= $1 \
         ORDER BY due_at_ms LIMIT ${}",
        place + 1
    )
}

/// Nobody could note what became of its last try.
async fn give_up(write: &Write, row: &FoundRow) -> Result<(), StoreError> {
    let sql = "UPDATE webhook_deliveries SET state = 'failed', leased_until_ms = NULL, ended_at_ms = $2, last_error = $3 WHERE id = $1";
    write.tx.execute_raw(write.statement(sql, [row.id.into(), write.now.ms().into(), NOT_NOTED.into()])).await?;
    settle(write, WebhookEndpointId::from_uuid(row.endpoint_id), -1).await
}

/// Deliveries of locked endpoints, for whoever sends them, in this order.
pub(super) async fn take(
    write: &Write,
    endpoints: &[EndpointRow],
    deliveries: &[Uuid],
    lease_ms: i64,
) -> Result<Vec<ClaimedWebhook>, StoreError> {
    let until = write.now.plus_ms(lease_ms);
    let ids = in_steps(deliveries.iter().copied().map(Value::from).collect());
    let sql = format!(
        "UPDATE webhook_deliveries SET due_at_ms = $1, leased_until_ms = $1, tries = tries + 1, attempts = attempts + 1 \
         WHERE state = 'pending' AND id IN {} \
         RETURNING id, endpoint_id, event_id, event_type, job_id, body, is_test, tries, attempts, created_at_ms",
        places_from(2, ids.len())
    );
    let taken = TakenRow::find_by_statement(statement(write, sql, until, ids)).all(&write.tx).await?;
    let claimed = |row: TakenRow| {
        let endpoint = endpoints.iter().find(|endpoint| endpoint.id == row.endpoint_id)?;
        let old_signs = endpoint.old_secret_until_ms.is_some_and(|until| until > write.now.ms());
        Some(ClaimedWebhook {
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
        })
    };
    let mut claimed: Vec<_> = taken.into_iter().filter_map(claimed).collect();
    claimed.sort_by_key(|claimed| deliveries.iter().position(|id| *id == claimed.id.uuid()));
    Ok(claimed)
}

/// With this moment as the first value.
fn statement(write: &Write, sql: String, first: Timestamp, others: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(write.backend(), sql, std::iter::once(first.ms().into()).chain(others))
}

#[cfg(test)]
mod tests;
