//! The rows of endpoints, deliveries and attempts: how they are read, and how the line of an endpoint is kept.

use crate::{
    StoreError,
    database::write::Write,
    sql::{in_steps, places_from},
};
use domain::{
    Act, TenantId, Timestamp, WebhookDeliveryId, WebhookEndpointId,
    webhook::{DeliveryState, DisabledReason, WebhookEvent, at_once},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use uuid::Uuid;

/// Where a tenant wants to be told of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    pub id: WebhookEndpointId,
    pub name: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    /// The end of its secret, by which its owner recognises it.
    pub secret_hint: String,
    /// Until then the secret of before signs too.
    pub old_secret_until: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Since when nothing is told to it, and why.
    pub disabled: Option<(Timestamp, DisabledReason)>,
    /// It has taken nothing since then.
    pub failing_since: Option<Timestamp>,
    /// Deliveries that wait.
    pub pending: u64,
}

/// One event on its way to one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    pub id: WebhookDeliveryId,
    /// The same for each endpoint that is told of it, and each time.
    pub event_id: String,
    pub event: String,
    pub body: String,
    pub is_test: bool,
    pub state: DeliveryState,
    pub attempts: u32,
    /// When it is sent next, if it is.
    pub due_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Of the last attempt.
    pub last_at: Option<Timestamp>,
    pub last_status: Option<u16>,
    pub last_error: Option<String>,
}

/// One try of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookAttempt {
    pub number: u32,
    pub at: Timestamp,
    pub took_ms: u64,
    /// `None`: there was no answer.
    pub status: Option<u16>,
    pub error: Option<String>,
    pub headers: String,
    pub answer: String,
}

