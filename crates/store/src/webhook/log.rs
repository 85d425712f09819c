//! What was sent to an endpoint and what it answered, and sending it again.

use super::{
    claiming::{self, ClaimedWebhook},
    fan_out::{self, WebhookHappened},
    rows::{DELIVERY, DeliveryRow, EndpointRow, WebhookAttempt, WebhookDelivery, WebhookRefusal, lock, settle, status},
    tidying,
};
use crate::{
    Store, StoreError, chance,
    database::write::Write,
    rows::account::{asked::Asked, audit},
};
use domain::{
    Act, TenantId, Timestamp, WebhookDeliveryId, WebhookEndpointId,
    webhook::{DeliveryState, REPLAYS_PENDING_MAX, WebhookEvent},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use uuid::Uuid;

/// Which of those that have ended are sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayRange {
    /// When they were made, both included.
    pub from: Timestamp,
    pub to: Timestamp,
    /// Also those that have arrived.
    pub with_delivered: bool,
    /// Those alone that were not tried since: what was sent again has ended once more by then.
    pub tried_before: Option<Timestamp>,
}

#[derive(FromQueryResult)]
struct AttemptRow {
    number: i32,
    at_ms: i64,
    took_ms: i64,
    status: Option<i32>,
    error: Option<String>,
    headers: String,
    answer: String,
}

#[derive(Clone, Copy)]
pub struct WebhookLog<'a> {
    store: &'a Store,
    tenant: TenantId,
    endpoint: WebhookEndpointId,
}

