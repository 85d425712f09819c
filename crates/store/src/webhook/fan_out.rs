//! What has happened, added for each endpoint that is to be told of it.

use super::{
    queue::WebhookQueue,
    rows::{ENDPOINT, EndpointRow, settle_all},
    sending::disable_and_tell,
};
use crate::{StoreError, chance, database::write::Write, sql::places};
use domain::{
    TenantId, WebhookEndpointId,
    webhook::{DisabledReason, PENDING_MAX, WebhookEvent},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use uuid::Uuid;

const COLUMNS: [&str; 12] = [
    "id",
    "tenant_id",
    "endpoint_id",
    "event_id",
    "event_type",
    "body",
    "is_test",
    "state",
    "tries",
    "attempts",
    "due_at_ms",
    "created_at_ms",
];

/// Something that receivers of a tenant are to be told of.
#[derive(Debug, Clone, Copy)]
pub struct WebhookHappened<'a> {
    pub tenant: TenantId,
    pub event: WebhookEvent,
    /// Of two with the same id one is told.
    pub event_id: &'a str,
    pub body: &'a str,
}

impl WebhookQueue<'_> {
    /// Adds a delivery for each endpoint that wants to be told; says how many these are. Those of an event that was added before are not
    /// added again.
    pub async fn fan_out(self, happened: WebhookHappened<'_>) -> Result<u64, StoreError> {
        let mut write = self.store().write().await?;
        let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE" } else { "" };
        let sql = format!(
            "SELECT {ENDPOINT} FROM webhook_endpoints WHERE tenant_id = $1 AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL AND receiver IS NULL ORDER BY id {lock}"
        );
        let rows = EndpointRow::find_by_statement(write.statement(&sql, [happened.tenant.uuid().into()])).all(&write.tx).await?;
        let wanting = rows.into_iter().filter(|row| row.events().contains(&happened.event));
        let (backlog, told): (Vec<_>, Vec<_>) = wanting.partition(|row| row.pending >= PENDING_MAX);
        for row in backlog {
            disable_and_tell(&mut write, &row, DisabledReason::Backlog).await?;
        }
        let told: Vec<_> = told.iter().map(|row| (WebhookEndpointId::from_uuid(row.id), chance::new_id())).collect();
        let added = insert(&write, &told, &happened, false).await?;
        settle_all(&write, &added, 1).await?;
        write.commit().await?;
        Ok(added.len() as u64)
    }
}

/// Adds a delivery that is due now for each of these endpoints, by its id; those to whose lines it was added: not where this event was added before.
pub(super) async fn insert(
    write: &Write,
    deliveries: &[(WebhookEndpointId, Uuid)],
    happened: &WebhookHappened<'_>,
    is_test: bool,
) -> Result<Vec<WebhookEndpointId>, StoreError> {
    if deliveries.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "INSERT INTO webhook_deliveries ({}) VALUES {} ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING endpoint_id",
        COLUMNS.join(", "),
        places(deliveries.len(), COLUMNS.len())
    );
    let values = deliveries.iter().flat_map(|(endpoint, id)| -> [Value; COLUMNS.len()] {
        [
            (*id).into(),
            happened.tenant.uuid().into(),
            endpoint.uuid().into(),
            happened.event_id.into(),
            happened.event.as_str().into(),
            happened.body.into(),
            is_test.into(),
            "pending".into(),
            0_i32.into(),
            0_i32.into(),
            write.now.ms().into(),
            write.now.ms().into(),
        ]
    });
    let added = write.tx.query_all_raw(Statement::from_sql_and_values(write.backend(), sql, values)).await?;
    Ok(added.iter().map(|row| row.try_get_by_index(0).map(WebhookEndpointId::from_uuid)).collect::<Result<_, _>>()?)
}
