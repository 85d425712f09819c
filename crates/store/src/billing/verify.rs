//! Whether the ledger is true: every rule that must hold, as a query that finds the rows which break it.

use super::spending::{charged_sum, held_sum};
use crate::StoreError;
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

/// Rows shown for each rule.
const SHOWN: u32 = 50;

/// A row that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerFault {
    pub table: &'static str,
    pub row: Uuid,
    /// What is wrong with it.
    pub problem: &'static str,
}

/// What a check of the ledger has found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    pub entries: u64,
    pub faults: Vec<LedgerFault>,
}

struct Rule {
    table: &'static str,
    problem: &'static str,
    /// Selects `row`, the id of each row that breaks it.
    broken_by: &'static str,
}

/// How each kind moves the rest of its grant, and what is held of it.
const RULES: [Rule; 12] = [
    Rule {
        table: "ledger_entries",
        problem: "its accounts are not those of its kind",
        broken_by: "SELECT id AS row FROM ledger_entries WHERE (kind, from_account, to_account) NOT IN (VALUES \
             ('grant', 'issued', 'available'), ('hold', 'available', 'held'), ('capture', 'held', 'spent'), ('release', 'held', 'available'), \
             ('release_expired', 'held', 'expired'), ('expire', 'available', 'expired'), ('refund', 'spent', 'available'))",
    },
    Rule {
        table: "ledger_entries",
        problem: "its grant is not one of its tenant",
        broken_by: "SELECT id AS row FROM ledger_entries WHERE NOT EXISTS \
             (SELECT 1 FROM grants WHERE grants.id = grant_id AND grants.tenant_id = ledger_entries.tenant_id)",
    },
    Rule {
        table: "ledger_entries",
        problem: "it is about a job and names none, or the other way round",
        broken_by: "SELECT id AS row FROM ledger_entries WHERE (job_id IS NULL) <> (kind IN ('grant', 'expire'))",
    },
    Rule {
        table: "tenants",
        problem: "what is available is not the sum of its entries, or less than nothing",
        broken_by: "SELECT id AS row FROM tenants WHERE available_ms < 0 OR available_ms <> COALESCE((SELECT \
             SUM(CASE 'available' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) \
             FROM ledger_entries WHERE tenant_id = tenants.id), 0)",
    },
    Rule {
        table: "tenants",
        problem: "what is held is not the sum of its entries, or less than nothing",
        broken_by: "SELECT id AS row FROM tenants WHERE held_ms < 0 OR held_ms <> COALESCE((SELECT \
             SUM(CASE 'held' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) \
             FROM ledger_entries WHERE tenant_id = tenants.id), 0)",
    },
    Rule {
        table: "grants",
        problem: "its rest is not the sum of its entries",
        broken_by: "SELECT grants.id AS row FROM grants LEFT JOIN (SELECT grant_id, \
             SUM(CASE 'available' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) AS sum_ms \
             FROM ledger_entries GROUP BY grant_id) AS sums ON sums.grant_id = grants.id WHERE remaining_ms <> COALESCE(sum_ms, 0)",
    },
    Rule {
        table: "jobs",
        problem: "more of a grant was captured, released or refunded than was held or captured",
        broken_by: "SELECT job_id AS row FROM ledger_entries WHERE job_id IS NOT NULL GROUP BY job_id, grant_id HAVING \
             SUM(CASE 'held' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) < 0 \
             OR SUM(CASE 'spent' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) < 0",
    },
    Rule {
        table: "jobs",
        problem: "something is held for it, and it is not open",
        broken_by: "SELECT job_id AS row FROM ledger_entries WHERE job_id IS NOT NULL GROUP BY job_id HAVING \
             SUM(CASE 'held' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) <> 0 \
             AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = job_id AND ended_at_ms IS NULL)",
    },
    Rule {
        table: "jobs",
        problem: "what is held for it, or what it was charged, is not what its entries say",
        broken_by: "SELECT jobs.id AS row FROM jobs LEFT JOIN (SELECT job_id, \
             SUM(CASE 'held' WHEN to_account THEN amount_ms WHEN from_account THEN -amount_ms ELSE 0 END) AS held, \
             SUM(CASE kind WHEN 'capture' THEN amount_ms ELSE 0 END) AS captured \
             FROM ledger_entries WHERE job_id IS NOT NULL GROUP BY job_id) AS booked ON booked.job_id = jobs.id \
             WHERE plan IS NOT NULL AND ((ended_at_ms IS NULL AND COALESCE(held, 0) <> billed_ms) \
             OR (ended_at_ms IS NOT NULL AND COALESCE(captured, 0) <> COALESCE(charged_ms, 0)))",
    },
    Rule {
        table: "spending_limits",
        problem: "what it counts is not what is held for open jobs and was charged in the month",
        broken_by: concat!(
            "SELECT subject_id AS row FROM spending_limits WHERE held_ms <> ",
            held_sum!(),
            " OR spending_limits.charged_ms <> ",
            charged_sum!()
        ),
    },
    Rule {
        table: "tenants",
        problem: "it has spending limits that are not looked at",
        broken_by: "SELECT id AS row FROM tenants WHERE NOT has_spending_limits AND EXISTS \
             (SELECT 1 FROM spending_limits WHERE spending_limits.tenant_id = tenants.id)",
    },
    // What was used before there was a ledger, on its first day too, was charged otherwise. Tenants that were deleted by an earlier version have no usage.
    Rule {
        table: "usage_days",
        problem: "what the tenant was charged on a day is not what its entries of that day say",
        broken_by: "SELECT DISTINCT tenant_id AS row FROM (SELECT tenant_id, day, charged_ms FROM usage_days UNION ALL \
             SELECT tenant_id, at_ms / 86400000 AS day, -amount_ms FROM ledger_entries WHERE kind = 'capture') AS charges \
             WHERE day > (SELECT MIN(at_ms) / 86400000 FROM ledger_entries) AND tenant_id IN (SELECT tenant_id FROM usage_days) \
             GROUP BY tenant_id, day HAVING SUM(charged_ms) <> 0",
    },
];

#[derive(FromQueryResult)]
struct Broken {
    row: Uuid,
}

#[derive(FromQueryResult)]
struct Counted {
    entries: i64,
}

/// Looks through the whole ledger as it is in `snapshot`.
pub(crate) async fn verify(snapshot: &impl ConnectionTrait) -> Result<Verified, StoreError> {
    let backend = snapshot.get_database_backend();
    let mut verified = Verified::default();
    for Rule { table, problem, broken_by } in &RULES {
        let statement = Statement::from_string(backend, format!("{broken_by} LIMIT {SHOWN}"));
        let broken = Broken::find_by_statement(statement).all(snapshot).await?;
        verified.faults.extend(broken.into_iter().map(|Broken { row }| LedgerFault { table, row, problem }));
    }
    let count = Statement::from_string(backend, "SELECT COUNT(*) AS entries FROM ledger_entries");
    verified.entries = Counted::find_by_statement(count).one(snapshot).await?.map_or(0, |counted| counted.entries.unsigned_abs());
    Ok(verified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn what_something_is_held_for_is_found_by_its_id() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let rule = RULES.iter().find(|rule| rule.problem == "something is held for it, and it is not open").unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {}", rule.broken_by);
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.iter().any(|step| step.contains("SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (id=?)")), "{steps:?}");
    }
}