impl<'a> WebhookLog<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId, endpoint: WebhookEndpointId) -> Self {
        Self { store, tenant, endpoint }
    }

    /// At most `limit`, the newest first, those behind `after`.
    pub async fn list(
        self,
        after: Option<WebhookDeliveryId>,
        state: Option<DeliveryState>,
        limit: u64,
    ) -> Result<Vec<WebhookDelivery>, WebhookRefusal> {
        let db = self.store.of(self.tenant);
        let (mut sql, mut values) = (
            format!("SELECT {DELIVERY} FROM webhook_deliveries WHERE endpoint_id = $1 AND tenant_id = $2"),
            vec![Value::from(self.endpoint.uuid()), self.tenant.uuid().into()],
        );
        if let Some(state) = state {
            values.push(state.as_str().into());
            sql += &format!(" AND state = ${}", values.len());
        }
        if let Some(after) = after {
            let last = self.row(&db, after).await?.ok_or(WebhookRefusal::DeliveryUnknown)?;
            values.extend([last.created_at_ms.into(), last.id.into()]);
            sql += &format!(" AND (created_at_ms, id) < (${}, ${})", values.len() - 1, values.len());
        }
        values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
        sql += &format!(" ORDER BY created_at_ms DESC, id DESC LIMIT ${}", values.len());
        let rows = DeliveryRow::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).all(&db).await?;
        Ok(rows.into_iter().map(DeliveryRow::parsed).collect::<Result<_, _>>()?)
    }

    /// One with its attempts, the newest first.
    pub async fn get(self, id: WebhookDeliveryId) -> Result<Option<(WebhookDelivery, Vec<WebhookAttempt>)>, StoreError> {
        let db = self.store.of(self.tenant);
        let Some(row) = self.row(&db, id).await? else { return Ok(None) };
        let sql = "SELECT number, at_ms, took_ms, status, error, headers, answer FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number DESC";
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.uuid().into()]);
        let attempt = |row: AttemptRow| WebhookAttempt {
            number: row.number.unsigned_abs(),
            at: Timestamp::from_ms(row.at_ms),
            took_ms: row.took_ms.max(0).unsigned_abs(),
            status: status(row.status),
            error: row.error,
            headers: row.headers,
            answer: row.answer,
        };
        let attempts = AttemptRow::find_by_statement(statement).all(&db).await?;
        Ok(Some((row.parsed()?, attempts.into_iter().map(attempt).collect())))
    }

    async fn row(self, db: &impl ConnectionTrait, id: WebhookDeliveryId) -> Result<Option<DeliveryRow>, StoreError> {
        let sql = format!("SELECT {DELIVERY} FROM webhook_deliveries WHERE id = $1 AND endpoint_id = $2 AND tenant_id = $3");
        let values = [id.uuid().into(), self.endpoint.uuid().into(), self.tenant.uuid().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        Ok(DeliveryRow::find_by_statement(statement).one(db).await?)
    }

    /// Sends it once more, as the same event. One that waits is sent at once.
    pub async fn replay(self, asked: Asked<'_>, id: WebhookDeliveryId) -> Result<(), WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let replayed = self.replay_in(&write, asked, id).await;
        write.end(replayed).await
    }

    async fn replay_in(self, write: &Write, asked: Asked<'_>, id: WebhookDeliveryId) -> Result<(), WebhookRefusal> {
        let endpoint = self.enabled(write).await?;
        let delivery = self.row(&write.tx, id).await?.ok_or(WebhookRefusal::DeliveryUnknown)?.parsed()?;
        audit::insert(write, &asked.did_in(self.tenant, Act::WebhookReplayed, &endpoint.name)).await?;
        // One that somebody is sending at this moment is on its way already.
        let sql = "UPDATE webhook_deliveries SET state = 'pending', tries = 0, due_at_ms = $2, ended_at_ms = NULL \
             WHERE id = $1 AND (leased_until_ms IS NULL OR leased_until_ms <= $2)";
        write.tx.execute_raw(write.statement(sql, [id.uuid().into(), write.now.ms().into()])).await?;
        Ok(settle(write, self.endpoint, i64::from(delivery.state != DeliveryState::Pending)).await?)
    }

    /// The same with those of a range, the oldest first and at most `limit`; says how many these were. A test tells of nothing that happened.
    pub async fn replay_range(self, asked: Asked<'_>, range: ReplayRange, limit: u64) -> Result<u64, WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let replayed = self.replay_range_in(&write, asked, range, limit).await;
        write.end(replayed).await
    }

    async fn replay_range_in(self, write: &Write, asked: Asked<'_>, range: ReplayRange, limit: u64) -> Result<u64, WebhookRefusal> {
        let endpoint = self.enabled(write).await?;
        if endpoint.pending >= REPLAYS_PENDING_MAX {
            return Err(WebhookRefusal::TooManyPending);
        }
        let states = if range.with_delivered { &["failed", "delivered"][..] } else { &["failed"][..] };
        let mut replayed = 0;
        for state in states {
            let sql = "UPDATE webhook_deliveries SET state = 'pending', tries = 0, due_at_ms = $5, ended_at_ms = NULL WHERE id IN \
                 (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND state = $2 AND created_at_ms >= $3 AND created_at_ms <= $4 \
                 AND NOT is_test AND (last_at_ms IS NULL OR last_at_ms < $7) ORDER BY created_at_ms, id LIMIT $6)";
            let values = [
                self.endpoint.uuid().into(),
                (*state).into(),
                range.from.ms().into(),
                range.to.ms().into(),
                write.now.ms().into(),
                i64::try_from(limit - replayed).unwrap_or(i64::MAX).into(),
                range.tried_before.map_or(i64::MAX, Timestamp::ms).into(),
            ];
            replayed += write.tx.execute_raw(write.statement(sql, values)).await?.rows_affected();
        }
        if replayed > 0 {
            let subject = format!("{}: {replayed}", endpoint.name);
            audit::insert(write, &asked.did_in(self.tenant, Act::WebhookReplayed, &subject)).await?;
            settle(write, self.endpoint, i64::try_from(replayed).unwrap_or(i64::MAX)).await?;
        }
        Ok(replayed)
    }

    /// An event that has not happened, taken to be sent at once by whoever asks, also where the endpoint is disabled. Of tests the last ones
    /// are kept.
    pub async fn begin_test(
        self,
        event: WebhookEvent,
        event_id: &str,
        body: &str,
        lease_ms: i64,
    ) -> Result<ClaimedWebhook, WebhookRefusal> {
        let write = self.store.write_of(self.tenant).await?;
        let begun = self.begin_test_in(&write, event, (event_id, body), lease_ms).await;
        write.end(begun).await
    }

    async fn begin_test_in(
        self,
        write: &Write,
        event: WebhookEvent,
        (event_id, body): (&str, &str),
        lease_ms: i64,
    ) -> Result<ClaimedWebhook, WebhookRefusal> {
        let endpoint = lock(write, self.endpoint).await?.filter(|row| row.is_of(self.tenant)).ok_or(WebhookRefusal::Unknown)?;
        tidying::forget_tests(write, self.endpoint).await?;
        let happened = WebhookHappened { tenant: self.tenant, event, event_id, body };
        let id: Uuid = chance::new_id();
        fan_out::insert(write, &[(self.endpoint, id)], &happened, true).await?;
        let taken = claiming::take(write, &[endpoint], &[id], lease_ms).await?;
        settle(write, self.endpoint, 1).await?;
        taken.into_iter().next().ok_or(WebhookRefusal::DeliveryUnknown)
    }

    /// The endpoint, locked.
    async fn enabled(self, write: &Write) -> Result<EndpointRow, WebhookRefusal> {
        let row = lock(write, self.endpoint).await?.filter(|row| row.is_of(self.tenant)).ok_or(WebhookRefusal::Unknown)?;
        if row.disabled_at_ms.is_some() { Err(WebhookRefusal::Disabled) } else { Ok(row) }
    }
}
