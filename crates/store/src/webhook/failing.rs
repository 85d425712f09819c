//! Since when an endpoint takes nothing of what it is told.

use super::rows::EndpointRow;
use crate::{StoreError, database::write::Write};
use domain::{WebhookDeliveryId, WebhookEndpointId, webhook::UNASKED_MS};
use sea_orm::ConnectionTrait;

/// Tries before this one, of the same delivery and of others of its endpoint: while that fails, none of them was taken.
const TRIED_LATELY: &str = "SELECT 1 FROM webhook_attempts WHERE delivery_id = $2 AND number < $3 AND at_ms > $4 \
     UNION ALL SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 AND state IN ('pending', 'failed') AND id <> $2 AND NOT is_test \
     AND last_at_ms > $4 LIMIT 1";

/// A try of a delivery.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub endpoint: WebhookEndpointId,
    pub delivery: WebhookDeliveryId,
    pub number: u32,
}

/// Since when a locked endpoint takes nothing that has not taken this attempt either. Of one that was asked nothing for long nobody knows how it did
/// meanwhile: that begins anew.
pub(super) async fn since_ms(write: &Write, endpoint: &EndpointRow, attempt: Attempt) -> Result<i64, StoreError> {
    let Some(since_ms) = endpoint.failing_since_ms else { return Ok(write.now.ms()) };
    let may_have_paused = endpoint.receiver.is_none() && write.now.plus_ms(-UNASKED_MS).ms() >= since_ms;
    let begins_anew = may_have_paused && !was_tried_lately(write, attempt).await?;
    Ok(if begins_anew { write.now.ms() } else { since_ms })
}

async fn was_tried_lately(write: &Write, attempt: Attempt) -> Result<bool, StoreError> {
    let number = i32::try_from(attempt.number).unwrap_or(i32::MAX);
    let after = write.now.plus_ms(-UNASKED_MS);
    let values = [attempt.endpoint.uuid().into(), attempt.delivery.uuid().into(), number.into(), after.ms().into()];
    Ok(write.tx.query_one_raw(write.statement(TRIED_LATELY, values)).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, Statement, Value};
    use uuid::Uuid;

    #[tokio::test]
    async fn what_was_tried_lately_is_found_along_indexes() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let values: [Value; 4] = [Uuid::nil().into(), Uuid::nil().into(), 1.into(), 1_i64.into()];
        let plan = Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {TRIED_LATELY}"), values);
        let rows = store.db.query_all_raw(plan).await.unwrap();
        let steps: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(!steps.iter().any(|step| step.starts_with("SCAN")), "{steps:?}");
        assert!(steps.iter().any(|step| step.contains("webhook_deliveries_by_state (endpoint_id=? AND state=?)")), "{steps:?}");
    }
}
