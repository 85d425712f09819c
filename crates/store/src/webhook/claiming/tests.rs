//! How deliveries are found, however many there are.

use super::*;
use crate::testing::TempDatabase;

#[tokio::test]
async fn what_is_due_is_found_along_indexes_however_much_waits() {
    let database = TempDatabase::sqlite();
    let store = database.open().await.unwrap();
    let explained = async |statement: Statement| {
        let plan = Statement { sql: format!("EXPLAIN QUERY PLAN {}", statement.sql), ..statement };
        let rows = store.db.query_all_raw(plan).await.unwrap();
        rows.iter().map(|row| row.try_get::<String>("", "detail").unwrap()).collect::<Vec<_>>()
    };
    for (held_back, index) in [(false, "webhook_endpoints_due (next_at_ms<?)"), (true, "webhook_endpoints_due_failing (next_at_ms<?)")] {
        for busy in [vec![], vec![TenantId::from_uuid(Uuid::nil()); 8]] {
            let steps = explained(due(DbBackend::Sqlite, held_back, &busy, Timestamp::from_ms(1))).await;
            assert!(steps.len() == 1 && steps[0].contains(index), "{steps:?}");
        }
    }
    let of_a_line = Statement::from_sql_and_values(DbBackend::Sqlite, first_due(2), [1_i64.into(), Uuid::nil().into(), 4_i64.into()]);
    let steps = explained(of_a_line).await;
    assert!(steps.len() == 1 && steps[0].contains("webhook_deliveries_due (endpoint_id=? AND due_at_ms<?)"), "{steps:?}");
    for (sql, index) in [
        (
            "SELECT COUNT(*) FROM webhook_deliveries WHERE endpoint_id = x'00' AND leased_until_ms > 5",
            "webhook_deliveries_leased (endpoint_id=? AND leased_until_ms>?)",
        ),
        (
            "SELECT id FROM webhook_deliveries WHERE endpoint_id = x'00' AND tenant_id = x'00' ORDER BY created_at_ms DESC, id DESC LIMIT 5",
            "webhook_deliveries_by_endpoint (endpoint_id=?)",
        ),
        (
            "SELECT id FROM webhook_deliveries WHERE endpoint_id = x'00' AND state = 'failed' AND created_at_ms >= 1 AND created_at_ms <= 9 ORDER BY created_at_ms, id LIMIT 5",
            "webhook_deliveries_by_state (endpoint_id=? AND state=? AND created_at_ms>? AND created_at_ms<?)",
        ),
        (
            "SELECT id FROM webhook_deliveries WHERE endpoint_id = x'00' AND is_test AND state <> 'pending' ORDER BY created_at_ms DESC, id DESC LIMIT 100 OFFSET 19",
            "webhook_deliveries_tests (endpoint_id=?)",
        ),
        (
            "SELECT id FROM webhook_endpoints WHERE (failing_since_ms IS NOT NULL OR is_slow) AND next_at_ms > 5 LIMIT 5",
            "webhook_endpoints_due_failing (next_at_ms>?)",
        ),
        (
            "SELECT id FROM webhook_deliveries WHERE created_at_ms <= 5 ORDER BY created_at_ms LIMIT 5",
            "webhook_deliveries_by_time (created_at_ms<?)",
        ),
        (
            "SELECT 1 FROM webhook_endpoints WHERE tenant_id = x'00' AND disabled_at_ms IS NULL AND deleted_at_ms IS NULL LIMIT 1",
            "webhook_endpoints_by_tenant (tenant_id=?)",
        ),
    ] {
        let steps = explained(Statement::from_string(DbBackend::Sqlite, sql)).await;
        assert!(steps.len() == 1 && steps[0].contains(index), "{sql}: {steps:?}");
    }
}