/// Why nothing was done with an endpoint or a delivery.
#[derive(Debug, thiserror::Error)]
pub enum WebhookRefusal {
    #[error("there is no such webhook endpoint")]
    Unknown,
    #[error("there is no such delivery")]
    DeliveryUnknown,
    #[error("there are as many webhook endpoints as there may be")]
    TooMany,
    #[error("the webhook endpoint is disabled: enable it first")]
    Disabled,
    /// With more of them what happens meanwhile would find no room.
    #[error("many deliveries wait there already: send others again when these have arrived")]
    TooManyPending,
    /// A third one would cut short the time that the first was promised.
    #[error("the secret of before still signs: rotate without it, or when its day is over")]
    OldSecretSigns,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for WebhookRefusal {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

pub(super) const ENDPOINT: &str = "id, tenant_id, name, url, event_types, sealed_secret, secret_hint, old_sealed_secret, \
     old_secret_until_ms, created_at_ms, updated_at_ms, disabled_at_ms, disabled_reason, failing_since_ms, is_slow, pending, receiver";
pub(super) const DELIVERY: &str = "id, event_id, event_type, body, is_test, state, attempts, due_at_ms, created_at_ms, last_at_ms, \
     last_status, last_error";

#[derive(FromQueryResult)]
pub(super) struct EndpointRow {
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub name: String,
    pub url: String,
    pub event_types: String,
    pub sealed_secret: String,
    pub secret_hint: String,
    pub old_sealed_secret: Option<String>,
    pub old_secret_until_ms: Option<i64>,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
    pub disabled_at_ms: Option<i64>,
    pub disabled_reason: Option<String>,
    pub failing_since_ms: Option<i64>,
    pub is_slow: bool,
    pub pending: i64,
    /// Of the line of callbacks: it is no endpoint of its tenant's.
    pub receiver: Option<String>,
}

#[derive(FromQueryResult)]
pub(super) struct DeliveryRow {
    pub id: Uuid,
    event_id: String,
    event_type: String,
    body: String,
    is_test: bool,
    state: String,
    attempts: i32,
    due_at_ms: i64,
    pub created_at_ms: i64,
    last_at_ms: Option<i64>,
    last_status: Option<i32>,
    last_error: Option<String>,
}

impl EndpointRow {
    pub fn events(&self) -> Vec<WebhookEvent> {
        self.event_types.split(' ').filter_map(WebhookEvent::named).collect()
    }

    /// One that this tenant has made.
    pub fn is_of(&self, tenant: TenantId) -> bool {
        self.tenant() == tenant && self.receiver.is_none()
    }

    pub fn tenant(&self) -> TenantId {
        TenantId::from_uuid(self.tenant_id)
    }

    pub fn parsed(self) -> WebhookEndpoint {
        let reason = self.disabled_reason.as_deref().and_then(DisabledReason::named).unwrap_or(DisabledReason::ByUser);
        WebhookEndpoint {
            id: WebhookEndpointId::from_uuid(self.id),
            events: self.events(),
            name: self.name,
            url: self.url,
            secret_hint: self.secret_hint,
            old_secret_until: self.old_secret_until_ms.map(Timestamp::from_ms),
            created_at: Timestamp::from_ms(self.created_at_ms),
            updated_at: Timestamp::from_ms(self.updated_at_ms),
            disabled: self.disabled_at_ms.map(|ms| (Timestamp::from_ms(ms), reason)),
            failing_since: self.failing_since_ms.map(Timestamp::from_ms),
            pending: self.pending.max(0).unsigned_abs(),
        }
    }
}

impl DeliveryRow {
    pub fn parsed(self) -> Result<WebhookDelivery, StoreError> {
        let state =
            DeliveryState::named(&self.state).ok_or_else(|| StoreError::inconsistent("webhook_deliveries", "state", &self.state))?;
        Ok(WebhookDelivery {
            id: WebhookDeliveryId::from_uuid(self.id),
            event_id: self.event_id,
            event: self.event_type,
            body: self.body,
            is_test: self.is_test,
            state,
            attempts: self.attempts.unsigned_abs(),
            due_at: (state == DeliveryState::Pending).then(|| Timestamp::from_ms(self.due_at_ms)),
            created_at: Timestamp::from_ms(self.created_at_ms),
            last_at: self.last_at_ms.map(Timestamp::from_ms),
            last_status: status(self.last_status),
            last_error: self.last_error,
        })
    }
}

pub(super) fn status(stored: Option<i32>) -> Option<u16> {
    stored.and_then(|status| u16::try_from(status).ok())
}

/// The endpoint, whose line nobody else changes until the transaction ends.
pub(super) async fn lock(write: &Write, id: WebhookEndpointId) -> Result<Option<EndpointRow>, StoreError> {
    let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE" } else { "" };
    let sql = format!("SELECT {ENDPOINT} FROM webhook_endpoints WHERE id = $1 AND deleted_at_ms IS NULL {lock}");
    Ok(EndpointRow::find_by_statement(write.statement(&sql, [id.uuid().into()])).one(&write.tx).await?)
}

/// Says when the next delivery of a locked endpoint may be begun: when one is due, or, where as many are on their way as may be, when the
/// first of these is taken for lost. `waiting`: so many more wait than before.
pub(super) async fn settle(write: &Write, id: WebhookEndpointId, waiting: i64) -> Result<(), StoreError> {
    settle_all(write, &[id], waiting).await
}

/// The same of several, each with so many more.
pub(super) async fn settle_all(write: &Write, ids: &[WebhookEndpointId], waiting: i64) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let ids = in_steps(ids.iter().map(|id| id.uuid().into()).collect());
    let leased = "FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND leased_until_ms > $1";
    let sql = format!(
        "UPDATE webhook_endpoints SET pending = pending + $2, next_at_ms = CASE WHEN disabled_at_ms IS NOT NULL THEN NULL \
         WHEN (SELECT COUNT(*) {leased}) >= CASE WHEN failing_since_ms IS NULL THEN {} ELSE {} END \
         THEN (SELECT MIN(leased_until_ms) {leased}) \
         ELSE (SELECT MIN(due_at_ms) FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND state = 'pending') END \
         WHERE id IN {}",
        at_once(false),
        at_once(true),
        places_from(3, ids.len())
    );
    let values: Vec<Value> = [write.now.ms().into(), waiting.into()].into_iter().chain(ids).collect();
    write.tx.execute_raw(Statement::from_sql_and_values(write.backend(), sql, values)).await?;
    Ok(())
}

/// Nothing more is told to a locked endpoint. What waits stays where it is.
pub(super) async fn disable(write: &Write, id: WebhookEndpointId, reason: DisabledReason) -> Result<(), StoreError> {
    let sql = "UPDATE webhook_endpoints SET disabled_at_ms = $2, disabled_reason = $3, updated_at_ms = $2, next_at_ms = NULL WHERE id = $1";
    write.tx.execute_raw(write.statement(sql, [id.uuid().into(), write.now.ms().into(), reason.as_str().into()])).await?;
    Ok(())
}

/// What the audit log calls it when an endpoint is turned on or off.
pub(super) const fn act_of(is_enabled: bool) -> Act {
    if is_enabled { Act::WebhookEnabled } else { Act::WebhookDisabled }
}
