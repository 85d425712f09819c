//! Plans as data, and the ledger: what each tenant was granted, and where it went.
//!
//! Tenants of before have the plan without a limit, which is how they were treated.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Versions of plans; the highest one is the plan. `terms`: the plan in JSON, as `domain::billing::Plan` writes it.
const PLANS: &str = "CREATE TABLE plans (id TEXT NOT NULL, version INTEGER NOT NULL, terms TEXT NOT NULL, created_at_ms BIGINT NOT NULL, \
     created_by UUID NULL, PRIMARY KEY (id, version))";

const SHIPPED: [(&str, &str); 5] = [
    (
        "unlimited",
        r#"{"id":"unlimited","name":"Unlimited","description":"For your own machines: everything, without a limit.","is_listed":false,"order":0,"currency":"usd","monthly_minor":0,"included":"unlimited","credit_minor_per_minute":null,"overage":null,"lane":"interactive","weight":1,"open_work_max_ms":36000000,"keys_max":100,"models":[]}"#,
    ),
    (
        "free",
        r#"{"id":"free","name":"Free","description":"To try it out.","is_listed":true,"order":10,"currency":"usd","monthly_minor":0,"included":{"monthly_ms":120000},"credit_minor_per_minute":null,"overage":null,"lane":"interactive","weight":1,"open_work_max_ms":60000,"keys_max":2,"models":[]}"#,
    ),
    (
        "payg",
        r#"{"id":"payg","name":"Pay as you go","description":"Nothing a month: buy credit, and use it when you want.","is_listed":true,"order":20,"currency":"usd","monthly_minor":0,"included":{"monthly_ms":0},"credit_minor_per_minute":60,"overage":null,"lane":"interactive","weight":2,"open_work_max_ms":3600000,"keys_max":10,"models":[]}"#,
    ),
    (
        "pro",
        r#"{"id":"pro","name":"Pro","description":"For people who make videos every day.","is_listed":true,"order":30,"currency":"usd","monthly_minor":2900,"included":{"monthly_ms":3600000},"credit_minor_per_minute":50,"overage":{"minor_per_minute":60,"limit_ms":3600000},"lane":"interactive","weight":4,"open_work_max_ms":7200000,"keys_max":50,"models":[]}"#,
    ),
    (
        "enterprise",
        r#"{"id":"enterprise","name":"Enterprise","description":"Tens of thousands of videos, by agreement.","is_listed":true,"order":40,"currency":"usd","monthly_minor":null,"included":{"monthly_ms":60000000},"credit_minor_per_minute":40,"overage":{"minor_per_minute":40,"limit_ms":60000000},"lane":"batch","weight":16,"open_work_max_ms":360000000,"keys_max":1000,"models":[]}"#,
    ),
];

/// `due_at_ms`: when a grant expires or the plan's period ends, whichever comes first. `available_ms` and `held_ms` are those accounts of
/// the ledger.
const TENANT_COLUMNS: [&str; 6] = [
    "plan TEXT NOT NULL DEFAULT 'unlimited'",
    "plan_since_ms BIGINT NOT NULL DEFAULT 0",
    "period_ends_ms BIGINT NOT NULL DEFAULT 0",
    "due_at_ms BIGINT NOT NULL DEFAULT 0",
    "available_ms BIGINT NOT NULL DEFAULT 0",
    "held_ms BIGINT NOT NULL DEFAULT 0",
];

/// `cause` says what it was granted for, and that this is granted once.
const GRANTS: [&str; 2] = [
    "CREATE TABLE grants (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, kind TEXT NOT NULL, \
     draw_order INTEGER NOT NULL, cause TEXT NOT NULL, amount_ms BIGINT NOT NULL, remaining_ms BIGINT NOT NULL CHECK (remaining_ms >= 0), \
     created_at_ms BIGINT NOT NULL, expires_at_ms BIGINT NOT NULL, minor_per_minute INTEGER NULL, currency TEXT NULL, note TEXT NULL, \
     UNIQUE (tenant_id, cause))",
    "CREATE INDEX grants_to_draw_on ON grants (tenant_id, draw_order, expires_at_ms, id) WHERE remaining_ms > 0",
];

const LEDGER: [&str; 3] = [
    "CREATE TABLE ledger_entries (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, at_ms BIGINT NOT NULL, kind TEXT NOT NULL, \
     from_account TEXT NOT NULL, to_account TEXT NOT NULL, amount_ms BIGINT NOT NULL CHECK (amount_ms > 0), grant_id UUID NOT NULL, \
     job_id UUID NULL, note TEXT NULL)",
    "CREATE INDEX ledger_of_tenant ON ledger_entries (tenant_id, id)",
    // Of a job, what is drawn from a grant is held, captured, released and refunded once.
    "CREATE UNIQUE INDEX ledger_once_for_a_job ON ledger_entries (job_id, kind, grant_id) WHERE job_id IS NOT NULL",
];

/// Entries are only ever added.
const APPEND_ONLY_SQLITE: [&str; 2] = [
    "CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'ledger entries are only added'); END",
    "CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'ledger entries are only added'); END",
];

const APPEND_ONLY_POSTGRES: [&str; 2] = [
    "CREATE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS \
     $$ BEGIN RAISE EXCEPTION 'ledger entries are only added'; END $$",
    "CREATE TRIGGER ledger_entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries \
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger()",
];

/// `lane`, `plan`: as it was taken in. `drawn`: from which grants its price is held, in JSON as `domain::billing::Drawn` writes it. `charged_ms`: null until it has ended, and of jobs of before.
const JOB_COLUMNS: [&str; 4] = ["lane TEXT NULL", "plan TEXT NULL", "drawn TEXT NULL", "charged_ms BIGINT NULL"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        db.execute_unprepared(PLANS).await?;
        for (id, terms) in SHIPPED {
            let insert = format!("INSERT INTO plans (id, version, terms, created_at_ms) VALUES ('{id}', 1, '{terms}', 0)");
            db.execute_unprepared(&insert).await?;
        }
        for (table, columns) in [("tenants", &TENANT_COLUMNS[..]), ("jobs", &JOB_COLUMNS[..])] {
            for column in columns {
                db.execute_unprepared(&format!("ALTER TABLE {table} ADD COLUMN {column}")).await?;
            }
        }
        let append_only = match manager.get_database_backend() {
            DbBackend::Sqlite => APPEND_ONLY_SQLITE,
            _ => APPEND_ONLY_POSTGRES,
        };
        for sql in GRANTS.iter().chain(&LEDGER).chain(&append_only) {
            db.execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
